package consent_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/plan"
	"assent/internal/store"
)

// readyVersions are the versions that people were asked about, in order.
func (w *world) readyVersions(t *testing.T) []string {
	t.Helper()
	events, err := w.Events(t.Context(), w.session, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, ev := range events {
		if ev.Type == (assent.PlanReady{}).EventType() {
			out = append(out, string(ev.Data))
		}
	}
	return out
}

// TestAPlanWhoseToolsChangedIsShownAgain: the yes to what was shown starts
// nothing; the same steps with the tools as they are now wait for a word.
func TestAPlanWhoseToolsChangedIsShownAgain(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(t *testing.T, w *world, p assent.Plan) string{
		"in chat": func(t *testing.T, w *world, p assent.Plan) string {
			_, r := w.approve(t, p, consent.ByRules)
			if r.Counts || r.RunID != "" {
				t.Errorf("read as %+v", r)
			}
			return r.Reason
		},
		"by request": func(t *testing.T, w *world, p assent.Plan) string {
			_, err := w.consent.Request(t.Context(), principal(w.ada), p.ID, p.Version, "yes, run it")
			if assent.ErrorCode(err) != assent.CodeConflict {
				t.Errorf("gives %v", err)
			}
			return assent.ErrorMessage(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Wipe", step("a", "wipe"))
			w.wire(t, "Deletes a note and all that belongs to it.")
			if reason := say(t, w, p); !strings.Contains(reason, "wipe has changed") {
				t.Errorf("the reason is %q", reason)
			}
			got := w.whole(t, p.ID)
			if got.Status != assent.PlanPendingReview || got.Version != 2 || got.Versions[0].Status != assent.VersionSuperseded || len(got.Runs)+len(got.Approvals) > 0 {
				t.Fatalf("plan %s, version %d, %+v", got.Status, got.Version, got.Versions)
			}
			ready := w.readyVersions(t)
			if len(ready) != 2 || !strings.Contains(ready[1], `"kind":"changed","field":"digest"`) {
				t.Errorf("people were asked %v", ready)
			}
			if _, r := w.approve(t, got, consent.ByRules); !r.Counts || r.RunID == "" {
				t.Errorf("a yes to what is shown now is read as %+v", r)
			}
		})
	}
}

// TestAPlanMadeFromWhatChangedIsShownAgain: the thing that a step copies has
// changed since it was shown, so the yes starts nothing and the new version shows
// what it would be now.
func TestAPlanMadeFromWhatChangedIsShownAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: "Pack", Status: "todo"}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.CreateEntity(store.Origin{}, &n) }); err != nil {
		t.Fatal(err)
	}
	st := step("a", "repeat")
	st.Arguments = []byte(`{"title":"` + n.ID + `"}`)
	p := w.waiting(t, "Again", st)
	n.Title = "Sell the house"
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.UpdateEntity(store.Origin{}, &n) }); err != nil {
		t.Fatal(err)
	}
	if _, r := w.approve(t, p, consent.ByRules); r.Counts || r.RunID != "" || !strings.Contains(r.Reason, "has changed since this plan was shown") {
		t.Errorf("read as %+v", r)
	}
	got := w.whole(t, p.ID)
	if got.Status != assent.PlanPendingReview || got.Version != 2 || got.Hash == p.Hash || got.Preview.Contents[0].Items[0].Title != "Sell the house" {
		t.Fatalf("plan %s, version %d, %+v", got.Status, got.Version, got.Preview)
	}
	if ready := w.readyVersions(t); len(ready) != 2 || !strings.Contains(ready[1], `"step":"a","kind":"changed","field":"digest"`) {
		t.Errorf("people were asked %v", ready)
	}
	if _, r := w.approve(t, got, consent.ByRules); !r.Counts || r.RunID == "" {
		t.Errorf("a yes to what is shown now is read as %+v", r)
	}
}

// TestAPlanThatItsToolsMakeImpossibleWaits: what cannot run any more is not
// shown as if it could.
func TestAPlanThatItsToolsMakeImpossibleWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"))
	w.govern("note", assent.PolicyDeny)
	_, r := w.approve(t, p, consent.ByRules)
	if r.Counts || !strings.Contains(r.Reason, "switched off") {
		t.Errorf("read as %+v", r)
	}
	w.keepsWaiting(t, w.whole(t, p.ID))
}

