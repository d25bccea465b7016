package views

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// stepUse is an output of an earlier step that a step refers to.
type stepUse struct{ key, step string }

// argument is one argument, readable.
type argument struct{ name, value string }

// The two notations of references, as far as a card needs them.
var (
	byIndex  = regexp.MustCompile(`^\$(\d+)\.output\b`)
	inBraces = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	byKey    = regexp.MustCompile(`\{\{\s*result\.([A-Za-z0-9_-]+)`)
)

// usesOf lists the earlier outputs that a step refers to, each once.
func (v *chatVersion) usesOf(st assent.Step) []stepUse {
	var out []stepUse
	add := func(u stepUse, ok bool) {
		if ok && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	for _, s := range append(append(stringsIn(st.Arguments), stringsIn(st.With)...), st.Prompt) {
		if m := byIndex.FindStringSubmatch(s); m != nil {
			add(v.byNumber(m[1]))
			continue
		}
		for _, m := range byKey.FindAllStringSubmatch(s, -1) {
			add(v.byResult(m[1]))
		}
	}
	return out
}

func (v *chatVersion) byNumber(n string) (stepUse, bool) {
	i, err := strconv.Atoi(n)
	if err != nil || i >= len(v.steps) {
		return stepUse{}, false
	}
	key := v.steps[i].ResultKey
	if key == "" {
		key = "the result"
	}
	return stepUse{key, strconv.Itoa(i + 1)}, true
}

func (v *chatVersion) byResult(key string) (u stepUse, ok bool) {
	for i, st := range v.steps {
		if st.ResultKey == key {
			return stepUse{key, strconv.Itoa(i + 1)}, true
		}
		for j, ch := range st.Steps {
			if ch.ResultKey == key {
				return stepUse{key, strconv.Itoa(i+1) + "." + strconv.Itoa(j+1)}, true
			}
		}
	}
	return u, false
}

// stringsIn collects the string values of a JSON document.
func stringsIn(raw []byte) []string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return collectStrings(v, nil)
}

func collectStrings(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		return append(out, v)
	case []any:
		for _, x := range v {
			out = collectStrings(x, out)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			out = collectStrings(v[k], out)
		}
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// argumentsOf is what a step is called with, prompt included.
func argumentsOf(st assent.Step) []argument {
	out := argumentList(st.Arguments)
	if st.Prompt != "" && st.Type == assent.StepAgent {
		out = append(out, argument{"prompt", st.Prompt})
	}
	return append(out, argumentList(st.With)...)
}

// argumentList makes a JSON object readable, by name.
func argumentList(raw []byte) []argument {
	var m map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	var out []argument
	for _, k := range sortedKeys(m) {
		out = append(out, argument{k, readable(m[k])})
	}
	return out
}

// readable shows a string as it is, everything else as JSON.
func readable(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// argumentText is a list of arguments as text, for comparing.
func argumentText(args []argument) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.name + ": " + a.value + "\n")
	}
	return b.String()
}
