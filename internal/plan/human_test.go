package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

func human(decision, input string) assent.RunAction {
	return assent.RunAction{Action: assent.ControlHuman, Decision: decision, Input: input}
}

func checkpoint(id, prompt string) assent.Step {
	return assent.Step{ID: id, Type: assent.StepCheckpoint, Prompt: prompt, ResultKey: id}
}

// A checkpoint waits as long as it takes; the answer lets the run go on or ends it.
func TestCheckpoints(t *testing.T) {
	for name, tc := range map[string]struct {
		answer assent.RunAction
		want   string
	}{
		"approved": {human("approve", "both of them"), "completed a:success/1 ask:success/1 z:success/1"},
		"rejected": {human("reject", ""), "cancelled a:success/1 ask:cancelled/1 z:skipped/0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			run := w.approved(t, step("a", "note", `{"title":"two guests"}`), checkpoint("ask", "Invite {{ result.a.artifact.title }}?"), step("z", "note", `{"title":"go"}`))
			got := w.drive(t, run.ID)
			if s := statuses(got); s != "waiting_human a:success/1 ask:waiting_human/1 z:pending/0" {
				t.Fatalf("run %s", s)
			}
			if got.Steps[1].Summary != "Invite two guests?" {
				t.Errorf("it asks %q", got.Steps[1].Summary)
			}
			if s := statuses(w.drive(t, run.ID)); !strings.HasPrefix(s, "waiting_human") {
				t.Errorf("driven again without an answer: %s", s)
			}
			p, err := w.FindPlan(t.Context(), run.PlanID)
			if err != nil || p.Status != assent.PlanWaitingHuman {
				t.Errorf("plan is %s, error %v", p.Status, err)
			}
			w.act(t, run.ID, tc.answer)
			got = w.drive(t, run.ID)
			if s := statuses(got); s != tc.want {
				t.Errorf("run %s, want %s", s, tc.want)
			}
			if name == "approved" && outputs(got, "ask") != `{"decision":"approve","input":"both of them"}` {
				t.Errorf("the checkpoint puts out %s", outputs(got, "ask"))
			}
		})
	}
}

func TestAnswersThatDoNotFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, checkpoint("ask", "Go on?"))
	if _, err := w.plans.Act(t.Context(), run.ID, human("approve", ""), w.person); assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("an answer before the question: %v", err)
	}
	w.drive(t, run.ID)
	if _, err := w.plans.Act(t.Context(), run.ID, human("maybe", ""), w.person); assent.ErrorCode(err) != assent.CodeInvalid {
		t.Errorf("a third decision: %v", err)
	}
	_, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlPause}, w.person)
	if allowed, _ := assent.ProblemOf(err).Details["allowed"].([]string); !slices.Equal(allowed, []string{"human-response", "cancel", "undo"}) {
		t.Errorf("a waiting run allows %v", allowed)
	}
}

// interrupt begins a step as a process would that dies before an answer came.
func (w *world) interrupt(t *testing.T, runID, path, args string) {
	t.Helper()
	if err := w.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.BeginStep(runID, path, []byte(args)); return err }); err != nil {
		t.Fatal(err)
	}
}

// A step with an effect outside that was interrupted is not repeated unasked.
func TestInterruptedEffectsAskFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		answer assent.RunAction
		want   string
		sent   int
	}{
		"once more":       {human("approve", ""), "completed s:success/2 z:success/1", 1},
		"counted as done": {human("approve", "done"), "completed s:success/1 z:success/1", 0},
		"given up":        {human("reject", ""), "cancelled s:cancelled/1 z:skipped/0", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			run := w.approved(t, step("s", "send", `{"title":"the lease"}`), step("z", "note", `{"title":"after"}`))
			w.interrupt(t, run.ID, "s", `{"title":"the lease"}`)
			got := w.drive(t, run.ID)
			if s := statuses(got); s != "waiting_human s:waiting_human/1 z:pending/0" || len(w.sent.all()) != 0 {
				t.Fatalf("run %s, sent %v", s, w.sent.all())
			}
			if q := got.Steps[0].Summary; !strings.Contains(q, "send was called with") || !strings.Contains(q, "the lease") {
				t.Errorf("it says %q", q)
			}
			w.act(t, run.ID, tc.answer)
			if s := statuses(w.drive(t, run.ID)); s != tc.want || len(w.sent.all()) != tc.sent {
				t.Errorf("run %s, sent %v, want %s and %d", s, w.sent.all(), tc.want, tc.sent)
			}
		})
	}
}

