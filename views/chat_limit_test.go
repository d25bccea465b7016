package views

import (
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
)

// TestACardAsksAboutTheLimitOfTheRun holds that a run which would pass its limit
// of cost says what was spent and how to answer, in the card and above the
// composer, and does not offer that an agent's step is done.
func TestACardAsksAboutTheLimitOfTheRun(t *testing.T) {
	t.Parallel()
	const question = "This run may cost at most €2.00. It has cost €1.50 so far, and the next call of a model could cost up to €0.80. Shall I go on without that limit? You can also name a new one."
	script := careful()
	i := slices.IndexFunc(script.events, func(ev assent.LoggedEvent) bool {
		return ev.Type == "step_complete" && strings.Contains(string(ev.Data), `"know/r"`)
	})
	script.events = script.events[:i]
	c := fold(script.stops("know/r", assent.StepWaitingHuman, question).turns(assent.RunWaitingHuman, question).ends("A question.", assent.TurnCompleted).events)
	page := pageOf(t, c)
	for id, words := range map[string]string{"pinned": text(byID(page, idPinned)), "card": text(liveCard(t, script))} {
		if !strings.Contains(words, question) || !strings.Contains(words, "Yes, go on") || !strings.Contains(words, "No, stop here") || strings.Contains(words, "It is done already") {
			t.Errorf("%s says %q", id, words)
		}
	}
	if _, chip := c.chatStatus(); chip != "Waiting on you" {
		t.Errorf("the status is %q", chip)
	}
}
