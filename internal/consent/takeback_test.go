package consent_test

import (
	"context"
	"slices"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/store"
)

// approve says yes in chat, as the planner does with a message.
func (w *world) approve(t *testing.T, p assent.Plan, by string, scopes ...assent.TokenScope) (assent.Message, assent.Reading) {
	t.Helper()
	m := consent.Message{Principal: principal(w.ada, scopes...), Message: assent.Message{ID: w.NewID(), SessionID: w.session, Role: assent.RoleUser, Content: "yes, run it", SeenSeq: 1000}}
	r := assent.Reading{As: assent.ReadApprove, PlanID: p.ID, Version: p.Version, Words: "yes, run it", Counts: true, By: by}
	err := w.Write(t.Context(), func(tx *store.Tx) (err error) {
		if r, err = w.consent.Apply(tx, m, r); err != nil {
			return err
		}
		m.Reading, m.CreatedAt = &r, tx.Now()
		return tx.CreateMessage(m.Message)
	})
	if err != nil {
		t.Fatal(err)
	}
	return m.Message, r
}

func TestTakenBackBeforeTheFirstStepThePlanWaitsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"), step("b", "note"))
	m, r := w.approve(t, p, consent.ByRules)
	out, err := w.consent.TakeBack(t.Context(), principal(w.ada), m.ID)
	if err != nil || out.Outcome != "returned" || out.RunID != r.RunID {
		t.Fatalf("gives %+v, %v", out, err)
	}
	got := w.whole(t, p.ID)
	if got.Status != assent.PlanPendingReview || got.Versions[0].Status != assent.VersionOpen || got.Runs[0].Status != assent.RunCancelled {
		t.Errorf("plan %s, version %s, run %s", got.Status, got.Versions[0].Status, got.Runs[0].Status)
	}
	if !slices.Contains(w.engine.signals, assent.SignalCancel+" "+r.RunID) {
		t.Errorf("the engine was told %v", w.engine.signals)
	}
	w.plans.Drive(context.Background(), r.RunID) // as an engine that had not heard of it
	if revs, err := w.ListRunRevisions(t.Context(), r.RunID); err != nil || len(revs) != 0 {
		t.Errorf("%d writes after it was taken back, %v", len(revs), err)
	}
	if s := w.said(t)[0].Reading; !s.TakenBack || !s.Counts {
		t.Errorf("the reading says %+v", s)
	}
	// The same words can approve it once more, by a run of its own.
	if _, again := w.approve(t, p, consent.ByRules); again.RunID == "" || again.RunID == r.RunID {
		t.Errorf("approving again gives %+v", again)
	}
}

func TestTakenBackAfterMereReadingThePlanWaitsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "look"), step("b", "note"))
	m, r := w.approve(t, p, consent.ByRules)
	w.firstStepOnly(t, r.RunID)
	out, err := w.consent.TakeBack(t.Context(), principal(w.ada), m.ID)
	if err != nil || out.Outcome != "cancelled" {
		t.Errorf("after the second step had begun it gives %+v, %v", out, err)
	}
	p = w.waiting(t, "Notes", step("a", "look"), step("b", "note"))
	m, r = w.approve(t, p, consent.ByRules)
	if err := w.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.BeginStep(r.RunID, "a", []byte(`{}`)); return err }); err != nil {
		t.Fatal(err)
	}
	out, err = w.consent.TakeBack(t.Context(), principal(w.ada), m.ID)
	if got := w.whole(t, p.ID); err != nil || out.Outcome != "returned" || got.Status != assent.PlanPendingReview {
		t.Errorf("while only the first, a reading one, had begun it gives %+v, %v; the plan is %s", out, err, got.Status)
	}
}

func TestTakenBackInMidRunItIsCancelledAndSaysWhatCanBeUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"), step("b", "note"))
	m, r := w.approve(t, p, consent.ByRules)
	w.firstStepOnly(t, r.RunID)
	out, err := w.consent.TakeBack(t.Context(), principal(w.ada), m.ID)
	if err != nil || out.Outcome != "cancelled" || !slices.Equal(out.Undoable, []string{"a"}) {
		t.Fatalf("gives %+v, %v", out, err)
	}
	got := w.whole(t, p.ID)
	if got.Status != assent.PlanCancelled || got.Runs[0].Steps[0].Status != assent.StepSuccess || got.Runs[0].Steps[1].Status != assent.StepSkipped {
		t.Errorf("plan %s, steps %+v", got.Status, got.Runs[0].Steps)
	}
	if _, err := w.consent.Act(t.Context(), principal(w.ada), r.RunID, assent.RunAction{Action: assent.ControlUndo}); err != nil {
		t.Errorf("undo gives %v", err)
	}
	if all, err := w.ListProjectEntities(t.Context(), "p"); err != nil || len(all) != 0 {
		t.Errorf("%d notes are left, %v", len(all), err)
	}
}

