package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

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

// Deviations compares an approved version's steps with a journal. None is what
// the engine promises: every step that began is one that was approved, with the
// same tool, and its arguments are the approved ones with values in the places
// of references.
func Deviations(approved []assent.Step, ran []assent.StepRun) []string {
	var out []string
	places := lang.Paths(assent.PlanDocument{Steps: approved})
	known := make(map[string]lang.Place, len(places))
	for _, p := range places {
		known[p.Path] = p
	}
	for _, sr := range ran {
		p, ok := known[sr.Path]
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("Step %s ran and was never approved.", sr.Path))
		case sr.Attempt == 0:
		case sr.Type != p.Step.Type || sr.Tool != p.Step.Tool || sr.Agent != p.Step.Agent:
			out = append(out, fmt.Sprintf("Step %s was approved as %s and ran as %s.", p.Number, p.Step.Tool+p.Step.Agent, sr.Tool+sr.Agent))
		case given(sr.Arguments) && !instance(givenTo(p.Step), sr.Arguments):
			out = append(out, fmt.Sprintf("Step %s ran with other arguments than the approved ones.", p.Number))
		}
	}
	return out
}

// given reports whether a journal holds arguments; a question and a parallel step
// have none.
func given(args json.RawMessage) bool { return len(args) > 0 && string(args) != "null" }

// givenTo is what a step is called with, as written: a tool's arguments, or
// what an agent is given besides its prompt.
func givenTo(st assent.Step) json.RawMessage {
	given := st.Arguments
	if st.Type == assent.StepAgent {
		given = st.With
	}
	if len(given) == 0 {
		return json.RawMessage("{}")
	}
	return given
}

// instance reports whether a resolved JSON text is an approved one with values
// put in the places of its references.
func instance(approved, resolved json.RawMessage) bool {
	var a, r any
	return decodeExact(approved, &a) == nil && decodeExact(resolved, &r) == nil && instanceOf(a, r)
}

// decodeExact keeps the digits of numbers.
func decodeExact(raw json.RawMessage, v *any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(v)
}

func instanceOf(approved, resolved any) bool {
	switch a := approved.(type) {
	case map[string]any:
		r, ok := resolved.(map[string]any)
		if !ok || len(r) != len(a) {
			return false
		}
		for k, v := range a {
			if x, ok := r[k]; !ok || !instanceOf(v, x) {
				return false
			}
		}
		return true
	case []any:
		r, ok := resolved.([]any)
		if !ok || len(r) != len(a) {
			return false
		}
		for i := range a {
			if !instanceOf(a[i], r[i]) {
				return false
			}
		}
		return true
	case string:
		return instanceOfText(a, resolved)
	}
	return approved == resolved
}

// instanceOfText matches the literal parts of a string in their order; a whole
// reference may stand for anything.
func instanceOfText(approved string, resolved any) bool {
	t, err := lang.ParseTemplate(approved)
	if err != nil {
		return approved == resolved
	}
	if t.Whole {
		return true
	}
	text, ok := resolved.(string)
	if !ok {
		return false
	}
	if whole, ok := t.Literal(); ok {
		return whole == text
	}
	return fits(t.Parts, text)
}

// fits finds the literals of a template in a text, the first at its beginning
// and the last at its end where no reference stands there.
func fits(parts []lang.Part, text string) bool {
	free := false // a reference may stand for anything before the next literal
	for i, p := range parts {
		switch {
		case p.Ref != nil:
			free = true
			continue
		case i == len(parts)-1:
			return strings.HasSuffix(text, p.Literal)
		case !free:
			if !strings.HasPrefix(text, p.Literal) {
				return false
			}
			text = text[len(p.Literal):]
		default:
			at := strings.Index(text, p.Literal)
			if at < 0 {
				return false
			}
			text = text[at+len(p.Literal):]
		}
		free = false
	}
	return true
}
