package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// Draft is a plan on its way into the store.
type Draft struct {
	Scope       assent.Scope
	Document    assent.PlanDocument
	Mode        assent.Mode
	Bindings    json.RawMessage
	IntentLabel string
	CreatedBy   string // person id, or who drafted it
	// Wait asks for a person's word: the plan is pending_review and its
	// plan_ready_for_review is out when Create returns.
	Wait bool
}

// Report is what the checker says about a document.
type Report = check.Report

// options are the checker's for a person in a context.
func (s *Service) options(ct assent.ContextType, bindings json.RawMessage, depth int) check.Options {
	o := check.Options{
		Tools: func(name string) (assent.ToolSpec, string, bool) {
			t, ok := s.Registry.Find(name)
			if !ok {
				return assent.ToolSpec{}, "", false
			}
			return t.Spec, t.Spec.Name, true
		},
		Limits:      check.Limits{MaxSteps: s.Limits.Steps, MaxParallel: s.Limits.Parallel, MaxDepth: s.Limits.Depth, Depth: depth},
		ContextType: ct,
	}
	o.Permitted = func(_ assent.StepType, name string) bool { return s.Policy(name) != assent.PolicyDeny }
	if s.Agents != nil {
		o.Agents = func(slug string) (check.AgentInfo, bool) {
			info, _, ok := s.Agents.Find(slug)
			return info, ok
		}
	}
	if len(bindings) > 0 {
		// Bindings that are no object are refused by every door before this.
		_ = json.Unmarshal(bindings, &o.Bindings)
	}
	return o
}

// Check checks a document for a person in a context; design 03 §3. It runs nothing.
func (s *Service) Check(doc assent.PlanDocument, ct assent.ContextType, bindings json.RawMessage, depth int) Report {
	return s.Checker.Check(doc, s.options(ct, bindings, depth))
}

// Parse reads a plan in the plan language and checks it, telling everything at
// once. Errors is empty when the document may be stored.
func (s *Service) Parse(raw json.RawMessage, ct assent.ContextType, bindings json.RawMessage, depth int) (assent.PlanDocument, Report) {
	return s.Checker.CheckJSON(raw, s.options(ct, bindings, depth))
}

// TooDeep is the report about a plan that is nested deeper than can be read at
// all; plans of fewer levels are judged by Parse.
func TooDeep() Report { return Report{Errors: lang.TooDeep(), Warnings: []assent.FieldError{}} }

// InvalidPlan is the error for a document with violations.
func InvalidPlan(r Report) *assent.Error {
	return &assent.Error{Code: assent.CodeInvalidPlan, Message: "The plan is not valid: " + r.Errors[0].Message, Fields: r.Errors,
		Hint: "Correct every violation in details.errors and send the whole plan again."}
}

// Create stores a checked document as version 1 of a new plan.
func (s *Service) Create(ctx context.Context, d Draft) (assent.Plan, error) {
	var p assent.Plan
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		p, err = s.CreateIn(tx, d)
		return err
	})
	return p, err
}

// CreateIn is Create within a transaction under way.
func (s *Service) CreateIn(tx *store.Tx, d Draft) (assent.Plan, error) {
	now := tx.Now()
	p := assent.Plan{ID: s.IDs(), SessionID: d.Scope.SessionID, UserID: d.Scope.Person.ID, TurnID: d.Scope.TurnID, Objective: d.Document.Objective,
		Status: assent.PlanDraft, Mode: d.Mode, Version: 1, ContextType: d.Scope.ContextType, IntentLabel: d.IntentLabel, Bindings: d.Bindings,
		CreatedAt: now, UpdatedAt: now}
	v, err := s.version(tx.Reads, p, 1, d.Document, d.CreatedBy, now)
	if err != nil {
		return p, err
	}
	if err := tx.CreatePlan(p); err != nil {
		return p, err
	}
	if err := s.storeVersion(tx, p, v); err != nil {
		return p, err
	}
	if d.Wait {
		if err := s.ready(tx, p, v, assent.PlanDraft, ""); err != nil {
			return p, err
		}
	}
	return tx.FindPlan(context.Background(), p.ID)
}

// version makes an immutable version: what people see of each step, the
// preview, the digests of the tools and the hash over what matters.
func (s *Service) version(r store.Reads, p assent.Plan, n int64, doc assent.PlanDocument, by string, now assent.Time) (assent.Version, error) {
	l, err := look(r, p.UserID, now)
	if err != nil {
		return assent.Version{}, err
	}
	doc.Steps = s.decorate(p.UserID, doc.Steps)
	digests := s.digests(doc.Steps)
	maps.Copy(digests, s.marks(r, l, doc.Steps))
	if len(p.Bindings) > 0 {
		digests[lang.BindingsDigest] = digest(string(p.Bindings))
	}
	return assent.Version{PlanID: p.ID, Version: n, Status: assent.VersionOpen, Document: doc, Steps: doc.Steps, Digests: digests,
		Hash: lang.Hash(doc, digests), Preview: s.preview(r, l, doc), CreatedBy: by, CreatedAt: now}, nil
}

