package views

import (
	"strings"

	"assent/internal/assent"
)

// chatPlan is a plan with its versions. Its card is live at one place, the one
// where its newest version was first shown; cards of older versions stay where
// they were as a record of what was shown.
type chatPlan struct {
	id        string
	objective string
	mode      assent.Mode
	status    assent.PlanStatus
	reason    string
	versions  []*chatVersion
	places    []*chatPlace
	run       *chatRun // the newest one
}

// chatVersion is one immutable version.
type chatVersion struct {
	n         int64
	hash      string
	objective string
	reasoning string
	steps     []assent.Step
	preview   assent.Preview
	replies   []string
	reviews   []assent.PlanReview
	ready     bool
	at        assent.Time
}

// chatPlace is where a plan's card stands in the transcript. A turn that makes
// several versions has one place.
type chatPlace struct {
	itemBase
	plan     *chatPlan
	versions []*chatVersion
}

func (p *chatPlace) version() *chatVersion { return p.versions[len(p.versions)-1] }
func (p *chatPlace) live() bool            { return p == p.plan.place() }

// place is where the plan's card is live; nil for a plan that was never shown.
func (p *chatPlan) place() *chatPlace {
	if len(p.places) == 0 {
		return nil
	}
	return p.places[len(p.places)-1]
}

// cardID is the id of the live card; "" for a plan that was never shown.
func (p *chatPlan) cardID() string {
	if len(p.places) == 0 {
		return ""
	}
	return p.place().id
}

func (p *chatPlan) current() *chatVersion { return p.versions[len(p.versions)-1] }

func (p *chatPlan) version(n int64) *chatVersion {
	for _, v := range p.versions {
		if v.n == n {
			return v
		}
	}
	return nil
}

// waits reports whether the plan, or a run of it, waits for the person.
func (p *chatPlan) waits() bool {
	return p.status == assent.PlanPendingReview || p.status == assent.PlanWaitingHuman
}

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

// planOf gives a plan, made if need be.
func (c *Chat) planOf(id string) *chatPlan {
	p := c.plans[id]
	if p == nil {
		p = &chatPlan{id: id, status: assent.PlanDraft}
		c.plans[id] = p
		c.planOrder = append(c.planOrder, id)
	}
	return p
}

// waiting is how many plans of this conversation wait for the person.
func (c *Chat) waiting() (n int) {
	for _, id := range c.planOrder {
		if c.plans[id].waits() {
			n++
		}
	}
	return n
}

// planChanged lists what shows a plan.
func (c *Chat) planChanged(p *chatPlan) []string {
	return []string{idStatus, idPinned, p.cardID()}
}

// versionChanged lists what shows a version, its own card included where that
// is not the live one any more.
func (c *Chat) versionChanged(p *chatPlan, v *chatVersion) []string {
	ids := c.planChanged(p)
	for _, place := range p.places {
		if place.version() == v {
			ids = append(ids, place.id)
		}
	}
	return ids
}

func (c *Chat) onPlanCreated(ev assent.LoggedEvent, e assent.PlanCreated) []string {
	p := c.planOf(e.PlanID)
	if p.version(e.Version) != nil {
		return c.planChanged(p)
	}
	v := &chatVersion{n: e.Version, hash: e.Hash, objective: e.Objective, steps: e.Steps, preview: e.Preview, at: ev.At}
	p.objective, p.mode = e.Objective, e.Mode
	p.versions = append(p.versions, v)
	return append(c.show(ev, p, v), c.planChanged(p)...)
}

// show gives a new version its place: that of the plan's card if it stands in
// the same turn, else a new one.
func (c *Chat) show(ev assent.LoggedEvent, p *chatPlan, v *chatVersion) []string {
	g, made := c.groupNow(ev.TurnID, ev.Seq)
	var ids []string
	for _, old := range p.places {
		ids = append(ids, old.id) // each says by which version it was replaced
	}
	if last := p.place(); last != nil && last.group == g {
		last.versions = append(last.versions, v)
		return ids
	}
	place := &chatPlace{itemBase: itemBase{id: "p-" + p.id + "-" + itoa(v.n), seq: ev.Seq}, plan: p, versions: []*chatVersion{v}}
	p.places = append(p.places, place)
	return append(ids, c.add(g, made, place))
}

