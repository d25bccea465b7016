package schema

import (
	"sync"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of one validation. A schema that refers to itself, or has more ways
// through it than maxWays, could keep the library busy for ever; such a schema
// is validated with a count of the visits to its nodes.
const (
	maxWays   = 20_000
	maxVisits = 200_000
)

// guard counts visits. It stands in every node of a schema that needs it as an
// extension, the only place where the library lets us look in; since an
// extension knows nothing of the validation it is part of, these validations
// run one at a time.
type guard struct {
	mu   sync.Mutex
	left int
}

// spent is what a guard panics with, through the library, to check's recover.
type spent struct{}

// Validate implements jsonschema.SchemaExt.
func (g *guard) Validate(*jsonschema.ValidatorContext, any) {
	if g.left--; g.left < 0 {
		panic(spent{})
	}
}

func (g *guard) validate(node *jsonschema.Schema, v any) (err error, complete bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(spent); !ok {
				panic(r)
			}
		}
	}()
	g.left = maxVisits
	err = node.Validate(v)
	return err, true
}

func tooComplex(at string) []assent.FieldError {
	return []assent.FieldError{{Pointer: at, Argument: argument(at), Code: invalid, Message: "The schema is too complex to check this value against it."}}
}

// guarded gives a schema its guard where it needs one.
func guarded(root *jsonschema.Schema, nodes map[*jsonschema.Schema]bool) *guard {
	w := walk{ways: map[*jsonschema.Schema]int{}}
	if w.count(root) <= maxWays {
		return nil
	}
	g := &guard{}
	for n := range nodes {
		n.Extensions = append(n.Extensions, g)
	}
	return g
}

// walk counts the ways from a node to the leaves; a cycle has endlessly many.
type walk struct{ ways map[*jsonschema.Schema]int }

func (w walk) count(n *jsonschema.Schema) int {
	if known, ok := w.ways[n]; ok {
		return known
	}
	w.ways[n] = maxWays + 1 // what a way back to n finds
	sum := 1
	for _, p := range parts(n) {
		sum = min(sum+w.count(p), maxWays+1)
	}
	w.ways[n] = sum
	return sum
}

// parts gives every subschema of n, references included.
func parts(n *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{n.Ref, n.RecursiveRef, n.Not, n.If, n.Then, n.Else, n.PropertyNames, n.UnevaluatedProperties,
		n.Contains, n.Items2020, n.UnevaluatedItems, n.ContentSchema}
	if n.DynamicRef != nil {
		out = append(out, n.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{n.AllOf, n.AnyOf, n.OneOf, n.PrefixItems} {
		out = append(out, list...)
	}
	for _, v := range []any{n.Items, n.AdditionalItems, n.AdditionalProperties} {
		switch v := v.(type) {
		case *jsonschema.Schema:
			out = append(out, v)
		case []*jsonschema.Schema:
			out = append(out, v...)
		}
	}
	for _, v := range n.Dependencies {
		if sub, ok := v.(*jsonschema.Schema); ok {
			out = append(out, sub)
		}
	}
	return present(append(out, keyed(n)...))
}

func keyed(n *jsonschema.Schema) (out []*jsonschema.Schema) {
	for _, m := range []map[string]*jsonschema.Schema{n.Properties, n.DependentSchemas} {
		for _, sub := range m {
			out = append(out, sub)
		}
	}
	for _, sub := range n.PatternProperties {
		out = append(out, sub)
	}
	return out
}

func present(in []*jsonschema.Schema) (out []*jsonschema.Schema) {
	for _, n := range in {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}
