package views

import "assent/internal/assent"

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
	v.reasoning, v.replies, v.ready, v.changed = e.Reasoning, e.SuggestedReplies, true, changedSteps(e.Changed)
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
	ids := c.versionChanged(p, v)
	for _, r := range c.runs {
		for _, l := range r.lines {
			ids = append(ids, l.id) // each says whether it was started over an objection
		}
	}
	return ids
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
