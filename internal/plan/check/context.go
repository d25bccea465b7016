package check

import (
	"encoding/json"
	"fmt"

	"assent/internal/assent"
)

// part is one part of what a context asks of a plan, in order.
type part struct {
	tool     string
	what     string
	optional bool
	counts   func(arguments json.RawMessage) bool // nil: any call
}

// createParts is what a plan that creates a project is made of; design 03 §3.
var createParts = []part{
	{tool: "list_templates", what: "look for a template"},
	{tool: "create_template", what: "create a template", optional: true},
	{tool: "create_project", what: "create the project"},
	{tool: "publish_document", what: "publish the context document", counts: isContextDocument},
}

// isContextDocument: the type of a published document is "context" by default.
func isContextDocument(arguments json.RawMessage) bool {
	var args struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(arguments, &args) != nil {
		return true // reported elsewhere
	}
	return args.Type == "" || args.Type == "context"
}

// context checks the rules of the conversation's context.
func (r *run) context() {
	if r.o.ContextType != assent.ContextProjectCreate || len(r.places) == 0 {
		return
	}
	after := -1 // position of the step before
	for _, part := range createParts {
		found := r.calls(part)
		switch next := r.firstAfter(found, after); {
		case len(found) == 0 && part.optional:
		case len(found) == 0:
			r.tell(assent.FieldError{Pointer: "/steps", Tool: part.tool, Code: codeMissingRequiredStep,
				Message: fmt.Sprintf("A plan for a new project must %s: it needs a step with the tool %s.", part.what, part.tool)})
		case next < 0:
			p := r.places[found[len(found)-1]]
			r.tell(at(p, "/tool", codeStepOrder, "This step must come later: a plan for a new project has, in this order, %s.", orderOfParts()))
		default:
			after = r.places[next].Top
		}
	}
}

func orderOfParts() string {
	s := ""
	for i, part := range createParts {
		if i > 0 {
			s += ", "
		}
		s += part.tool
		if part.optional {
			s += " (optional)"
		}
	}
	return s
}

// calls gives the places whose step is a part.
func (r *run) calls(want part) []int {
	var out []int
	for i, p := range r.places {
		if p.Step.Type != assent.StepTool {
			continue
		}
		spec, ok := r.o.tool(p.Step.Tool)
		if ok && spec.Name == want.tool && (want.counts == nil || want.counts(p.Step.Arguments)) {
			out = append(out, i)
		}
	}
	return out
}

// firstAfter gives the first place whose top-level step comes after another.
func (r *run) firstAfter(found []int, after int) int {
	for _, i := range found {
		if r.places[i].Top > after {
			return i
		}
	}
	return -1
}