// TestPoliciesOfAdmins: ask counts as destructive wherever it is asked whether a
// plan needs a word, deny is refused by the checker.
func TestPoliciesOfAdmins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.govern("note", assent.PolicyAsk)
	if !w.plans.NeedsWord([]assent.Step{step("a", "note")}) || w.plans.NeedsWord([]assent.Step{step("a", "look")}) {
		t.Error("ask and allow are told apart wrongly")
	}
	if !w.plans.NeedsWord([]assent.Step{{ID: "p", Type: assent.StepParallel, Steps: []assent.Step{step("a", "note")}}}) {
		t.Error("a child that asks is not seen")
	}
	p, err := w.plans.Create(t.Context(), plan.Draft{Scope: w.scope(), Document: assent.PlanDocument{Objective: "Notes", Steps: []assent.Step{step("a", "note")}},
		Mode: assent.ModeAutoExecute, CreatedBy: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.consent.BySetting(t.Context(), p, w.scope(), assent.ModeAutoExecute); assent.ErrorCode(err) != assent.CodeNotApproved {
		t.Errorf("under the person's own setting it gives %v", err)
	}
	sit, _, err := w.consent.Situation(t.Context(), w.session, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range sit.Items {
		if !it.Destructive {
			t.Errorf("the reader is told %+v", it)
		}
	}
	w.govern("look", assent.PolicyDeny)
	rep := w.plans.Check(assent.PlanDocument{Steps: []assent.Step{step("a", "look")}}, assent.ContextGeneral, nil, 0)
	if len(rep.Errors) != 1 || rep.Errors[0].Code != "not_permitted" {
		t.Errorf("the checker says %+v", rep.Errors)
	}
}

// TestAPolicyIsAskedForAtEachCall: a direct call of a tool that asks is stored as
// a plan that waits; a person's own hand and an approved plan are the word. One
// that is denied does not get here: the executor refuses it.
func TestAPolicyIsAskedForAtEachCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		policy assent.ToolPolicy
		caller assent.Caller
		code   assent.Code
	}{
		{assent.PolicyAsk, assent.CallerModel, assent.CodeConfirmationRequired},
		{assent.PolicyAllow, assent.CallerModel, ""},
		{assent.PolicyAsk, assent.CallerPerson, ""},
		{assent.PolicyDeny, assent.CallerPerson, ""},
		{assent.PolicyAsk, assent.CallerPlan, ""},
	} {
		w := newWorld(t)
		w.govern("note", tt.policy)
		scope := w.scope()
		scope.Caller = tt.caller
		got := assent.Code("")
		if res := w.call(t, scope, "note"); res != nil {
			got = res.Err.Code
		}
		if got != tt.code {
			t.Errorf("%s called by %s gives %q, want %q", tt.policy, tt.caller, got, tt.code)
		}
	}
}

// answerRun answers a run that waits.
func (w *world) answerRun(t *testing.T, runID string, a assent.RunAction) error {
	t.Helper()
	_, err := w.consent.Act(t.Context(), principal(w.ada), runID, a)
	return err
}

// TestAnAnswerToARunIsAnApprovalOfItsOwn: the door by which it comes makes no
// difference to the record.
func TestAnAnswerToARunIsAnApprovalOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"), assent.Step{ID: "ask", Type: assent.StepCheckpoint, Prompt: "Go on?"}, step("b", "note"))
	_, r := w.approve(t, p, consent.ByRules)
	w.plans.Drive(t.Context(), r.RunID)
	human := assent.RunAction{Action: assent.ControlHuman, Decision: plan.DecisionApprove, Input: "as agreed"}
	if _, err := w.consent.Act(t.Context(), principal(w.ada, assent.ScopeChat), r.RunID, human); assent.ErrorCode(err) != assent.CodeForbidden {
		t.Errorf("a token without approve gives %v", err)
	}
	if _, err := w.consent.Act(t.Context(), principal(w.person(t, "Bo")), r.RunID, human); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("somebody else's run gives %v", err)
	}
	if err := w.answerRun(t, r.RunID, human); err != nil {
		t.Fatal(err)
	}
	got := w.whole(t, p.ID)
	if n := len(got.Approvals); n != 2 || got.Approvals[1].Step != "ask" || got.Approvals[1].Basis != assent.BasisRequest || got.Approvals[1].UserID != w.ada.ID || got.Approvals[1].Hash != p.Hash {
		t.Errorf("the approvals are %+v", got.Approvals)
	}
	w.plans.Drive(t.Context(), r.RunID)
	if err := w.answerRun(t, r.RunID, human); assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("a run that does not wait gives %v", err)
	}
	if n := len(w.whole(t, p.ID).Approvals); n != 2 {
		t.Errorf("a refused answer left %d approvals", n)
	}
}

