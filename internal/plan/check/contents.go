package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// objectFits: what is required is there, what is there fits, and nothing is
// there that is refused.
func (r *run) objectFits(f, w form, level int) verdict {
	var v verdict
	for _, n := range w.nodes {
		for _, name := range n.Required {
			switch p, _ := property(f, name); p {
			case never, undeclared:
				v.wrong = fmt.Sprintf("has no %q, which is required", name)
			case maybe:
				v.absent = fmt.Sprintf("may lack %q, which is required", name)
			case nobodyKnows:
				v.unsure = fmt.Sprintf("has a %q that nobody knows of beforehand", name)
			}
		}
		v = v.and(r.propertiesFit(f, n, level))
	}
	return v
}

func (r *run) propertiesFit(f form, n *jsonschema.Schema, level int) verdict {
	var v verdict
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		v = v.and(r.propertyFits(f, name, n.Properties[name], level))
	}
	sub, closed := additional(n)
	if sub == nil && !closed {
		return v
	}
	for _, name := range fields([]form{f}) {
		if len(declarations(n, name)) > 0 {
			continue
		}
		if closed {
			v = v.and(verdict{wrong: fmt.Sprintf("has the field %q, which is not accepted", name)})
		} else {
			v = v.and(r.propertyFits(f, name, sub, level))
		}
	}
	if !slices.ContainsFunc(f.nodes, func(n *jsonschema.Schema) bool { _, c := additional(n); return c && len(n.PatternProperties) == 0 }) {
		v = v.and(verdict{unsure: "may have fields that nobody knows of beforehand"})
	}
	return v
}

// additional gives a node's schema for undeclared properties, or that it
// accepts none.
func additional(n *jsonschema.Schema) (sub *jsonschema.Schema, closed bool) {
	switch a := n.AdditionalProperties.(type) {
	case bool:
		return nil, !a
	case *jsonschema.Schema:
		return a, refused(a)
	}
	return nil, false
}

func (r *run) propertyFits(f form, name string, want *jsonschema.Schema, level int) verdict {
	p, nodes := property(f, name)
	if p == never {
		return verdict{}
	}
	have := []form{unknown}
	if len(nodes) > 0 {
		have, _ = r.forms(nodes)
	}
	return r.fits(have, []*jsonschema.Schema{want}, level+1).within(name)
}

// arrayFits compares item by item as far as either side tells items apart, and
// then the rest.
func (r *run) arrayFits(f, w form, level int) verdict {
	var v verdict
	for _, n := range w.nodes {
		tuple, rest := tupleOf(n)
		if len(tuple) == 0 && rest == nil {
			continue
		}
		for i := range r.positions(f, len(tuple)) {
			want := rest
			if i < len(tuple) {
				want = tuple[i]
			}
			if want != nil {
				v = v.and(r.itemFits(f, i, want, level))
			}
		}
	}
	return v
}

// positions is how many items must be looked at: one beyond every tuple.
func (r *run) positions(f form, wanted int) int {
	n := wanted
	for _, node := range f.nodes {
		tuple, _ := tupleOf(node)
		n = max(n, len(tuple))
	}
	return n + 1
}

func (r *run) itemFits(f form, i int, want *jsonschema.Schema, level int) verdict {
	p, nodes := item(f, strconv.Itoa(i))
	if p == never {
		return verdict{}
	}
	if refused(want) { // as many items as are wanted is a matter of values
		return verdict{unsure: "may have more items than are accepted"}
	}
	have := []form{unknown}
	if len(nodes) > 0 {
		have, _ = r.forms(nodes)
	}
	return r.fits(have, []*jsonschema.Schema{want}, level+1).within("item")
}
