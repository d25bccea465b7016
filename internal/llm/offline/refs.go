package offline

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"assent/internal/assent"
)

var (
	indexRef = regexp.MustCompile(`^\$(\d+)(\.[A-Za-z_].*)$`)
	keyRef   = regexp.MustCompile(`\{\{\s*result\.([A-Za-z0-9_-]+)\.[^}]*\}\}`)
)

// broken is a reference to a step that is gone.
type broken struct {
	step, argument string
}

// relink rewrites the positions in references after steps have moved. now maps
// the index that a step had to the one it has; steps that are gone are missing
// from it. keys are the result keys that exist no more. An argument that refers
// to what is gone is dropped where the step can do without it, else reported.
func relink(steps []assent.Step, now map[int]int, keys map[string]bool) ([]assent.Step, []broken) {
	out := make([]assent.Step, len(steps))
	var lost []broken
	for i, st := range steps {
		a := argsOf(st.Arguments)
		for name, v := range a {
			fixed, ok := relinkValue(v, now, keys)
			switch {
			case ok:
				a[name] = fixed
			case essential[name]:
				lost = append(lost, broken{st.ID, name})
			default:
				delete(a, name)
			}
		}
		if len(st.Arguments) > 0 {
			st.Arguments = encode(a)
		}
		if len(st.With) > 0 {
			var with any
			if json.Unmarshal(st.With, &with) == nil {
				if fixed, ok := relinkValue(with, now, keys); ok {
					st.With = encode(fixed)
				} else {
					lost = append(lost, broken{st.ID, "with"})
				}
			}
		}
		if children, more := relink(st.Steps, now, keys); len(st.Steps) > 0 {
			st.Steps, lost = children, append(lost, more...)
		}
		out[i] = st
	}
	return out, lost
}

// relinkValue rewrites the references inside v; ok is false if one is lost.
func relinkValue(v any, now map[int]int, keys map[string]bool) (any, bool) {
	switch v := v.(type) {
	case string:
		return relinkString(v, now, keys)
	case []any:
		for i := range v {
			fixed, ok := relinkValue(v[i], now, keys)
			if !ok {
				return v, false
			}
			v[i] = fixed
		}
	case map[string]any:
		for k := range v {
			fixed, ok := relinkValue(v[k], now, keys)
			if !ok {
				return v, false
			}
			v[k] = fixed
		}
	}
	return v, true
}

func relinkString(s string, now map[int]int, keys map[string]bool) (string, bool) {
	if m := indexRef.FindStringSubmatch(s); m != nil {
		old, err := strconv.Atoi(m[1])
		at, ok := now[old]
		return "$" + strconv.Itoa(at) + m[2], ok && err == nil
	}
	for _, m := range keyRef.FindAllStringSubmatchIndex(s, -1) {
		inEscape := m[0] > 0 && s[m[0]-1] == '{'
		if !inEscape && keys[s[m[2]:m[3]]] {
			return s, false
		}
	}
	return s, true
}

// rearrange builds the steps in the order of from (indices of the old steps;
// a negative one takes the next of fresh) and fixes the references.
func rearrange(old []assent.Step, from []int, fresh ...assent.Step) ([]assent.Step, []broken) {
	now, kept := map[int]int{}, map[int]bool{}
	var out []assent.Step
	for _, i := range from {
		if i < 0 {
			out, fresh = append(out, fresh[0]), fresh[1:]
			continue
		}
		now[i], kept[i] = len(out), true
		out = append(out, old[i])
	}
	gone := map[string]bool{}
	for i, st := range old {
		if !kept[i] && st.ResultKey != "" {
			gone[st.ResultKey] = true
		}
	}
	// Fresh steps refer to old positions, as the others do.
	fixed, lost := relink(out, now, gone)
	return fixed, append(lost, forward(fixed)...)
}

// forward finds references that do not point to an earlier step any more.
func forward(steps []assent.Step) []broken {
	var out []broken
	keys := map[string]int{}
	for i, st := range steps {
		if st.ResultKey != "" {
			keys[st.ResultKey] = i
		}
	}
	for i, st := range steps {
		for name, v := range argsOf(st.Arguments) {
			for _, at := range refersTo(v, keys) {
				if at >= i {
					out = append(out, broken{st.ID, name})
				}
			}
		}
	}
	return out
}

// refersTo are the positions of steps that a value refers to.
func refersTo(v any, keys map[string]int) []int {
	var out []int
	switch v := v.(type) {
	case string:
		if m := indexRef.FindStringSubmatch(v); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				out = append(out, n)
			}
		}
		if strings.Contains(v, "{{") {
			for _, m := range keyRef.FindAllStringSubmatch(v, -1) {
				if at, ok := keys[m[1]]; ok {
					out = append(out, at)
				}
			}
		}
	case []any:
		for _, e := range v {
			out = append(out, refersTo(e, keys)...)
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, refersTo(e, keys)...)
		}
	}
	return out
}
