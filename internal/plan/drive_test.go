package plan_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

func TestARunDoesItsStepsInOrderAndTells(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"first"}`), step("b", "mark", `{"id":"$0.output.artifact_id"}`), step("c", "note", `{"title":"after {{ result.b.artifact.title }}"}`))
	w.plans.Drive(t.Context(), run.ID)
	got := w.run(t, run.ID)
	if s := statuses(got); s != "completed a:success/1 b:success/1 c:success/1" {
		t.Fatalf("run ended %s: %+v", s, got.Error)
	}
	if !strings.Contains(string(got.Steps[2].Arguments), `"after first"`) {
		t.Errorf("step c ran with %s", got.Steps[2].Arguments)
	}
	p, err := w.FindPlan(t.Context(), run.PlanID)
	if err != nil || p.Status != assent.PlanCompleted {
		t.Errorf("plan is %s, error %v", p.Status, err)
	}
	if kind := <-w.started; !strings.HasPrefix(kind, assent.JobTurn) {
		t.Errorf("no report turn was started, but %s", kind)
	}
	var types []string
	events, err := w.Events(t.Context(), w.session.ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range events {
		types = append(types, ev.Type)
	}
	want := "plan_created plan_ready_for_review plan_state plan_state run_state step_start step_complete step_start step_complete step_start step_complete plan_state run_state"
	if s := strings.Join(types, " "); s != want {
		t.Errorf("events\n%s\nwant\n%s", s, want)
	}
}

func TestAFailureHaltsKeepsAndSkips(t *testing.T) {
	w := newWorld(t)
	w.fail.set(assent.Errorf(assent.CodeUnavailable, "It is down."), nil)
	run := w.approved(t, step("a", "note", `{"title":"kept"}`), step("b", "flaky", `{"title":"x"}`), step("c", "note", `{"title":"never"}`))
	w.plans.Drive(t.Context(), run.ID)
	got := w.run(t, run.ID)
	if s := statuses(got); s != "failed a:success/1 b:failed/1 c:skipped/0" {
		t.Fatalf("run ended %s", s)
	}
	if got.Error == nil || got.Error.Code != assent.CodeUnavailable {
		t.Errorf("run error %+v", got.Error)
	}
	w.fail.set(nil, nil)
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlContinue}, w.person); err != nil {
		t.Fatal(err)
	}
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "completed a:success/1 b:success/2 c:success/1" {
		t.Errorf("after continue: %s", s)
	}
}

// TestTwoDriversDoEverythingOnce has two drivers race over one run.
func TestTwoDriversDoEverythingOnce(t *testing.T) {
	w := newWorld(t)
	for range 10 {
		run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "note", `{"title":"two"}`), step("c", "note", `{"title":"three"}`))
		done := make(chan struct{}, 3)
		for range 3 {
			go func() { w.plans.Drive(context.Background(), run.ID); done <- struct{}{} }()
		}
		for range 3 {
			<-done
		}
		w.plans.Drive(t.Context(), run.ID) // whoever was fenced off leaves the rest to the engine's next start
		revs, err := w.ListRunRevisions(t.Context(), run.ID)
		if err != nil || len(revs) != 3 {
			t.Fatalf("%d writes, error %v: every effect must happen exactly once; run %s", len(revs), err, statuses(w.run(t, run.ID)))
		}
	}
}

// TestAnInterruptedStepRunsAgainExactlyOnce begins a step as a process would
// that dies before its transaction.
func TestAnInterruptedStepRunsAgainExactlyOnce(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "note", `{"title":"two"}`))
	if err := w.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.BeginStep(run.ID, "a", []byte(`{"title":"one"}`)); return err }); err != nil {
		t.Fatal(err)
	}
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "completed a:success/2 b:success/1" {
		t.Errorf("run ended %s", s)
	}
	if revs, err := w.ListRunRevisions(t.Context(), run.ID); err != nil || len(revs) != 2 {
		t.Errorf("%d writes, error %v", len(revs), err)
	}
}

func TestPauseTakesEffectBetweenSteps(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "flaky", `{"title":"x"}`), step("b", "note", `{"title":"later"}`))
	w.fail.set(nil, func() {
		if _, err := w.plans.Act(context.Background(), run.ID, assent.RunAction{Action: assent.ControlPause}, w.person); err != nil {
			t.Error(err)
		}
	})
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "paused a:success/1 b:pending/0" {
		t.Fatalf("paused run is %s", s)
	}
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlResume}, w.person); err != nil {
		t.Fatal(err)
	}
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "completed a:success/1 b:success/1" {
		t.Errorf("resumed run is %s", s)
	}
}

func TestCancelFencesAStepUnderWay(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"kept"}`), step("b", "flaky", `{"title":"x"}`), step("c", "note", `{"title":"never"}`))
	w.fail.set(nil, func() {
		if _, err := w.plans.Act(context.Background(), run.ID, assent.RunAction{Action: assent.ControlCancel}, w.person); err != nil {
			t.Error(err)
		}
	})
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "cancelled a:success/1 b:cancelled/1 c:skipped/0" {
		t.Errorf("cancelled run is %s", s)
	}
}

