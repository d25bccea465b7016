package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
)

// each makes one violation per property of the object at loc.
func (t *teller) each(loc, names []string, code string, say func(string) string) []assent.FieldError {
	names = slices.Sorted(slices.Values(names))
	out := make([]assent.FieldError, 0, min(len(names), MaxViolations))
	for _, n := range names[:min(len(names), MaxViolations)] {
		out = append(out, t.coded(append(slices.Clone(loc), n), code, say(n)))
	}
	return out
}

func (t *teller) field(loc []string, rest string) assent.FieldError {
	return t.coded(loc, invalid, rest)
}

func (t *teller) coded(loc []string, code, rest string) assent.FieldError {
	at := t.at + pointer(loc)
	name := "The value"
	if arg := argument(at); arg != "" {
		name = fmt.Sprintf("%q", arg)
	}
	return assent.FieldError{Pointer: at, Argument: argument(at), Code: code, Message: name + " " + rest + "."}
}

// known lists the properties of the schema part at a location.
func (t *teller) known(url string) []string {
	n := t.schema.nodes[url]
	if n == nil {
		return nil
	}
	names := make([]string, 0, len(n.Properties))
	for name := range n.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func knownSentence(known []string) string {
	if len(known) == 0 {
		return "; none is known here"
	}
	return "; known: " + strings.Join(known, ", ")
}

func list(values []any) string {
	const most = 30
	var out []string
	for _, v := range values[:min(len(values), most)] {
		out = append(out, show(v))
	}
	if len(values) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// show renders a value as JSON, cut short.
func show(v any) string {
	const most = 60
	b, err := json.Marshal(v)
	if err != nil {
		return "this value"
	}
	if r := []rune(string(b)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(b)
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer renders a location as an RFC 6901 JSON pointer.
func pointer(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(pointerEscape.Replace(p))
	}
	return b.String()
}

// argument names a place as people do: "milestones.0.title".
func argument(pointer string) string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = pointerUnescape.Replace(p)
	}
	return strings.Join(parts, ".")
}
