package lang

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// stepName is what a step id looks like; paths join them with "/".
var stepName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$`)

var stepTypes = []string{string(assent.StepTool), string(assent.StepAgent), string(assent.StepParallel), string(assent.StepCheckpoint)}

// Structure checks the shape of a document that may not have come from Parse,
// which calls it as well: ids, types, the fields each type has, nesting, and the
// syntax of references.
func Structure(doc assent.PlanDocument) []assent.FieldError {
	s := structure{ids: map[string]bool{}}
	if len(doc.Steps) == 0 {
		s.found.add(assent.FieldError{Pointer: "/steps", Code: CodeEmptyPlan, Message: "A plan has at least one step."})
	}
	for i, st := range doc.Steps {
		s.step(st, "", "/steps/"+strconv.Itoa(i))
	}
	return s.found.list
}

type structure struct {
	found findings
	ids   map[string]bool
}

// finding heads the errors of one step.
type finding struct {
	s    *structure
	step assent.Step
	path string
	at   string
}

func (f finding) say(field, code, format string, args ...any) {
	f.s.found.add(assent.FieldError{Pointer: f.at + field, Step: f.step.ID, Path: f.path, Tool: f.step.Tool, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (s *structure) step(st assent.Step, parent, at string) {
	if s.found.full() {
		return
	}
	f := finding{s: s, step: st, path: strings.TrimPrefix(parent+"/"+st.ID, "/"), at: at}
	f.name()
	f.kind()
	f.numbers()
	f.references()
	for i, child := range st.Steps {
		childAt := at + "/steps/" + strconv.Itoa(i)
		c := finding{s: s, step: child, path: f.path + "/" + child.ID, at: childAt}
		switch child.Type {
		case assent.StepParallel:
			c.say("/type", CodeNestedParallel, "A parallel step holds tool and agent steps, not parallel ones.")
		case assent.StepCheckpoint:
			c.say("/type", CodeInvalidStep, "A parallel step holds tool and agent steps; a checkpoint stands on its own.")
		}
		s.step(child, f.path, childAt)
	}
}

func (f finding) name() {
	switch {
	case !stepName.MatchString(f.step.ID):
		f.say("/id", CodeInvalidStep, "A step's id has letters, digits, - and _ only, at most 64 of them.")
	case f.s.ids[f.step.ID]:
		f.say("/id", CodeDuplicateStepID, "The id %q is used twice; ids are unique in the whole plan.", f.step.ID)
	}
	f.s.ids[f.step.ID] = true
	if k := f.step.ResultKey; k != "" && !keyName.MatchString(k) {
		f.say("/result_key", CodeInvalidStep, "A result_key has letters, digits, - and _ only, at most 64 of them.")
	}
}

// own are the fields that each type has beside the common ones.
var own = map[assent.StepType]string{
	assent.StepTool:       " tool arguments ",
	assent.StepAgent:      " agent action mode prompt with ",
	assent.StepParallel:   " steps max_concurrency merge ",
	assent.StepCheckpoint: " prompt ",
}

func (f finding) kind() {
	st := f.step
	fields, ok := own[st.Type]
	if !ok {
		f.s.found.add(assent.FieldError{Pointer: f.at + "/type", Step: st.ID, Path: f.path, Code: CodeUnknownStepType, AvailableFields: stepTypes,
			Message: fmt.Sprintf("%q is no type of step; known: %s.", st.Type, strings.Join(stepTypes, ", "))})
		return
	}
	for _, has := range []struct {
		name string
		set  bool
	}{{"tool", st.Tool != ""}, {"arguments", len(st.Arguments) > 0}, {"agent", st.Agent != ""}, {"action", st.Action != ""}, {"mode", st.Mode != ""},
		{"prompt", st.Prompt != ""}, {"with", len(st.With) > 0}, {"steps", len(st.Steps) > 0}, {"max_concurrency", st.MaxConcurrency != 0}, {"merge", st.Merge != ""}} {
		if has.set && !strings.Contains(fields, " "+has.name+" ") {
			f.say("/"+has.name, CodeInvalidStep, "A step of type %s has no %q.", st.Type, has.name)
		}
	}
	switch {
	case st.Type == assent.StepTool && st.Tool == "":
		f.say("/tool", CodeInvalidStep, "A tool step names its tool.")
	case st.Type == assent.StepAgent && st.Agent == "":
		f.say("/agent", CodeInvalidStep, "An agent step names its agent.")
	case st.Type == assent.StepParallel && len(st.Steps) == 0:
		f.say("/steps", CodeInvalidStep, "A parallel step holds at least one step.")
	}
	if m := st.Merge; m != "" && m != MergeCollect && m != MergeFirstSuccess {
		f.say("/merge", CodeInvalidMerge, "%q is no way to merge; known: %s, %s.", cut(m), MergeCollect, MergeFirstSuccess)
	}
}

func (f finding) numbers() {
	if f.step.TimeoutMS < 0 || f.step.TimeoutMS > maxWhole {
		f.say("/timeout_ms", CodeInvalidStep, "timeout_ms is a whole number from 1 to %d.", maxWhole)
	}
	if f.step.MaxConcurrency < 0 {
		f.say("/max_concurrency", CodeInvalidStep, "max_concurrency is a whole number from 1 on.")
	}
}

func (f finding) references() {
	for _, field := range []struct{ name, text string }{{"tool", f.step.Tool}, {"agent", f.step.Agent}, {"action", f.step.Action}, {"mode", f.step.Mode}, {"id", f.step.ID}} {
		if refers(field.text) {
			f.say("/"+field.name, CodeReferenceSyntax, "A reference may stand in arguments, with and prompt only, not in %q.", field.name)
		}
	}
	for _, l := range StepReferences(f.step) {
		if l.Err != nil {
			field, argument, _ := strings.Cut(strings.TrimPrefix(l.Pointer, "/"), "/")
			if argument == "" {
				argument = field
			}
			f.s.found.add(assent.FieldError{Pointer: f.at + l.Pointer, Step: f.step.ID, Path: f.path, Tool: f.step.Tool, Argument: strings.ReplaceAll(argument, "/", "."),
				Reference: l.Err.Text, Code: CodeReferenceSyntax, Message: l.Err.Reason})
		}
	}
}
