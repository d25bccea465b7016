package offline

import (
	"testing"

	"assent/internal/assent"
)

// While a plan waits, an order that does not ask for a project in as many words
// is not taken for something else: it may mean the plan.
func TestOrdersBesideAWaitingPlan(t *testing.T) {
	t.Parallel()
	s := &situation{}
	for message, want := range map[string]assent.ReadingAs{
		"run the integration tests":                       assent.ReadUnclear,
		"create a project for the autumn fair":            assent.ReadUnrelated,
		"set up a project for the summer party in August": assent.ReadUnrelated,
	} {
		if got := s.kindOf(message); got != want {
			t.Errorf("%q is read as %s, want %s", message, got, want)
		}
	}
}
