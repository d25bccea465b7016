package offline

import (
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// projectStep is the step that creates the project, -1 if there is none.
func (r *revision) projectStep() int {
	return slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool {
		return st.Tool == "create_project" || st.Tool == "create_onto_project"
	})
}

// lists are the steps that create several milestones.
func (r *revision) lists() []int {
	var out []int
	for i, st := range r.doc.Steps {
		if len(milestonesOf(argsOf(st.Arguments))) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// setMilestones writes a step's milestones and its label.
func (r *revision) setMilestones(i int, ms []milestone) {
	a := argsOf(r.doc.Steps[i].Arguments)
	a["milestones"] = ms
	if len(ms) == 0 {
		delete(a, "milestones")
	}
	r.set(i, a)
	if st := &r.doc.Steps[i]; st.Tool == "create_milestones" && strings.HasPrefix(st.Label, "Add ") {
		shown := make([]milestone, len(ms))
		for k, m := range ms {
			shown[k] = milestone{Title: plain(m.Title)}
		}
		st.Label = "Add " + english.Plural(len(ms), "milestone") + titles(shown)
	}
}

// milestoneLike finds a milestone by words in the plan.
func (r *revision) milestoneLike(words string) (step, index int, ok bool) {
	top := 0.0
	for _, i := range r.lists() {
		for k, m := range milestonesOf(argsOf(r.doc.Steps[i].Arguments)) {
			if like := english.Likeness(words, plain(m.Title)); like > top {
				step, index, top = i, k, like
			}
		}
	}
	return step, index, top >= fits
}

// titled finds a step whose own title words name, such as a single milestone,
// task or risk.
func (r *revision) titled(words string) (int, bool) {
	best, top := -1, 0.0
	for i, st := range r.doc.Steps {
		if title := argsOf(st.Arguments).text("title"); title != "" && strings.HasPrefix(st.Tool, "create_") {
			if like := english.Likeness(words, plain(title)); like > top {
				best, top = i, like
			}
		}
	}
	return best, top >= fits
}

// deadline is the project's due date in the plan.
func (r *revision) deadline() (step int, due time.Time) {
	step = r.projectStep()
	if step < 0 {
		step = slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool { return argsOf(st.Arguments).text("due_date") != "" })
	}
	if step < 0 {
		return -1, due
	}
	due, _ = english.ParseDay(argsOf(r.doc.Steps[step].Arguments).text("due_date"))
	return step, due
}
