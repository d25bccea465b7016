package planner

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
)

func TestEachContextHasItsProfile(t *testing.T) {
	t.Parallel()
	want := map[assent.ContextType]llm.Profile{
		assent.ContextGeneral: llm.ProfileBalanced, assent.ContextProject: llm.ProfileBalanced,
		assent.ContextProjectCreate: llm.ProfileBalanced, assent.ContextProjectAudit: llm.ProfileQuality,
		assent.ContextTask: llm.ProfileSpeed,
	}
	table := contextTable()
	if len(table) != len(want) {
		t.Errorf("%d contexts, want %d", len(table), len(want))
	}
	for ct, p := range want {
		if got := table[ct].profile; got != p {
			t.Errorf("%s: %s, want %s", ct, got, p)
		}
	}
}
