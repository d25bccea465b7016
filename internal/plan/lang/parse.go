package lang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// Parse reads a plan: an object with `steps`, or with the short form `calls`,
// tool calls in order. It is strict: a field that a plan does not have and a key
// that stands twice are errors, and every error is given at once, up to
// MaxErrors, with its pointer. The computed fields `effect` and `target`, which
// the API adds, are accepted and dropped. Steps without an id get s1, s2, ….
// A document that comes with errors holds what could be read of it.
func Parse(raw json.RawMessage) (assent.PlanDocument, []assent.FieldError) {
	if len(raw) > MaxBytes {
		return assent.PlanDocument{}, failure(CodeTooLarge, fmt.Sprintf("A plan may have %d KB.", MaxBytes>>10))
	}
	v, duplicates, err := read(raw, maxNesting, maxValues)
	switch {
	case err == errTooMany:
		return assent.PlanDocument{}, failure(CodeTooLarge, fmt.Sprintf("A plan may hold %d values.", maxValues))
	case err == errTooDeep:
		return assent.PlanDocument{}, TooDeep()
	case err != nil:
		return assent.PlanDocument{}, failure(CodeInvalidStep, "The plan is not valid JSON.")
	case v.kind != object:
		return assent.PlanDocument{}, failure(CodeInvalidStep, fmt.Sprintf(`A plan is an object with "steps", not %s.`, v.kind))
	}
	d := decoder{}
	for _, at := range duplicates {
		d.refuse(at, codeAt(at), "This key stands twice in the same object.")
	}
	doc := d.document(v)
	giveIDs(&doc)
	d.structure(doc)
	return doc, d.found.list
}

// TooDeep is what Parse says of a plan with too many levels.
func TooDeep() []assent.FieldError {
	return failure(CodeTooLarge, fmt.Sprintf("A plan may be nested %d levels deep.", maxNesting))
}

func failure(code, message string) []assent.FieldError {
	return []assent.FieldError{{Code: code, Message: message}}
}

// codeAt tells the plan's own fields from those of its steps.
func codeAt(at string) string {
	if strings.HasPrefix(at, "/steps/") || strings.HasPrefix(at, "/calls/") {
		return CodeInvalidStep
	}
	return CodeInvalid
}

// decoder turns values into nouns and collects what does not fit.
type decoder struct {
	found findings
	step  string // id of the step being read, for its errors
}

func (d *decoder) refuse(at, code, message string, known ...string) {
	d.found.add(assent.FieldError{Pointer: at, Step: d.step, Path: d.step, Code: code, Message: message, AvailableFields: known})
}

// structure adds what Structure finds, unless decoding has said so already: a
// value of the wrong type is missing from the document, too.
func (d *decoder) structure(doc assent.PlanDocument) {
	said := slices.Clone(d.found.list)
	for _, e := range Structure(doc) {
		if !slices.ContainsFunc(said, func(o assent.FieldError) bool { return o.Pointer == e.Pointer }) {
			d.found.add(e)
		}
	}
}

var documentFields = []string{"objective", "reasoning", "requested_outputs", "priority_entities", "steps", "calls"}

func (d *decoder) document(v value) assent.PlanDocument {
	d.known(v, "", CodeUnknownArgument, "a plan", documentFields)
	doc := assent.PlanDocument{
		Objective: d.string(v, "objective", ""), Reasoning: d.string(v, "reasoning", ""),
		RequestedOutputs: d.strings(v, "requested_outputs"), PriorityEntities: d.strings(v, "priority_entities"),
	}
	steps, calls := d.list(v, "steps", ""), d.list(v, "calls", "")
	if len(steps) > 0 && len(calls) > 0 {
		d.refuse("/calls", CodeInvalidStep, `A plan has "steps" or "calls", not both.`)
		calls = nil
	}
	for i, s := range steps {
		doc.Steps = append(doc.Steps, d.readStep(s, "/steps/"+strconv.Itoa(i)))
	}
	for i, c := range calls {
		doc.Steps = append(doc.Steps, d.readCall(c, "/calls/"+strconv.Itoa(i)))
	}
	return doc
}

// known refuses fields that what ("a plan", "a step") does not have.
func (d *decoder) known(v value, at, code, what string, fields []string) {
	for _, k := range v.keys {
		if !slices.Contains(fields, k) {
			d.refuse(at+pointer(k), code, fmt.Sprintf("%q is not a field of %s; known: %s.", cut(k), what, strings.Join(fields, ", ")), fields...)
		}
	}
}

// field gives a field of the wanted type; null counts as absent.
func (d *decoder) field(v value, name, at string, want kind) (value, bool) {
	f, ok := v.get(name)
	if !ok || f.kind == null {
		return value{}, false
	}
	if f.kind != want {
		at += pointer(name)
		d.refuse(at, codeAt(at), fmt.Sprintf("%q must be %s, not %s.", name, want, f.kind))
		return value{}, false
	}
	return f, true
}

func (d *decoder) string(v value, name, at string) string {
	f, _ := d.field(v, name, at, text)
	return f.text
}

func (d *decoder) list(v value, name, at string) []value {
	f, _ := d.field(v, name, at, array)
	return f.items
}

func (d *decoder) strings(v value, name string) []string {
	var out []string
	for i, item := range d.list(v, name, "") {
		if item.kind != text {
			d.refuse(pointer(name, strconv.Itoa(i)), CodeInvalid, fmt.Sprintf("%q holds strings, not %s.", name, item.kind))
			continue
		}
		out = append(out, item.text)
	}
	return out
}

// json keeps an object as written.
func (d *decoder) json(v value, name, at string) json.RawMessage {
	f, ok := d.field(v, name, at, object)
	if !ok {
		return nil
	}
	return compact(f.raw)
}

// whole reads a whole number; 0 counts as absent.
func (d *decoder) whole(v value, name, at string) int64 {
	f, ok := d.field(v, name, at, number)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(string(f.raw), 10, 64)
	if err != nil || n < 0 || n > maxWhole {
		d.refuse(at+pointer(name), CodeInvalidStep, fmt.Sprintf("%q must be a whole number from 1 to %d.", name, maxWhole))
		return 0
	}
	return n
}

// maxWhole bounds timeouts (a day in milliseconds) and, far away, concurrency.
const maxWhole = 24 * 60 * 60 * 1000
