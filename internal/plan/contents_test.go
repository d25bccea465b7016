package plan_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

// noted stores a note; titled changes its title.
func (w *world) noted(t *testing.T, title string) (n assent.Task, titled func(string)) {
	t.Helper()
	n = assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: title, Status: "todo"}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.CreateEntity(store.Origin{}, &n) }); err != nil {
		t.Fatal(err)
	}
	return n, func(title string) {
		t.Helper()
		n.Title = title
		if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.UpdateEntity(store.Origin{}, &n) }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAStepCreatesWhatWasShownOrNothing: what a step is made from changes while
// its run is under way, so it does not run; what stays does.
func TestAStepCreatesWhatWasShownOrNothing(t *testing.T) {
	for name, tc := range map[string]struct{ title, want string }{
		"it stays":   {"Pack", "completed a:success/1"},
		"it changes": {"Sell the house", "failed a:failed/1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			n, titled := w.noted(t, "Pack")
			run := w.approved(t, step("a", "repeat", `{"id":"`+n.ID+`"}`))
			titled(tc.title)
			w.plans.Drive(t.Context(), run.ID)
			got := w.run(t, run.ID)
			if s := statuses(got); s != tc.want {
				t.Fatalf("run ended %s, want %s", s, tc.want)
			}
			if got.Status == assent.RunFailed && (got.Error == nil || got.Error.Code != assent.CodeConflict || !strings.Contains(got.Error.Message, "has changed since this plan was shown")) {
				t.Errorf("it says %+v", got.Error)
			}
		})
	}
}

// TestThePreviewNamesWhatStepsCreate: one by one up to a bound, and how many more.
func TestThePreviewNamesWhatStepsCreate(t *testing.T) {
	w := newWorld(t)
	n, _ := w.noted(t, "Pack")
	doc := assent.PlanDocument{Objective: "x", Steps: []assent.Step{step("a", "note", `{"title":"x"}`), step("b", "repeat", `{"id":"`+n.ID+`"}`)}}
	p, err := w.plans.Create(t.Context(), plan.Draft{Scope: w.scope(), Document: doc, Mode: assent.ModeDraftOnly, CreatedBy: "test", Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	c := p.Preview.Contents
	if len(c) != 1 || c[0].Step != "b" || len(c[0].Items) != 1 || c[0].Items[0].Title != "Pack" || c[0].More != 0 {
		t.Errorf("contents %+v", c)
	}
}
