package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// reply is a line of the corpus: a message, the situation it is written in, and
// how it must be read.
type reply struct {
	lang, label, expected, situation, message string
}

// replies reads the part of the corpus that the rules were written with, or the
// part that was held back from their authors ("tuned", "heldback"), or the part
// that was written last and has taught the rules nothing ("fresh").
func replies(t testing.TB, part string) []reply {
	t.Helper()
	files, err := filepath.Glob("testdata/" + part + "/*.tsv")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of %s, %v", len(files), part, err)
	}
	var out []reply
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
			c := strings.Split(line, "\t")
			if len(c) != 4 {
				t.Fatalf("%s: %q has %d columns", f, line, len(c))
			}
			out = append(out, reply{strings.TrimSuffix(filepath.Base(f), ".tsv"), c[0], c[1], c[2], strings.ReplaceAll(c[3], `\n`, "\n")})
		}
	}
	return out
}

// situation builds what a line of the corpus is about: one plan that waits,
// unless its column names something else.
func situation(t testing.TB, name string) rules.Situation {
	t.Helper()
	office := rules.Item{Kind: rules.Waiting, PlanID: "p1", Version: 2, Title: "Set up the office move as a project", Seen: true, Steps: []rules.StepInfo{
		{ID: "find", Number: "1", Label: "Find a template", Tool: "list_templates"}, {ID: "make", Number: "2", Label: "Create the project", Tool: "create_project"},
		{ID: "know", Number: "3", Label: "Look into it"}, {ID: "r", Number: "3.1", Label: "Research rents"},
		{ID: "invite", Number: "4", Label: "Send the invitations", Tool: "mail"}, {ID: "doc", Number: "5", Label: "Publish the context document", Tool: "publish_document"}}}
	as := func(k rules.ItemKind, plan, run, title string) rules.Item {
		return rules.Item{Kind: k, PlanID: plan, Version: 1, RunID: run, Title: title, Seen: true, Steps: office.Steps}
	}
	wedding := as(rules.Waiting, "p2", "", "Plan the wedding")
	unseen := office
	unseen.Seen = false
	s := map[string]rules.Situation{
		"-":               {Items: []rules.Item{office}},
		"asks":            {Items: []rules.Item{office}, AsksElse: true},
		"two":             {Items: []rules.Item{office, wedding}},
		"unseen":          {Items: []rules.Item{unseen}},
		"human":           {Items: []rules.Item{as(rules.WaitingHuman, "h1", "r1", "Book the venue")}},
		"running":         {Items: []rules.Item{as(rules.Running, "r1", "r1", "Book the venue")}},
		"paused":          {Items: []rules.Item{as(rules.Paused, "r1", "r1", "Book the venue")}},
		"done":            {Items: []rules.Item{as(rules.Undoable, "r1", "r1", "Book the venue")}},
		"failed":          {Items: []rules.Item{as(rules.Failed, "r1", "r1", "Book the venue")}},
		"turn":            {TurnRunning: true},
		"waiting_running": {Items: []rules.Item{office, as(rules.Running, "r1", "r1", "Book the venue")}},
		"waiting_done":    {Items: []rules.Item{office, as(rules.Undoable, "r1", "r1", "Book the venue")}},
	}
	found, ok := s[name]
	if !ok {
		t.Fatalf("there is no situation %q", name)
	}
	return found
}

// falseApproval reports that something would run, or be revised to run, that
// the line does not approve.
func (l reply) falseApproval(r assent.Reading) bool {
	if !r.Counts || r.As != assent.ReadApprove && r.As != assent.ReadApproveWithChanges {
		return false
	}
	return string(r.As) != l.label && !(l.label == "approve_with_changes" && r.As == assent.ReadApproveWithChanges)
}

// counted are the labels whose recall is held; a line of another label must
// only not be an approval.
var counted = []string{"approve", "approve_with_changes", "change", "reject", "question", "control"}

// recalled reports whether a reading is what its line says.
func (l reply) recalled(r assent.Reading) bool {
	switch l.label {
	case "approve":
		return r.As == assent.ReadApprove && r.Counts && (l.expected == "-" || l.expected == r.PlanID)
	case "approve_with_changes", "change":
		return string(r.As) == l.label && (l.expected == "-" || l.expected == r.PlanID || l.expected == changes(r))
	case "reject":
		return r.As == assent.ReadReject && (r.Counts == (l.expected != "later")) && (len(l.expected) != 2 || l.expected == r.PlanID)
	case "control":
		return r.As == assent.ReadControl && string(r.Action) == l.expected
	}
	return string(r.As) == l.label
}

// changes writes the changes of a reading as the corpus does: "remove:know,set:".
func changes(r assent.Reading) string {
	var out []string
	for _, c := range r.Changes {
		if s := c.Op + ":" + c.Step; !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, ",")
}

// TestRepliesOfThePeople reads every line of the corpus by rules alone. Nothing
// that is no approval may be one; a line left to the model counts as missed.
func TestRepliesOfThePeople(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"tuned", "heldback", "fresh"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			total, right := map[string]int{}, map[string]int{}
			for _, l := range replies(t, part) {
				r, sure := rules.Read(l.message, situation(t, l.situation))
				if l.falseApproval(r) {
					t.Errorf("FALSE APPROVAL: %s %s %q is read as %+v", l.lang, l.label, l.message, r)
				}
				if !strings.Contains(l.message, r.Words) {
					t.Errorf("%q rests on words that do not stand in it: %q", l.message, r.Words)
				}
				if l.expected == "reason" && r.Reason == "" {
					t.Errorf("%s %q is unclear without a reason: %+v", l.lang, l.message, r)
				}
				if !slices.Contains(counted, l.label) {
					continue
				}
				total[l.lang]++
				if sure && l.recalled(r) {
					right[l.lang]++
				} else {
					t.Logf("missed: %s %s %s %q: %s %s counts=%t sure=%t [%s] %s", l.lang, l.label, l.expected, l.message, r.As, r.Action, r.Counts, sure, changes(r), r.Reason)
				}
			}
			for lang, n := range total {
				share, least := float64(right[lang])/float64(n), 0.88
				switch {
				case part == "fresh":
					least = 0.35 // nothing was learnt from it: the floor is where it stood
				case lang == "en":
					least = 0.96
				}
				line := fmt.Sprintf("%s: %d of %d are recalled, %.1f %%", lang, right[lang], n, 100*share)
				if t.Log(line); share < least {
					t.Errorf("%s; at least %.0f %% must be", line, 100*least)
				}
			}
		})
	}
}
