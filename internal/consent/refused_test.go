package consent_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/consent/rules"
)

// TestARefusalStopsWhatRuns holds that words which would refuse a plan that
// waits stop one that runs already; with a plan that waits they are about that.
func TestARefusalStopsWhatRuns(t *testing.T) {
	t.Parallel()
	running := rules.Item{Kind: rules.Running, PlanID: "p", Version: 2, RunID: "r", Title: "Office move", Seen: true}
	waiting := rules.Item{Kind: rules.Waiting, PlanID: "w", Version: 1, Title: "Party", Seen: true}
	for _, said := range []string{"no", "no, don't", "don't run it", "discard it", "forget it", "never mind", "I changed my mind", "nein, doch nicht", "non, annule", "いや、やめて", "❌"} {
		r, sure := consent.Read(said, rules.Situation{Items: []rules.Item{running}}, assent.DefaultCurrency)
		if !sure || !r.Counts || r.As != assent.ReadControl || r.Action != assent.ControlCancel || r.RunID != "r" {
			t.Errorf("%q while a plan runs: sure %v, %+v", said, sure, r)
		}
		if r, _ := consent.Read(said, rules.Situation{Items: []rules.Item{running, waiting}}, assent.DefaultCurrency); r.As == assent.ReadControl && r.RunID == "r" && said == "no" {
			t.Errorf("%q beside a plan that waits: %+v", said, r)
		}
	}
	for _, said := range []string{"thanks", "yes", "no problem", "what does step 2 do?", "is it done, or not?", "there is no hurry", "no tasks are missing"} {
		if r, _ := consent.Read(said, rules.Situation{Items: []rules.Item{running}}, assent.DefaultCurrency); r.Counts {
			t.Errorf("%q while a plan runs counts: %+v", said, r)
		}
	}
	if r, _ := consent.Read("no", rules.Situation{Items: []rules.Item{running}, AsksElse: true}, assent.DefaultCurrency); r.Counts {
		t.Errorf("an answer to another question counts: %+v", r)
	}
}
