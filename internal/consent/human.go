package consent

import (
	"context"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

// respond gives a person's answer to a run that waits for it, in tx. To go on
// is an approval of its own, with the path of the step that waited.
func (s *Service) respond(tx *store.Tx, runID string, a assent.RunAction, by assent.Person, approval assent.Approval) error {
	run, err := tx.FindRun(context.Background(), runID)
	if err != nil {
		return err
	}
	if run.UserID != by.ID {
		return assent.NotFound("run")
	}
	if err := s.plans.ActIn(tx, runID, a, by); err != nil || a.Decision != plan.DecisionApprove {
		return err
	}
	approval.ID, approval.PlanID, approval.Version, approval.Hash = s.ids(), run.PlanID, run.Version, run.Hash
	approval.UserID, approval.At = by.ID, tx.Now()
	st, ok := plan.Waiting(run.Steps)
	if ok {
		approval.Step = st.Path
	}
	if !ok || st.Error == nil || st.Error.Code != assent.CodeBudgetExceeded { // an answer to anything else leaves the limit as it is
		if approval.CostLimitMicros, err = tx.RunCostLimit(context.Background(), runID); err != nil {
			return err
		}
	}
	return tx.CreateApproval(approval)
}

// answer is a message that answers a run which waits; its turn tells how the run
// goes on.
func (s *Service) answer(tx *store.Tx, m Message, r assent.Reading) error {
	if err := tx.UpdateRunTurn(r.RunID, m.TurnID); err != nil {
		return err
	}
	a := assent.RunAction{Action: assent.ControlHuman, Decision: plan.DecisionApprove, Input: r.Input}
	if r.As == assent.ReadReject {
		a.Decision = plan.DecisionReject
	}
	return s.respond(tx, r.RunID, a, m.Principal.Person, assent.Approval{Basis: assent.BasisWords, MessageID: m.ID, Words: r.Words, Reading: &r, CostLimitMicros: r.CostLimitMicros})
}
