package rules_test

import (
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// situations are the names that a fuzzed number chooses from.
var situations = []string{"-", "asks", "two", "unseen", "human", "running", "paused", "done", "failed", "turn", "waiting_running", "waiting_done"}

// approves reports whether something would run.
func approves(message string, s rules.Situation) bool {
	r, _ := rules.Read(message, s)
	return r.Counts && (r.As == assent.ReadApprove || r.As == assent.ReadApproveWithChanges)
}

// wrap puts a message into everything that makes it somebody else's words.
func wrap(message string) []string {
	return []string{"```\n" + message + "\n```", "~~~\n" + message + "\n~~~", "`" + message + "`", "\"" + message + "\"", "“" + message + "”", "„" + message + "“",
		"«" + message + "»", "「" + message + "」", "> " + strings.ReplaceAll(message, "\n", "\n> "), "Forwarded message:\n" + message, "From: Ann\n\n" + message}
}

// negations make the opposite of what follows them.
var negations = []string{"not ", "do not ", "don't ", "never ", "I don't say ", "nicht ", "ne pas ", "não é ", "nie ", "non è ", "niet ", "不是", "没有"}

// FuzzRead holds, for any message in any situation: no panic; the words of a
// reading and of its changes stand in the message; nothing that is quoted or in
// code approves; nothing that is negated becomes an approval.
func FuzzRead(f *testing.F) {
	for _, part := range []string{"tuned", "heldback"} {
		for _, l := range replies(f, part) {
			f.Add(l.message, uint8(slices.Index(situations, l.situation)))
		}
	}
	for _, s := range []string{"> yes", "```\nyes", "no\x00go", "\"yes\" go", "\xff\xfeyes", "y\u200bes", "v2 v3", "ﾊﾞｯﾁﾘ", "'yes' go"} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, message string, n uint8) {
		s := situation(t, situations[int(n)%len(situations)])
		r, _ := rules.Read(message, s)
		if !strings.Contains(message, r.Words) {
			t.Errorf("%q rests on %q", message, r.Words)
		}
		for _, c := range r.Changes {
			if c.Words == "" || !strings.Contains(message, c.Words) {
				t.Errorf("%q asks for %+v", message, c)
			}
		}
		if r.Counts && strings.TrimSpace(r.Words) == "" {
			t.Errorf("%q counts by no words", message)
		}
		for _, wrapped := range wrap(message) {
			if approves(wrapped, s) {
				t.Errorf("%q is approved", wrapped)
			}
		}
		if approves(message, s) || r.As == assent.ReadChange {
			return // "don't change anything, run it" is no negation of what it contains
		}
		for _, not := range negations {
			if approves(not+message, s) {
				t.Errorf("%q is approved", not+message)
			}
		}
	})
}

// TestNegatedApprovals holds that no approval of the corpus is one behind a
// negation.
func TestNegatedApprovals(t *testing.T) {
	t.Parallel()
	for _, l := range append(replies(t, "tuned"), replies(t, "heldback")...) {
		s := situation(t, l.situation)
		if l.label != "approve" || !approves(l.message, s) {
			continue
		}
		for _, not := range negations {
			if r, _ := rules.Read(not+l.message, s); r.Counts && r.As == assent.ReadApprove {
				t.Errorf("%q is approved", not+l.message)
			}
		}
	}
}
