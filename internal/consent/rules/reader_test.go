package rules_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

func waiting() rules.Situation {
	return rules.Situation{Items: []rules.Item{{Kind: rules.Waiting, PlanID: "p", Version: 2, Title: "Office move to Leith", Seen: true,
		Steps: []rules.StepInfo{{ID: "find", Number: "1", Label: "Find a template"}, {ID: "make", Number: "2", Label: "Create the project"},
			{ID: "invite", Number: "3", Label: "Send the invitations"}, {ID: "doc", Number: "4", Label: "Publish the document"}}}}}
}

func TestSituations(t *testing.T) {
	one := waiting()
	unseen := waiting()
	unseen.Items[0].Seen = false
	asks := waiting()
	asks.AsksElse = true
	two := waiting()
	two.Items = append(two.Items, rules.Item{Kind: rules.Waiting, PlanID: "q", Version: 1, Title: "Website relaunch", Seen: true})
	with := func(k rules.ItemKind) rules.Situation {
		return rules.Situation{Items: []rules.Item{{Kind: k, PlanID: "p", Version: 2, RunID: "r", Title: "Office move"}}}
	}
	for name, tc := range map[string]struct {
		message string
		s       rules.Situation
		as      assent.ReadingAs
		action  assent.ControlAction
		plan    string
		counts  bool
	}{
		"a version nobody has seen":   {"yes", unseen, assent.ReadUnclear, "", "p", false},
		"a yes to something else":     {"yes", asks, assent.ReadUnclear, "", "", false},
		"a clear order all the same":  {"yes, run the plan", asks, assent.ReadApprove, "", "p", true},
		"two wait, none named":        {"yes", two, assent.ReadUnclear, "", "", false},
		"two wait, one named":         {"run the website one", two, assent.ReadApprove, "", "q", true},
		"the one that waits is named": {"go ahead with the office move", one, assent.ReadApprove, "", "p", true},
		"a yes and a sign of no":      {"looks good 👎", one, assent.ReadUnclear, "", "", false},
		"a compliment":                {"I like it", one, assent.ReadUnclear, "", "", false},
		"a courtesy":                  {"no problem", one, assent.ReadUnclear, "", "", false},
		"an order not to wait":        {"don't wait, run it", one, assent.ReadApprove, "", "p", true},
		"signed with a name":          {"Yes, run it. Best regards, Zbigniew", one, assent.ReadApprove, "", "p", true},
		"a new order beside the plan": {"Add a task to call the landlord, but show me the plan first", one, assent.ReadUnrelated, "", "", false},
		"traditional letters":         {"對，開始吧", one, assent.ReadApprove, "", "p", true},
		"a quoted value":              {`go ahead, but call it "Spring move"`, one, assent.ReadApproveWithChanges, "", "p", true},
		"nothing waits":               {"yes", rules.Situation{}, assent.ReadUnrelated, "", "", false},
		"pause a run":                 {"pause that", with(rules.Running), assent.ReadControl, assent.ControlPause, "p", true},
		"stop a run":                  {"stop", with(rules.Running), assent.ReadControl, assent.ControlCancel, "p", true},
		"stop a turn":                 {"stop!", rules.Situation{TurnRunning: true}, assent.ReadControl, assent.ControlStop, "", true},
		"resume a run":                {"resume", with(rules.Paused), assent.ReadControl, assent.ControlResume, "p", true},
		"go on, when paused":          {"please continue", with(rules.Paused), assent.ReadControl, assent.ControlResume, "p", true},
		"cancel a run":                {"cancel it", with(rules.Running), assent.ReadControl, assent.ControlCancel, "p", true},
		"undo all":                    {"take all of it back", with(rules.Undoable), assent.ReadControl, assent.ControlUndo, "p", true},
		"undo a step":                 {"undo the last step", with(rules.Undoable), assent.ReadControl, assent.ControlRollback, "p", true},
		"undo, in German":             {"mach alles rückgängig", with(rules.Undoable), assent.ReadControl, assent.ControlUndo, "p", true},
		"undo, in Chinese":            {"全部撤销", with(rules.Undoable), assent.ReadControl, assent.ControlUndo, "p", true},
		"a question is no control":    {"can I undo the last step?", with(rules.Undoable), assent.ReadUnrelated, "", "", false},
		"not a control":               {"don't stop", with(rules.Running), assent.ReadUnrelated, "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := rules.Read(tc.message, tc.s)
			if r.As != tc.as || r.Action != tc.action || r.Counts != tc.counts || r.PlanID != tc.plan {
				t.Errorf("%q is read as %+v", tc.message, r)
			}
			if r.As == assent.ReadUnclear && r.Reason == "" {
				t.Error("unclear without a reason")
			}
		})
	}
}

func TestChangesNameTheirSteps(t *testing.T) {
	r, _ := rules.Read("yes, but leave out 3 and put it in April", waiting())
	if len(r.Changes) != 2 || r.Changes[0] != (assent.Change{Op: "remove", Step: "invite", Words: "leave out 3"}) || r.Changes[1].Op != "set" {
		t.Errorf("changes %+v", r.Changes)
	}
	r, _ = rules.Read("ok but without the invitations", waiting())
	if len(r.Changes) != 1 || r.Changes[0].Step != "invite" {
		t.Errorf("changes %+v", r.Changes)
	}
}

// TestAnswersToARunThatWaitsForAPerson holds that a checkpoint is answered by
// the same words as a plan, and that the reading names the run.
func TestAnswersToARunThatWaitsForAPerson(t *testing.T) {
	t.Parallel()
	s := rules.Situation{Items: []rules.Item{{Kind: rules.WaitingHuman, PlanID: "p", Version: 2, RunID: "r", Title: "Office move", Seen: true}}}
	for message, as := range map[string]assent.ReadingAs{"Yes, go on": assent.ReadApprove, "continue": assent.ReadApprove, "no, don't": assent.ReadReject, "wait": assent.ReadReject, "hmm": assent.ReadUnclear} {
		r, _ := rules.Read(message, s)
		if r.As != as || r.Counts && r.RunID != "r" {
			t.Errorf("%q is read as %+v", message, r)
		}
	}
}

// TestABareContinueStartsNothing holds that the reply which an interrupted turn
// offers is not taken for the approval of a plan that waits.
func TestABareContinueStartsNothing(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"continue", "Continue", "resume", "keep going"} {
		if r, sure := rules.Read(message, waiting()); r.Counts || sure {
			t.Errorf("%q is read as %+v", message, r)
		}
	}
}
