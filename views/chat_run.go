package views

import (
	"strings"

	"assent/internal/assent"
)

// chatRun is a run as its events tell it.
type chatRun struct {
	id        string
	plan      *chatPlan
	version   int64
	status    assent.RunStatus
	notBefore assent.Time
	reason    string
	startedAt assent.Time
	endedAt   assent.Time
	steps     map[string]*chatStep
	lines     []*chatLine
}

// chatStep is one step of a run.
type chatStep struct {
	status    assent.StepStatus
	attempt   int64
	arguments []byte // as resolved
	summary   string
	entity    *assent.EntityRef // what it made or changed
	problem   *assent.Problem
	startedAt assent.Time
	ms        int64
}

// chatApproval is the person's word behind a run.
type chatApproval struct {
	message   string
	words     string
	at        assent.Time
	takenBack bool
}

func (c *Chat) onRunState(ev assent.LoggedEvent, e assent.RunState) []string {
	p := c.planOf(e.PlanID)
	r := c.runs[e.RunID]
	ids := []string{idStatus, idWorking}
	if r == nil {
		r = &chatRun{id: e.RunID, plan: p, startedAt: ev.At, steps: map[string]*chatStep{}}
		c.runs[e.RunID] = r
		if len(p.versions) > 0 {
			r.version = p.current().n
		}
		p.run = r
		ids = append(ids, c.adoptLine(p, r)...)
	}
	r.move(e, ev.At)
	if said := runAnnounced(r); said != "" {
		c.announce = said
		ids = append(ids, idAnnounce)
	}
	if a := c.approvals[r.id]; a != nil {
		ids = append(ids, "m-"+a.message) // what has ended cannot be taken back any more
	}
	for _, l := range r.lines {
		ids = append(ids, l.id)
	}
	return append(ids, c.planChanged(p)...)
}

// adoptLine ties the line that said "approved" to the run that came with it.
func (c *Chat) adoptLine(p *chatPlan, r *chatRun) []string {
	for i := len(c.groups) - 1; i >= 0; i-- {
		items := c.groups[i].items
		for j := len(items) - 1; j >= 0; j-- {
			l, ok := items[j].(*chatLine)
			if !ok || l.plan != p {
				continue
			}
			if l.status == assent.PlanRunning && l.run == nil {
				l.run, l.start, r.version = r, true, l.ver
				r.lines = append(r.lines, l)
				return []string{l.id}
			}
			return nil
		}
	}
	return nil
}

// move takes a change of the run's status in, with what it means for steps
// that have no event of their own.
func (r *chatRun) move(e assent.RunState, at assent.Time) {
	was := r.status
	r.status, r.reason = e.Status, e.Reason
	if e.NotBefore != 0 {
		r.notBefore = e.NotBefore
	}
	r.endedAt = 0
	if e.Status.Ended() {
		r.endedAt = at
	}
	switch {
	case e.Status == assent.RunWaitingHuman:
		if _, s := r.waiting(); s != nil && s.summary == "" {
			s.summary = e.Reason // a checkpoint's question, with what it refers to
		}
	case e.Status == assent.RunFailed:
		r.mark(assent.StepPending, assent.StepSkipped)
	case e.Status == assent.RunCancelled:
		r.mark(assent.StepRunning, assent.StepCancelled)
		r.mark(assent.StepWaitingHuman, assent.StepCancelled)
		r.mark(assent.StepPending, assent.StepSkipped)
	case e.Status == assent.RunUndone:
		r.mark(assent.StepSuccess, assent.StepUndone)
		r.mark(assent.StepPartial, assent.StepUndone)
	case e.Status == assent.RunRunning && was == assent.RunWaitingHuman:
		if path, s := r.waiting(); s != nil { // answered: it runs once more, or has said so already
			delete(r.steps, path)
		}
	case e.Status == assent.RunRunning && was.Ended():
		for path, s := range r.steps {
			if s.status != assent.StepSuccess {
				delete(r.steps, path)
			}
		}
	case e.Status == assent.RunPaused && strings.HasPrefix(e.Reason, "took back"):
		r.rollback()
	}
}

// untouched reports whether there is nothing that could be taken back.
func (r *chatRun) untouched() bool {
	for _, s := range r.steps {
		if s.status == assent.StepSuccess || s.status == assent.StepPartial {
			return false
		}
	}
	return true
}

// waiting is the first step that waits for the person; nil if none does.
func (r *chatRun) waiting() (at string, s *chatStep) {
	v := r.plan.version(r.version)
	if v == nil {
		return "", nil
	}
	eachStep(v.steps, "", func(path string, _ assent.Step) {
		if x := r.steps[path]; s == nil && x != nil && x.status == assent.StepWaitingHuman {
			at, s = path, x
		}
	})
	return at, s
}

// mark moves all steps in one status to another.
func (r *chatRun) mark(from, to assent.StepStatus) {
	v := r.plan.version(r.version)
	if v == nil {
		return
	}
	eachStep(v.steps, "", func(path string, _ assent.Step) {
		s := r.steps[path]
		if s == nil {
			if from != assent.StepPending {
				return
			}
			s = &chatStep{status: assent.StepPending}
			r.steps[path] = s
		}
		if s.status == from {
			s.status = to
		}
	})
}

// rollback sets the run back before the last step that had finished.
func (r *chatRun) rollback() {
	v := r.plan.version(r.version)
	if v == nil {
		return
	}
	last := -1
	for i, st := range v.steps {
		if s := r.steps[st.ID]; s != nil && (s.status == assent.StepSuccess || s.status == assent.StepPartial) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	eachStep(v.steps[last:], "", func(path string, _ assent.Step) { delete(r.steps, path) })
}

func (c *Chat) onStepStart(ev assent.LoggedEvent, e assent.StepStart) []string {
	r := c.runs[e.RunID]
	if r == nil {
		return c.planChanged(c.planOf(e.PlanID))
	}
	if e.Status == assent.StepPending { // set back, to be run again
		delete(r.steps, e.Path)
		return append(c.planChanged(r.plan), idWorking)
	}
	st := assent.StepRunning
	if e.Status == assent.StepWaitingHuman { // a checkpoint asks as soon as it begins
		st = e.Status
	}
	r.steps[e.Path] = &chatStep{status: st, attempt: e.Attempt, arguments: e.Arguments, startedAt: ev.At}
	return append(c.planChanged(r.plan), idWorking)
}

func (c *Chat) onStepComplete(_ assent.LoggedEvent, e assent.StepComplete) []string {
	r := c.runs[e.RunID]
	if r == nil {
		return c.planChanged(c.planOf(e.PlanID))
	}
	s := r.steps[e.Path]
	if s == nil {
		s = &chatStep{attempt: e.Attempt}
		r.steps[e.Path] = s
	}
	s.status, s.summary, s.problem, s.ms, s.entity = e.Status, e.Summary, e.Error, e.DurationMS, e.Entity
	return append(c.planChanged(r.plan), idWorking)
}

// eachStep visits steps and children with their paths, in order.
func eachStep(steps []assent.Step, prefix string, visit func(path string, st assent.Step)) {
	for _, st := range steps {
		visit(prefix+st.ID, st)
		eachStep(st.Steps, prefix+st.ID+"/", visit)
	}
}
