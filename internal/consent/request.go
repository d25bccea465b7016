package consent

import (
	"context"
	"errors"

	"assent/internal/assent"
	"assent/internal/consent/rules"
	"assent/internal/consent/said"
	"assent/internal/store"
)

// Request is a person's direct wish to run a version, by page or API. The words
// are read by the same reader and stored as a message of the person.
func (s *Service) Request(ctx context.Context, pr assent.Principal, planID string, version int64, words string) (assent.Run, error) {
	p, err := s.store.FindPlanWhole(ctx, planID)
	if err != nil {
		return assent.Run{}, err
	}
	if p.UserID != pr.Person.ID {
		return assent.Run{}, assent.NotFound("plan")
	}
	if !pr.May(assent.ScopeApprove) {
		return assent.Run{}, assent.Errorf(assent.CodeForbidden, "This token may not approve plans; it lacks the scope approve.")
	}
	if run, ok := same(p, version); ok {
		if r := s.requested(p, words); !r.Counts {
			return assent.Run{}, notApproved(r)
		}
		return s.store.FindRun(ctx, run.ID)
	}
	if version != p.Version {
		return assent.Run{}, &assent.Error{Code: assent.CodeStale, Message: "That is not the current version of this plan.", Details: map[string]any{"version": p.Version}}
	}
	if p.Status != assent.PlanPendingReview {
		return assent.Run{}, &assent.Error{Code: assent.CodeConflict, Message: "This plan does not wait for approval.", Details: map[string]any{"allowed": []string{}}}
	}
	run, err := s.request(ctx, pr, p, words)
	if assent.ErrorCode(err) != assent.CodeConflict {
		return run, err
	}
	// Somebody was quicker; if it was the same request, its run is the answer.
	now, ferr := s.store.FindPlanWhole(ctx, planID)
	if ferr != nil {
		return assent.Run{}, ferr
	}
	if other, ok := same(now, version); ok {
		return s.store.FindRun(ctx, other.ID)
	}
	return run, err
}

// same finds the run that a former request for this version started, so that
// asking again gives the same run.
func same(p assent.Plan, version int64) (assent.Run, bool) {
	for i := len(p.Runs) - 1; i >= 0; i-- {
		if p.Runs[i].Version == version && p.Version == version && p.Status != assent.PlanPendingReview {
			return p.Runs[i], true
		}
	}
	return assent.Run{}, false
}

func (s *Service) request(ctx context.Context, pr assent.Principal, p assent.Plan, words string) (assent.Run, error) {
	reading := s.requested(p, words)
	m := Message{Principal: pr, Message: assent.Message{ID: s.ids(), SessionID: p.SessionID, Role: assent.RoleUser, Content: words, MayApprove: true}}
	var run assent.Run
	var refused error // the tools have changed; what was shown again is kept
	err := s.store.WriteFull(ctx, func(tx *store.Tx) (err error) {
		if !reading.Counts {
			run.ID = ""
		} else if run.ID, err = s.approveRequest(tx, m, reading); err != nil {
			if shown, failed := s.showAgain(tx, p.ID, "", err); !shown || failed != nil {
				return errors.Join(failed, err)
			}
			refused, reading.Counts, reading.Reason = err, false, assent.ErrorMessage(err)
		}
		reading.RunID = run.ID
		m.CreatedAt, m.Reading = tx.Now(), &reading
		if err := tx.CreateMessage(m.Message); err != nil {
			return err
		}
		_, err = tx.Append(p.SessionID, "", assent.MessageEvent{MessageID: m.ID, Role: m.Role, Content: m.Content, Reading: &reading})
		return err
	})
	if err = errors.Join(err, refused); err != nil {
		return run, err
	}
	if run.ID == "" {
		return run, notApproved(reading)
	}
	return s.store.FindRun(ctx, run.ID)
}

// requested reads the words of a request for a plan, whether it still waits or
// runs already; only a plain approval counts.
func (s *Service) requested(p assent.Plan, words string) assent.Reading {
	p.Status = assent.PlanPendingReview
	item, _ := s.itemOf(p, 0, true)
	item.Seen = true // the caller names the version
	r, _ := s.Read(words, rules.Situation{Items: []rules.Item{item}})
	r.Counts = r.Counts && r.As == assent.ReadApprove
	return r
}

