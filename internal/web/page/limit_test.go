package page_test

import (
	"context"
	"net/http"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// overLimit lets the step "ask" wait because of the limit in the approval.
func (s *planSite) overLimit(run, question string) {
	s.t.Helper()
	s.write(func(tx *store.Tx) error {
		limit := int64(2_000_000)
		r, err := tx.FindRun(context.Background(), run)
		if err != nil {
			return err
		}
		if err := tx.CreateApproval(assent.Approval{ID: s.pages.IDs(), PlanID: r.PlanID, Version: r.Version, Hash: r.Hash, Basis: assent.BasisWords,
			Words: "but not over two dollars", UserID: s.ada.ID, At: tx.Now(), CostLimitMicros: &limit}); err != nil {
			return err
		}
		if _, err := tx.ResetStep(run, "ask", assent.StepWaitingHuman); err != nil {
			return err
		}
		n, err := tx.BeginStep(run, "ask", nil)
		if err != nil {
			return err
		}
		_, err = tx.EndStep(assent.StepRun{RunID: run, Path: "ask", Attempt: n, Status: assent.StepWaitingHuman, Summary: question,
			Error: &assent.Problem{Code: assent.CodeBudgetExceeded, Message: "It could cost too much.", Details: map[string]any{"budget": "run"}}})
		return err
	})
}

// A run that would pass its limit of cost says what was spent; a button lifts the
// limit or ends the run. What that does to the limit is held in package consent.
func TestALimitOfCostIsAnsweredFromThePage(t *testing.T) {
	t.Parallel()
	const question = "This run may cost at most $2.00. It has cost $1.50 so far. Shall I go on without that limit?"
	for decision, want := range map[string]assent.RunStatus{"approve": assent.RunRunning, "reject": assent.RunCancelled} {
		s := newPlanSite(t)
		s.plan("p1")
		run := s.approve("p1", assent.RunWaitingHuman, "waiting_human", map[string]assent.StepStatus{"make": assent.StepSuccess, "ask": assent.StepWaitingHuman})
		s.overLimit(run, question)
		b := s.as(s.ada)
		page := b.get("/plans/p1")
		page.says("at most $2.00")
		page.one(".answer.wait").says(question, "Yes, go on", "No, stop here")
		answered := false
		for _, f := range page.one(".answer").all("form[action=/runs/" + run + "/human-response]") {
			if f.one("input[name=decision]").attr("value") == decision {
				answered = true
				b.submit(f)
				b.want(http.StatusOK)
			}
		}
		got, err := s.store.FindRun(t.Context(), run)
		if err != nil || !answered || got.Status != want {
			t.Errorf("%s: the run is %s, %v", decision, got.Status, err)
		}
	}
}