// An agent step's question is answered, and the step goes on with the answer; an
// interrupted one asks if its runner cannot tell that repeating does no harm.
func TestAgentSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st := agentStep("a", "ask May I call {{ result.n.artifact.title }}?")
	st.With = []byte(`{"who":"$0.output.artifact.title"}`)
	run := w.approved(t, step("n", "note", `{"title":"Bo"}`), st, step("z", "note", `{"title":"{{ result.a.said }}"}`))
	got := w.drive(t, run.ID)
	if s := statuses(got); s != "waiting_human n:success/1 a:waiting_human/1 z:pending/0" || got.Steps[1].Summary != "May I call Bo?" {
		t.Fatalf("run %s asks %q", s, got.Steps[1].Summary)
	}
	w.act(t, run.ID, human("approve", "before noon"))
	got = w.drive(t, run.ID)
	if s := statuses(got); s != "completed n:success/1 a:success/2 z:success/1" || outputs(got, "a") != `{"said":"approve before noon"}` {
		t.Errorf("run %s, output %s", s, outputs(got, "a"))
	}
	first, second := w.agents.calls[0], w.agents.calls[1]
	if string(first.With) != `{"who":"Bo"}` || first.Key != second.Key || first.Key != run.ID+"/a/0" || first.Scope.StepPath != "a" || first.Scope.Caller != assent.CallerPlan {
		t.Errorf("called with %+v, then %+v", first, second)
	}

	again := w.approved(t, agentStep("a", "say hi"))
	w.interrupt(t, again.ID, "a", `{}`)
	if s := statuses(w.drive(t, again.ID)); s != "completed a:success/2" {
		t.Errorf("an agent that only read: %s", s)
	}
	w.agents.known = "It had sent one letter."
	unsure := w.approved(t, agentStep("a", "say hi"))
	w.interrupt(t, unsure.ID, "a", `{}`)
	if got := w.drive(t, unsure.ID); got.Status != assent.RunWaitingHuman || !strings.Contains(got.Steps[0].Summary, "It had sent one letter.") {
		t.Errorf("an agent that did more: %s %q", statuses(got), got.Steps[0].Summary)
	}
}

// Steps and runs end when their time is up, with what was done kept.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow := step("a", "meet", `{"room":"empty","takes":2}`)
	slow.TimeoutMS = 20
	run := w.approved(t, slow)
	if got := w.drive(t, run.ID); got.Status != assent.RunFailed || got.Error == nil || got.Error.Code != assent.CodeTimeout {
		t.Errorf("a slow step: %s, %+v", statuses(got), got.Error)
	}
	w.plans.Limits.Run = 50 * time.Millisecond
	whole := w.approved(t, step("n", "note", `{"title":"kept"}`), step("a", "meet", `{"room":"empty too","takes":2}`))
	if got := w.drive(t, whole.ID); statuses(got) != "failed n:success/1 a:failed/1" || got.Error == nil || got.Error.Code != assent.CodeTimeout {
		t.Errorf("a run beyond its time: %s, %+v", statuses(got), got.Error)
	}
}

// The key of a call tells a rollback's second run from a repetition.
func TestCallsHaveKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, step("s", "send", `{"title":"x"}`))
	w.drive(t, run.ID)
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlRollback})
	w.act(t, run.ID, assent.RunAction{Action: assent.ControlExecute})
	w.drive(t, run.ID)
	if got := w.sent.all(); !slices.Equal(got, []string{run.ID + "/s/0", run.ID + "/s/1"}) {
		t.Errorf("keys %v", got)
	}
}

var _ plan.AgentRunner = (*agents)(nil)

// A run tells what its steps took of models.
func TestARunTellsItsUsage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	run := w.approved(t, agentStep("a", "say hi"))
	cost := int64(30)
	u := assent.CallUsage{ID: "u", RunID: run.ID, Step: "a", Status: assent.CallOK, TokensIn: 5, TokensOut: 2, CostMicros: &cost}
	if err := w.Ledger().Open(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if err := w.Ledger().Close(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if got := w.drive(t, run.ID).Usage; got.LLMCalls != 1 || got.TokensIn != 5 || got.CostMicros == nil || *got.CostMicros != 30 {
		t.Errorf("the run took %+v", got)
	}
}
