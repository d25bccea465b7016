package check

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/schema"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// walker checks one step's arguments against a schema.
type walker struct {
	r     *run
	p     lang.Place
	field string // "/arguments" or "/with"
	s     *schema.Schema
	// early looks for MaxFindings errors in a large literal, part by part; the
	// library, which finds them all, would take its time.
	early bool
}

// large is where a literal is looked through early.
const large = 200

// findings are what is wrong with a value; kept apart so that the forms of a
// type can be tried.
type findings struct{ errors, warnings []assent.FieldError }

func (f *findings) add(o findings) {
	f.errors = append(f.errors, o.errors...)
	f.warnings = append(f.warnings, o.warnings...)
}

// compiled gives the schema of a step's input; nil if there is none to check
// against.
func (r *run) compiled(p lang.Place, field string, raw json.RawMessage, of string) *schema.Schema {
	if len(raw) == 0 {
		return nil
	}
	s, err := r.schemas.Get(raw)
	if err != nil {
		r.warn(at(p, field, codeUnchecked, "The input schema of %q cannot be used, so nothing can be checked against it.", of))
		return nil
	}
	return s
}

// values checks the arguments of a step.
func (r *run) values(p lang.Place, field string, raw json.RawMessage, s *schema.Schema, refs resolved) {
	if s == nil || r.full() {
		return
	}
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	v, err := decode(raw)
	if err != nil {
		r.tell(at(p, field, codeInvalidArguments, "This is not valid JSON."))
		return
	}
	if bytes.Contains(raw, []byte(`\u0000`)) { // what no tool takes fails before it is approved
		r.tell(at(p, field, codeInvalidArguments, "A text holds the character NUL, which no text needs."))
		return
	}
	w := walker{r: r, p: p, field: field, s: s}
	mismatched := w.boundTypes(raw, refs)
	found := w.check(build(v, refs), []*jsonschema.Schema{s.Root()}, "")
	for _, e := range found.errors {
		if m, ok := mismatched[e.Pointer]; ok {
			e = m
		}
		r.tell(e)
	}
	for _, e := range found.warnings {
		r.warn(e)
	}
}

// boundTypes finds the bindings that are of a wrong type, by pointer: they are
// references, whose types are compared, although their values are known and
// checked like literals.
func (w walker) boundTypes(raw json.RawMessage, refs resolved) map[string]assent.FieldError {
	typed, any := resolved{}, false
	for name, p := range refs {
		if p.known {
			p, any = produced{forms: []form{{kinds: kindOf(p.value), said: true}}}, true
		}
		typed[name] = p
	}
	v, err := decode(raw)
	if !any || err != nil {
		return nil
	}
	out := map[string]assent.FieldError{}
	for _, e := range w.check(build(v, typed), []*jsonschema.Schema{w.s.Root()}, "").errors {
		if e.Code == codeTypeMismatch {
			out[e.Pointer] = e
		}
	}
	return out
}

func (w walker) finding(at, code, format string, args ...any) assent.FieldError {
	return assent.FieldError{Pointer: w.p.Pointer + w.field + at, Step: w.p.Step.ID, Path: w.p.Path, Tool: w.p.Step.Tool,
		Argument: argumentOf(w.field + at), Code: code, Message: fmt.Sprintf(format, args...)}
}

// check checks a value against nodes that all apply; at is its pointer within
// the arguments.
func (w walker) check(a arg, nodes []*jsonschema.Schema, at string) findings {
	switch {
	case a.wrong:
		return findings{}
	case !a.refs && a.size <= large:
		return w.literal(a.v, nodes, at)
	case !a.refs && !w.early:
		return w.largeLiteral(a, nodes, at)
	case a.whole != nil:
		return w.reference(a, nodes, at)
	case a.fields == nil && a.items == nil: // a text; large is nothing else
		v := w.r.fits([]form{{kinds: text, said: true}}, nodes, 0)
		return w.tell(v, at, a.refer, "A text with references in it")
	}
	return w.holder(a, nodes, at)
}

func (w walker) largeLiteral(a arg, nodes []*jsonschema.Schema, at string) findings {
	early := w
	early.early = true
	if f := early.holder(a, nodes, at); len(f.errors) >= MaxFindings {
		return findings{errors: f.errors}
	}
	return w.literal(a.v, nodes, at)
}

func (w walker) literal(v any, nodes []*jsonschema.Schema, at string) findings {
	var f findings
	for _, n := range nodes {
		for _, e := range w.s.ValidateAt(n, v, at) {
			full := w.finding(e.Pointer, e.Code, "%s", e.Message)
			full.AvailableFields = e.AvailableFields
			f.errors = append(f.errors, full)
		}
	}
	return f
}

func (w walker) reference(a arg, nodes []*jsonschema.Schema, at string) findings {
	v := w.r.fits(a.whole.forms, nodes, 0)
	if a.whole.told {
		v.unsure = "" // said where its path was followed, or reported otherwise
	}
	return w.tell(v, at, a.refer, a.refer)
}

// tell turns a verdict into findings.
func (w walker) tell(v verdict, at, ref, subject string) findings {
	if v.wrong != "" {
		v.absent, v.unsure = "", ""
	}
	var f findings
	for _, one := range []struct {
		says, code string
		to         *[]assent.FieldError
	}{{v.wrong, codeTypeMismatch, &f.errors}, {v.absent, codeMayBeAbsent, &f.warnings}, {v.unsure, codeUnchecked, &f.warnings}} {
		if one.says != "" {
			e := w.finding(at, one.code, "%s", sentence(subject, one.says))
			e.Reference = ref
			*one.to = append(*one.to, e)
		}
	}
	return f
}
