package views

import "assent/internal/assent"

// run is the run that this card shows: the newest one, if the card is live, the
// run is of the version shown here, and the version does not wait again.
func (p *chatPlace) run() *chatRun {
	r := p.plan.run
	if r == nil || !p.live() || r.version != p.version().n || p.plan.status == assent.PlanPendingReview {
		return nil
	}
	return r
}

// earlier are the versions before the one shown, newest first.
func (p *chatPlace) earlier() []*chatVersion {
	var out []*chatVersion
	for _, v := range p.plan.versions {
		if v == p.version() {
			break
		}
		out = append([]*chatVersion{v}, out...)
	}
	return out
}

// later is the version that came right after earlier()[i].
func (p *chatPlace) later(i int) *chatVersion {
	if i == 0 {
		return p.version()
	}
	return p.earlier()[i-1]
}

// headID is what links from elsewhere lead to: the live card has the plan's name.
func (p *chatPlace) headID() string {
	if p.live() {
		return "plan-" + p.plan.id
	}
	return p.id + "-head"
}

// counting reports whether the first write still waits out its grace.
func (p *chatPlace) counting() bool {
	r := p.run()
	return r != nil && r.notBefore != 0 && len(r.steps) == 0 && r.status == assent.RunRunning
}

// tone is the card's class.
func (p *chatPlace) tone() string {
	switch {
	case !p.live():
		return "past"
	case p.plan.waits():
		return "asks"
	}
	return ""
}

// chip is the card's status.
func (p *chatPlace) chip() (kind, text string) {
	v := "v" + itoa(p.version().n)
	if !p.live() {
		return "", v + " · replaced by v" + itoa(p.plan.current().n)
	}
	switch p.plan.status {
	case assent.PlanDraft:
		return "", "Draft " + v
	case assent.PlanPendingReview:
		return "wait", "Draft " + v + " · waiting for your word"
	case assent.PlanRunning:
		if r := p.run(); r != nil && !p.counting() {
			done, total := r.progress()
			return "run", v + " · running, step " + itoa(min(done+1, total)) + " of " + itoa(total)
		}
		return "run", v + " · starting"
	case assent.PlanUndone:
		return "", v + " · taken back"
	case assent.PlanWaitingHuman:
		return "wait", v + " · waiting for your answer"
	case assent.PlanCompleted:
		return "ok", v + " · done"
	case assent.PlanRejected:
		return "", v + " · discarded"
	}
	return kindOfStatus(string(p.plan.status)), v + " · " + string(p.plan.status)
}

// answer is what can be said to a plan, and done with its run, now.
type answer struct {
	kind, text string
	replies    []string
	controls   []control
}

// footer offers the answers that the plan's state allows.
func (p *chatPlace) footer() answer {
	if !p.live() {
		return answer{text: "Version " + itoa(p.plan.current().n) + " stands further down."}
	}
	out := p.said()
	if p.plan.status != assent.PlanPendingReview {
		out.controls = p.run().controls()
	}
	return out
}

// said is what the footer says, with the replies that it suggests.
func (p *chatPlace) said() answer {
	run := p.run()
	switch p.plan.status {
	case assent.PlanPendingReview:
		return answer{kind: "wait", text: "Say so, or say what to change:", replies: p.version().suggested()}
	case assent.PlanRunning:
		return answer{text: "Runs as approved."}
	case assent.PlanPaused:
		return answer{text: "Paused. Nothing happens until you say so."}
	case assent.PlanWaitingHuman:
		if run == nil {
			return answer{kind: "wait", text: "The run waits for your answer.", replies: []string{replyGoOn, replyStopHere}}
		}
		return answer{kind: "wait", text: run.asks(), replies: run.answers()}
	case assent.PlanCompleted:
		return answer{kind: "ok", text: "Everything ran as approved."}
	case assent.PlanFailed:
		return answer{kind: "bad", text: "What succeeded is kept."}
	case assent.PlanCancelled:
		if run == nil || run.untouched() {
			return answer{text: "Cancelled before anything was done."}
		}
		return answer{text: "What was done so far is kept."}
	case assent.PlanUndone:
		return answer{text: "Everything that the run did is taken back."}
	case assent.PlanRejected:
		return answer{text: "Discarded. Nothing was done."}
	}
	return answer{text: "Not decided yet."}
}

func (v *chatVersion) suggested() []string {
	if len(v.replies) == 0 {
		return []string{"Looks good, run it", "Discard this plan"}
	}
	return v.replies
}

// pinnedPlans are the plans that wait, oldest first.
func (c *Chat) pinnedPlans() []*chatPlan {
	var out []*chatPlan
	for _, id := range c.planOrder {
		if p := c.plans[id]; p.waits() && len(p.places) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// waitsFor says what a pinned plan waits for.
func (p *chatPlan) waitsFor() string {
	if p.status == assent.PlanWaitingHuman {
		return p.place().footer().text
	}
	return "version " + itoa(p.current().n) + " waits for your word"
}

// firstReplies are the answers that a pinned plan offers: the first one, or the
// first two of a run's question, which has no usual answer.
func (p *chatPlan) firstReplies() []string {
	n := 1
	if p.status == assent.PlanWaitingHuman {
		n = 2
	}
	return p.place().footer().replies[:n]
}

// approvedAt is when the person's word, or their setting, started a run.
func (c *Chat) approvedAt(r *chatRun) assent.Time {
	if a := c.approvals[r.id]; a != nil && a.at != 0 {
		return a.at
	}
	return r.startedAt
}
