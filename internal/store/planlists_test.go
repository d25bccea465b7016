package store_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// planned stores a plan of ada's in a status.
func planned(t *testing.T, s *store.Store, session assent.Session, id string, st assent.PlanStatus) {
	t.Helper()
	write(t, s, func(tx *store.Tx) error {
		if err := tx.CreatePlan(assent.Plan{ID: id, SessionID: session.ID, UserID: session.UserID, Objective: id, Status: st, Version: 1}); err != nil {
			return err
		}
		return tx.CreatePlanVersion(assent.Version{PlanID: id, Version: 1, Hash: "h", Status: assent.VersionOpen, Preview: assent.NewPreview(),
			Document: assent.PlanDocument{Objective: id, Steps: []assent.Step{{ID: "r", Type: assent.StepAgent, Agent: "researcher"}, {ID: "n", Type: assent.StepTool, Tool: "note"}}}})
	})
}

func TestPlansThatWaitComeFirst(t *testing.T) {
	t.Parallel()
	s, session := open(t)
	for i, st := range []assent.PlanStatus{assent.PlanWaitingHuman, assent.PlanCompleted, assent.PlanPendingReview, assent.PlanFailed, assent.PlanPendingReview, assent.PlanCompleted, assent.PlanRunning} {
		planned(t, s, session, fmt.Sprintf("p%d", i), st)
	}
	for size := 1; size <= 8; size++ {
		var got []string
		for pg := (store.Page{Limit: size}); ; {
			plans, next, err := s.ListPlansByUrgency(t.Context(), session.UserID, "", pg)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range plans {
				got = append(got, p.ID)
			}
			if pg.Cursor = next; next == "" {
				break
			}
		}
		if want := "p4 p2 p0 p6 p5 p3 p1"; strings.Join(got, " ") != want {
			t.Errorf("pages of %d: %v, want %s", size, got, want)
		}
	}
	some, _, err := s.ListPlansByUrgency(t.Context(), session.UserID, string(assent.PlanCompleted), store.Page{})
	if err != nil || len(some) != 2 || some[0].ID != "p5" {
		t.Errorf("completed: %v, %v", some, err)
	}
	n, err := s.CountPlansByStatus(t.Context(), session.UserID)
	if err != nil || n[assent.PlanCompleted] != 2 || n[assent.PlanPendingReview] != 2 || n[assent.PlanUndone] != 0 {
		t.Errorf("counts %v, %v", n, err)
	}
	if others, _, err := s.ListPlansByUrgency(t.Context(), "nobody", "", store.Page{}); err != nil || len(others) != 0 {
		t.Errorf("nobody has %d plans, %v", len(others), err)
	}
}

// TestUsageOfRunsIsFoundByRunAndStep runs a plan whose agent step calls a model
// twice, once for a known price.
func TestUsageOfRunsIsFoundByRunAndStep(t *testing.T) {
	t.Parallel()
	s, session := open(t)
	if steps, told, err := s.ListStepUsage(t.Context(), 10, 10); err != nil || len(steps)+len(told) != 0 {
		t.Fatalf("an empty installation has %v %v, %v", steps, told, err)
	}
	planned(t, s, session, "p", assent.PlanPendingReview)
	run := assent.Run{ID: "r1", PlanID: "p", SessionID: session.ID, UserID: session.UserID, Version: 1, Hash: "h", Status: assent.RunRunning, State: "plan_validated", ApprovalID: "a"}
	write(t, s, func(tx *store.Tx) error {
		if err := tx.StartApproved(assent.Approval{ID: "a", PlanID: "p", Version: 1, Hash: "h", Basis: assent.BasisWords, UserID: session.UserID}, run); err != nil {
			return err
		}
		for _, path := range []string{"r", "n"} {
			if _, err := tx.MarkStep("r1", path, assent.StepPending, assent.StepSuccess); err != nil {
				return err
			}
		}
		ended := run
		ended.Status, ended.State, ended.EndedAt = assent.RunCompleted, "completed", 9
		_, err := tx.MoveRun(run, ended)
		return err
	})
	cost := int64(30)
	ledger := s.Ledger()
	for i, u := range []assent.CallUsage{{RunID: "r1", Step: "r", TokensIn: 100, TokensOut: 11, CostMicros: &cost}, {RunID: "r1", Step: "r", TokensIn: 7}, {Operation: assent.OpPlannerStream, TokensIn: 5, TokensOut: 1}} {
		u.ID, u.Status = fmt.Sprint(i), assent.CallOK
		if err := ledger.Open(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		if err := ledger.Close(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(*store.Tx) error { return nil }) // what the ledger queued is stored before
	u, err := s.RunUsage(t.Context(), "r1")
	if err != nil || u.Calls != 2 || u.Unpriced != 1 || u.TokensIn != 107 || u.TokensOut != 11 || u.CostMicros == nil || *u.CostMicros != 30 {
		t.Errorf("the run took %+v, %v", u, err)
	}
	if u, err := s.RunUsage(t.Context(), ""); err != nil || u.Calls != 0 {
		t.Errorf("no run took %+v, %v", u, err)
	}
	steps, told, err := s.ListStepUsage(t.Context(), 10, 10)
	if err != nil || len(steps) != 2 || len(told) != 1 || told[0].Tokens != 6 {
		t.Fatalf("steps %+v, answers %+v, %v", steps, told, err)
	}
	for _, st := range steps {
		want := store.Taken{}
		if st.Agent == "researcher" {
			want = store.Taken{Calls: 2, Tokens: 118}
		}
		if st.Taken.Calls != want.Calls || st.Taken.Tokens != want.Tokens || st.Taken.CostMicros == nil {
			t.Errorf("%s%s took %+v", st.Tool, st.Agent, st.Taken)
		}
	}
}
