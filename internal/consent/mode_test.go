package consent_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
)

// Wishes to see a plan first raise the floor of a turn in each language of the
// reader; talk about plans as such does not.
func TestModeAsked(t *testing.T) {
	t.Parallel()
	asked := []string{
		"set up the office move as a project, but show me the plan first", "Draft it, don’t run anything", "let us see the plan", "just a plan please",
		"show me first", "add a task Bread but tell me first", "Show it to me first, please", "let me see it first", "ask us first", "draft me a plan for it", "Draft one for the summer party", "as a draft",
		"zeig es mir erst", "montrez-moi d'abord", "muéstramelo primero", "mostrami prima", "mostre-me primeiro", "laat het me eerst zien", "pokaż mi to najpierw", "先に見せて", "先让我看", "een concept",
		"do not change anything yet", "without creating anything", "before you start, tell me", "check with me first", "ask me before", "dry run please", "SHOW ME THE STEPS",
		"Zeig mir erst den Plan", "erst den Plan bitte", "nur ein Entwurf", "montre-moi d'abord le plan", "d’abord le plan", "un brouillon",
		"muéstrame primero el plan", "primero el plan", "un borrador", "fammi vedere prima il piano", "prima il piano", "una bozza",
		"mostre-me primeiro o plano", "um rascunho", "laat me eerst het plan zien", "eerst het plan", "een conceptplan", "pokaż mi najpierw plan", "najpierw plan", "szkic proszę",
		"先に計画を見せて", "計画を見せてください", "下書きだけ", "先给我看计划", "首先看一下方案", "让我看一下方案", "草稿",
	}
	for _, m := range asked {
		if got := consent.ModeAsked(m); got != assent.ModeDraftOnly {
			t.Errorf("%q: floor %q, want draft_only", m, got)
		}
	}
	for _, m := range []string{"set up the office move", "what is our plan for March?", "create a task: write the business plan", "go ahead", "", "we plan to move", "with milestones: concept, pilot and launch", "add a task: sign the draft contract", "call me first thing on Monday", "bench turn=1 mode=text"} {
		if got := consent.ModeAsked(m); got != "" {
			t.Errorf("%q: floor %q, want none", m, got)
		}
	}
}
