package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

var dropVerb = groups.Compile(`^(?:(?:i |we |you |can |could |please |just |also )*(?:{drop}|no|minus|do without|do not|not)(?: (?:out|away|off))?)(?: (?:{det}|need|want|any|of))*`)

// remove leaves out steps, milestones, tasks, risks, dates.
func (r *revision) remove(t english.Text) bool {
	m, ok := dropVerb.Find(t.Canon())
	if !ok {
		if t.Is(t.Len()-1, "out", "away") && t.Is(0, "leave", "take", "cut", "keep") {
			t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
			m, ok = english.Match{Range: english.Range{From: 0, To: 1}}, true
		}
		if !ok {
			return false
		}
	}
	rest := t.Drop(m.Range)
	if t.Is(0, "no", "not") && rest.Is(0, "more", "need", "only") {
		return false
	}
	numbered := stepsNumbered(t, len(r.doc.Steps))
	if len(numbered) > 0 && !rest.Is(0, "milestone", "task", "phase") && !rest.Is(1, "milestone", "task", "phase") {
		return r.removeSteps(numbered)
	}
	for _, part := range rest.Items(0, rest.Len(), nil) {
		if !r.removeOne(rest.Part(part)) {
			return false
		}
	}
	return rest.Len() > 0
}

// removeOne leaves out one thing that words name.
func (r *revision) removeOne(t english.Text) bool {
	if namesContent.In(t.Canon()) {
		r.unfold()
	}
	if done, ok := r.removeNthTask(t); ok {
		return done
	}
	if m, ok := tasksOf.Find(t.Canon()); ok {
		if i, k, found := r.milestoneLike(target(t.Part(m.Groups["under"]))); found {
			return r.clearMilestone(i, k)
		}
	}
	if kind, ok := onlyNoun(t); ok {
		return r.removeOnly(kind)
	}
	name := target(t, "step", "all", "any", "of", "both", "every", "whole", "entire", "completely")
	if done, ok := r.removeField(name); ok {
		return done
	}
	if n, ok := ordinalMilestone(t); ok {
		return r.removeNth(n)
	}
	return r.removeNamed(name)
}

// removeField leaves out everything of a kind, or a field of the project; ok is
// false where words name neither.
func (r *revision) removeField(name string) (done, ok bool) {
	switch strings.ToLower(name) {
	case "milestones", "the milestones", "phases":
		return r.removeMilestones(), true
	case "tasks", "the tasks", "all tasks":
		return r.removeTasks(), true
	case "risks", "the risks":
		return r.removeTools("create_risk", "risks"), true
	case "goals", "the goals":
		return r.removeTools("create_goal", "goals"), true
	case "document", "context", "context document", "documents", "doc":
		return r.removeTool("publish_document", "create_document"), true
	case "template":
		return r.template(read("no template")), true
	case "deadline", "due date", "date", "dates", "due dates", "end date", "deadlines":
		return r.removeDates(), true
	case "description":
		return r.dropArgument("description"), true
	case "start date", "start":
		return r.dropArgument("start_date"), true
	case "priority", "priorities":
		return r.setPriority(""), true
	}
	return false, false
}

// removeNamed leaves out the milestone, task or step of a name.
func (r *revision) removeNamed(name string) bool {
	if i, k, ok := r.milestoneLike(name); ok {
		return r.removeMilestone(i, k)
	}
	if r.removeTask(name) {
		return true
	}
	if i, ok := r.titled(name); ok {
		return r.removeSteps([]int{i})
	}
	if r.unfold() {
		return r.removeNamed(name)
	}
	if i, ok := stepLike(name, r.doc.Steps); ok {
		return r.removeSteps([]int{i})
	}
	return r.fail("I found nothing called " + quoted(name) + " in the plan.")
}

func (r *revision) removeSteps(which []int) bool {
	gone := map[int]bool{}
	for _, i := range which {
		gone[i] = true
	}
	var from []int
	for i := range r.doc.Steps {
		if !gone[i] {
			from = append(from, i)
		}
	}
	if len(from) == 0 {
		return r.fail("Then nothing would be left. Say “discard it” to drop the whole plan.")
	}
	return r.rearranged(from)
}
