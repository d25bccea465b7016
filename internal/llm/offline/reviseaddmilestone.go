package offline

import (
	"slices"
	"time"

	"assent/internal/llm/offline/english"
)

// dueOf dates a milestone that stands first or last when the person gave none;
// in a strict change only what they said counts.
func (r *revision) dueOf(it item, p place) time.Time {
	_, due := r.deadline()
	switch {
	case !it.due.IsZero() || r.strict || due.IsZero() || !due.After(r.begin()):
		return it.due
	case p.front:
		return english.Between(r.begin(), due, int(due.Sub(r.begin()).Hours()/24)/8)
	}
	return it.due
}

// addMilestone puts a milestone into the plan's list, dated between its
// neighbours.
func (r *revision) addMilestone(it item, p place) bool {
	i := r.lists()[0]
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	at := len(ms)
	switch {
	case p.front:
		at = 0
	case p.before != "" || p.after != "":
		step, k, ok := r.milestoneLike(p.before + p.after)
		if !ok {
			return r.fail("I found no milestone called " + quoted(p.before+p.after) + " in the plan.")
		}
		i, ms = step, milestonesOf(argsOf(r.doc.Steps[step].Arguments))
		at = k + boolInt(p.after != "")
	}
	m := milestone{Title: literal(it.title)}
	switch {
	case !it.due.IsZero():
		m.DueDate = it.due.Format(time.DateOnly)
	default:
		m.DueDate = r.dateBetween(ms, at)
	}
	r.setMilestones(i, slices.Insert(ms, at, m))
	return true
}

// dateBetween is half-way between the neighbours of place at.
func (r *revision) dateBetween(ms []milestone, at int) string {
	from := r.begin()
	if at > 0 {
		if d, ok := english.ParseDay(ms[at-1].DueDate); ok {
			from = d
		}
	}
	if at == len(ms) {
		if len(ms) > 0 {
			return ms[len(ms)-1].DueDate
		}
		return ""
	}
	to, ok := english.ParseDay(ms[at].DueDate)
	if !ok || to.Before(from) {
		return ""
	}
	return english.Between(from, to, int(to.Sub(from).Hours()/24)/2).Format(time.DateOnly)
}
