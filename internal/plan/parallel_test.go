package plan_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

// drive drives a run and gives it as it stands then.
func (w *world) drive(t *testing.T, id string) assent.Run {
	t.Helper()
	w.plans.Drive(t.Context(), id)
	return w.run(t, id)
}

func (w *world) act(t *testing.T, id string, a assent.RunAction) {
	t.Helper()
	if _, err := w.plans.Act(t.Context(), id, a, w.person); err != nil {
		t.Fatalf("%s: %v", a.Action, err)
	}
}

func oneByOne(st assent.Step) assent.Step {
	st.MaxConcurrency = 1
	return st
}

func outputs(r assent.Run, path string) string {
	for _, sr := range r.Steps {
		if sr.Path == path {
			return string(sr.Outputs)
		}
	}
	return ""
}

// What a parallel step comes to, by what its children do.
func TestParallelSteps(t *testing.T) {
	meet := func(id string) assent.Step { return step(id, "meet", `{"room":"hall","takes":2}`) }
	fail := func(id string) assent.Step { return step(id, "fail", `{"why":"it is shut"}`) }
	never := func(id string) assent.Step { return step(id, "meet", `{"room":"`+id+`","takes":2}`) }
	for name, tc := range map[string]struct {
		steps []assent.Step
		want  string
		then  string // after continue
	}{
		"children run side by side": {[]assent.Step{parallel("p", "", meet("a"), meet("b")), step("z", "note", `{"title":"{{ result.a.artifact.room }}"}`)},
			"completed p:success/1 p/a:success/1 p/b:success/1 z:success/1", ""},
		"what failed halts, what succeeded stays": {[]assent.Step{parallel("p", "", fail("a"), step("b", "note", `{"title":"kept"}`)), step("z", "note", `{"title":"never"}`)},
			"failed p:partial/1 p/a:failed/1 p/b:success/1 z:skipped/0", "failed p:partial/2 p/a:failed/2 p/b:success/1 z:skipped/0"},
		"all failed": {[]assent.Step{parallel("p", "collect", fail("a"), fail("b"))}, "failed p:failed/1 p/a:failed/1 p/b:failed/1", ""},
		"a panic fails its step": {[]assent.Step{parallel("p", "", step("a", "fail", `{"why":"panic"}`), step("b", "note", `{"title":"kept"}`))},
			"failed p:partial/1 p/a:failed/1 p/b:success/1", ""},
		"the first success cancels the rest": {[]assent.Step{parallel("p", "first_success", never("a"), step("b", "note", `{"title":"won"}`)), step("z", "note", `{"title":"{{ result.p.artifact.title }}"}`)},
			"completed p:success/1 p/a:cancelled/1 p/b:success/1 z:success/1", ""},
		"a failure does not win": {[]assent.Step{oneByOne(parallel("p", "first_success", fail("a"), step("b", "note", `{"title":"won"}`)))},
			"completed p:success/1 p/a:failed/1 p/b:success/1", ""},
		"nobody wins": {[]assent.Step{parallel("p", "first_success", fail("a"), fail("b")), step("z", "note", `{"title":"never"}`)},
			"failed p:failed/1 p/a:failed/1 p/b:failed/1 z:skipped/0", ""},
		"agents among the children": {[]assent.Step{parallel("p", "", agentStep("a", "say hello"), agentStep("b", "panic")), step("z", "note", `{"title":"never"}`)},
			"failed p:partial/1 p/a:success/1 p/b:failed/1 z:skipped/0", ""},
		"a question waits for the siblings": {[]assent.Step{parallel("p", "", agentStep("a", "ask May I?"), step("b", "note", `{"title":"done meanwhile"}`)), step("z", "note", `{"title":"{{ result.a.said }}"}`)},
			"waiting_human p:running/1 p/a:waiting_human/1 p/b:success/1 z:pending/0", ""},
		"a failure wins over a question": {[]assent.Step{parallel("p", "", agentStep("a", "ask May I?"), fail("b"))},
			"failed p:failed/1 p/a:cancelled/1 p/b:failed/1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			run := w.approved(t, tc.steps...)
			got := strings.ReplaceAll(statuses(w.drive(t, run.ID)), "cancelled/0", "cancelled/1") // it may have been too late to begin
			if s := got; s != tc.want {
				t.Fatalf("run ended\n%s, want\n%s", s, tc.want)
			}
			if tc.then == "" {
				return
			}
			w.act(t, run.ID, assent.RunAction{Action: assent.ControlContinue})
			if s := statuses(w.drive(t, run.ID)); s != tc.then {
				t.Errorf("after continue\n%s, want\n%s", s, tc.then)
			}
		})
	}
}

// A collect gives an object by result key, a first_success what the winner gave.
func TestParallelOutputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bare := agentStep("bare", "say two")
	bare.ResultKey = ""
	run := w.approved(t, parallel("p", "", agentStep("keyed", "say one"), bare), parallel("f", "first_success", step("q", "flaky", `{"title":"three"}`)))
	got := w.drive(t, run.ID)
	if s := outputs(got, "p"); s != `{"bare":{"said":"two"},"keyed":{"said":"one"}}` {
		t.Errorf("collect gives %s", s)
	}
	if s := outputs(got, "f"); s != outputs(got, "f/q") || !strings.Contains(s, "artifact") {
		t.Errorf("first_success gives %s", s)
	}
	res := plan.ResultOf(got, assent.PlanDocument{Steps: []assent.Step{parallel("p", "", agentStep("keyed", ""), bare), parallel("f", "first_success", step("q", "flaky", ""))}})
	if len(res.Steps) != 2 || len(res.Steps[0].Children) != 2 || res.Steps[0].Children[1].ID != "bare" || string(res.Bindings["keyed"]) != `{"said":"one"}` {
		t.Errorf("result %+v", res)
	}
}

