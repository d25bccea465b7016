package consent

import (
	"testing"

	"assent/internal/assent"
)

// "Undo that" means what was run last, in whatever order the plans were drafted.
func TestLastDone(t *testing.T) {
	t.Parallel()
	ran := func(at assent.Time) assent.Plan {
		return assent.Plan{Status: assent.PlanCompleted, Runs: []assent.Run{{StartedAt: 1}, {StartedAt: at}}}
	}
	waits, dropped := assent.Plan{Status: assent.PlanPendingReview}, assent.Plan{Status: assent.PlanRejected}
	undone := func(at assent.Time) assent.Plan {
		return assent.Plan{Status: assent.PlanUndone, Runs: []assent.Run{{StartedAt: at}}}
	}
	for name, tc := range map[string]struct {
		plans []assent.Plan
		want  int
	}{
		"one": {[]assent.Plan{ran(5)}, 0}, "in order": {[]assent.Plan{ran(5), ran(6)}, 1}, "the first was run last": {[]assent.Plan{ran(9), ran(6)}, 0},
		"a newer one waits": {[]assent.Plan{ran(5), waits}, -1}, "a newer one was dropped": {[]assent.Plan{ran(5), dropped}, 0}, "nothing ran": {[]assent.Plan{dropped}, -1},
		"the last one is undone": {[]assent.Plan{ran(5), undone(6)}, 0}, "all are undone": {[]assent.Plan{undone(5), undone(6)}, -1},
	} {
		if got := lastDone(tc.plans); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}
