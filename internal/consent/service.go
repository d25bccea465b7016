package consent

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/plan"
	"assent/internal/store"
)

// grace is how long a start that a model alone read, or that changed
// something, waits before its first write; design 03 §5 item 4.
const grace = 5 * time.Second

// Asker asks a model for JSON of a schema; *llm.Structured is one.
type Asker interface {
	Ask(ctx context.Context, req llm.Request) (json.RawMessage, error)
}

// Service reads consent and acts on it. It is safe for concurrent use.
type Service struct {
	store  *store.Store
	plans  *plan.Service
	model  Asker
	engine assent.Engine
	ids    assent.IDs
	// currency is what a limit of cost in words is counted in.
	currency func() assent.Currency
}

// New makes the consent service.
func New(s *store.Store, p *plan.Service, m Asker, e assent.Engine, ids assent.IDs, currency func() assent.Currency) *Service {
	return &Service{store: s, plans: p, model: m, engine: e, ids: ids, currency: currency}
}

// Message is a person's message on its way into the store.
type Message struct {
	assent.Message
	Principal assent.Principal
}

// Apply makes a reading take effect in the transaction that stores the message
// or its later reading. What cannot take effect is said in the reading that
// comes back: counts is false and reason tells why.
func (s *Service) Apply(tx *store.Tx, m Message, r assent.Reading) (assent.Reading, error) {
	if !r.Counts {
		return r, nil
	}
	if needsApprove(r) && !m.Principal.May(assent.ScopeApprove) {
		r.Counts, r.Reason = false, "The token that sent this may not approve. What waits keeps waiting."
		return r, nil
	}
	err := tx.Try(func() (err error) {
		switch {
		case r.RunID != "" && (r.As == assent.ReadApprove || r.As == assent.ReadReject):
			err = s.answer(tx, m, r)
		case r.As == assent.ReadApprove:
			r.RunID, err = s.approve(tx, m, r)
		case r.As == assent.ReadReject:
			err = s.plans.DiscardIn(tx, r.PlanID, m.TurnID, "rejected in chat")
		case r.As == assent.ReadControl:
			err = s.control(tx, m, r)
		}
		return err
	})
	if shown, failed := s.showAgain(tx, r.PlanID, m.TurnID, err); shown {
		r.Counts, r.Reason, r.RunID = false, assent.ErrorMessage(err), ""
		return r, failed
	}
	// A conflict is an answer, not a failure: the state moved on meanwhile.
	switch assent.ErrorCode(err) {
	case assent.CodeConflict, assent.CodeStale, assent.CodeNotFound:
		r.Counts, r.Reason, r.RunID = false, assent.ErrorMessage(err), ""
		return r, nil
	}
	return r, err
}

// needsApprove says whether a reading would do something for which a token
// needs the scope approve; design 06.
func needsApprove(r assent.Reading) bool {
	switch r.As {
	case assent.ReadApprove, assent.ReadApproveWithChanges:
		return true
	case assent.ReadControl:
		switch r.Action {
		case assent.ControlStop, assent.ControlPause, assent.ControlCancel:
			return false
		}
		return true
	}
	return false
}

// approve records the approval and starts the run.
func (s *Service) approve(tx *store.Tx, m Message, r assent.Reading) (runID string, err error) {
	notBefore := assent.Time(0)
	if r.By == ByModel {
		notBefore = assent.At(tx.Now().Std().Add(grace))
	}
	v, err := tx.FindPlanVersion(context.Background(), r.PlanID, r.Version)
	if err != nil {
		return "", err
	}
	if v.ReadySeq == 0 || v.ReadySeq > m.SeenSeq {
		return "", assent.Errorf(assent.CodeStale, "You had not seen this version when you wrote that, so please look at it first.")
	}
	return s.start(tx, starter{planID: r.PlanID, version: r.Version, person: m.Principal.Person, turnID: m.TurnID, notBefore: notBefore,
		approval: assent.Approval{Basis: assent.BasisWords, MessageID: m.ID, Words: r.Words, Reading: &r, CostLimitMicros: r.CostLimitMicros}})
}

// starter is what a start needs beside the plan.
type starter struct {
	planID    string
	version   int64
	person    assent.Person
	turnID    string
	notBefore assent.Time
	approval  assent.Approval
}

