package plan_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// Each step that fails makes one row for the admins, with the way to it; a
// parallel step adds none of its own.
func TestEachFailedStepIsOnRecordOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []assent.Step
		paths []string // newest first
	}{
		{"a step", []assent.Step{step("a", "note", `{"title":"kept"}`), step("b", "flaky", `{"title":"x"}`), step("c", "note", `{"title":"never"}`)}, []string{"b"}},
		{"parts of a parallel step", []assent.Step{parallel("p", "collect", step("l", "flaky", `{"title":"x"}`), step("r", "flaky", `{"title":"y"}`))}, []string{"p/r", "p/l"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.fail.set(assent.Errorf(assent.CodeUnavailable, "It is down."), nil)
			run := w.approved(t, tt.steps...)
			w.plans.Drive(t.Context(), run.ID)
			if got := w.run(t, run.ID); got.Status != assent.RunFailed {
				t.Fatalf("run ended %s", statuses(got))
			}
			rows, _, err := w.ListErrors(t.Context(), store.ErrorFilter{}, store.Page{})
			if err != nil || len(rows) != len(tt.paths) {
				t.Fatalf("rows %+v, %v", rows, err)
			}
			seen := map[string]bool{}
			for _, e := range rows {
				seen[e.Step] = true
				if e.PlanID != run.PlanID || e.RunID != run.ID || e.TurnID != run.TurnID || e.SessionID != run.SessionID || e.UserID != run.UserID ||
					e.Tool != "flaky" || e.Code != assent.CodeUnavailable || e.Class != "unavailable" || e.Component != "plan" || e.Stage != "step" ||
					e.ContextType != assent.ContextGeneral || e.ExecutionMode == "" || e.Message != "It is down." {
					t.Errorf("the row is %+v", e)
				}
			}
			for _, p := range tt.paths {
				if !seen[p] {
					t.Errorf("no row of step %s", p)
				}
			}
		})
	}
}
