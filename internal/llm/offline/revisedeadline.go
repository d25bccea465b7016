package offline

import (
	"slices"
	"time"

	"assent/internal/llm/offline/english"
)

func (r *revision) setStart(day time.Time) bool {
	i := r.projectStep()
	if i < 0 {
		return r.fail("The plan creates no project that could start then.")
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	if due, ok := english.ParseDay(a.text("due_date")); ok && due.Before(day) {
		return r.fail("That start lies after the deadline of " + english.LongDate(due) + ".")
	}
	a["start_date"] = day.Format(time.DateOnly)
	r.set(i, a)
	for _, k := range r.lists() {
		if ms := milestonesOf(argsOf(r.doc.Steps[k].Arguments)); anyBefore(ms, day) {
			r.respread(k, ms)
		}
	}
	return true
}

func anyBefore(ms []milestone, day time.Time) bool {
	return slices.ContainsFunc(ms, func(m milestone) bool {
		due, ok := english.ParseDay(m.DueDate)
		return ok && due.Before(day)
	})
}

// setDeadline moves the deadline and, in proportion, every date before it.
func (r *revision) setDeadline(day time.Time) bool {
	step, old := r.deadline()
	if step < 0 {
		return r.fail("There is nothing in the plan that has a deadline.")
	}
	if day.Before(r.s.today()) {
		return r.fail("That would be " + english.LongDate(day) + ", which has gone by.")
	}
	a := argsOf(r.doc.Steps[step].Arguments)
	a["due_date"] = day.Format(time.DateOnly)
	if start, ok := english.ParseDay(a.text("start_date")); ok && !start.Before(day) {
		r.moveStart(a, start, old, day)
	}
	r.set(step, a)
	if r.projectStep() < 0 {
		return true
	}
	for i := range r.doc.Steps {
		if i != step {
			r.rescaleStep(i, old, day)
		}
	}
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if old.IsZero() {
			r.respread(i, ms)
			continue
		}
		for k := range ms {
			ms[k].DueDate = r.rescaled(ms[k].DueDate, old, day)
		}
		r.setMilestones(i, ms)
	}
	return true
}

// moveStart keeps the start as long before the deadline as it was.
func (r *revision) moveStart(a args, start, old, day time.Time) {
	if old.IsZero() {
		delete(a, "start_date")
		return
	}
	a["start_date"] = r.notPast(start.Add(day.Sub(old))).Format(time.DateOnly)
}

func (r *revision) rescaleStep(i int, old, day time.Time) {
	a := argsOf(r.doc.Steps[i].Arguments)
	if due := a.text("due_date"); due != "" && !old.IsZero() {
		a["due_date"] = r.rescaled(due, old, day)
	}
	list, _ := a["tasks"].([]any)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok && args(m).text("due_date") != "" && !old.IsZero() {
			m["due_date"] = r.rescaled(args(m).text("due_date"), old, day)
		}
	}
	if len(a) > 0 {
		r.set(i, a)
	}
}

// rescaled keeps a date's share of the time between start and deadline.
func (r *revision) rescaled(date string, old, day time.Time) string {
	d, ok := english.ParseDay(date)
	begin := r.begin()
	span := old.Sub(begin).Hours() / 24
	if !ok || span <= 0 || d.Before(begin) {
		return date
	}
	if !d.Before(old) {
		return day.Format(time.DateOnly)
	}
	share := d.Sub(begin).Hours() / 24 / span
	days := int(share*day.Sub(begin).Hours()/24 + 0.5)
	return english.Between(begin, day, days).Format(time.DateOnly)
}
