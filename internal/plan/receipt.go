package plan

import (
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// Receipt is what is left of a run for the record: what was approved, by whom
// and with which words, beside what ran, and where the two differ.
type Receipt struct {
	PlanID     string            `json:"plan_id"`
	RunID      string            `json:"run_id"`
	SessionID  string            `json:"session_id"`
	Objective  string            `json:"objective"`
	Version    int64             `json:"version"`
	Hash       string            `json:"hash"`
	Status     assent.RunStatus  `json:"status"`
	StartedAt  assent.Time       `json:"started_at"`
	EndedAt    assent.Time       `json:"ended_at"`
	DurationMS int64             `json:"duration_ms"` // from start to end, waiting included
	Approvals  []ReceiptApproval `json:"approvals"`
	Steps      []ReceiptStep     `json:"steps"`
	Deviations []string          `json:"deviations"` // empty: what ran is what was approved
	Undone     []string          `json:"undone"`     // paths of steps that were taken back
	Estimate   assent.Estimate   `json:"estimate"`
	Usage      assent.Usage      `json:"usage"`
}

// ReceiptApproval is one word behind the run.
type ReceiptApproval struct {
	assent.Approval
	// OverObjection says that a reviewer did not agree.
	OverObjection bool `json:"over_objection"`
}

// ReceiptStep is one step as it was approved and as it ran.
type ReceiptStep struct {
	Number     string            `json:"number"`
	Path       string            `json:"path"`
	Type       assent.StepType   `json:"type"`
	Label      string            `json:"label,omitempty"`
	Tool       string            `json:"tool,omitempty"`
	Agent      string            `json:"agent,omitempty"`
	Effect     assent.Effect     `json:"effect,omitempty"`
	Target     string            `json:"target,omitempty"`
	Approved   json.RawMessage   `json:"approved"` // arguments as written in the plan
	Ran        json.RawMessage   `json:"ran"`      // arguments as resolved; null if it did not run
	Status     assent.StepStatus `json:"status"`
	Attempt    int64             `json:"attempt"`
	Summary    string            `json:"summary,omitempty"`
	Error      *assent.Problem   `json:"error,omitempty"`
	StartedAt  assent.Time       `json:"started_at"`
	EndedAt    assent.Time       `json:"ended_at"`
	DurationMS int64             `json:"duration_ms"`
}

// ReceiptOf makes the receipt of a run of a whole plan.
func ReceiptOf(p assent.Plan, run assent.Run) Receipt {
	v := versionOf(p, run.Version)
	r := Receipt{PlanID: p.ID, RunID: run.ID, SessionID: p.SessionID, Objective: v.Document.Objective, Version: run.Version, Hash: run.Hash, Status: run.Status,
		StartedAt: run.StartedAt, EndedAt: run.EndedAt, DurationMS: took(run.StartedAt, run.EndedAt), Approvals: approvalsOf(p, run), Steps: []ReceiptStep{},
		Deviations: []string{}, Undone: []string{}, Estimate: v.Preview.Estimate, Usage: run.Usage}
	if run.Hash != v.Hash {
		r.Deviations = append(r.Deviations, "The run carries another mark than the version that was approved.")
	}
	r.Deviations = append(r.Deviations, Deviations(v.Document.Steps, run.Steps)...)
	rows := byPath(run.Steps)
	for _, place := range lang.Paths(v.Document) {
		r.Steps = append(r.Steps, receiptStep(place, rows[place.Path]))
		if rows[place.Path].Status == assent.StepUndone {
			r.Undone = append(r.Undone, place.Path)
		}
	}
	return r
}

func versionOf(p assent.Plan, n int64) assent.Version {
	for _, v := range p.Versions {
		if v.Version == n {
			return v
		}
	}
	return assent.Version{Preview: assent.NewPreview()}
}

func receiptStep(place lang.Place, sr assent.StepRun) ReceiptStep {
	st := place.Step
	out := ReceiptStep{Number: place.Number, Path: place.Path, Type: st.Type, Label: st.Label, Tool: st.Tool, Agent: st.Agent, Effect: st.Effect, Target: st.Target,
		Approved: givenTo(st), Status: sr.Status, Attempt: sr.Attempt, Summary: sr.Summary, Error: sr.Error, StartedAt: sr.StartedAt, EndedAt: sr.EndedAt,
		DurationMS: took(sr.StartedAt, sr.EndedAt)}
	if sr.Attempt > 0 && given(sr.Arguments) {
		out.Ran = sr.Arguments
	}
	return out
}

// took is how many milliseconds lie between; 0 for what has not ended.
func took(from, to assent.Time) int64 {
	if from == 0 || to == 0 {
		return 0
	}
	return int64(to - from)
}

// approvalsOf are the words behind a run: the one that started it, and those on
// its steps.
func approvalsOf(p assent.Plan, run assent.Run) []ReceiptApproval {
	out := []ReceiptApproval{}
	for _, a := range p.Approvals {
		if a.ID == run.ApprovalID || a.Step != "" && a.Version == run.Version && a.At >= run.StartedAt {
			out = append(out, ReceiptApproval{Approval: a, OverObjection: Objected(p.Reviews, a)})
		}
	}
	return out
}

// Objected reports whether the last reviewer before an approval did not agree.
func Objected(reviews []assent.Review, a assent.Approval) (objected bool) {
	for _, r := range reviews {
		if r.Version == a.Version && r.At <= a.At {
			objected = r.Verdict != assent.VerdictApproved
		}
	}
	return objected
}
