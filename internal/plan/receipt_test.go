package plan_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
)

func TestDeviationsNameWhatDiffers(t *testing.T) {
	t.Parallel()
	approved := []assent.Step{
		{ID: "a", Type: assent.StepTool, Tool: "note", Arguments: json.RawMessage(`{"title":"Move {{ result.x.name }} by {{ result.x.day }}.","n":1.50,"tags":["a","$0.output.t"],"price":"$$5"}`)},
		{ID: "p", Type: assent.StepParallel, Steps: []assent.Step{{ID: "r", Type: assent.StepAgent, Agent: "researcher", With: json.RawMessage(`{"id":"$0.output.id"}`)}}},
	}
	good := assent.StepRun{Path: "a", Type: assent.StepTool, Tool: "note", Attempt: 1, Arguments: json.RawMessage(`{"price":"$5","n":1.50,"tags":["a",{"any":"thing"}],"title":"Move the office by March."}`)}
	with := func(args string) assent.StepRun { sr := good; sr.Arguments = json.RawMessage(args); return sr }
	for name, c := range map[string]struct {
		ran  []assent.StepRun
		want string // empty: none
	}{
		"as approved":               {[]assent.StepRun{good, {Path: "p", Type: assent.StepParallel, Attempt: 1, Arguments: json.RawMessage("null")}, {Path: "p/r", Type: assent.StepAgent, Agent: "researcher", Attempt: 2, Arguments: json.RawMessage(`{"id":7}`)}}, ""},
		"never began":               {[]assent.StepRun{{Path: "a", Type: assent.StepTool, Tool: "note"}}, ""},
		"not in the plan":           {[]assent.StepRun{{Path: "z", Attempt: 1}}, "z ran and was never approved"},
		"another tool":              {[]assent.StepRun{{Path: "a", Type: assent.StepTool, Tool: "delete", Attempt: 1}}, "approved as note and ran as delete"},
		"another agent in parallel": {[]assent.StepRun{{Path: "p/r", Type: assent.StepAgent, Agent: "writer", Attempt: 1}}, "Step 2.1 was approved as researcher and ran as writer"},
		"another number":            {[]assent.StepRun{with(`{"price":"$5","n":1.5,"tags":["a",1],"title":"Move x by y."}`)}, "other arguments"},
		"one more argument":         {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1],"title":"Move x by y.","more":1}`)}, "other arguments"},
		"one argument less":         {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1]}`)}, "other arguments"},
		"a renamed argument":        {[]assent.StepRun{with(`{"prize":"$5","n":1.50,"tags":["a",1],"title":"Move x by y."}`)}, "other arguments"},
		"another beginning":         {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1],"title":"Leave x by y."}`)}, "other arguments"},
		"another end":               {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1],"title":"Move x by y!"}`)}, "other arguments"},
		"the middle is missing":     {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1],"title":"Move x to y."}`)}, "other arguments"},
		"no text any more":          {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1],"title":["Move"]}`)}, "other arguments"},
		"a longer list":             {[]assent.StepRun{with(`{"price":"$5","n":1.50,"tags":["a",1,2],"title":"Move x by y."}`)}, "other arguments"},
		"an escape kept":            {[]assent.StepRun{with(`{"price":"$$5","n":1.50,"tags":["a",1],"title":"Move x by y."}`)}, "other arguments"},
	} {
		got := plan.Deviations(approved, c.ran)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestAReceiptTellsTheRunAsItWas drives runs and reads their receipts.
func TestAReceiptTellsTheRunAsItWas(t *testing.T) {
	w := newWorld(t)
	run := w.approved(t, step("a", "note", `{"title":"first"}`), step("b", "mark", `{"id":"$0.output.artifact_id"}`), step("c", "note", `{"title":"after {{ result.b.artifact.title }}"}`))
	w.plans.Drive(t.Context(), run.ID)
	r := w.receipt(t, run.ID)
	if len(r.Deviations) != 0 || r.Status != assent.RunCompleted || len(r.Steps) != 3 || len(r.Undone) != 0 {
		t.Fatalf("receipt %+v", r)
	}
	if last := r.Steps[2]; string(last.Approved) != `{"title":"after {{ result.b.artifact.title }}"}` || string(last.Ran) != `{"title":"after first"}` || last.Number != "3" {
		t.Errorf("the last step reads %s and ran %s", last.Approved, last.Ran)
	}
	if len(r.Approvals) != 1 || r.Approvals[0].OverObjection {
		t.Errorf("approvals %+v", r.Approvals)
	}
	if _, err := w.plans.Act(t.Context(), run.ID, assent.RunAction{Action: assent.ControlUndo}, w.person); err != nil {
		t.Fatal(err)
	}
	if r = w.receipt(t, run.ID); !slices.Equal(r.Undone, []string{"a", "b", "c"}) || r.Status != assent.RunUndone {
		t.Errorf("after undo: %v, %s", r.Undone, r.Status)
	}
}

func (w *world) receipt(t *testing.T, runID string) plan.Receipt {
	t.Helper()
	run := w.run(t, runID)
	p, err := w.FindPlanWhole(t.Context(), run.PlanID)
	if err != nil {
		t.Fatal(err)
	}
	return plan.ReceiptOf(p, run)
}

func TestAnApprovalOverAnObjectionIsKnown(t *testing.T) {
	t.Parallel()
	reviews := []assent.Review{{Version: 1, Verdict: assent.VerdictRejected, At: 5}, {Version: 2, Verdict: assent.VerdictNeedsChanges, At: 7}, {Version: 2, Verdict: assent.VerdictApproved, At: 9}, {Version: 1, Verdict: assent.VerdictApproved, At: 30}}
	for _, c := range []struct {
		version int64
		at      assent.Time
		want    bool
	}{{1, 4, false}, {1, 6, true}, {2, 8, true}, {2, 10, false}, {3, 10, false}} {
		if got := plan.Objected(reviews, assent.Approval{Version: c.version, At: c.at}); got != c.want {
			t.Errorf("version %d at %d: %v", c.version, c.at, got)
		}
	}
}