func notApproved(r assent.Reading) error {
	return &assent.Error{Code: assent.CodeNotApproved, Message: "Those words are no clear approval, so nothing was started by them.", Details: map[string]any{"reading": r}}
}

func (s *Service) approveRequest(tx *store.Tx, m Message, r assent.Reading) (string, error) {
	return s.start(tx, starter{planID: r.PlanID, version: r.Version, person: m.Principal.Person,
		approval: assent.Approval{Basis: assent.BasisRequest, MessageID: m.ID, Words: r.Words, Reading: &r, CostLimitMicros: r.CostLimitMicros}})
}

// Act does what a person asks of a run by page or API.
func (s *Service) Act(ctx context.Context, pr assent.Principal, runID string, a assent.RunAction) (assent.Run, error) {
	run, err := s.store.FindRunHead(ctx, runID)
	if err != nil {
		return run, err
	}
	if run.UserID != pr.Person.ID {
		return run, assent.NotFound("run")
	}
	if needsApprove(assent.Reading{As: assent.ReadControl, Action: a.Action}) && !pr.May(assent.ScopeApprove) {
		return run, assent.Errorf(assent.CodeForbidden, "This token may not do that; it lacks the scope approve.")
	}
	if a.Action != assent.ControlHuman {
		return s.plans.Act(ctx, runID, a, pr.Person)
	}
	err = s.store.WriteFull(ctx, func(tx *store.Tx) error {
		approval := assent.Approval{Basis: assent.BasisRequest, Words: a.Input}
		if limit, _, ok := said.FindLimit(a.Input, s.currency()); ok && limit.Unclear == "" {
			approval.CostLimitMicros = &limit.Micros
		}
		return s.respond(tx, runID, a, pr.Person, approval)
	})
	if err != nil {
		return run, err
	}
	return s.store.FindRun(ctx, runID)
}

// TakeBack takes a reading back: before the first step has begun the plan
// returns to pending_review, later its run is cancelled and can be undone.
func (s *Service) TakeBack(ctx context.Context, pr assent.Principal, messageID string) (assent.TakeBack, error) {
	var out assent.TakeBack
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		m, err := tx.FindMessage(context.Background(), messageID)
		if err != nil {
			return err
		}
		sess, err := tx.FindSession(context.Background(), m.SessionID)
		if err != nil || sess.UserID != pr.Person.ID {
			return assent.NotFound("message")
		}
		if m.Reading == nil || m.Reading.RunID == "" || m.Reading.TakenBack || m.Reading.As == assent.ReadControl {
			return &assent.Error{Code: assent.CodeConflict, Message: "There is nothing here that can be taken back.", Details: map[string]any{"allowed": []string{}}}
		}
		out, err = s.plans.TakeBack(tx, m.Reading.RunID, pr.Person)
		if err != nil {
			return err
		}
		if err := s.showReturned(tx, m, out); err != nil {
			return err
		}
		m.Reading.TakenBack = true
		if err := tx.UpdateMessageReading(m.ID, *m.Reading); err != nil {
			return err
		}
		_, err = tx.Append(m.SessionID, m.TurnID, assent.ReadingEvent{MessageID: m.ID, Reading: *m.Reading})
		return err
	})
	if err == nil && out.RunID != "" {
		s.engine.Signal(ctx, out.RunID, assent.SignalCancel)
	}
	return out, err
}

// showReturned shows the version that waits again, if an approval was carried
// over to it before anybody had seen it.
func (s *Service) showReturned(tx *store.Tx, m assent.Message, out assent.TakeBack) error {
	if out.Outcome != "returned" {
		return nil
	}
	v, err := tx.FindPlanVersion(context.Background(), out.PlanID, m.Reading.Version)
	if err != nil || v.ReadySeq > 0 {
		return err
	}
	return s.plans.ReadyIn(tx, out.PlanID, m.TurnID, "taken back")
}
