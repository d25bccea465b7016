package planner

import "testing"

// TestAConversationIsNamedAfterWhatIsSaid: not after a greeting or a bare answer.
func TestAConversationIsNamedAfterWhatIsSaid(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"yes": "", "Yes!": "", "ok": "", "👍": "", "no": "", "Hi": "", "hello there": "", "Guten Tag!": "", "ja, mach das": "", "こんにちは": "", "你好": "", "go ahead": "", "  ": "", "???": "",
		"Buy milk":                              "Buy milk",
		"Undo the last run":                     "Undo the last run",
		"Yes, and create a project for Bob too": "Yes, and create a project for Bob too",
		"Hi, set up the office move\nby March":  "Hi, set up the office move",
		"Umzug nach Leith planen":               "Umzug nach Leith planen",
		"Which templates are there?":            "Which templates are there?",
	} {
		if got := titleOf(content); got != want {
			t.Errorf("%q is called %q, want %q", content, got, want)
		}
	}
}
