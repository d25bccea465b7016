package views

import "assent/internal/assent"

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
	changed   []string // paths of the steps that differ from the version before
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

func (p *chatPlace) live() bool { return p == p.plan.place() }

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

// before is the version before one; nil for the first.
func (p *chatPlan) before(v *chatVersion) *chatVersion { return p.version(v.n - 1) }

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
