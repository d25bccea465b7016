package offline

import (
	"assent/internal/llm/offline/english"
)

// count changes how many milestones or tasks there are.
func (r *revision) count(t english.Text) bool {
	for i := range t.Tokens {
		n, next, ok := t.Count(i)
		if !ok || n < 1 {
			continue
		}
		for t.Is(next, "of", "the", "first", "more", "milestones'") {
			next++
		}
		first := t.Is(0, "add", "include", "insert", "another") || t.Is(i+1, "more")
		switch {
		case first:
			return false
		case t.Is(next, "milestone", "milestones", "phases", "stages"):
			return r.keepMilestones(n, t.Is(i-1, "first") || t.Is(i+1, "first"))
		case t.Is(next, "task", "tasks"):
			return r.keepTasks(n, t)
		case t.Is(next, "step", "steps") && t.Is(0, "only", "just", "keep"):
			return r.fail("I cannot tell which steps should stay. Say which ones to leave out, by number.")
		}
	}
	return false
}

func (r *revision) keepMilestones(n int, firstOnes bool) bool {
	if lists := r.lists(); len(lists) > 0 {
		i := lists[0]
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		switch {
		case firstOnes && n < len(ms):
			ms = ms[:n]
		case n < len(ms):
			ms = evenly(ms, n)
		case n > len(ms):
			ms = r.moreMilestones(ms, n)
		}
		r.setMilestones(i, ms)
		r.respread(i, ms)
		return true
	}
	return r.templateMilestones(n)
}

// templateMilestones takes n of the template's milestones into the plan, where
// the conversation has shown the template.
func (r *revision) templateMilestones(n int) bool {
	i := r.projectStep()
	if i < 0 {
		return r.fail("The plan creates no milestones.")
	}
	id := argsOf(r.doc.Steps[i].Arguments).text("template_id")
	for _, o := range append(outcomes(r.s.past), r.s.results...) {
		for _, tpl := range templatesOf(o) {
			if o.tool == "list_templates" && tpl.ID == id && id != "" && len(tpl.milestones) >= n {
				ms := escaped(fromTemplate(tpl.milestones, n))
				r.setMilestones(i, ms)
				r.respread(i, ms)
				return true
			}
		}
	}
	return r.fail("The plan lists no milestones of its own; they come from the template when the project is made.")
}

func evenly(ms []milestone, n int) []milestone {
	out := make([]milestone, n)
	for i := range out {
		out[i] = ms[(i+1)*len(ms)/n-1]
	}
	return out
}

// moreMilestones fills up with milestones of the kind of project that are not
// there yet, before the last one.
func (r *revision) moreMilestones(ms []milestone, n int) []milestone {
	kind, _ := archetypeOf(r.doc.Objective)
	for _, p := range append(kind.phases, archetypes[len(archetypes)-1].phases...) {
		known := false
		for _, m := range ms {
			known = known || english.Likeness(p.title, plain(m.Title)) >= sameMilestone
		}
		if !known && len(ms) < n {
			at := max(0, len(ms)-1)
			ms = append(ms[:at:at], append([]milestone{{Title: p.title, Tasks: p.taskList()}}, ms[at:]...)...)
		}
	}
	return ms
}

func (r *revision) keepTasks(n int, t english.Text) bool {
	each := t.Is(t.Len()-1, "each", "milestone")
	o := outline{}
	if lists := r.lists(); len(lists) > 0 {
		i := lists[0]
		o.milestones = milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if each {
			for k := range o.milestones {
				o.milestones[k].Tasks = o.milestones[k].Tasks[:min(n, len(o.milestones[k].Tasks))]
			}
		} else {
			o.keepTasks(n)
		}
		r.setMilestones(i, o.milestones)
		return true
	}
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if list, ok := a["tasks"].([]any); ok && n < len(list) {
			a["tasks"] = list[:n]
			r.set(i, a)
			r.relabelTasks(i, n)
			return true
		}
	}
	return r.fail("The plan lists no tasks of its own that I could count down to that.")
}
