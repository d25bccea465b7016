package rules_test

import (
	"os"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

func waiting() rules.Situation {
	return rules.Situation{Items: []rules.Item{{Kind: rules.Waiting, PlanID: "p", Version: 2, Title: "Office move to Leith", Seen: true,
		Steps: []rules.StepInfo{{ID: "find", Number: "1", Label: "Find a template"}, {ID: "make", Number: "2", Label: "Create the project"},
			{ID: "invite", Number: "3", Label: "Send the invitations"}, {ID: "doc", Number: "4", Label: "Publish the document"}}}}}
}

// labelled is a line of the corpus.
type labelled struct{ label, message string }

func corpus(t testing.TB) []labelled {
	t.Helper()
	b, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for _, line := range strings.Split(string(b), "\n") {
		label, message, ok := strings.Cut(line, " | ")
		if ok && !strings.HasPrefix(line, "#") {
			out = append(out, labelled{label, strings.ReplaceAll(message, `\n`, "\n")})
		}
	}
	return out
}

// matches reports whether a reading is what a label says.
func matches(label string, r assent.Reading) bool {
	switch label {
	case "approve":
		return r.As == assent.ReadApprove && r.Counts && r.PlanID == "p" && r.Version == 2
	case "changes":
		return r.As == assent.ReadApproveWithChanges && len(r.Changes) > 0
	case "change":
		return r.As == assent.ReadChange
	case "reject":
		return r.As == assent.ReadReject && r.Counts
	case "later":
		return r.As == assent.ReadReject && !r.Counts
	case "question":
		return r.As == assent.ReadQuestion
	case "unrelated":
		return r.As == assent.ReadUnrelated || r.As == assent.ReadUnclear
	}
	return !r.Counts || r.As != assent.ReadApprove
}

func TestCorpus(t *testing.T) {
	total, right := map[string]int{}, map[string]int{}
	for _, l := range corpus(t) {
		r, _ := rules.Read(l.message, waiting())
		total[l.label]++
		if matches(l.label, r) {
			right[l.label]++
		} else {
			t.Logf("%-9s %q is read as %s, counts %t, reason %q, changes %v", l.label, l.message, r.As, r.Counts, r.Reason, r.Changes)
		}
		if l.label != "approve" && r.As == assent.ReadApprove && r.Counts {
			t.Errorf("FALSE APPROVAL: %s %q", l.label, l.message)
		}
		if r.Words != "" && !strings.Contains(l.message, r.Words) {
			t.Errorf("%q rests on words that do not stand in it: %q", l.message, r.Words)
		}
	}
	for label, n := range total {
		if share := float64(right[label]) / float64(n); share < 0.96 {
			t.Errorf("%s: %d of %d are read right", label, right[label], n)
		}
	}
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

func FuzzRead(f *testing.F) {
	for _, s := range []string{"yes", "> yes", "```\nyes", "はい", "no\x00go", "👍🏽", "\"yes\" go"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		r, _ := rules.Read(message, waiting())
		if !strings.Contains(message, r.Words) {
			t.Errorf("%q rests on %q", message, r.Words)
		}
		if r.As == assent.ReadApprove && r.Counts && strings.TrimSpace(r.Words) == "" {
			t.Errorf("%q is approved by no words", message)
		}
		for _, wrapped := range []string{"```\n" + message + "\n```", "Forwarded message\n" + message} {
			if w, _ := rules.Read(wrapped, waiting()); w.As == assent.ReadApprove && w.Counts && !strings.Contains(message, "```") && !strings.Contains(message, "`") {
				t.Errorf("%q is approved", wrapped)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		rules.Read("looks good, please run it now", waiting())
	}
}

func BenchmarkReadLong(b *testing.B) {
	long := strings.Repeat("some words about the office move ", 1000)
	for b.Loop() {
		rules.Read(long, waiting())
	}
}
