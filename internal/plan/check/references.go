package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// produced is what a reference stands for.
type produced struct {
	forms []form
	// value is what it is, of a binding whose value is known.
	value any
	known bool
	told  bool // an error or an unchecked warning about it is out: no more about its type
}

// resolved maps the references of one step, as written by Ref.String, to what
// they stand for; those with errors are absent.
type resolved map[string]produced

// references checks where the references of a step lead.
func (r *run) references(p lang.Place) resolved {
	out := resolved{}
	for _, l := range lang.StepReferences(p.Step) {
		if l.Err != nil || r.full() {
			continue
		}
		name := l.Ref.String()
		if _, seen := out[name]; seen && len(r.warnings) >= MaxFindings {
			continue // it would only repeat what is not told any more
		}
		v, ok := r.follow(p, l)
		if ok {
			out[name] = v
		}
	}
	return out
}

// follow finds the producer of a reference and goes its path.
func (r *run) follow(p lang.Place, l lang.Located) (produced, bool) {
	if l.Ref.Root == lang.RootBinding {
		return r.binding(p, l)
	}
	st, ok := r.producer(p, l)
	if !ok {
		return produced{}, false
	}
	o := r.output(st)
	if o.silent {
		return produced{forms: []form{unknown}, told: true}, true
	}
	return r.path(p, l, o)
}

// finding makes a finding about a reference.
func finding(p lang.Place, l lang.Located, code, format string, args ...any) assent.FieldError {
	e := at(p, l.Pointer, code, format, args...)
	e.Argument, e.Reference = argumentOf(l.Pointer), l.Ref.String()
	return e
}

// argumentOf names the argument of a pointer within a step: "milestones.0.title",
// or the field itself, "prompt".
func argumentOf(pointer string) string {
	field, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if rest == "" {
		return field
	}
	return pointerUnescape.Replace(strings.ReplaceAll(rest, "/", "."))
}

// producer finds the step that a reference reads, which must come earlier.
func (r *run) producer(p lang.Place, l lang.Located) (assent.Step, bool) {
	if l.Ref.Root == lang.RootResult {
		return r.byKey(p, l)
	}
	n := l.Ref.Index
	code, why := "", ""
	switch {
	case n < 0 || n >= len(r.doc.Steps):
		code, why = codeIndexOutOfRange, fmt.Sprintf("there is no step $%d; steps count from $0 to $%d", n, len(r.doc.Steps)-1)
	case n == p.Top:
		code, why = codeSelfReference, "a step cannot read its own output"
	case n > p.Top:
		code, why = codeForwardReference, fmt.Sprintf("step $%d comes later", n)
	default:
		return r.doc.Steps[n], true
	}
	e := finding(p, l, code, "%s: %s.", l.Ref, why)
	for i := range p.Top {
		e.AvailableFields = append(e.AvailableFields, "$"+strconv.Itoa(i))
	}
	r.tell(e)
	return assent.Step{}, false
}

// byKey finds the step that sets a result_key, on every path and before p.
func (r *run) byKey(p lang.Place, l lang.Located) (assent.Step, bool) {
	setter, ok := r.keys[l.Ref.Key]
	code, why := "", ""
	switch {
	case !ok:
		code, why = codeUnknownResultKey, fmt.Sprintf("no step has the result_key %q", l.Ref.Key)
	case setter.Path == p.Path || setter.Path == p.Parent:
		code, why = codeSelfReference, "a step cannot read its own output"
	case setter.Top == p.Top && p.Parent != "":
		code, why = codeSiblingReference, "steps that run in parallel cannot see each other"
	case setter.Top >= p.Top:
		code, why = codeForwardReference, fmt.Sprintf("step %q comes later", setter.Path)
	case r.mayLose(setter):
		code, why = codeUnknownResultKey, "only one step of a first_success is the winner; read the output of the whole"
	default:
		return setter.Step, true
	}
	e := finding(p, l, code, "%s: %s.", l.Ref, why)
	e.AvailableFields = r.visibleKeys(p)
	r.tell(e)
	return assent.Step{}, false
}

// mayLose: what a step of a first_success sets is not set on every path.
func (r *run) mayLose(setter lang.Place) bool {
	return setter.Parent != "" && r.doc.Steps[setter.Top].Merge == lang.MergeFirstSuccess
}

func (r *run) visibleKeys(p lang.Place) []string {
	var out []string
	for key, setter := range r.keys {
		if setter.Top < p.Top && !r.mayLose(setter) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
