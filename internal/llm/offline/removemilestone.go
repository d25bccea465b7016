package offline

import (
	"assent/internal/llm/offline/english"
)

// ordinalMilestone reads "the second milestone", "milestone 2".
func ordinalMilestone(t english.Text) (int, bool) {
	for i := range t.Tokens {
		if !t.Is(i, "milestone", "phase") {
			continue
		}
		if n, ok := t.Ordinal(i - 1); ok {
			return n, true
		}
		n, _, ok := t.Count(i + 1)
		return n, ok
	}
	return 0, false
}

// nthMilestone is the place of the n-th milestone that the plan lists.
func (r *revision) nthMilestone(n int) (step, index int, ok bool) {
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if n == english.Last {
			n = len(ms)
		}
		if n >= 1 && n <= len(ms) {
			return i, n - 1, true
		}
	}
	return 0, 0, false
}

func (r *revision) removeNth(n int) bool {
	if i, k, ok := r.nthMilestone(n); ok {
		return r.removeMilestone(i, k)
	}
	return r.fail("The plan has no such milestone.")
}

func (r *revision) removeMilestone(i, k int) bool {
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	if len(ms) == 1 && r.doc.Steps[i].Tool == "create_milestones" {
		return r.removeSteps([]int{i})
	}
	r.setMilestones(i, append(ms[:k:k], ms[k+1:]...))
	return true
}