func (c *Chat) onPlanReady(ev assent.LoggedEvent, e assent.PlanReady) []string {
	p := c.planOf(e.PlanID)
	v := p.version(e.Version)
	var ids []string
	if v == nil { // its creation lies in the pruned part of the log
		ids = c.onPlanCreated(ev, assent.PlanCreated{PlanID: e.PlanID, Version: e.Version, Hash: e.Hash, Objective: e.Objective,
			Mode: e.Mode, Steps: e.Steps, Preview: e.Preview})
		v = p.version(e.Version)
	}
	v.reasoning, v.replies, v.ready = e.Reasoning, e.SuggestedReplies, true
	p.status, p.reason = assent.PlanPendingReview, ""
	c.announce = "Version " + itoa(e.Version) + " of the plan “" + e.Objective + "” waits for your word."
	return append(append(ids, c.versionChanged(p, v)...), idAnnounce)
}

func (c *Chat) onPlanReview(_ assent.LoggedEvent, e assent.PlanReview) []string {
	p := c.planOf(e.PlanID)
	v := p.version(e.Version)
	if v == nil {
		return []string{idStatus}
	}
	v.reviews = append(v.reviews, e)
	return c.versionChanged(p, v)
}

func (c *Chat) onPlanState(ev assent.LoggedEvent, e assent.PlanState) []string {
	p := c.planOf(e.PlanID)
	silent := p.status == e.Status && e.Reason == "" // plan_ready_for_review has said so
	p.status, p.reason = e.Status, e.Reason
	ids := c.planChanged(p)
	if e.Status == assent.PlanPendingReview && e.Reason == "" {
		silent = true
	}
	if silent {
		return ids
	}
	l := &chatLine{itemBase: itemBase{id: "l-" + itoa(ev.Seq), seq: ev.Seq}, at: ev.At, plan: p, status: e.Status, ver: e.Version, reason: e.Reason}
	l.kind = kindOfStatus(string(e.Status))
	if p.run != nil && p.run.version == e.Version && !(e.Status == assent.PlanRunning && p.run.status.Ended()) {
		l.run = p.run
		l.done, l.total = p.run.progress()
		p.run.lines = append(p.run.lines, l)
	}
	g, made := c.groupNow(ev.TurnID, ev.Seq)
	return append([]string{c.add(g, made, l)}, ids...)
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
	case e.Status == assent.RunFailed:
		r.mark(assent.StepPending, assent.StepSkipped)
	case e.Status == assent.RunCancelled:
		r.mark(assent.StepRunning, assent.StepCancelled)
		r.mark(assent.StepWaitingHuman, assent.StepCancelled)
		r.mark(assent.StepPending, assent.StepSkipped)
	case e.Status == assent.RunUndone:
		r.mark(assent.StepSuccess, assent.StepUndone)
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
		if s := r.steps[st.ID]; s != nil && s.status == assent.StepSuccess {
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
	r.steps[e.Path] = &chatStep{status: assent.StepRunning, attempt: e.Attempt, arguments: e.Arguments, startedAt: ev.At}
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
	s.status, s.summary, s.problem, s.ms = e.Status, e.Summary, e.Error, e.DurationMS
	return append(c.planChanged(r.plan), idWorking)
}

// eachStep visits steps and children with their paths, in order.
func eachStep(steps []assent.Step, prefix string, visit func(path string, st assent.Step)) {
	for _, st := range steps {
		visit(prefix+st.ID, st)
		eachStep(st.Steps, prefix+st.ID+"/", visit)
	}
}
