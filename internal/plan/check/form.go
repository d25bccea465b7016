package check

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// form is one form of a type: the values that satisfy all nodes.
type form struct {
	nodes []*jsonschema.Schema
	kinds kinds
	said  bool // a node says what kinds; else nothing is known
	// choice says that the form is a branch of oneOf: no other may match.
	choice bool
}

// unknown is the form of which nothing is known.
var unknown = form{kinds: anything}

// newForm gives the form of nodes; ok is false if no value can have it.
func newForm(nodes []*jsonschema.Schema, choice bool) (f form, ok bool) {
	f = form{nodes: nodes, kinds: anything, choice: choice}
	for _, n := range nodes {
		k, said := kindsOf(n)
		f.kinds &= k
		f.said = f.said || said
	}
	return f, f.kinds != 0
}

// kindsOf gives what one node says about JSON types.
func kindsOf(n *jsonschema.Schema) (k kinds, said bool) {
	k = anything
	if n.Bool != nil && !*n.Bool {
		return 0, true
	}
	if n.Types != nil && !n.Types.IsEmpty() {
		k = 0
		for _, name := range n.Types.ToStrings() {
			k |= kindOfName(name)
		}
		said = true
	}
	if values, ok := valuesOf(n); ok {
		var of kinds
		for _, v := range values {
			of |= kindOf(v)
		}
		k &= of
		said = true
	}
	return k, said
}

// valuesOf gives the values that enum or const allow.
func valuesOf(n *jsonschema.Schema) ([]any, bool) {
	switch {
	case n.Const != nil:
		return []any{*n.Const}, true
	case n.Enum != nil:
		return n.Enum.Values, true
	}
	return nil, false
}

// Bounds of one type: more forms, or more references in a row, than this and it
// counts as unknown.
const (
	maxForms = 32
	maxChain = 64
	maxNodes = 1000 // visited for one type
)

// forms brings a type, the nodes that all apply, into its forms. complete is
// false where the type says more than its forms do.
func (r *run) forms(nodes []*jsonschema.Schema) (out []form, complete bool) {
	if len(nodes) == 1 {
		if known, ok := r.expanded[nodes[0]]; ok {
			return known.forms, known.complete
		}
	}
	e := expander{complete: true}
	branches := []branch{{}}
	for _, n := range nodes {
		branches = e.cross(branches, e.expand(n, 0))
	}
	for _, b := range branches {
		if f, ok := newForm(b.nodes, b.choice); ok {
			out = append(out, f)
		}
	}
	if e.overflow {
		out, e.complete = []form{unknown}, false
	}
	if len(nodes) == 1 {
		r.expanded[nodes[0]] = expansion{out, e.complete}
	}
	return out, e.complete
}

type expansion struct {
	forms    []form
	complete bool
}

type branch struct {
	nodes  []*jsonschema.Schema
	choice bool
}

type expander struct {
	complete bool
	overflow bool
	visited  int
}

// expand gives the branches of one node.
func (e *expander) expand(n *jsonschema.Schema, depth int) []branch {
	if e.visited++; depth > maxChain || e.visited > maxNodes || e.overflow {
		e.overflow = true // a reference that leads back to itself ends here, too
		return nil
	}
	if n.RecursiveRef != nil || n.DynamicRef != nil {
		e.complete = false
	}
	out := []branch{{nodes: []*jsonschema.Schema{n}}}
	if n.Ref != nil {
		out = e.cross(out, e.expand(n.Ref, depth+1))
	}
	for _, sub := range n.AllOf {
		out = e.cross(out, e.expand(sub, depth+1))
	}
	if len(n.AnyOf) > 0 {
		out = e.cross(out, e.union(n.AnyOf, depth, false))
	}
	if len(n.OneOf) > 0 {
		out = e.cross(out, e.union(n.OneOf, depth, len(n.OneOf) > 1))
	}
	return out
}

func (e *expander) union(nodes []*jsonschema.Schema, depth int, choice bool) []branch {
	var out []branch
	for _, n := range nodes {
		for _, b := range e.expand(n, depth+1) {
			b.choice = b.choice || choice
			out = append(out, b)
		}
	}
	return out
}

func (e *expander) cross(a, b []branch) []branch {
	if len(a)*len(b) > maxForms {
		e.overflow = true
		return nil
	}
	out := make([]branch, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, branch{nodes: slices.Concat(x.nodes, y.nodes), choice: x.choice || y.choice})
		}
	}
	return out
}
