package offline_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
)

// waitingPlans is a scene with plans in the statuses given, by id.
func waitingPlans(r assent.Reading, plans ...map[string]any) scene {
	return scene{context: assent.ContextGeneral, locale: "en-GB", plans: plans, reading: &r}
}

func planRow(id, objective string, status assent.PlanStatus) map[string]any {
	return map[string]any{"plan_id": id, "version": 1, "status": status, "objective": objective,
		"steps": []map[string]any{{"id": "s1", "type": "tool", "tool": "create_project", "label": "Create it", "arguments": map[string]any{"name": objective}}}}
}

func TestReadingsDecideWhatIsDiscarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	later := assent.Reading{As: assent.ReadReject, Reason: "Nothing is run; the plan keeps waiting."}
	cases := []struct {
		name, words string
		scene       scene
		says        string
		discards    string
	}{
		{"not yet", "Not yet", waitingPlans(later, planRow("p1", "Open the bakery", assent.PlanPendingReview)), "keeps waiting", ""},
		{"hold on", "hold on", waitingPlans(later, planRow("p1", "Open the bakery", assent.PlanPendingReview)), "keeps waiting", ""},
		{"wait in Chinese", "等一下", waitingPlans(later, planRow("p1", "Open the bakery", assent.PlanPendingReview)), "keeps waiting", ""},
		{"one of two, already rejected", "discard the bakery plan", waitingPlans(assent.Reading{As: assent.ReadReject, PlanID: "p1", Counts: true},
			planRow("p2", "Open the florist", assent.PlanPendingReview)), "put the plan away", ""},
		{"too late: it runs", "no, discard it", waitingPlans(assent.Reading{As: assent.ReadReject, PlanID: "p1", Reason: "The plan already runs."},
			planRow("p1", "Open the bakery", assent.PlanRunning)), "The plan already runs. “Open the bakery” is", ""},
		{"no reading, one waits", "drop the draft", waitingPlans(assent.Reading{As: assent.ReadUnrelated}, planRow("p1", "Open the bakery", assent.PlanPendingReview)), "", "p1"},
		{"no reading, two wait", "drop the draft", waitingPlans(assent.Reading{As: assent.ReadUnrelated},
			planRow("p1", "Open the bakery", assent.PlanPendingReview), planRow("p2", "Open the florist", assent.PlanPendingReview)), "Which one", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := w.tell(t.Context(), c.scene, c.words)
			if err != nil {
				t.Fatal(err)
			}
			calls := strings.Join(renderCalls(got.writes), "; ")
			want := ""
			if c.discards != "" {
				want = `agent_discard_plan plan_id="` + c.discards + `"`
			}
			if calls != want || !strings.Contains(got.text, c.says) || want == "" && got.text == "" {
				t.Errorf("calls %q, want %q; says %q, want %q", calls, want, got.text, c.says)
			}
			if !c.scene.reading.Counts && strings.Contains(got.text, "away") {
				t.Errorf("claims an outcome: %q", got.text)
			}
		})
	}
}

func TestWordsThatAreUnclearBeginNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, words := range []string{"run away", "please run the tests", "start a podcast", "redo it", "buy milk", "create a project called Florist"} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			got, err := w.tell(t.Context(), waitingPlans(assent.Reading{As: assent.ReadUnclear}, planRow("p1", "Open the bakery", assent.PlanPendingReview)), words)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.writes) > 0 || strings.Count(got.text, "?") != 1 || !strings.Contains(got.text, "Open the bakery") {
				t.Errorf("calls %v, says %q", renderCalls(got.writes), got.text)
			}
		})
	}
}

func TestAnApprovalWithChangesLeavesOutTheStepsThatWereRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sc, err := sceneOf("draft fair")
	if err != nil {
		t.Fatal(err)
	}
	last := len(sc.plan.Steps) - 1
	sc.reading = &assent.Reading{As: assent.ReadApproveWithChanges, PlanID: waitingPlan, Version: 1, Counts: true,
		Changes: []assent.Change{{Op: "remove", Step: sc.plan.Steps[last].ID, Words: "ohne Schritt"}}}
	steps, text, err := w.revise(t.Context(), sc, "Ja, aber ohne den letzten Schritt")
	if err != nil || len(steps) != last || steps[last-1].ID != sc.plan.Steps[last-1].ID {
		t.Errorf("%d steps of %d, says %q, %v", len(steps), last+1, text, err)
	}
}
