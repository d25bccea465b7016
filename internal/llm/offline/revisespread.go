package offline

import (
	"time"

	"assent/internal/llm/offline/english"
)

// respread dates a step's milestones anew between start and deadline.
func (r *revision) respread(i int, ms []milestone) {
	step, due := r.deadline()
	if step < 0 || due.IsZero() {
		return
	}
	begin := r.begin()
	if !due.After(begin) {
		return
	}
	for k, d := range english.Spread(begin, due, len(ms)) {
		ms[k].DueDate = d.Format(time.DateOnly)
	}
	r.setMilestones(i, ms)
}

// begin is the day from which the plan's dates run.
func (r *revision) begin() time.Time {
	if i := r.projectStep(); i >= 0 {
		if d, ok := english.ParseDay(argsOf(r.doc.Steps[i].Arguments).text("start_date")); ok && d.After(r.s.today()) {
			return d
		}
	}
	return r.s.today()
}
