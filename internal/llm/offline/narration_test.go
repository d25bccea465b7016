package offline_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a change did to the draft is told, not only that there was one.
func TestAChangedPlanIsToldByItsDifference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ words, want string }{
		{"call it Book market", "the project is now called “Book market”"},
		{"make it june", "the deadline is now 30 June 2027 instead of 14 May 2027"},
		{"drop visit the town hall", "without the task “Visit the town hall”"},
		{"remove milestone 3", "without the milestone “Programme printed” and without the task “Choose a printer”"},
		{"add a milestone catering ordered by 1 april", "with the milestone “Catering ordered” (due 1 April 2027)"},
		{"venue booked should be done by 15 january", "“Venue booked” is due 15 January 2027"},
		{"add a risk that the printer fails, high impact", "with the risk “Printer fails”"},
	} {
		sc, err := sceneOf("draft fair")
		if err != nil {
			t.Fatal(err)
		}
		sc.reading = reading(*sc.plan, c.words)
		got, err := w.tell(t.Context(), sc, c.words)
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(map[string]any{"success": true, "output": map[string]any{"plan_id": waitingPlan, "version": 2, "status": "pending_review",
			"objective": sc.plan.Objective, "steps": got.steps}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := w.answerTo(t.Context(), sc, c.words, called("agent_revise_plan", `{"plan_id":"plan-1","instructions":"…"}`, string(out)))
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%q: %v, it says %q, want %q", c.words, err, text, c.want)
		}
	}
}
