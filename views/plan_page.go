package views

import (
	"slices"

	"assent/internal/assent"
)

// PlanPage is one plan with everything that was said and done about it.
type PlanPage struct {
	Plan         assent.Plan // whole
	Conversation string
	Approvals    []ApprovalLine
	Costs        []CostLine // what it took of models so far
	From, To     int64      // versions to compare; 0 for none
	Problem      string     // why what was asked could not be done

	plan *chatPlan
	runs map[string]*chatRun
}

// ApprovalLine is one word of approval with who gave it.
type ApprovalLine struct {
	assent.Approval
	Person        string
	OverObjection bool
}

// RunPage is the receipt of a run.
type RunPage struct {
	Plan       assent.Plan // whole
	Run        assent.Run
	Approvals  []ApprovalLine
	Deviations []string
	Undone     []string // paths of steps that were taken back
	Estimate   assent.Estimate
	Usage      assent.Usage
	Costs      []CostLine // of the run, by step
	DurationMS int64
	Problem    string

	plan *chatPlan
	run  *chatRun
}

// foldPlan makes of a stored plan what its card is made of.
func foldPlan(p assent.Plan) (*chatPlan, map[string]*chatRun) {
	p.Versions, p.Runs = slices.Clone(p.Versions), slices.Clone(p.Runs)
	for i := range p.Versions {
		p.Versions[i].CreatedAt = max(p.Versions[i].CreatedAt, 1) // what has no time is not shown
	}
	for i := range p.Runs {
		p.Runs[i].StartedAt = max(p.Runs[i].StartedAt, 1)
	}
	c := RestoreChat(assent.Session{ID: p.SessionID}, Stored{Plans: []assent.Plan{p}}, nil)
	plan := c.planOf(p.ID)
	plan.status = p.Status
	return plan, c.runs
}

// NewPlanPage makes a plan ready to be shown.
func NewPlanPage(p PlanPage) PlanPage {
	p.plan, p.runs = foldPlan(p.Plan)
	return p
}

// NewRunPage makes a receipt ready to be shown.
func NewRunPage(p RunPage) RunPage {
	plan, runs := foldPlan(p.Plan)
	p.plan, p.run = plan, runs[p.Run.ID]
	return p
}

// latest is the newest run; nil if there is none.
func (p PlanPage) latest() *chatRun { return p.plan.run }

// shown is the run that the current version's steps show.
func (p PlanPage) shown() *chatRun {
	if r := p.latest(); r != nil && r.version == p.Plan.Version && p.Plan.Status != assent.PlanPendingReview {
		return r
	}
	return nil
}

// controls are what can be done with the newest run by hand.
func (p PlanPage) controls() []control {
	if p.Plan.Status == assent.PlanPendingReview {
		return nil
	}
	return p.latest().controls()
}

// waiting reports whether a run waits for the person's answer.
func (p PlanPage) waiting() bool {
	r := p.latest()
	return r != nil && r.status == assent.RunWaitingHuman
}

// state is what the plan is doing, in a sentence.
func (p PlanPage) state() answer {
	switch r := p.shown(); {
	case p.waiting():
		return answer{kind: "wait", text: p.latest().asks()}
	case p.Plan.Status == assent.PlanPendingReview:
		return answer{kind: "wait", text: "Version " + itoa(p.Plan.Version) + " waits for your word."}
	case r != nil:
		return p.plan.place().said()
	}
	return answer{text: StatusWords(string(p.Plan.Status)) + "."}
}

// compared are the two versions that are compared, the older one first; nil
// where there is nothing to compare.
func (p PlanPage) compared() (old, now *chatVersion) {
	from, to := p.plan.version(min(p.From, p.To)), p.plan.version(max(p.From, p.To))
	if from == to {
		return nil, nil
	}
	return from, to
}

// versionOf is a version as a card shows it.
func (p PlanPage) versionOf(n int64) *chatVersion { return p.plan.version(n) }

// basisWords says why an approval holds.
func basisWords(b assent.Basis) string {
	switch b {
	case assent.BasisWords:
		return "In words"
	case assent.BasisSetting:
		return "By setting"
	case assent.BasisCarried:
		return "Carried over"
	case assent.BasisRequest:
		return "By request"
	case assent.BasisParent:
		return "By the run above it"
	}
	return Words(string(b))
}

// approvalWords are the words behind an approval.
func approvalWords(a assent.Approval) string {
	if a.Basis == assent.BasisSetting {
		return "The setting “" + modeWords(assent.Mode(a.Words)) + "”"
	}
	if a.Words == "" {
		return ""
	}
	return "“" + a.Words + "”"
}

// approvedWhat is what an approval is of.
func approvedWhat(a assent.Approval) string {
	if a.Step != "" {
		return "Version " + itoa(a.Version) + ", step " + a.Step
	}
	return "Version " + itoa(a.Version)
}

// undoneWords lists the steps that were taken back, by number and label.
func (p RunPage) undoneWords() string {
	var parts []string
	for _, row := range flat(p.plan.version(p.Run.Version).rows(nil)) {
		if slices.Contains(p.Undone, row.path) {
			parts = append(parts, row.number+" "+row.label)
		}
	}
	return assent.List(parts)
}

// versionStatus is what became of a version.
func versionStatus(v assent.Version) string {
	if v.Status == assent.VersionSuperseded {
		return "Replaced"
	}
	return Words(string(v.Status))
}
