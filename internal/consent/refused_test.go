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

// TestSecondThoughtsStopAStartThatIsHeld holds that in the seconds before the
// first write any word against it, or about another way of doing it, stops it.
func TestSecondThoughtsStopAStartThatIsHeld(t *testing.T) {
	t.Parallel()
	held := move(rules.Running)
	held.Held = true
	for _, said := range []string{"no", "no, wait", "wait, no", "no wait", "nein, warte", "aspetta, no", "wacht, niet doen", "nie, czekaj", "non, attends", "no, espera", "hmm no",
		"hold on, the landlord moved", "no, not step 2, step 3", "maybe not", "hang on, not the boxes", "actually, leave out step 4 too", "sorry, no", "stop"} {
		r, _ := consent.Read(said, rules.Situation{Items: []rules.Item{held}}, assent.DefaultCurrency)
		if !r.Counts || r.As != assent.ReadControl || r.Action != assent.ControlCancel && r.Action != assent.ControlPause {
			t.Errorf("%q while the start is held: %+v", said, r)
		}
	}
	for _, said := range []string{"thanks", "yes", "great", "what does step 2 do?", "add a task to my other list: milk"} {
		if r, _ := consent.Read(said, rules.Situation{Items: []rules.Item{held}}, assent.DefaultCurrency); r.Counts && r.As == assent.ReadControl {
			t.Errorf("%q while the start is held: %+v", said, r)
		}
	}
}
