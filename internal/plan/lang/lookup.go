package lang

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// lookup finds what a reference stands for, or notes what there was instead.
func (r *resolver) lookup(ref Ref, at string) (value, bool) {
	v, ok := r.root(ref)
	if !ok {
		r.missing(ref, at, "nothing is there yet", r.names(ref.Root))
		return value{}, false
	}
	for i, part := range ref.Path {
		next, ok := step(v, part)
		if !ok {
			names := available(v)
			r.missing(ref, at, fmt.Sprintf("%s has no %q", described(ref.Path[:i]), part), names)
			return value{}, false
		}
		v = next
	}
	return v, true
}

func (r *resolver) root(ref Ref) (value, bool) {
	key := string(ref.Root) + "." + ref.Key
	var raw json.RawMessage
	switch ref.Root {
	case RootOutput:
		if ref.Index < 0 || ref.Index >= len(r.env.Outputs) {
			return value{}, false
		}
		key, raw = strconv.Itoa(ref.Index), r.env.Outputs[ref.Index]
	case RootResult:
		raw = r.env.Results[ref.Key]
	case RootBinding:
		raw = r.env.Bindings[ref.Key]
	}
	if len(raw) == 0 {
		return value{}, false
	}
	v, ok := r.parsed[key]
	if !ok {
		var err error
		if v, _, err = read(raw, maxOutputNesting, math.MaxInt); err != nil {
			return value{}, false
		}
		r.parsed[key] = v
	}
	return v, true
}

// maxOutputNesting is more generous than for plans: outputs come from tools.
const maxOutputNesting = 1000

// step goes one part of a path into a value: a key, or an item by its number.
func step(v value, part string) (value, bool) {
	if v.kind == array {
		if i, ok := ItemIndex(part); ok && i < len(v.items) {
			return v.items[i], true
		}
		return value{}, false
	}
	return v.get(part)
}

// ItemIndex reads a part of a path as the number of an array item.
func ItemIndex(part string) (int, bool) {
	n, err := strconv.Atoi(part)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == part
}

func (r *resolver) missing(ref Ref, at, why string, names []string) {
	r.found.add(assent.FieldError{Pointer: at, Argument: dotted(at), Reference: ref.String(), Code: string(assent.CodeReferenceUnresolved),
		Message: fmt.Sprintf("%s has no value: %s%s.", ref, why, ofThese(names)), AvailableFields: names})
}

func dotted(at string) string { return strings.ReplaceAll(strings.TrimPrefix(at, "/"), "/", ".") }

func described(path []string) string {
	if len(path) == 0 {
		return "the value"
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}

func ofThese(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; there is " + strings.Join(names, ", ")
}

const maxNames = 30

// available names what a value holds.
func available(v value) []string {
	var names []string
	switch v.kind {
	case object:
		names = slices.Compact(slices.Sorted(slices.Values(v.keys)))
	case array:
		for i := range min(len(v.items), maxNames) {
			names = append(names, strconv.Itoa(i))
		}
	}
	return names[:min(len(names), maxNames)]
}

func (r *resolver) names(root Root) []string {
	var names []string
	switch root {
	case RootOutput:
		for i, o := range r.env.Outputs {
			if len(o) > 0 {
				names = append(names, "$"+strconv.Itoa(i))
			}
		}
	case RootResult:
		names = present(r.env.Results)
	case RootBinding:
		names = present(r.env.Bindings)
	}
	return names[:min(len(names), maxNames)]
}

func present(m map[string]json.RawMessage) []string {
	var names []string
	for k, v := range m {
		if len(v) > 0 {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return names
}
