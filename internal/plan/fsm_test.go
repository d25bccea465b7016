package plan

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
)

// table is what becomes of a run in each state by each event; what is not in it
// is refused. Design 03 §6.
const table = `
plan_init         start_plan planner_active | planner_finished plan_validated | validation_failed failed
planner_active    planner_finished plan_validated | validation_failed failed
plan_validated    dispatch dispatching_step | finish completed | pause paused | checkpoint waiting_human | cancel cancelled
dispatching_step  dispatch dispatching_step | await awaiting_results | step_succeeded merging_results | parallel_complete merging_results | step_failed failed | timeout failed | panic failed | finish completed | pause paused | checkpoint waiting_human | cancel cancelled
awaiting_results  parallel_complete merging_results | step_failed failed | timeout failed | panic failed | finish completed | pause paused | checkpoint waiting_human | cancel cancelled
merging_results   dispatch dispatching_step | step_failed failed | timeout failed | panic failed | finish completed | pause paused | checkpoint waiting_human | cancel cancelled
paused            step_failed failed | timeout failed | resume dispatching_step | execute dispatching_step | rollback paused | cancel cancelled | undo undone
waiting_human     human_response dispatching_step | rollback paused | cancel cancelled | undo undone
completed         rollback paused | undo undone
failed            continue dispatching_step | rollback paused | undo undone
cancelled         undo undone
undone
`

func TestEveryTransition(t *testing.T) {
	t.Parallel()
	events := []string{eventStart, eventPlanned, eventInvalid, eventDispatch, eventAwait, eventSuccess, eventMerged, eventFailure, eventTimeout, eventPanic,
		eventFinish, eventPause, eventResume, eventCancel, eventContinue, eventHuman, eventAsk, eventRollback, eventExecute, eventUndo}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		state, rest, _ := strings.Cut(line, " ")
		want := map[string]string{}
		for _, move := range strings.Split(rest, "|") {
			if f := strings.Fields(move); len(f) == 2 {
				want[f[0]] = f[1]
			}
		}
		for _, ev := range events {
			to, err := transition(context.Background(), state, ev)
			switch {
			case want[ev] == "" && assent.ErrorCode(err) != assent.CodeConflict:
				t.Errorf("%s in %s leads to %s, %v; want a conflict", ev, state, to, err)
			case want[ev] != "" && (err != nil || to != want[ev]):
				t.Errorf("%s in %s leads to %s, %v; want %s", ev, state, to, err, want[ev])
			}
		}
		for ev := range want {
			if !slices.Contains(events, ev) {
				t.Errorf("the table names %s", ev)
			}
		}
	}
}

// What people may do follows design 03 §6, whatever a run is doing inside.
func TestAllowedActions(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{
		stateValidated: "pause cancel", stateDispatching: "pause cancel", stateAwaiting: "pause cancel", stateMerging: "pause cancel",
		statePaused: "resume rollback execute cancel undo", stateWaiting: "human-response rollback cancel undo",
		stateCompleted: "rollback undo", stateFailed: "continue rollback undo", stateCancelled: "undo", stateUndone: "",
	} {
		if got := strings.Join(Allowed(state), " "); got != want {
			t.Errorf("%s allows %q, want %q", state, got, want)
		}
	}
}
