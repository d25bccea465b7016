package schema

import (
	"slices"
	"strings"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Codes of violations; design 06.
const (
	invalid = "invalid_arguments"
	missing = "missing_argument"
	unknown = "unknown_argument"
)

// violations flattens the library's error tree; the order of its parts depends
// on map iteration, ours does not.
func (s *Schema) violations(e *jsonschema.ValidationError, at string) []assent.FieldError {
	t := teller{schema: s, at: at}
	t.collect(e)
	slices.SortStableFunc(t.out, func(a, b assent.FieldError) int {
		if c := strings.Compare(a.Pointer, b.Pointer); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
	t.out = slices.CompactFunc(t.out, func(a, b assent.FieldError) bool { return a.Pointer == b.Pointer && a.Message == b.Message })
	return t.out[:min(len(t.out), MaxViolations)]
}

// teller turns the library's error tree into violations.
type teller struct {
	schema *Schema
	at     string
	out    []assent.FieldError
}

func (t *teller) collect(e *jsonschema.ValidationError) {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		t.choice(e)
		return
	case *kind.PropertyNames, *kind.Contains, *kind.MinContains:
		// Their causes speak of parts, the kind itself of the rule.
	default:
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				t.collect(c)
			}
			return
		}
	}
	t.out = append(t.out, t.leaf(e)...)
}

// choice tells what is wrong with the alternative that was most likely meant:
// not those of another JSON type, nor those that another constant picks.
func (t *teller) choice(e *jsonschema.ValidationError) {
	if len(e.Causes) == 0 { // oneOf, and more than one fits
		t.out = append(t.out, t.leaf(e)...)
		return
	}
	likely := without(e.Causes, func(c *jsonschema.ValidationError) bool { return otherType(c, len(e.InstanceLocation)) })
	if len(likely) == 0 {
		t.out = append(t.out, t.wrongType(e))
		return
	}
	if picked := without(likely, func(c *jsonschema.ValidationError) bool { return fails(c, isConstant, len(e.InstanceLocation)+1) }); len(picked) > 0 {
		likely = picked
	}
	best := t.shortest(likely)
	if len(likely) > 1 && len(best) > 1 {
		t.out = append(t.out, t.field(e.InstanceLocation, "fits none of the allowed forms; the closest one says what follows"))
	}
	t.out = append(t.out, best...)
}

func (t *teller) shortest(causes []*jsonschema.ValidationError) []assent.FieldError {
	var best []assent.FieldError
	for _, c := range causes {
		sub := teller{schema: t.schema, at: t.at}
		sub.collect(c)
		if best == nil || len(sub.out) < len(best) {
			best = sub.out
		}
	}
	return best
}

// wrongType joins the types that the alternatives want into one sentence.
func (t *teller) wrongType(e *jsonschema.ValidationError) assent.FieldError {
	var want []string
	got := ""
	for _, c := range e.Causes {
		visit(c, func(l *jsonschema.ValidationError) {
			if k, ok := l.ErrorKind.(*kind.Type); ok && len(l.InstanceLocation) == len(e.InstanceLocation) {
				want, got = append(want, k.Want...), k.Got
			}
		})
	}
	slices.Sort(want)
	return t.field(e.InstanceLocation, typeSentence(slices.Compact(want), got))
}

func without(causes []*jsonschema.ValidationError, drop func(*jsonschema.ValidationError) bool) []*jsonschema.ValidationError {
	var out []*jsonschema.ValidationError
	for _, c := range causes {
		if !drop(c) {
			out = append(out, c)
		}
	}
	return out
}

// otherType reports whether an alternative wants another JSON type than the
// value at a depth of the instance has.
func otherType(e *jsonschema.ValidationError, depth int) bool {
	if len(e.InstanceLocation) != depth {
		return false
	}
	other := func(c *jsonschema.ValidationError) bool { return otherType(c, depth) }
	switch e.ErrorKind.(type) {
	case *kind.Type:
		return true
	case *kind.AnyOf, *kind.OneOf: // each of its own alternatives
		return len(e.Causes) > 0 && len(without(e.Causes, other)) == 0
	}
	return slices.ContainsFunc(e.Causes, other)
}

// fails reports whether e holds an error of a kind at a certain depth of the instance.
func fails(e *jsonschema.ValidationError, is func(jsonschema.ErrorKind) bool, depth int) (found bool) {
	visit(e, func(l *jsonschema.ValidationError) {
		found = found || is(l.ErrorKind) && len(l.InstanceLocation) == depth
	})
	return found
}

// isConstant: a const or a one-value enum is how a form says which one it is.
func isConstant(k jsonschema.ErrorKind) bool {
	switch k := k.(type) {
	case *kind.Const:
		return true
	case *kind.Enum:
		return len(k.Want) == 1
	}
	return false
}

func visit(e *jsonschema.ValidationError, see func(*jsonschema.ValidationError)) {
	see(e)
	for _, c := range e.Causes {
		visit(c, see)
	}
}
