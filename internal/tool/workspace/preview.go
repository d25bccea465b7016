package workspace

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// literals are the arguments of a call as a plan holds them: any value may be a
// reference that is not resolved yet, so nothing here trusts its type.
type literals map[string]json.RawMessage

func literalsOf(args json.RawMessage) literals {
	var l literals
	if json.Unmarshal(args, &l) != nil {
		return nil
	}
	return l
}

// text gives a string argument as it will be, with "…" where a reference stands
// in it. known is false if it is absent, no string or a reference as a whole.
func (l literals) text(key string) (s string, known bool) {
	if json.Unmarshal(l[key], &s) != nil || s == "" {
		return "", false
	}
	t, err := lang.ParseTemplate(s)
	if err != nil || t.Whole {
		return "", false
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Ref != nil {
			b.WriteString("…")
		}
		b.WriteString(p.Literal)
	}
	return b.String(), true
}

// strings gives a list of strings; known is false if it is a reference.
func (l literals) strings(key string) (out []string, known bool) {
	raw, ok := l[key]
	if !ok {
		return nil, true
	}
	return out, json.Unmarshal(raw, &out) == nil
}

// length is how many entries a list has; known is false if it is a reference.
func (l literals) length(key string) (n int, known bool) {
	raw, ok := l[key]
	if !ok {
		return 0, true
	}
	var out []json.RawMessage
	err := json.Unmarshal(raw, &out)
	return len(out), err == nil
}

// has reports whether an argument is there and not empty.
func (l literals) has(key string) bool {
	raw, ok := l[key]
	return ok && string(raw) != `""` && string(raw) != "null"
}

// open marks a preview as incomplete: the plan puts its step's id there.
func open(p assent.Preview) assent.Preview {
	p.Open = []string{""}
	return p
}

// previewOf makes a preview of counts; entries of 0 are left out.
func previewOf(creates, updates, deletes map[string]int) assent.Preview {
	p := assent.NewPreview()
	for to, from := range map[*map[string]int]map[string]int{&p.Creates: creates, &p.Updates: updates, &p.Deletes: deletes} {
		for k, n := range from {
			if n > 0 {
				(*to)[k] = n
			}
		}
	}
	return p
}

func one(k assent.Kind) map[string]int { return map[string]int{string(k): 1} }

// creates previews a call that makes one entity.
func creates(k assent.Kind) func(string, json.RawMessage) assent.Preview {
	return func(string, json.RawMessage) assent.Preview { return previewOf(one(k), nil, nil) }
}

// updates previews a call that changes one entity.
func updates(k assent.Kind) func(string, json.RawMessage) assent.Preview {
	return func(string, json.RawMessage) assent.Preview { return previewOf(nil, one(k), nil) }
}
