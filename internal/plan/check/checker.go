package check

import (
	"encoding/json"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/schema"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Checker checks plans. It keeps compiled schemas between calls.
type Checker struct{ schemas *schema.Compiler }

// New makes a checker.
func New() *Checker { return &Checker{schemas: schema.NewCompiler()} }

// Check checks a document.
func (c *Checker) Check(doc assent.PlanDocument, o Options) Report {
	r := c.run(doc, o)
	r.errors = lang.Structure(doc)
	r.all()
	return r.report()
}

// CheckJSON reads a plan and checks it: what Parse finds and what Check finds
// are told at once.
func (c *Checker) CheckJSON(raw json.RawMessage, o Options) (assent.PlanDocument, Report) {
	doc, errs := lang.Parse(raw)
	r := c.run(doc, o)
	r.errors = errs
	if len(doc.Steps) > 0 {
		r.all()
	}
	return doc, r.report()
}

// run is one check under way.
type run struct {
	schemas  *schema.Compiler
	doc      assent.PlanDocument
	o        Options
	places   []lang.Place
	keys     map[string]lang.Place // result_key → the step that sets it
	outputs  map[string]output     // by step id
	expanded map[*jsonschema.Schema]expansion
	work     int

	errors, warnings []assent.FieldError
	truncated        bool
}

func (c *Checker) run(doc assent.PlanDocument, o Options) *run {
	o.Limits = o.Limits.orDefaults()
	return &run{schemas: c.schemas, doc: doc, o: o, places: lang.Paths(doc), keys: map[string]lang.Place{},
		outputs: map[string]output{}, expanded: map[*jsonschema.Schema]expansion{}}
}

func (r *run) all() {
	r.limits()
	r.resultKeys()
	for _, p := range r.places {
		if r.full() {
			return
		}
		r.step(p)
	}
	r.context()
}

// full reports whether more errors would not be told.
func (r *run) full() bool { return len(r.errors) >= MaxFindings }

func (r *run) report() Report {
	r.truncated = r.truncated || r.full()
	return Report{Errors: orEmpty(r.errors), Warnings: orEmpty(r.warnings), Truncated: r.truncated}
}

func orEmpty(list []assent.FieldError) []assent.FieldError {
	if list == nil {
		return []assent.FieldError{}
	}
	return list
}

// tell adds an error unless it was told already.
func (r *run) tell(e assent.FieldError) { r.errors = r.add(r.errors, e) }

func (r *run) warn(e assent.FieldError) { r.warnings = r.add(r.warnings, e) }

func (r *run) add(list []assent.FieldError, e assent.FieldError) []assent.FieldError {
	if len(list) >= MaxFindings {
		r.truncated = true
		return list
	}
	if slices.ContainsFunc(list, func(o assent.FieldError) bool {
		return o.Pointer == e.Pointer && o.Code == e.Code && o.Reference == e.Reference && o.Tool == e.Tool
	}) {
		return list
	}
	return append(list, e)
}

// at makes a finding about a field of a step.
func at(p lang.Place, field, code, format string, args ...any) assent.FieldError {
	return assent.FieldError{Pointer: p.Pointer + field, Step: p.Step.ID, Path: p.Path, Tool: p.Step.Tool, Code: code, Message: fmt.Sprintf(format, args...)}
}
