package offline

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// revision is a plan while instructions are applied to it.
type revision struct {
	s       *situation
	doc     assent.PlanDocument
	changed bool
	// strict keeps each change to one step: the person approves with the change,
	// and what they did not name must stay as they have seen it.
	strict bool
	why    string // why an instruction could not be carried out
	just   string // what the change before this one added: "it" in "add a task and make it due in May"
}

// reviseNow applies instructions to the plan of the state.
func (s *situation) reviseNow(p *planning) answer {
	r := &revision{s: s, doc: p.Plan, strict: approvesToo(s.state.Reading)}
	r.doc.Steps = slices.Clone(p.Plan.Steps)
	for i := range r.doc.Steps {
		if r.doc.Steps[i].ID == "" {
			r.doc.Steps[i].ID = "s" + itoa(i+1)
		}
	}
	if read(p.Instructions).Len() > maxTokens {
		return direct(tooLong + " The plan stays as it is.")
	}
	if why := s.whyNoDay(read(p.Instructions)); why != "" {
		return direct(why + " Which day do you mean? The plan stays as it is.")
	}
	var clauses []english.Text
	if which, ok := r.stepsRead(); ok {
		r.changed = r.removeSteps(which)
	} else {
		clauses = r.clauses(p.Instructions)
	}
	for _, c := range clauses {
		if !r.apply(c) {
			return direct(r.cannot(c))
		}
	}
	if !r.changed {
		return direct(r.cannot(english.Text{}))
	}
	if len(r.doc.Steps) > maxSteps {
		return direct("With that the plan would have " + english.Plural(len(r.doc.Steps), "step") + "; at most " + itoa(maxSteps) + " are allowed. The plan stays as it is.")
	}
	if !r.strict {
		r.syncDocument()
	}
	r.doc.Reasoning = "Changed as asked: “" + english.Clip(english.Squeeze(p.Instructions), 40) + "”."
	return s.planned(r.doc)
}

func approvesToo(r *assent.Reading) bool { return r != nil && r.As == assent.ReadApproveWithChanges }

// stepsRead are the steps that an approval with changes leaves out, as it was
// read in whatever language; ok is false where it asks for anything else.
func (r *revision) stepsRead() (which []int, ok bool) {
	if !r.strict || len(r.s.state.Reading.Changes) == 0 {
		return nil, false
	}
	for _, c := range r.s.state.Reading.Changes {
		at := slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool { return st.ID == c.Step })
		if c.Op != "remove" || at < 0 {
			return nil, false
		}
		which = append(which, at)
	}
	return which, true
}

// cannot says honestly that an instruction was not understood or not possible.
func (r *revision) cannot(c english.Text) string {
	if r.why != "" {
		return r.why + " The plan stays as it is."
	}
	what := "that"
	if words := strings.Trim(c.String(), " ,.;"); words != "" {
		what = quoted(words)
	}
	return "I did not understand " + what + ", so the plan stays as it is. I can leave out, add, rename, reorder or date steps, milestones, tasks and risks; for example " +
		"“leave out step 3”, “add a budget milestone first”, “rename the project to Leith”, “make it April” or “only two milestones”."
}

// apply carries one change out; the first kind of change that fits does it.
func (r *revision) apply(t english.Text) bool {
	for _, op := range []func(english.Text) bool{r.swap, r.reorder, r.remove, r.rename, r.count, r.add, r.template, r.shift, r.date, r.priority, r.describe, r.status, r.replace} {
		if op(t) {
			r.changed = true
			return true
		}
		if r.why != "" {
			return false
		}
	}
	return false
}

// fail notes why a change is not possible.
func (r *revision) fail(why string) bool {
	r.why = why
	return false
}

// set writes an argument of step i.
func (r *revision) set(i int, a args) { r.doc.Steps[i].Arguments = encode(within(a)) }

// rearranged replaces the steps by a new order; what is lost makes it fail.
func (r *revision) rearranged(from []int, fresh ...assent.Step) bool {
	steps, lost := rearrange(r.doc.Steps, from, fresh...)
	if len(lost) > 0 {
		return r.fail(r.needs(lost[0], from))
	}
	r.doc.Steps = steps
	return true
}

func (r *revision) needs(b broken, kept []int) string {
	name := b.step
	for i, st := range r.doc.Steps {
		if st.ID == b.step {
			name = "step " + itoa(i+1) + " (" + stepName(st) + ")"
		}
	}
	if len(kept) < len(r.doc.Steps) {
		return "That cannot be left out alone: " + name + " needs its result."
	}
	return "That order is not possible: " + name + " needs the result of a later step."
}