// firstStepOnly brings a run to where its second step is due (again).
func (w *world) firstStepOnly(t *testing.T, runID string) {
	t.Helper()
	ada := principal(w.ada)
	w.plans.Drive(t.Context(), runID)
	for _, a := range []assent.ControlAction{assent.ControlRollback, assent.ControlResume} {
		if _, err := w.consent.Act(t.Context(), ada, runID, assent.RunAction{Action: a}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatCannotBeTakenBackIsAConflict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"))
	other := w.waiting(t, "More notes", step("a", "note"))
	m, r := w.approve(t, p, consent.ByRules)
	taken, _ := w.approve(t, other, consent.ByRules)
	if _, err := w.consent.TakeBack(t.Context(), principal(w.ada), taken.ID); err != nil {
		t.Fatal(err)
	}
	w.plans.Drive(t.Context(), r.RunID)
	silent := assent.Message{ID: w.NewID(), SessionID: w.session, Role: assent.RoleUser, Content: "hello"}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.CreateMessage(silent) }); err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]string{"a run that is over": m.ID, "taken back already": taken.ID, "no reading": silent.ID} {
		_, err := w.consent.TakeBack(t.Context(), principal(w.ada), id)
		if assent.ErrorCode(err) != assent.CodeConflict {
			t.Errorf("%s gives %v", name, err)
		}
		if _, ok := assent.ProblemOf(err).Details["allowed"]; !ok {
			t.Errorf("%s does not say what is allowed: %+v", name, assent.ProblemOf(err))
		}
	}
	if got := w.whole(t, p.ID); got.Status != assent.PlanCompleted {
		t.Errorf("the plan that had run is %s", got.Status)
	}
}

// TestAnApprovalTellsWhatItRestsOn holds the record of a yes in chat, and that a
// reading by a model alone waits before its first write.
func TestAnApprovalTellsWhatItRestsOn(t *testing.T) {
	t.Parallel()
	for by, waits := range map[string]bool{consent.ByRules: false, consent.ByModel: true} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Notes", step("a", "note"))
			m, r := w.approve(t, p, by)
			got := w.whole(t, p.ID)
			if len(got.Approvals) != 1 || len(got.Runs) != 1 || got.Runs[0].ID != r.RunID {
				t.Fatalf("approvals %+v, runs %+v", got.Approvals, got.Runs)
			}
			a := got.Approvals[0]
			if a.Basis != assent.BasisWords || a.MessageID != m.ID || a.Words != "yes, run it" || a.Version != p.Version || a.Hash != p.Hash ||
				a.UserID != w.ada.ID || a.Reading == nil || a.Reading.By != by || a.At == 0 {
				t.Errorf("the approval is %+v", a)
			}
			if (got.Runs[0].NotBefore > w.Now()) != waits {
				t.Errorf("the run may write from %v on", got.Runs[0].NotBefore)
			}
		})
	}
}

// TestWordsThatDoNotCount holds that a reading only takes effect where it may,
// and says why it did not.
func TestWordsThatDoNotCount(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, w *world, p *assent.Plan) []assent.TokenScope{
		"a token without the scope": func(*testing.T, *world, *assent.Plan) []assent.TokenScope {
			return []assent.TokenScope{assent.ScopeRead, assent.ScopeChat}
		},
		"a version that was superseded": func(t *testing.T, w *world, p *assent.Plan) []assent.TokenScope {
			doc := assent.PlanDocument{Objective: "Notes", Steps: []assent.Step{step("c", "note")}}
			if _, err := w.plans.Revise(t.Context(), w.scope(), p.ID, 1, doc, "test"); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"a plan that was rejected": func(t *testing.T, w *world, p *assent.Plan) []assent.TokenScope {
			if err := w.plans.Discard(t.Context(), p.ID, "", "test"); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"a plan that is gone": func(_ *testing.T, _ *world, p *assent.Plan) []assent.TokenScope {
			p.ID = "gone"
			return nil
		},
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Notes", step("a", "note"))
			scopes := prepare(t, w, &p)
			_, r := w.approve(t, p, consent.ByRules, scopes...)
			if r.Counts || r.Reason == "" || r.RunID != "" || len(w.engine.runs()) != 0 {
				t.Errorf("read as %+v, started %v", r, w.engine.runs())
			}
		})
	}
}
