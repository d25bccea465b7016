package plan_test

import (
	"context"
	"encoding/json"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// TestWhatWasTakenBackIsTakenBackOnce goes back and forth through runs that
// change one thing several times. Whatever was rolled back and run again, the
// end is the beginning; only somebody else's change is a conflict.
func TestWhatWasTakenBackIsTakenBackOnce(t *testing.T) {
	t.Parallel()
	mark := func(id string) assent.Step { return step(id, "mark", `{"id":"$0.output.artifact_id"}`) }
	note := step("n", "note", `{"title":"Van"}`)
	wipe := step("w", "wipe", `{"id":"$0.output.artifact_id"}`)
	for name, c := range map[string]struct {
		steps []assent.Step
		do    []assent.ControlAction
		left  int // notes at the end
	}{
		"at once":                  {[]assent.Step{note, mark("a"), mark("b")}, []assent.ControlAction{"undo"}, 0},
		"step by step":             {[]assent.Step{note, mark("a"), mark("b")}, []assent.ControlAction{"rollback", "rollback", "rollback"}, 0},
		"one back, then all":       {[]assent.Step{note, mark("a"), mark("b")}, []assent.ControlAction{"rollback", "undo"}, 0},
		"one again, then all":      {[]assent.Step{note, mark("a"), mark("b")}, []assent.ControlAction{"rollback", "execute", "undo"}, 0},
		"two again, then all":      {[]assent.Step{note, mark("a"), mark("b")}, []assent.ControlAction{"rollback", "rollback", "execute", "rollback", "execute", "undo"}, 0},
		"all again, then all":      {[]assent.Step{note, mark("a")}, []assent.ControlAction{"rollback", "rollback", "execute", "undo"}, 0},
		"a deletion":               {[]assent.Step{note, mark("a"), wipe}, []assent.ControlAction{"rollback", "rollback", "execute", "undo"}, 0},
		"a deletion is taken back": {[]assent.Step{note, mark("a"), wipe}, []assent.ControlAction{"rollback"}, 1},
		"and done again":           {[]assent.Step{note, mark("a"), wipe}, []assent.ControlAction{"rollback", "execute", "rollback"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			run := w.approved(t, c.steps...)
			w.drive(t, run.ID)
			for i, a := range c.do {
				w.act(t, run.ID, assent.RunAction{Action: a})
				w.toldAsStored(t, run.ID)
				if a == assent.ControlExecute {
					w.drive(t, run.ID)
					if got := w.run(t, run.ID); got.Status != assent.RunCompleted {
						t.Fatalf("after action %d the run is %s: %v", i, got.Status, got.Error)
					}
				}
			}
			w.toldAsStored(t, run.ID)
			if n := w.notes(t); n != c.left {
				t.Errorf("%d notes are left, want %d", n, c.left)
			}
		})
	}
}

// TestSomebodyElsesChangeIsSaidAfterARollbackToo holds that what was done and
// taken back hides no change that stands.
func TestSomebodyElsesChangeIsSaidAfterARollbackToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, step("n", "note", `{"title":"Van"}`), step("a", "mark", `{"id":"$0.output.artifact_id"}`))
	w.drive(t, run.ID)
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlRollback})
	var made struct {
		ID string `json:"artifact_id"`
	}
	if err := json.Unmarshal(w.run(t, run.ID).Steps[0].Outputs, &made); err != nil {
		t.Fatal(err)
	}
	err := w.Write(t.Context(), func(tx *store.Tx) error {
		n, err := store.Find[assent.Task](context.Background(), tx.Reads, made.ID)
		if err != nil {
			return err
		}
		n.Title = "By hand"
		return tx.UpdateEntity(store.Origin{UserID: w.person.ID, Caller: assent.CallerPerson, Tool: "update_task"}, &n)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlUndo}, w.person); assent.ErrorCode(err) != assent.CodeConflict || w.notes(t) != 1 {
		t.Errorf("taking back gives %v; %d notes", err, w.notes(t))
	}
}

// TestEveryEndOfAStepIsTold holds that whoever follows the stream alone knows
// where each step stands, also those that nobody ran.
func TestEveryEndOfAStepIsTold(t *testing.T) {
	t.Parallel()
	note := func(id string) assent.Step { return step(id, "note", `{"title":"`+id+`"}`) }
	for name, c := range map[string]struct {
		steps []assent.Step
		do    []assent.ControlAction
	}{
		"failed":                  {[]assent.Step{note("a"), step("f", "fail", `{"why":"x"}`), note("b")}, nil},
		"failed and tried again":  {[]assent.Step{note("a"), step("f", "fail", `{"why":"x"}`), note("b")}, []assent.ControlAction{"continue"}},
		"failed and taken back":   {[]assent.Step{note("a"), step("f", "fail", `{"why":"x"}`), note("b")}, []assent.ControlAction{"undo"}},
		"cancelled while it asks": {[]assent.Step{note("a"), checkpoint("ask", "Go on?"), note("b")}, []assent.ControlAction{"cancel"}},
		"undone while it asks":    {[]assent.Step{note("a"), checkpoint("ask", "Go on?"), note("b")}, []assent.ControlAction{"undo"}},
		"back while it asks":      {[]assent.Step{note("a"), checkpoint("ask", "Go on?"), note("b")}, []assent.ControlAction{"rollback"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			run := w.approved(t, c.steps...)
			w.drive(t, run.ID)
			w.toldAsStored(t, run.ID)
			for _, a := range c.do {
				w.act(t, run.ID, assent.RunAction{Action: a})
				w.toldAsStored(t, run.ID)
			}
		})
	}
}

// toldAsStored compares where the events say that the steps of a run stand with
// their rows.
func (w *world) toldAsStored(t *testing.T, runID string) {
	t.Helper()
	events, err := w.Events(t.Context(), w.session.ID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]assent.StepStatus{}
	for _, ev := range events {
		var e struct {
			RunID  string            `json:"run_id"`
			Path   string            `json:"path"`
			Status assent.StepStatus `json:"status"`
		}
		if err := json.Unmarshal(ev.Data, &e); err != nil {
			t.Fatal(err)
		}
		if e.RunID == runID && e.Path != "" {
			told[e.Path] = e.Status
		}
	}
	for _, sr := range w.run(t, runID).Steps {
		if got := told[sr.Path]; got != sr.Status && !(got == "" && sr.Status == assent.StepPending) {
			t.Errorf("the step %s is %s, the events say %q", sr.Path, sr.Status, got)
		}
	}
}

// notes counts the notes there are.
func (w *world) notes(t *testing.T) (n int) {
	t.Helper()
	all, err := w.ListProjectEntities(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
