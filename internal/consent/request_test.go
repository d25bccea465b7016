package consent_test

import (
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
)

func TestADirectRequestIsReadLikeAnyOtherWord(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, words string
		scopes      []assent.TokenScope
		version     int64
		code        assent.Code // "" for a run
		as          assent.ReadingAs
	}{
		{"a clear yes", "yes, run it", nil, 1, "", assent.ReadApprove},
		{"a clear yes in German", "ja, mach das", nil, 1, "", assent.ReadApprove},
		{"a refusal", "no, don't", nil, 1, assent.CodeNotApproved, assent.ReadReject},
		{"a question", "what does step 1 do?", nil, 1, assent.CodeNotApproved, assent.ReadQuestion},
		{"a wish to change", "yes, but leave out step 1", nil, 1, assent.CodeNotApproved, ""},
		{"no words", "", nil, 1, assent.CodeNotApproved, ""},
		{"an old version", "yes, run it", nil, 7, assent.CodeStale, ""},
		{"a token that may not", "yes, run it", []assent.TokenScope{assent.ScopeRead, assent.ScopeChat}, 1, assent.CodeForbidden, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Notes", step("a", "note"))
			run, err := w.consent.Request(t.Context(), principal(w.ada, tt.scopes...), p.ID, tt.version, tt.words)
			if code := assent.ErrorCode(err); code != tt.code {
				t.Fatalf("gives %q: %v", code, err)
			}
			got := w.whole(t, p.ID)
			if tt.code != "" {
				w.keepsWaiting(t, got)
			} else {
				w.requested(t, got, run, tt.words)
			}
			w.storedAs(t, tt.code, tt.words, tt.as)
		})
	}
}

func (w *world) keepsWaiting(t *testing.T, p assent.Plan) {
	t.Helper()
	if p.Status != assent.PlanPendingReview || len(p.Runs) != 0 || len(p.Approvals) != 0 || len(w.engine.runs()) != 0 {
		t.Errorf("the plan is %s with %d runs and %d approvals", p.Status, len(p.Runs), len(p.Approvals))
	}
}

// requested: one approval of exactly this version, by this person, on this
// message, and one run that rests on it.
func (w *world) requested(t *testing.T, p assent.Plan, run assent.Run, words string) {
	t.Helper()
	if p.Status != assent.PlanRunning || len(p.Runs) != 1 || p.Runs[0].ID != run.ID || len(p.Approvals) != 1 {
		t.Fatalf("the plan is %s with runs %+v and approvals %+v", p.Status, p.Runs, p.Approvals)
	}
	a := p.Approvals[0]
	if a.Basis != assent.BasisRequest || a.Version != 1 || a.Hash != p.Hash || a.UserID != w.ada.ID || a.Words != words || a.MessageID != w.said(t)[0].ID ||
		run.ApprovalID != a.ID || run.Hash != a.Hash {
		t.Errorf("the approval is %+v, the run %+v", a, run)
	}
	if runs := w.engine.runs(); len(runs) != 1 || runs[0] != run.ID {
		t.Errorf("the engine was asked to start %v", runs)
	}
}

// storedAs: the words are a message of the person with their reading; where
// nothing could have been approved, nothing was said.
func (w *world) storedAs(t *testing.T, code assent.Code, words string, as assent.ReadingAs) {
	t.Helper()
	messages := w.said(t)
	if code == assent.CodeStale || code == assent.CodeForbidden {
		if len(messages) != 0 {
			t.Errorf("stored %+v", messages)
		}
		return
	}
	if len(messages) != 1 || messages[0].Content != words || messages[0].Role != assent.RoleUser || messages[0].Reading == nil {
		t.Fatalf("stored %+v", messages)
	}
	r := messages[0].Reading
	if as != "" && r.As != as || r.Counts != (code == "") {
		t.Errorf("read as %+v", r)
	}
}

func TestTheSameRequestAgainGivesTheSameRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"))
	first, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, 1, "yes")
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, 1, "yes")
	if err != nil || again.ID != first.ID {
		t.Errorf("again gives %s, %v; want %s", again.ID, err, first.ID)
	}
	if n := len(w.said(t)); n != 1 {
		t.Errorf("%d messages", n)
	}
}

func TestManyRequestsAtOnceStartOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			run, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, 1, "yes, go ahead")
			if err != nil || run.PlanID != p.ID {
				t.Errorf("gives %+v, %v", run, err)
			}
		})
	}
	wg.Wait()
	got := w.whole(t, p.ID)
	if len(got.Runs) != 1 || len(got.Approvals) != 1 || len(w.engine.runs()) != 1 {
		t.Errorf("%d runs, %d approvals, started %v", len(got.Runs), len(got.Approvals), w.engine.runs())
	}
}

func TestSomeoneElsesPlanIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"))
	bob := principal(w.person(t, "Bob"))
	if _, err := w.consent.Request(t.Context(), bob, p.ID, 1, "yes"); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("a request gives %v", err)
	}
	run, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, 1, "yes")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.consent.Act(t.Context(), bob, run.ID, assent.RunAction{Action: assent.ControlCancel}); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("acting on the run gives %v", err)
	}
	if _, err := w.consent.TakeBack(t.Context(), bob, w.said(t)[0].ID); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("taking back gives %v", err)
	}
	w.keepsRunning(t, p.ID)
}

func (w *world) keepsRunning(t *testing.T, id string) {
	t.Helper()
	if p := w.whole(t, id); p.Status != assent.PlanRunning {
		t.Errorf("the plan is %s", p.Status)
	}
}

func TestAToolThatChangedSinceIsNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Wipe", step("a", "wipe"))
	w.wire(t, "Deletes a note and all that hang on it.")
	_, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, 1, "yes, run it")
	if assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("gives %v", err)
	}
	w.keepsWaiting(t, w.whole(t, p.ID))
}

// TestASettingNeverReachesFurtherThanItsMode holds the floors under which a
// plan may start without a word.
func TestASettingNeverReachesFurtherThanItsMode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		tool        string
		floor, mode assent.Mode
		caller      assent.Caller
		scopes      []assent.TokenScope // none: all
		runs        bool
	}{
		{"a write under auto_execute", "note", "", assent.ModeAutoExecute, assent.CallerModel, nil, true},
		{"a write after a review", "note", assent.ModeAgentReview, assent.ModeAgentReview, assent.CallerModel, nil, true},
		{"the model asks for less than the floor", "note", assent.ModeDraftOnly, assent.ModeAutoExecute, assent.CallerModel, nil, false},
		{"the model wants it seen", "note", assent.ModeAutoExecute, assent.ModeDraftOnly, assent.CallerModel, nil, false},
		{"a deletion", "wipe", "", assent.ModeAutoExecute, assent.CallerModel, nil, false},
		{"an agent", "note", "", assent.ModeAutoExecute, assent.CallerAgent, nil, false},
		{"a write under a token that may not approve", "note", "", assent.ModeAutoExecute, assent.CallerModel, []assent.TokenScope{assent.ScopeRead, assent.ScopeChat}, false},
		{"a look under such a token", "look", "", assent.ModeAutoExecute, assent.CallerModel, []assent.TokenScope{assent.ScopeRead, assent.ScopeChat}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, err := w.plans.Create(t.Context(), plan.Draft{Scope: w.scope(), Document: assent.PlanDocument{Objective: "x", Steps: []assent.Step{step("a", tt.tool)}}, Mode: tt.mode})
			if err != nil {
				t.Fatal(err)
			}
			s := w.scope()
			s.Floor, s.Caller, s.Principal = tt.floor, tt.caller, principal(w.ada, tt.scopes...)
			id, err := w.consent.BySetting(t.Context(), p, s, tt.mode)
			got := w.whole(t, p.ID)
			if !tt.runs {
				if assent.ErrorCode(err) != assent.CodeNotApproved || len(got.Runs) != 0 || len(got.Approvals) != 0 {
					t.Errorf("gives %v; %d runs", err, len(got.Runs))
				}
				return
			}
			if err != nil || len(got.Runs) != 1 || got.Runs[0].ID != id || got.Approvals[0].Basis != assent.BasisSetting ||
				got.Approvals[0].Words != string(tt.mode) || got.Approvals[0].UserID != w.ada.ID {
				t.Errorf("gives %v; runs %+v, approvals %+v", err, got.Runs, got.Approvals)
			}
		})
	}
}
