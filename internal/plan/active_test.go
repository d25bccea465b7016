package plan

import (
	"testing"
	"time"

	"assent/internal/assent"
)

// TestTheDeadlineCountsActiveTime: waits, downtime and work side by side do not
// use up a run's time twice.
func TestTheDeadlineCountsActiveTime(t *testing.T) {
	t.Parallel()
	row := func(path string, kind assent.StepType, from, to int64) assent.StepRun {
		return assent.StepRun{Path: path, Type: kind, StartedAt: assent.Time(1000 * from), EndedAt: assent.Time(1000 * to)}
	}
	for name, c := range map[string]struct {
		steps []assent.StepRun
		want  time.Duration
	}{
		"nothing yet":       {nil, 0},
		"one after another": {[]assent.StepRun{row("a", assent.StepTool, 1, 3), row("b", assent.StepTool, 3, 4)}, 3 * time.Second},
		"a question between": {[]assent.StepRun{row("a", assent.StepTool, 1, 3), row("ask", assent.StepCheckpoint, 3, 900), row("b", assent.StepTool, 900, 901)},
			3 * time.Second},
		"side by side": {[]assent.StepRun{row("p", assent.StepParallel, 1, 5), row("p/a", assent.StepTool, 1, 4), row("p/b", assent.StepTool, 2, 5)},
			4 * time.Second},
		"a container over a restart": {[]assent.StepRun{row("p", assent.StepParallel, 1, 1000), row("p/a", assent.StepTool, 1, 4), row("p/b", assent.StepTool, 998, 1000)},
			5 * time.Second},
		"under way": {[]assent.StepRun{row("a", assent.StepTool, 1, 3), row("b", assent.StepTool, 4, 0)}, 2 * time.Second},
	} {
		if got := active(assent.Run{Steps: c.steps}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