// decorate fills in canonical tool names and what every step shows from the
// tool's definition: effect and target.
func (s *Service) decorate(by string, steps []assent.Step) []assent.Step {
	out := make([]assent.Step, len(steps))
	for i, st := range steps {
		if t, ok := s.Registry.Find(st.Tool); ok && st.Type == assent.StepTool {
			st.Tool, st.Effect = t.Spec.Name, t.Spec.Effect
			if t.Target != nil {
				st.Target = t.Target(by, arguments(st))
			}
			if st.Label == "" {
				st.Label = t.Spec.Title
			}
		}
		if s.Agents != nil && st.Type == assent.StepAgent {
			info, _, _ := s.Agents.Find(st.Agent)
			st.Effect = info.Effect
		}
		if len(st.Steps) > 0 {
			st.Steps = s.decorate(by, st.Steps)
		}
		out[i] = st
	}
	return out
}

// digests maps each tool used to a digest of its schema, effect and source; a
// tool that changes between approval and start is noticed by them.
func (s *Service) digests(steps []assent.Step) map[string]string {
	out := map[string]string{}
	for _, st := range steps {
		if t, ok := s.Registry.Find(st.Tool); ok {
			out[st.Tool] = digest(string(t.Spec.InputSchema), string(t.Spec.OutputSchema), string(t.Spec.Effect), t.Spec.Source)
		}
		if s.Agents != nil && st.Type == assent.StepAgent {
			if _, d, ok := s.Agents.Find(st.Agent); ok {
				out[st.Agent] = d
			}
		}
		for k, v := range s.digests(st.Steps) {
			out[k] = v
		}
	}
	return out
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func (s *Service) storeVersion(tx *store.Tx, p assent.Plan, v assent.Version) error {
	if err := tx.CreatePlanVersion(v); err != nil {
		return err
	}
	changed, err := s.changed(tx, v)
	if err != nil {
		return err
	}
	_, err = tx.Append(p.SessionID, p.TurnID, assent.PlanCreated{PlanID: p.ID, Version: v.Version, Hash: v.Hash, Objective: v.Document.Objective,
		Mode: p.Mode, Steps: v.Steps, Preview: v.Preview, Changed: changed})
	return err
}

// Ready asks for a person's word on the plan's current version.
func (s *Service) Ready(ctx context.Context, planID string) (assent.Plan, error) {
	var p assent.Plan
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if p, err = tx.FindPlan(context.Background(), planID); err != nil {
			return err
		}
		v, err := tx.FindPlanVersion(context.Background(), planID, p.Version)
		if err != nil {
			return err
		}
		if err := s.ready(tx, p, v, p.Status, ""); err != nil {
			return err
		}
		p.Status = assent.PlanPendingReview
		return nil
	})
	return p, err
}

// ready moves a plan to pending_review and tells everyone that it waits.
// Consent binds to this version from the event's seq on. reason says why it
// waits, where that is not plain.
func (s *Service) ready(tx *store.Tx, p assent.Plan, v assent.Version, from assent.PlanStatus, reason string) error {
	if from != assent.PlanPendingReview {
		if ok, err := tx.UpdatePlanStatus(p.ID, from, assent.PlanPendingReview); err != nil || !ok {
			return orConflict(err)
		}
	}
	changed, err := s.changed(tx, v)
	if err != nil {
		return err
	}
	seq, err := tx.Append(p.SessionID, p.TurnID, assent.PlanReady{PlanID: p.ID, Version: v.Version, Hash: v.Hash, Objective: v.Document.Objective,
		Mode: p.Mode, Steps: v.Steps, Preview: v.Preview, Reasoning: v.Document.Reasoning, SuggestedReplies: SuggestedReplies(v.Document), Changed: changed})
	if err != nil {
		return err
	}
	if err := tx.UpdateVersionReady(p.ID, v.Version, seq); err != nil {
		return err
	}
	_, err = tx.Append(p.SessionID, p.TurnID, assent.PlanState{PlanID: p.ID, Version: v.Version, Status: assent.PlanPendingReview, Reason: reason})
	return err
}

func orConflict(err error) error {
	if err != nil {
		return err
	}
	return &assent.Error{Code: assent.CodeConflict, Message: "The plan has moved on meanwhile.", Details: map[string]any{"allowed": []string{}}}
}

// Discard rejects a plan that waits.
func (s *Service) Discard(ctx context.Context, planID, turnID, reason string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return s.DiscardIn(tx, planID, turnID, reason) })
}

// DiscardIn is Discard within a transaction under way.
func (s *Service) DiscardIn(tx *store.Tx, planID, turnID, reason string) error {
	p, err := tx.FindPlan(context.Background(), planID)
	if err != nil {
		return err
	}
	if p.Status != assent.PlanPendingReview && p.Status != assent.PlanDraft {
		return &assent.Error{Code: assent.CodeConflict, Message: "This plan does not wait any more, so it cannot be discarded.", Details: map[string]any{"allowed": []string{}}}
	}
	if ok, err := tx.UpdatePlanStatus(p.ID, p.Status, assent.PlanRejected); err != nil || !ok {
		return orConflict(err)
	}
	_, err = tx.Append(p.SessionID, turnID, assent.PlanState{PlanID: p.ID, Version: p.Version, Status: assent.PlanRejected, Reason: reason})
	return err
}

// SuggestedReplies are answers that a card offers; they are sent as the
// person's own words.
func SuggestedReplies(doc assent.PlanDocument) []string {
	out := []string{"Looks good, run it"}
	if n := len(doc.Steps); n > 1 {
		out = append(out, "Leave out step "+itoa(n))
	}
	return append(out, "Discard this plan")
}
