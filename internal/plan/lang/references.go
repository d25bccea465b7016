package lang

import (
	"bytes"
	"encoding/json"
	"strconv"

	"assent/internal/assent"
)

// Located is a reference and where it stands.
type Located struct {
	Pointer string // of the string that holds it, within what was searched
	Ref     Ref
	Whole   bool
	Err     *SyntaxError // instead of Ref, where the string is no template
}

// References gives every reference in the string values of a JSON text, in
// order. Keys hold none; a key that reads like one is an error.
func References(raw json.RawMessage) []Located {
	if !mayRefer(raw) {
		return nil
	}
	v, _, err := read(raw, maxNesting, maxValues)
	if err != nil {
		return nil
	}
	return search(v, nil, nil)
}

// StepReferences gives every reference of a step itself, not of its children;
// pointers begin with the field: "/arguments/name", "/prompt".
func StepReferences(st assent.Step) []Located {
	var out []Located
	for _, f := range []struct {
		name string
		raw  json.RawMessage
	}{{"/arguments", st.Arguments}, {"/with", st.With}} {
		for _, l := range References(f.raw) {
			l.Pointer = f.name + l.Pointer
			out = append(out, l)
		}
	}
	return searchText(st.Prompt, "/prompt", out)
}

// mayRefer is a quick way out for the usual text without any reference.
func mayRefer(raw []byte) bool {
	return bytes.IndexByte(raw, '$') >= 0 || bytes.Contains(raw, []byte("{{")) || bytes.Contains(raw, []byte(`\u`))
}

func search(v value, path []string, out []Located) []Located {
	switch v.kind {
	case text:
		return searchText(v.text, pointer(path...), out)
	case array:
		for i, item := range v.items {
			out = search(item, append(path, strconv.Itoa(i)), out)
		}
	case object:
		for i, item := range v.items {
			at := append(path, v.keys[i])
			if refers(v.keys[i]) {
				out = append(out, Located{Pointer: pointer(at...), Err: &SyntaxError{Text: v.keys[i], Reason: "A reference may stand in values only, not in keys."}})
			}
			out = search(item, at, out)
		}
	}
	return out
}

func searchText(s, at string, out []Located) []Located {
	t, err := ParseTemplate(s)
	if err != nil {
		return append(out, Located{Pointer: at, Err: err})
	}
	for _, r := range t.Refs() {
		out = append(out, Located{Pointer: at, Ref: r, Whole: t.Whole})
	}
	return out
}

// refers reports whether a string would be or hold a reference as a value.
func refers(s string) bool {
	t, err := ParseTemplate(s)
	return err == nil && len(t.Refs()) > 0
}