// start is the one way to a run: approval and start in one transaction.
func (s *Service) start(tx *store.Tx, st starter) (runID string, err error) {
	v, err := tx.FindPlanVersion(context.Background(), st.planID, st.version)
	if err != nil {
		return "", err
	}
	p, err := tx.FindPlan(context.Background(), st.planID)
	if err != nil {
		return "", err
	}
	if p.UserID != st.person.ID {
		return "", assent.NotFound("plan")
	}
	if err := s.plans.SameTools(tx.Reads, p.UserID, v); err != nil {
		return "", changedTools{err}
	}
	if err := s.plans.Permitted(v.Document.Steps); err != nil {
		return "", err
	}
	a := st.approval
	a.ID, a.PlanID, a.Version, a.Hash, a.UserID, a.At = s.ids(), p.ID, v.Version, v.Hash, st.person.ID, tx.Now()
	run := assent.Run{ID: s.ids(), PlanID: p.ID, SessionID: p.SessionID, UserID: p.UserID, TurnID: st.turnID, Version: v.Version, Hash: v.Hash,
		Status: assent.RunRunning, State: plan.Validated, Bindings: p.Bindings, NotBefore: st.notBefore, RequestedBy: st.person.ID, ApprovalID: a.ID, StartedAt: tx.Now()}
	if err := tx.StartApproved(a, run); err != nil {
		return "", err
	}
	tx.After(func() { s.engine.Start(context.Background(), assent.JobRun, run.ID) })
	return run.ID, nil
}

// Unasked reports whether a plan may run under the person's own auto_execute or
// agent_review mode: they may approve (a token may lack that; then nothing but
// reading runs), and nothing in the plan needs their word.
func (s *Service) Unasked(steps []assent.Step, scope assent.Scope, mode assent.Mode) bool {
	return scope.Caller == assent.CallerModel && assent.Stricter(scope.Floor, mode) != assent.ModeDraftOnly && !s.plans.NeedsWord(steps) &&
		(scope.Principal.May(assent.ScopeApprove) || s.plans.OnlyReads(steps))
}

// BySetting approves a plan that may run unasked.
func (s *Service) BySetting(ctx context.Context, p assent.Plan, scope assent.Scope, mode assent.Mode) (runID string, err error) {
	if !s.Unasked(p.Steps, scope, mode) {
		return "", assent.Errorf(assent.CodeNotApproved, "This plan needs the person's word.")
	}
	var changed error
	err = s.store.WriteFull(ctx, func(tx *store.Tx) error {
		runID, err = s.start(tx, starter{planID: p.ID, version: p.Version, person: scope.Person, turnID: scope.TurnID,
			approval: assent.Approval{Basis: assent.BasisSetting, Words: string(mode)}})
		if shown, failed := s.showAgain(tx, p.ID, scope.TurnID, err); shown {
			changed, err = err, failed
		}
		return err
	})
	return runID, errors.Join(err, changed)
}

// changedTools is a start that was refused because a tool is not what it was
// when the version was shown.
type changedTools struct{ error }

func (c changedTools) Unwrap() error { return c.error }

// showAgain asks anew about a plan whose start was refused because of its tools;
// shown tells whether that was so.
func (s *Service) showAgain(tx *store.Tx, planID, turnID string, refused error) (shown bool, err error) {
	var c changedTools
	if !errors.As(refused, &c) {
		return false, nil
	}
	return true, s.plans.ShowAgain(tx, planID, turnID, assent.ErrorMessage(refused))
}

// control acts on a run, a turn or a plan at once.
func (s *Service) control(tx *store.Tx, m Message, r assent.Reading) error {
	if r.Action == assent.ControlStop || r.RunID == "" {
		return nil // the turn is stopped by the planner, which owns it
	}
	action := r.Action
	switch action {
	case assent.ControlUndo:
		return s.plans.UndoIn(tx, r.RunID, m.Principal.Person)
	case assent.ControlExecute: // said of a pause, both mean the same
		action = assent.ControlResume
	}
	return s.plans.ActIn(tx, r.RunID, assent.RunAction{Action: action}, m.Principal.Person)
}
