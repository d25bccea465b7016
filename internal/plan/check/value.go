package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/schema"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// arg is a value of a step's arguments as it is written, references in it
// standing for what they will be.
type arg struct {
	v      any // what it is, where it holds no reference
	size   int // values in it, itself included
	refs   bool
	wrong  bool           // a reference in it has an error of its own
	whole  *produced      // it is one reference
	refer  string         // the reference, or the first one of a text
	fields map[string]arg // of an object with references in it
	items  []arg          // of an array
}

func build(v any, refs resolved) arg {
	switch v := v.(type) {
	case string:
		return buildText(v, refs)
	case []any:
		a := arg{v: v, size: 1, items: make([]arg, 0, len(v))}
		for i := range v {
			item := build(v[i], refs)
			a.items, a.refs, a.size = append(a.items, item), a.refs || item.refs, a.size+item.size
			v[i] = item.v
		}
		return a
	case map[string]any:
		a := arg{v: v, size: 1, fields: make(map[string]arg, len(v))}
		for k := range v {
			field := build(v[k], refs)
			a.fields[k] = field
			a.refs, a.size = a.refs || field.refs, a.size+field.size
			v[k] = field.v
		}
		return a
	}
	return arg{v: v, size: 1}
}

func buildText(s string, refs resolved) arg {
	t, err := lang.ParseTemplate(s)
	if err != nil {
		return arg{refs: true, wrong: true, size: 1}
	}
	if literal, ok := t.Literal(); ok {
		return arg{v: literal, size: 1}
	}
	a := arg{refs: true, size: 1}
	for _, ref := range t.Refs() {
		p, ok := refs[ref.String()]
		a.wrong = a.wrong || !ok
		if t.Whole {
			a.whole = &p
		}
		if a.refer == "" {
			a.refer = ref.String()
		}
	}
	if a.whole != nil && a.whole.known && !a.wrong {
		return arg{v: a.whole.value, size: 1}
	}
	return a
}

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
	w := walker{r: r, p: p, field: field, s: s}
	found := w.check(build(v, refs), []*jsonschema.Schema{s.Root()}, "")
	for _, e := range found.errors {
		r.tell(e)
	}
	for _, e := range found.warnings {
		r.warn(e)
	}
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

// holder checks an object or array that holds references somewhere: against
// the form of the type that it fits best.
func (w walker) holder(a arg, nodes []*jsonschema.Schema, at string) findings {
	k := array
	if a.fields != nil {
		k = object
	}
	forms, complete := w.r.forms(nodes)
	var tried []findings
	choice := false
	for _, f := range forms {
		if f.kinds&k == 0 {
			continue
		}
		choice = choice || f.choice
		tried = append(tried, w.inForm(a, f, at))
	}
	if len(tried) == 0 {
		name := `The value`
		if at != "" {
			name = strconv.Quote(w.finding(at, "", "").Argument)
		}
		return findings{errors: []assent.FieldError{w.finding(at, codeInvalidArguments, "%s", sentence(name, mismatchOf(k, forms)))}}
	}
	best := slices.MinFunc(tried, func(a, b findings) int {
		return (len(a.errors)-len(b.errors))*1000 + len(a.warnings) - len(b.warnings)
	})
	if choice && len(tried) > 1 || !complete {
		best.warnings = append(best.warnings, w.finding(at, codeUnchecked, "Which of several forms this has, only the run can tell."))
	}
	return best
}

func mismatchOf(k kinds, forms []form) string {
	return strings.Replace(mismatch(k, forms), "is ", "must not be ", 1)
}

func (w walker) inForm(a arg, f form, at string) findings {
	var out findings
	if more := beyondLiteral(f); more != "" {
		out.warnings = append(out.warnings, w.finding(at, codeUnchecked, "The schema says something here (%s) that only the run can check.", more))
	}
	if a.fields != nil {
		out.add(w.object(a, f, at))
	} else {
		out.add(w.array(a, f, at))
	}
	return out
}

// beyondLiteral is beyond for an object or array whose keys and items are
// written down.
func beyondLiteral(f form) string {
	for _, n := range f.nodes {
		switch {
		case n.Not != nil:
			return "not"
		case n.If != nil:
			return "if"
		case n.DynamicRef != nil || n.RecursiveRef != nil:
			return "$dynamicRef"
		case len(n.Dependencies)+len(n.DependentSchemas) > 0:
			return "dependencies"
		case n.UnevaluatedProperties != nil || n.UnevaluatedItems != nil:
			return "unevaluated"
		case n.Contains != nil:
			return "contains"
		}
	}
	return ""
}

func (w walker) object(a arg, f form, at string) findings {
	var out findings
	names := slices.Sorted(maps.Keys(a.fields))
	for _, n := range f.nodes {
		out.add(w.keys(n, names, at))
	}
	for _, name := range names {
		if len(out.errors) >= MaxFindings {
			break
		}
		var nodes []*jsonschema.Schema
		for _, n := range f.nodes {
			here := declarations(n, name)
			if sub, closed := additional(n); len(here) == 0 && sub != nil && !closed {
				here = []*jsonschema.Schema{sub}
			}
			nodes = append(nodes, here...)
		}
		out.add(w.check(a.fields[name], nodes, at+"/"+escape(name)))
	}
	return out
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

func escape(key string) string { return pointerEscape.Replace(key) }

// keys checks what a node asks of an object's keys.
func (w walker) keys(n *jsonschema.Schema, names []string, at string) findings {
	var out findings
	missing := func(name, why string) {
		if !slices.Contains(names, name) {
			out.errors = append(out.errors, w.finding(at+"/"+escape(name), codeMissingArgument, "%q is required%s.", name, why))
		}
	}
	for _, name := range n.Required {
		missing(name, "")
	}
	_, closed := additional(n)
	for _, name := range names {
		if closed && len(declarations(n, name)) == 0 {
			known := fields([]form{{nodes: []*jsonschema.Schema{n}}})
			e := w.finding(at+"/"+escape(name), codeUnknownArgument, "%q is not a known argument; known: %s.", name, strings.Join(known, ", "))
			e.AvailableFields = known
			out.errors = append(out.errors, e)
		}
		for _, with := range n.DependentRequired[name] {
			missing(with, fmt.Sprintf(" together with %q", name))
		}
		if n.PropertyNames != nil && len(w.s.ValidateAt(n.PropertyNames, name, "")) > 0 {
			out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "The key %q is not allowed here.", name))
		}
	}
	return w.count(out, at, len(names), n.MinProperties, n.MaxProperties, "fields")
}

// count checks bounds of a number that is known although values are not.
func (w walker) count(out findings, at string, n int, least, most *int, what string) findings {
	if least != nil && n < *least {
		out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "There must be at least %d %s, not %d.", *least, what, n))
	}
	if most != nil && n > *most {
		out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "There must be at most %d %s, not %d.", *most, what, n))
	}
	return out
}

func (w walker) array(a arg, f form, at string) findings {
	var out findings
	for _, n := range f.nodes {
		out = w.count(out, at, len(a.items), n.MinItems, n.MaxItems, "items")
	}
	for i := range a.items {
		if len(out.errors) >= MaxFindings {
			break
		}
		var nodes []*jsonschema.Schema
		for _, n := range f.nodes {
			if sub := itemSchema(n, i); sub != nil {
				nodes = append(nodes, sub)
			}
		}
		out.add(w.check(a.items[i], nodes, at+"/"+strconv.Itoa(i)))
	}
	return out
}
