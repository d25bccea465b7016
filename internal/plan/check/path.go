package check

import (
	"slices"

	"assent/internal/plan/lang"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// presence is whether a part of a value is there.
type presence int

const (
	never presence = iota
	maybe
	always
	nobodyKnows
	// undeclared: the author of the type did not think of it, although JSON
	// Schema lets it be there. A path into it is an error all the same.
	undeclared
)

// selection is what a path finds in a type.
type selection struct {
	forms  []form // of what is there
	has    bool   // it is there for some values
	lacks  bool   // it is missing for some values
	unsure bool   // the type does not say
}

func (s *selection) add(r *run, p presence, nodes []*jsonschema.Schema) {
	switch p {
	case never, undeclared:
		s.lacks = true
		return
	case maybe:
		s.has, s.lacks = true, true
	case always:
		s.has = true
	case nobodyKnows:
		s.unsure = true
	}
	forms := []form{unknown}
	if len(nodes) > 0 {
		forms, _ = r.forms(nodes) // of a producer, what more is said only narrows
	}
	s.forms = append(s.forms, forms...)
	if len(s.forms) > maxForms {
		s.forms = []form{unknown}
	}
}

// enter goes one part of a path into a type.
func (r *run) enter(from []form, part string) selection {
	var s selection
	for _, f := range from {
		if !f.said {
			s.add(r, nobodyKnows, nil)
			continue
		}
		if f.kinds&object != 0 {
			p, nodes := property(f, part)
			s.add(r, p, nodes)
		}
		if f.kinds&array != 0 {
			p, nodes := item(f, part)
			s.add(r, p, nodes)
		}
		if f.kinds&^(object|array) != 0 {
			s.lacks = true
		}
	}
	return s
}

// property tells whether objects of a form have a property, and its type.
func property(f form, name string) (presence, []*jsonschema.Schema) {
	var nodes []*jsonschema.Schema
	var declared, required, closed, extra, others bool
	for _, n := range f.nodes {
		required = required || slices.Contains(n.Required, name)
		others = others || len(n.Properties) > 0
		here := declarations(n, name)
		if len(here) > 0 {
			declared = true
			nodes = append(nodes, here...)
			continue
		}
		switch a := n.AdditionalProperties.(type) {
		case bool:
			closed, extra = closed || !a, extra || a
		case *jsonschema.Schema:
			extra = true
			nodes = append(nodes, a)
		}
	}
	switch {
	case slices.ContainsFunc(nodes, refused):
		return never, nil
	case required && (declared || !closed):
		return always, nodes
	case declared:
		return maybe, nodes
	case closed:
		return never, nil
	case extra:
		return maybe, nodes
	case others:
		return undeclared, nil
	}
	return nobodyKnows, nil
}

// declarations gives the schemas that a node has for a property by name.
func declarations(n *jsonschema.Schema, name string) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	if sub, ok := n.Properties[name]; ok {
		out = append(out, sub)
	}
	for re, sub := range n.PatternProperties {
		if re.MatchString(name) {
			out = append(out, sub)
		}
	}
	return out
}

func refused(n *jsonschema.Schema) bool { return n.Bool != nil && !*n.Bool }

// item tells whether arrays of a form have an item at an index, and its type.
func item(f form, part string) (presence, []*jsonschema.Schema) {
	i, ok := lang.ItemIndex(part)
	if !ok {
		return never, nil
	}
	p := maybe
	var nodes []*jsonschema.Schema
	for _, n := range f.nodes {
		if n.MinItems != nil && *n.MinItems > i {
			p = always
		}
		if n.MaxItems != nil && *n.MaxItems <= i {
			return never, nil
		}
		if sub := itemSchema(n, i); sub != nil {
			nodes = append(nodes, sub)
		}
	}
	if slices.ContainsFunc(nodes, refused) {
		return never, nil
	}
	return p, nodes
}

// itemSchema gives a node's schema for item i in whichever draft it is
// written; nil if it says nothing.
func itemSchema(n *jsonschema.Schema, i int) *jsonschema.Schema {
	tuple, rest := tupleOf(n)
	if i < len(tuple) {
		return tuple[i]
	}
	return rest
}

// tupleOf gives the schemas of the first items and of the rest.
func tupleOf(n *jsonschema.Schema) (tuple []*jsonschema.Schema, rest *jsonschema.Schema) {
	tuple, rest = n.PrefixItems, n.Items2020
	switch items := n.Items.(type) {
	case *jsonschema.Schema:
		return nil, items
	case []*jsonschema.Schema:
		tuple = items
		switch a := n.AdditionalItems.(type) {
		case *jsonschema.Schema:
			rest = a
		case bool:
			rest = &jsonschema.Schema{Bool: &a}
		}
	}
	return tuple, rest
}

// fields names what objects of these forms have, for messages.
func fields(forms []form) []string {
	var names []string
	for _, f := range forms {
		for _, n := range f.nodes {
			for name, sub := range n.Properties {
				if !refused(sub) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
