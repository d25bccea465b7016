package lang

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// Env is what references may see. Values that do not exist (yet) are nil or
// absent, which a JSON null is not.
type Env struct {
	Outputs  []json.RawMessage          // of top-level steps, by position
	Results  map[string]json.RawMessage // by result_key
	Bindings map[string]json.RawMessage // by name
}

// maxResolved bounds what a JSON text may grow to by what references put in.
const maxResolved = 4 << 20

// Resolve puts values in the place of the references in the string values of a
// JSON text. A string that is one reference becomes the value, with its type;
// inside longer text a string is put in as it is and anything else as compact
// JSON. Everything else stays as written, digits included. The error is an
// *assent.Error: reference_unresolved, whose fields name every reference that
// had no value and what there was instead, or too_large; with an error the text
// comes back as written.
func Resolve(raw json.RawMessage, env Env) (json.RawMessage, error) {
	if !mayRefer(raw) {
		return raw, nil
	}
	v, _, err := read(raw, maxNesting, maxValues)
	if err != nil {
		return raw, assent.Errorf(assent.CodeInvalid, "These arguments cannot be read: %s.", err)
	}
	r := newResolver(env)
	r.value(v, nil)
	if err := r.failure(); err != nil {
		return raw, err
	}
	return r.out.Bytes(), nil
}

// ResolveText is Resolve for a text that is no JSON, such as a prompt: a
// reference that is the whole of it is put in as text, too.
func ResolveText(s string, env Env) (string, error) {
	t, serr := ParseTemplate(s)
	if serr != nil {
		return "", assent.Errorf(assent.CodeReferenceUnresolved, "%s", serr.Error())
	}
	r := newResolver(env)
	out := r.text(t, "/prompt")
	return out, r.failure()
}

type resolver struct {
	env    Env
	parsed map[string]value // outputs are parsed once, however many references lead into them
	out    bytes.Buffer
	size   int
	found  findings
}

func newResolver(env Env) *resolver { return &resolver{env: env, parsed: map[string]value{}} }

func (r *resolver) failure() error {
	if r.size > maxResolved {
		return assent.Errorf(assent.CodeTooLarge, "With what the references stand for, this step's arguments are larger than %d MB.", maxResolved>>20)
	}
	if len(r.found.list) == 0 {
		return nil
	}
	first := r.found.list[0]
	return &assent.Error{Code: assent.CodeReferenceUnresolved, Message: first.Message, Fields: r.found.list,
		Details: map[string]any{"reference": first.Reference, "available_fields": first.AvailableFields}}
}

func (r *resolver) value(v value, path []string) {
	switch v.kind {
	case array:
		r.out.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				r.out.WriteByte(',')
			}
			r.value(item, append(path, strconv.Itoa(i)))
		}
		r.out.WriteByte(']')
	case object:
		r.out.WriteByte('{')
		for i, item := range v.items {
			if i > 0 {
				r.out.WriteByte(',')
			}
			quote(&r.out, v.keys[i])
			r.out.WriteByte(':')
			r.value(item, append(path, v.keys[i]))
		}
		r.out.WriteByte('}')
	case text:
		r.string(v, pointer(path...))
	default:
		r.out.Write(v.raw)
	}
}

func (r *resolver) string(v value, at string) {
	t, err := ParseTemplate(v.text)
	switch {
	case err != nil:
		r.found.add(assent.FieldError{Pointer: at, Reference: err.Text, Code: string(assent.CodeReferenceUnresolved), Message: err.Error()})
	case t.Whole:
		if found, ok := r.lookup(*t.Parts[0].Ref, at); ok && r.grow(len(found.raw)) {
			r.out.Write(compact(found.raw))
		}
	default:
		quote(&r.out, r.text(t, at))
	}
}

// text renders a template as text.
func (r *resolver) text(t Template, at string) string {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Ref == nil {
			b.WriteString(p.Literal)
			continue
		}
		found, ok := r.lookup(*p.Ref, at)
		if !ok || !r.grow(len(found.raw)) {
			continue
		}
		if found.kind == text {
			b.WriteString(found.text)
		} else {
			b.Write(compact(found.raw))
		}
	}
	return b.String()
}

func (r *resolver) grow(n int) bool {
	r.size += n
	return r.size <= maxResolved
}
