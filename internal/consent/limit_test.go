package consent_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

// TestAnAnswerKeepsTheLimitOfTheRun holds that going on past a question says
// nothing about the limit of cost, unless the question was about that.
func TestAnAnswerKeepsTheLimitOfTheRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		overLimit bool
		input     string
		want      int64 // 0: none
	}{
		"an ordinary question":        {false, "", 2_000_000},
		"the limit is lifted":         {true, "", 0},
		"another limit":               {true, "yes, but not over $5", 5_000_000},
		"money in an ordinary answer": {false, "the van costs at most $5", 2_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Notes", step("a", "note"), assent.Step{ID: "ask", Type: assent.StepCheckpoint, Prompt: "Go on?"})
			run, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, p.Version, "yes, but not over two dollars")
			if err != nil {
				t.Fatal(err)
			}
			w.plans.Drive(t.Context(), run.ID)
			if c.overLimit {
				w.breakWaitingStep(t, run.ID)
			}
			answer := assent.RunAction{Action: assent.ControlHuman, Decision: plan.DecisionApprove, Input: c.input}
			if _, err := w.consent.Act(t.Context(), principal(w.ada), run.ID, answer); err != nil {
				t.Fatal(err)
			}
			limit, err := w.RunCostLimit(t.Context(), run.ID)
			if err != nil || (limit == nil) != (c.want == 0) || limit != nil && *limit != c.want {
				t.Errorf("the limit is %v now: %v", limit, err)
			}
		})
	}
}

// breakWaitingStep lets a step wait because of the limit, as an agent's does.
func (w *world) breakWaitingStep(t *testing.T, runID string) {
	t.Helper()
	err := w.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.ResetStep(runID, "ask", assent.StepWaitingHuman); err != nil {
			return err
		}
		attempt, err := tx.BeginStep(runID, "ask", nil)
		if err != nil {
			return err
		}
		_, err = tx.EndStep(assent.StepRun{RunID: runID, Path: "ask", Attempt: attempt, Status: assent.StepWaitingHuman, Summary: "Shall I go on without that limit?",
			Error: &assent.Problem{Code: assent.CodeBudgetExceeded, Message: "It could cost too much."}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
