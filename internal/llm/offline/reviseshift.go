package offline

import (
	"time"

	"assent/internal/llm/offline/english"
)

// shift moves the deadline, or one milestone, by a span: "push it back two
// weeks".
func (r *revision) shift(t english.Text) bool {
	s, from, to, ok := english.FindShift(t)
	if !ok {
		return false
	}
	rest := withoutFields(t.Drop(english.Range{From: from, To: to}))
	name := target(rest)
	if r.just != "" && isPronoun(name) {
		return r.fail(quoted(r.just) + " has no date yet that could be moved.")
	}
	if everythingWords.In(read(name).Canon()) {
		return r.shiftAll(s)
	}
	if i, k, found := r.milestoneLike(name); found && !isPronoun(name) {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		d, dated := english.ParseDay(ms[k].DueDate)
		if !dated {
			return r.fail("That milestone has no date yet.")
		}
		ms[k].DueDate = s.Apply(d).Format(time.DateOnly)
		r.setMilestones(i, ms)
		return true
	}
	_, due := r.deadline()
	if due.IsZero() {
		return r.fail("The plan has no deadline that could be moved. Tell me a date.")
	}
	return r.setDeadline(s.Apply(due))
}

// shiftAll moves every date of the plan by the same span.
func (r *revision) shiftAll(by english.Shift) bool {
	had := false
	moved := func(date string) string {
		d, ok := english.ParseDay(date)
		if had = had || ok; !ok {
			return date
		}
		return r.notPast(by.Apply(d)).Format(time.DateOnly)
	}
	for i := range r.doc.Steps {
		a := argsOf(r.doc.Steps[i].Arguments)
		for _, key := range []string{"start_date", "due_date"} {
			if a.text(key) != "" {
				a[key] = moved(a.text(key))
			}
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok && args(m).text("due_date") != "" {
				m["due_date"] = moved(args(m).text("due_date"))
			}
		}
		if ms := milestonesOf(a); len(ms) > 0 {
			for k := range ms {
				ms[k].DueDate = moved(ms[k].DueDate)
			}
			a["milestones"] = ms
		}
		if len(a) > 0 {
			r.set(i, a)
		}
	}
	return had || r.fail("There is no date in the plan that could be moved.")
}

// notPast is the day, or today where it has gone by.
func (r *revision) notPast(day time.Time) time.Time {
	if day.Before(r.s.today()) {
		return r.s.today()
	}
	return day
}
