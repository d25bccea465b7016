package plan

import (
	"context"
	"strings"

	"assent/internal/assent"

	"github.com/looplab/fsm"
)

// Validated is the state in which a stored version's run begins.
const Validated = "plan_validated"

// States of a run's state machine; design 03 §6. The row's state is the truth,
// the machine is built to check one transition and thrown away.
const (
	stateInit        = "plan_init"
	statePlanning    = "planner_active"
	stateValidated   = Validated
	stateDispatching = "dispatching_step"
	stateAwaiting    = "awaiting_results"
	stateMerging     = "merging_results"
	statePaused      = "paused"
	stateWaiting     = "waiting_human"
	stateCompleted   = "completed"
	stateFailed      = "failed"
	stateCancelled   = "cancelled"
	stateUndone      = "undone"
)

// Events of the state machine. dispatch, await and finish name the moves inside
// a run for which the design has no event of its own.
const (
	eventStart    = "start_plan"
	eventPlanned  = "planner_finished"
	eventInvalid  = "validation_failed"
	eventDispatch = "dispatch"
	eventAwait    = "await"
	eventSuccess  = "step_succeeded"
	eventMerged   = "parallel_complete"
	eventFailure  = "step_failed"
	eventTimeout  = "timeout"
	eventPanic    = "panic"
	eventFinish   = "finish"
	eventPause    = "pause"
	eventResume   = "resume"
	eventCancel   = "cancel"
	eventContinue = "continue"
	eventHuman    = "human_response"
	eventAsk      = "checkpoint"
	eventRollback = "rollback"
	eventExecute  = "execute"
	eventUndo     = "undo"
)

// transitions is the whole table.
func transitions() fsm.Events {
	active := []string{stateDispatching, stateAwaiting, stateMerging}
	begun := append([]string{stateValidated}, active...)
	return fsm.Events{
		{Name: eventStart, Src: []string{stateInit}, Dst: statePlanning},
		{Name: eventPlanned, Src: []string{stateInit, statePlanning}, Dst: stateValidated},
		{Name: eventInvalid, Src: []string{stateInit, statePlanning}, Dst: stateFailed},
		{Name: eventDispatch, Src: append([]string{stateValidated, stateMerging}, stateDispatching), Dst: stateDispatching},
		{Name: eventAwait, Src: []string{stateDispatching}, Dst: stateAwaiting},
		{Name: eventSuccess, Src: []string{stateDispatching}, Dst: stateMerging},
		{Name: eventMerged, Src: []string{stateDispatching, stateAwaiting}, Dst: stateMerging},
		{Name: eventFailure, Src: append([]string{statePaused}, active...), Dst: stateFailed},
		{Name: eventTimeout, Src: append([]string{statePaused}, active...), Dst: stateFailed},
		{Name: eventPanic, Src: active, Dst: stateFailed},
		{Name: eventFinish, Src: begun, Dst: stateCompleted},
		{Name: eventPause, Src: begun, Dst: statePaused},
		{Name: eventAsk, Src: begun, Dst: stateWaiting},
		{Name: eventResume, Src: []string{statePaused}, Dst: stateDispatching},
		{Name: eventExecute, Src: []string{statePaused}, Dst: stateDispatching},
		{Name: eventHuman, Src: []string{stateWaiting}, Dst: stateDispatching},
		{Name: eventContinue, Src: []string{stateFailed}, Dst: stateDispatching},
		{Name: eventRollback, Src: []string{statePaused, stateWaiting, stateFailed, stateCompleted}, Dst: statePaused},
		{Name: eventCancel, Src: append([]string{statePaused, stateWaiting}, begun...), Dst: stateCancelled},
		{Name: eventUndo, Src: []string{stateCompleted, stateFailed, stateCancelled, statePaused, stateWaiting}, Dst: stateUndone},
	}
}

// transition gives the state after an event, or a conflict that says what is
// possible now.
func transition(ctx context.Context, from, event string) (string, error) {
	m := fsm.NewFSM(from, transitions(), nil)
	if err := m.Event(ctx, event); err != nil {
		if _, same := err.(fsm.NoTransitionError); same {
			return from, nil
		}
		return from, &assent.Error{Code: assent.CodeConflict, Err: err, Message: "The run does not allow that right now.",
			Details: map[string]any{"allowed": Allowed(from)}}
	}
	return m.Current(), nil
}

// personal are the events that a person may cause, in the order they are shown.
func personal() []assent.ControlAction {
	return []assent.ControlAction{assent.ControlPause, assent.ControlResume, assent.ControlContinue, assent.ControlHuman, assent.ControlRollback,
		assent.ControlExecute, assent.ControlCancel, assent.ControlUndo}
}

// eventOf is the event that an action causes.
func eventOf(a assent.ControlAction) string { return strings.ReplaceAll(string(a), "-", "_") }

// Allowed lists the actions that a run in a state takes.
func Allowed(state string) []string {
	m := fsm.NewFSM(state, transitions(), nil)
	out := []string{}
	for _, a := range personal() {
		if m.Can(eventOf(a)) {
			out = append(out, string(a))
		}
	}
	return out
}

// statusOf is the run status that a state stands for.
func statusOf(state string) assent.RunStatus {
	switch state {
	case statePaused:
		return assent.RunPaused
	case stateWaiting:
		return assent.RunWaitingHuman
	case stateCompleted:
		return assent.RunCompleted
	case stateFailed:
		return assent.RunFailed
	case stateCancelled:
		return assent.RunCancelled
	case stateUndone:
		return assent.RunUndone
	}
	return assent.RunRunning
}

// planStatusOf is the plan status that goes with a run status.
func planStatusOf(s assent.RunStatus) assent.PlanStatus { return assent.PlanStatus(s) }
