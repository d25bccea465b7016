package offline

import "assent/internal/llm/offline/english"

var nthTask = groups.Compile(`^(?:{det} )?(?P<nth>[^ ]+) task (?:of|in|from|under|for|within) (?P<under>.+)$`)

// removeNthTask leaves out "the second task of the first milestone"; ok is false
// where the words name no such place.
func (r *revision) removeNthTask(t english.Text) (done, ok bool) {
	m, found := nthTask.Find(t.Canon())
	if !found {
		return false, false
	}
	n, isNumber := t.Ordinal(m.Groups["nth"].From)
	if !isNumber {
		return false, false
	}
	step, index, known := r.milestoneAt(t.Part(m.Groups["under"]))
	if !known {
		return r.fail("The plan has no such milestone."), true
	}
	ms := milestonesOf(argsOf(r.doc.Steps[step].Arguments))
	tasks := ms[index].Tasks
	if n == english.Last {
		n = len(tasks)
	}
	if n < 1 || n > len(tasks) {
		return r.fail(quoted(plain(ms[index].Title)) + " has " + english.Plural(len(tasks), "task") + " in the plan."), true
	}
	ms[index].Tasks = append(tasks[:n-1:n-1], tasks[n:]...)
	r.setMilestones(step, ms)
	return true, true
}

// milestoneAt is the milestone that words name by number or by name.
func (r *revision) milestoneAt(t english.Text) (step, index int, ok bool) {
	if n, isNumber := ordinalMilestone(t); isNumber {
		return r.nthMilestone(n)
	}
	return r.milestoneLike(target(t))
}