// Writes that race for a first_success: one effect stays, whoever wins.
func TestOneOfRacingWritesStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 20 {
		run := w.approved(t, parallel("p", "first_success", step("a", "note", `{"title":"a"}`), step("b", "note", `{"title":"b"}`), step("c", "note", `{"title":"c"}`)))
		got := w.drive(t, run.ID)
		revs, err := w.ListRunRevisions(t.Context(), run.ID)
		if err != nil || len(revs) != 1 || got.Status != assent.RunCompleted {
			t.Fatalf("%d writes stay, error %v; run %s", len(revs), err, statuses(got))
		}
		if s := strings.Count(statuses(got), ":success"); s != 2 {
			t.Errorf("run %s: want the container and one child", statuses(got))
		}
		<-w.started
	}
}

// At most as many children run at a time as the step and the limits allow.
func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st := parallel("p", "", step("a", "meet", `{"room":"r","takes":2}`), step("b", "meet", `{"room":"r","takes":2}`))
	st.MaxConcurrency = 1
	st.Steps[0].TimeoutMS = 50
	run := w.approved(t, st)
	got := w.drive(t, run.ID)
	if s := statuses(got); s != "failed p:partial/1 p/a:failed/1 p/b:success/1" {
		t.Errorf("one at a time: %s", s) // a waits alone until its time is up, b finds its trace
	}
	for _, sr := range got.Steps {
		if sr.Path == "p/a" && (sr.Error == nil || sr.Error.Code != assent.CodeTimeout) {
			t.Errorf("a ended with %+v", sr.Error)
		}
	}
}

// A process that dies in the midst of a parallel step: what is done stays done,
// what was interrupted runs again, the rest runs.
func TestAKilledParallelStepGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, parallel("p", "", step("a", "note", `{"title":"a"}`), step("b", "note", `{"title":"b"}`), step("c", "flaky", `{"title":"c"}`)))
	err := w.Write(t.Context(), func(tx *store.Tx) error {
		begun := run
		begun.State = "awaiting_results"
		if ok, err := tx.MoveRun(run, begun); err != nil || !ok {
			t.Fatal(ok, err)
		}
		for _, path := range []string{"p", "p/b", "p/c"} {
			if _, err := tx.BeginStep(run.ID, path, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := statuses(w.drive(t, run.ID)); s != "completed p:success/1 p/a:success/1 p/b:success/2 p/c:success/2" {
		t.Errorf("run ended %s", s)
	}
	if revs, err := w.ListRunRevisions(t.Context(), run.ID); err != nil || len(revs) != 2 {
		t.Errorf("%d writes, error %v", len(revs), err)
	}
}

// Rollback takes a parallel step back as a whole, undo everything.
func TestParallelStepsAreTakenBackWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"first"}`), parallel("p", "", step("b", "note", `{"title":"b"}`), step("c", "note", `{"title":"c"}`)))
	w.drive(t, run.ID)
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlRollback})
	if s := statuses(w.run(t, run.ID)); s != "paused a:success/1 p:pending/1 p/b:pending/1 p/c:pending/1" {
		t.Fatalf("rolled back: %s", s)
	}
	if all, err := w.ListProjectEntities(t.Context(), "p"); err != nil || len(all) != 1 {
		t.Errorf("%d things are left, error %v", len(all), err)
	}
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlExecute})
	if s := statuses(w.drive(t, run.ID)); s != "completed a:success/1 p:success/2 p/b:success/2 p/c:success/2" {
		t.Fatalf("executed again: %s", s)
	}
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlUndo})
	if s := statuses(w.run(t, run.ID)); s != "undone a:undone/1 p:undone/2 p/b:undone/2 p/c:undone/2" {
		t.Errorf("undone: %s", s)
	}
	if all, err := w.ListProjectEntities(t.Context(), "p"); err != nil || len(all) != 0 {
		t.Errorf("%d things are left, error %v", len(all), err)
	}
}

// A pause in a parallel step lets what runs finish and begins nothing more.
func TestPauseInAParallelStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st := parallel("p", "", step("a", "flaky", `{"title":"x"}`), step("b", "note", `{"title":"later"}`))
	st.MaxConcurrency = 1
	run := w.approved(t, st, step("z", "note", `{"title":"last"}`))
	w.fail.set(nil, func() {
		if _, err := w.plans.Act(context.Background(), run.ID, assent.RunAction{Action: assent.ControlPause}, w.person); err != nil {
			t.Error(err)
		}
	})
	if s := statuses(w.drive(t, run.ID)); s != "paused p:running/1 p/a:success/1 p/b:pending/0 z:pending/0" {
		t.Fatalf("paused: %s", s)
	}
	w.fail.set(nil, nil)
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlResume})
	if s := statuses(w.drive(t, run.ID)); s != "completed p:success/1 p/a:success/1 p/b:success/1 z:success/1" {
		t.Errorf("resumed: %s", s)
	}
}