// TestARunThatIsToldNoEnds: a refusal leaves no approval.
func TestARunThatIsToldNoEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"), assent.Step{ID: "ask", Type: assent.StepCheckpoint, Prompt: "Go on?"})
	_, r := w.approve(t, p, consent.ByRules)
	w.plans.Drive(t.Context(), r.RunID)
	if err := w.answerRun(t, r.RunID, assent.RunAction{Action: assent.ControlHuman, Decision: plan.DecisionReject}); err != nil {
		t.Fatal(err)
	}
	if got := w.whole(t, p.ID); got.Status != assent.PlanCancelled || len(got.Approvals) != 1 {
		t.Errorf("plan %s, approvals %+v", got.Status, got.Approvals)
	}
}

// carry has an approval with changes judged, as the planner does.
func (w *world) carry(t *testing.T, p assent.Plan, seen int64, may bool, steps ...assent.Step) assent.Reading {
	t.Helper()
	r := assent.Reading{As: assent.ReadApproveWithChanges, PlanID: p.ID, Version: p.Version, Words: "yes, but leave out 2", Counts: true, By: consent.ByRules,
		Changes: []assent.Change{{Op: "remove", Step: "b", Words: "leave out 2"}}}
	m := assent.Message{ID: w.NewID(), SessionID: w.session, Role: assent.RoleUser, Content: r.Words, Reading: &r, SeenSeq: seen, MayApprove: may}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { m.CreatedAt = tx.Now(); return tx.CreateMessage(m) }); err != nil {
		t.Fatal(err)
	}
	out, err := w.consent.Carry(t.Context(), m, w.ada, assent.PlanDocument{Objective: p.Objective, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	if kept := w.said(t); kept[len(kept)-1].Reading.Reason != out.Reason || kept[len(kept)-1].Reading.RunID != out.RunID {
		t.Errorf("kept is %+v, told %+v", kept[len(kept)-1].Reading, out)
	}
	return out
}

func TestWhenAnApprovalIsCarriedOver(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		seen    int64
		no      bool // the token may not approve
		steps   []assent.Step
		version int64
		reason  string // "" where it is carried
	}{
		"as named":                     {1000, false, []assent.Step{step("a", "note")}, 2, ""},
		"more than was named":          {1000, false, []assent.Step{step("a", "look")}, 2, "tool of step 1 (Look at a note) is changed"},
		"a deletion more":              {1000, false, []assent.Step{step("a", "note"), step("c", "wipe")}, 2, "step 2 (Delete a note) is new"},
		"nothing done":                 {1000, false, []assent.Step{step("a", "note"), step("b", "note")}, 1, "changed nothing"},
		"a version that was not seen":  {1, false, []assent.Step{step("a", "note")}, 2, "had not seen"},
		"a token that may not approve": {1000, true, []assent.Step{step("a", "note")}, 2, "may not approve"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.waiting(t, "Notes", step("a", "note"), step("b", "note"))
			r := w.carry(t, p, tt.seen, !tt.no, tt.steps...)
			got := w.whole(t, p.ID)
			if got.Version != tt.version {
				t.Errorf("version %d", got.Version)
			}
			if tt.reason != "" {
				if r.Counts || r.RunID != "" || !strings.Contains(r.Reason, tt.reason) || got.Status != assent.PlanPendingReview || len(got.Approvals)+len(got.Runs) > 0 {
					t.Errorf("read as %+v; the plan is %s", r, got.Status)
				}
				return
			}
			if !r.Counts || r.Version != 2 || len(got.Approvals) != 1 || got.Approvals[0].Basis != assent.BasisCarried || got.Approvals[0].Version != 2 || got.Runs[0].ID != r.RunID {
				t.Fatalf("read as %+v; approvals %+v", r, got.Approvals)
			}
			if wait := got.Runs[0].NotBefore.Std().Sub(got.Runs[0].StartedAt.Std()).Seconds(); wait < 4.9 || wait > 5.1 {
				t.Errorf("the first write waits %v seconds", wait)
			}
		})
	}
}

// TestAnApprovalOfAnotherVersionIsNotCarried: somebody changed the plan while
// the model worked.
func TestAnApprovalOfAnotherVersionIsNotCarried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.waiting(t, "Notes", step("a", "note"), step("b", "note"))
	if _, err := w.plans.Revise(t.Context(), w.scope(), p.ID, 1, assent.PlanDocument{Objective: "Notes", Steps: []assent.Step{step("a", "note"), step("b", "note"), step("c", "note")}}, "test"); err != nil {
		t.Fatal(err)
	}
	r := w.carry(t, p, 1000, true, step("a", "note"))
	if got := w.whole(t, p.ID); r.Counts || got.Version != 2 || got.Status != assent.PlanPendingReview || len(got.Runs) > 0 {
		t.Errorf("read as %+v; version %d is %s", r, got.Version, got.Status)
	}
}
