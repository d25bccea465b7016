package workspace

import (
	"fmt"
	"strings"

	"assent/internal/assent"

	"github.com/invopop/jsonschema"
)

// maxBodyBytes bounds a document's body; maxBodyAnswer bounds its JSON form, so
// that a document that was stored can also be answered with.
const (
	maxBodyBytes  = 128 << 10
	maxBodyAnswer = 240 << 10
)

// revisionArg is the guard that every update and delete accepts.
type revisionArg struct {
	Revision *int64 `json:"revision,omitempty" jsonschema:"minimum=1" jsonschema_description:"The revision that was read; the call is refused as stale if it is no longer the current one."`
}

// limitArg bounds a list.
type limitArg struct {
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200" jsonschema_description:"How many to give at most; 50 if left out."`
}

// or gives the limit, or n where none was asked for.
func (l limitArg) or(n int) int {
	if l.Limit == 0 {
		return n
	}
	return l.Limit
}

// clearableDate is a date argument that an empty string takes away.
type clearableDate string

// JSONSchema implements the schema library's custom type: a real calendar day
// or nothing.
func (clearableDate) JSONSchema() *jsonschema.Schema {
	none := uint64(0)
	return &jsonschema.Schema{Type: "string", AnyOf: []*jsonschema.Schema{{Format: "date"}, {MaxLength: &none}}}
}

// oneLine is a name or title in its stored form: trimmed, on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// named gives the stored form of a name or title and refuses a blank one.
func named(pointer, s string) (string, error) {
	s = oneLine(s)
	if s == "" {
		return "", assent.Invalid(pointer, "invalid_arguments", fmt.Sprintf("%q must not be blank.", strings.TrimPrefix(pointer, "/")))
	}
	return s, nil
}

// titles gives the stored form of titles, each once whatever its case, blank
// ones left out.
func titles(all []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, t := range all {
		t = oneLine(t)
		if key := strings.ToLower(t); t != "" && !seen[key] {
			seen[key] = true
			out = append(out, t)
		}
	}
	return out
}

// bodyFits refuses a body that is larger than documents may be.
func bodyFits(body string) error {
	if len(body) > maxBodyBytes || weight(body) > maxBodyAnswer {
		return assent.Invalid("/body", "invalid_arguments", fmt.Sprintf("A document may have %d KB; this one has %d KB.", maxBodyBytes>>10, len(body)>>10+1))
	}
	return nil
}

// inOrder refuses a due date before the start.
func inOrder(start, due assent.Date) error {
	if start != "" && due != "" && due < start {
		return assent.Invalid("/due_date", "invalid_arguments", fmt.Sprintf("The due date %s lies before the start on %s.", due, start))
	}
	return nil
}

// or gives s, or the default where it is empty.
func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