func TestUndoTakesEverythingBack(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "mark", `{"id":"$0.output.artifact_id"}`), step("c", "note", `{"title":"two"}`))
	w.plans.Drive(t.Context(), run.ID)
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlUndo}, w.person); err != nil {
		t.Fatal(err)
	}
	if s := statuses(w.run(t, run.ID)); s != "undone a:undone/1 b:undone/1 c:undone/1" {
		t.Errorf("undone run is %s", s)
	}
	all, err := w.ListProjectEntities(t.Context(), "p")
	if err != nil || len(all) != 0 {
		t.Errorf("%d things are left, error %v", len(all), err)
	}
}

func TestUndoNeverOverwritesSomebodyElsesChange(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "note", `{"title":"two"}`))
	w.plans.Drive(t.Context(), run.ID)
	all, err := w.ListProjectEntities(t.Context(), "p")
	if err != nil || len(all) != 2 {
		t.Fatal(len(all), err)
	}
	changed := all[0].(*assent.Task)
	changed.Title = "changed by hand"
	if err := w.Write(t.Context(), func(tx *store.Tx) error {
		return tx.UpdateEntity(store.Origin{UserID: w.person.ID, Caller: assent.CallerPerson}, changed)
	}); err != nil {
		t.Fatal(err)
	}
	_, err = w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlUndo}, w.person)
	if assent.ErrorCode(err) != assent.CodeConflict {
		t.Fatalf("undo gives %v, want a conflict", err)
	}
	if all, err = w.ListProjectEntities(t.Context(), "p"); err != nil || len(all) != 2 {
		t.Errorf("%d things are left, error %v: a conflict changes nothing", len(all), err)
	}
	if s := w.run(t, run.ID).Status; s != assent.RunCompleted {
		t.Errorf("run is %s", s)
	}
}

func TestRollbackGoesOneStepBackAndRunsAgain(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "note", `{"title":"two"}`))
	w.plans.Drive(t.Context(), run.ID)
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlRollback}, w.person); err != nil {
		t.Fatal(err)
	}
	got := w.run(t, run.ID)
	if s := statuses(got); s != "paused a:success/1 b:pending/1" || got.Generation != 1 {
		t.Fatalf("rolled back run is %s, generation %d", s, got.Generation)
	}
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlExecute}, w.person); err != nil {
		t.Fatal(err)
	}
	w.plans.Drive(t.Context(), run.ID)
	if s := statuses(w.run(t, run.ID)); s != "completed a:success/1 b:success/2" {
		t.Errorf("executed again: %s", s)
	}
	if all, err := w.ListProjectEntities(t.Context(), "p"); err != nil || len(all) != 2 {
		t.Errorf("%d things, error %v: want two", len(all), err)
	}
}

func TestActionsThatDoNotFitSayWhatDoes(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`))
	w.plans.Drive(t.Context(), run.ID)
	_, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlResume}, w.person)
	if assent.ErrorCode(err) != assent.CodeConflict {
		t.Fatalf("resume of a completed run gives %v", err)
	}
	p := assent.ProblemOf(err)
	allowed, ok := p.Details["allowed"].([]string)
	if !ok || strings.Join(allowed, " ") != "rollback undo" {
		t.Errorf("allowed is %v", p.Details["allowed"])
	}
}

func TestAHeldRunWritesNothingBeforeItsTime(t *testing.T) {
	s := plan.State{Run: assent.Run{Status: assent.RunRunning, Steps: []assent.StepRun{{Status: assent.StepPending}}}, Held: true}
	if cmd := plan.Next(s); cmd != (plan.Hold{}) {
		t.Errorf("a held run is told %v", cmd)
	}
}

func TestWhatRanIsWhatWasApproved(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"one"}`), step("b", "mark", `{"id":"{{ result.a.artifact_id }}"}`))
	w.plans.Drive(t.Context(), run.ID)
	got := w.run(t, run.ID)
	v, err := w.FindPlanVersion(t.Context(), run.PlanID, run.Version)
	if err != nil || v.Hash != got.Hash || v.Status != assent.VersionApproved {
		t.Fatalf("version %+v, error %v", v, err)
	}
	for i, sr := range got.Steps {
		if sr.ID != v.Steps[i].ID || sr.Tool != v.Steps[i].Tool {
			t.Errorf("step %d ran %s %s, approved was %s %s", i, sr.ID, sr.Tool, v.Steps[i].ID, v.Steps[i].Tool)
		}
	}
}

func BenchmarkStepOverhead(b *testing.B) {
	w := newWorld(b)
	steps := make([]assent.Step, 12)
	for i := range steps {
		steps[i] = step(string(rune('a'+i)), "note", `{"title":"x"}`)
	}
	var took time.Duration
	for b.Loop() {
		run := w.approved(b, steps...)
		start := time.Now()
		w.plans.Drive(context.Background(), run.ID)
		took += time.Since(start)
		<-w.started
	}
	b.ReportMetric(float64(took.Microseconds())/float64(b.N)/float64(len(steps)), "µs/step")
}
