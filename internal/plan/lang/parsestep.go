package lang

import (
	"fmt"
	"strconv"

	"assent/internal/assent"
)

// stepFields are all fields of steps; effect and target are computed ones that
// the API shows and a plan may carry back.
var stepFields = []string{"id", "type", "label", "timeout_ms", "result_key", "tool", "arguments", "agent", "action", "mode", "prompt", "with",
	"max_concurrency", "merge", "steps", "effect", "target"}

var callFields = []string{"tool_name", "arguments"}

func (d *decoder) readStep(v value, at string) assent.Step {
	if v.kind != object {
		d.refuse(at, CodeInvalidStep, fmt.Sprintf("A step is an object, not %s.", v.kind))
		return assent.Step{}
	}
	outer := d.step
	defer func() { d.step = outer }()
	if id, ok := v.get("id"); ok && id.kind == text {
		d.step = id.text
	}
	d.known(v, at, CodeInvalidStep, "a step", stepFields)
	st := assent.Step{
		ID: d.string(v, "id", at), Type: assent.StepType(d.string(v, "type", at)), Label: d.string(v, "label", at),
		Tool: d.string(v, "tool", at), Arguments: d.json(v, "arguments", at),
		Agent: d.string(v, "agent", at), Action: d.string(v, "action", at), Mode: d.string(v, "mode", at),
		Prompt: d.string(v, "prompt", at), With: d.json(v, "with", at),
		MaxConcurrency: int(d.whole(v, "max_concurrency", at)), Merge: d.string(v, "merge", at),
		TimeoutMS: d.whole(v, "timeout_ms", at), ResultKey: d.string(v, "result_key", at),
	}
	for i, child := range d.list(v, "steps", at) {
		st.Steps = append(st.Steps, d.readStep(child, at+"/steps/"+strconv.Itoa(i)))
	}
	return st
}

// readCall reads one call of the short form.
func (d *decoder) readCall(v value, at string) assent.Step {
	if v.kind != object {
		d.refuse(at, CodeInvalidStep, fmt.Sprintf("A call is an object, not %s.", v.kind))
		return assent.Step{}
	}
	d.known(v, at, CodeInvalidStep, "a call", callFields)
	return assent.Step{Type: assent.StepTool, Tool: d.string(v, "tool_name", at), Arguments: d.json(v, "arguments", at)}
}

// giveIDs names the steps that have no id s1, s2, …, around the names taken.
func giveIDs(doc *assent.PlanDocument) {
	taken := map[string]bool{}
	each(doc.Steps, func(st *assent.Step) { taken[st.ID] = true })
	n := 0
	each(doc.Steps, func(st *assent.Step) {
		for st.ID == "" {
			if n++; !taken["s"+strconv.Itoa(n)] {
				st.ID = "s" + strconv.Itoa(n)
			}
		}
	})
}

func each(steps []assent.Step, do func(*assent.Step)) {
	for i := range steps {
		do(&steps[i])
		each(steps[i].Steps, do)
	}
}
