package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// verdict is how a produced type fits a consumed one; all empty: it does.
type verdict struct {
	wrong  string // why it does not: type_mismatch
	absent string // what may be missing: may_be_absent
	unsure string // what only the run can tell: unchecked
}

func (v verdict) ok() bool { return v.wrong == "" }

func (v verdict) clean() bool { return v == verdict{} }

// and joins verdicts of which all count; of each sort the first is told.
func (v verdict) and(o verdict) verdict {
	first := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	return verdict{first(v.wrong, o.wrong), first(v.absent, o.absent), first(v.unsure, o.unsure)}
}

// within says which part of the value a verdict is about.
func (v verdict) within(part string) verdict {
	in := func(s string) string {
		if s == "" {
			return ""
		}
		return fmt.Sprintf("in %q %s", part, s)
	}
	return verdict{in(v.wrong), in(v.absent), in(v.unsure)}
}

// Bounds of comparing types: levels, and comparisons for one plan.
const (
	maxLevels = 24
	maxWork   = 20_000
)

// fits compares a produced type with the nodes of a consumed one.
func (r *run) fits(produced []form, consumed []*jsonschema.Schema, level int) verdict {
	if r.work++; level > maxLevels || r.work > maxWork {
		return verdict{unsure: "has a type that is too complex to compare"}
	}
	wanted, complete := r.forms(consumed)
	var v verdict
	if !complete {
		v.unsure = "is wanted in a form that is too complex to compare"
	}
	fitting := false
	for _, f := range produced {
		if !f.said {
			v = v.and(ofUnknown(wanted))
			fitting = true
			continue
		}
		for _, k := range f.kinds.each() {
			one := r.kindFits(f, k, wanted, level)
			if k == null && !one.ok() {
				one = verdict{absent: "may be null"}
			} else {
				fitting = fitting || one.ok()
			}
			v = v.and(one)
		}
	}
	if !fitting && len(produced) > 0 && v.wrong == "" {
		v.wrong = mismatch(null, wanted)
	}
	return v
}

// ofUnknown: nothing is known of what is produced, which matters unless
// anything is accepted.
func ofUnknown(wanted []form) verdict {
	for _, w := range wanted {
		if !w.said && beyond(w, anything) == "" && !constrains(w) {
			return verdict{}
		}
	}
	return verdict{unsure: "has a type that nobody knows beforehand"}
}

// constrains reports whether a form that says no kinds still asks something of
// objects or arrays.
func constrains(f form) bool {
	return slices.ContainsFunc(f.nodes, func(n *jsonschema.Schema) bool {
		tuple, rest := tupleOf(n)
		return len(n.Required)+len(n.Properties)+len(tuple) > 0 || n.AdditionalProperties != nil || rest != nil
	})
}

func mismatch(k kinds, wanted []form) string {
	var want kinds
	for _, w := range wanted {
		want |= w.kinds
	}
	if want == 0 {
		return fmt.Sprintf("is %s, and nothing is accepted there", k)
	}
	return fmt.Sprintf("is %s, not %s", k, want)
}

// kindFits looks for a wanted form that accepts one JSON type of a produced one.
func (r *run) kindFits(f form, k kinds, wanted []form, level int) verdict {
	var candidates []form
	for _, w := range wanted {
		if w.kinds&k != 0 {
			candidates = append(candidates, w)
		}
	}
	if len(candidates) == 0 {
		return verdict{wrong: mismatch(k, wanted)}
	}
	best := verdict{wrong: "-"}
	for i, w := range candidates {
		v := r.formFits(f, k, w, level)
		if w.choice && len(candidates) > 1 {
			v.unsure = "is wanted in exactly one of several forms"
		}
		if v.clean() {
			return v
		}
		if i == 0 || v.ok() && !best.ok() {
			best = v
		}
	}
	if !best.ok() && len(candidates) > 1 {
		return verdict{unsure: "is wanted in one of several forms, none of which it surely has"}
	}
	return best
}

// formFits compares one JSON type of a produced form with a wanted form that
// accepts this JSON type.
func (r *run) formFits(f form, k kinds, w form, level int) verdict {
	var v verdict
	if more := beyond(w, k); more != "" {
		v.unsure = "is wanted in a form that only the run can check (" + more + ")"
	}
	if disjoint(f, w, k) {
		v.wrong = "has none of the values that are wanted"
	}
	switch k {
	case object:
		v = v.and(r.objectFits(f, w, level))
	case array:
		v = v.and(r.arrayFits(f, w, level))
	}
	return v
}

// disjoint reports whether both sides list their values and share none.
func disjoint(f, w form, k kinds) bool {
	have, ok := listed(f, k)
	if !ok {
		return false
	}
	want, ok := listed(w, k)
	return ok && !slices.ContainsFunc(have, func(v any) bool {
		return slices.ContainsFunc(want, func(o any) bool { return same(v, o) })
	})
}

// same compares values; numbers that are written differently may be equal.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) || kindOf(a)&(integer|fraction) != 0 && kindOf(a) == kindOf(b)
}

func listed(f form, k kinds) (of []any, ok bool) {
	for _, n := range f.nodes {
		values, lists := valuesOf(n)
		if !lists {
			continue
		}
		ok = true
		for _, v := range values {
			if kindOf(v) == k {
				of = append(of, v)
			}
		}
	}
	return of, ok
}

// beyond names the first keyword of a wanted form that types do not cover and
// that matters for a JSON type.
func beyond(w form, k kinds) string {
	for _, n := range w.nodes {
		for _, word := range []struct {
			name string
			of   kinds
			set  bool
		}{
			{"not", anything, n.Not != nil}, {"if", anything, n.If != nil},
			{"$dynamicRef", anything, n.DynamicRef != nil || n.RecursiveRef != nil},
			{"patternProperties", object, len(n.PatternProperties) > 0}, {"propertyNames", object, n.PropertyNames != nil},
			{"dependencies", object, len(n.Dependencies)+len(n.DependentRequired)+len(n.DependentSchemas) > 0},
			{"unevaluatedProperties", object, n.UnevaluatedProperties != nil},
			{"contains", array, n.Contains != nil}, {"unevaluatedItems", array, n.UnevaluatedItems != nil},
		} {
			if word.set && word.of&k != 0 {
				return word.name
			}
		}
	}
	return ""
}

// sentence makes a whole sentence of what a verdict says.
func sentence(subject, rest string) string {
	return strings.TrimSuffix(subject+" "+rest, ".") + "."
}
