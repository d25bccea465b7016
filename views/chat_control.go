package views

import (
	"strings"

	"assent/internal/assent"
)

// control is something that can be done with a run by hand.
type control struct {
	action assent.ControlAction
	label  string
}

// controlsOf are the actions that a run takes now, in the order they are shown;
// design 03 §6. touched says that something was done which can be taken back,
// rolledBack that the run rests before a step that was taken back.
func controlsOf(status assent.RunStatus, touched, rolledBack bool) []control {
	back := []control{{assent.ControlRollback, "Take back the last step"}}
	undo := []control{{assent.ControlUndo, "Undo everything"}}
	if !touched {
		back, undo = nil, nil
	}
	cancel := control{assent.ControlCancel, "Cancel the run"}
	switch status {
	case assent.RunRunning:
		return []control{{assent.ControlPause, "Pause"}, cancel}
	case assent.RunPaused:
		on := control{assent.ControlResume, "Resume"}
		if rolledBack {
			on = control{assent.ControlExecute, "Run again from there"}
		}
		return append(append(append([]control{on}, back...), cancel), undo...)
	case assent.RunWaitingHuman:
		return append(append(back, cancel), undo...)
	case assent.RunFailed:
		return append(append([]control{{assent.ControlContinue, "Try again from there"}}, back...), undo...)
	case assent.RunCompleted:
		return append(back, undo...)
	case assent.RunCancelled:
		return undo
	}
	return nil
}

// controls are what can be done with a run now.
func (r *chatRun) controls() []control {
	if r == nil {
		return nil
	}
	return controlsOf(r.status, !r.untouched(), strings.HasPrefix(r.reason, "took back"))
}

// ControlLabel is what the button for an action says.
func ControlLabel(a assent.ControlAction) string {
	for _, st := range []assent.RunStatus{assent.RunRunning, assent.RunPaused, assent.RunFailed, assent.RunCompleted} {
		for _, rolledBack := range []bool{false, true} {
			for _, c := range controlsOf(st, true, rolledBack) {
				if c.action == a {
					return c.label
				}
			}
		}
	}
	if a == assent.ControlHuman {
		return "Answer"
	}
	return Words(string(a))
}

// answers are the replies to a run that waits for the person.
func (r *chatRun) answers() []string {
	out := []string{replyGoOn, replyStopHere}
	if r.interrupted() {
		out = append(out, replyDone)
	}
	return out
}

// Replies to a run that waits.
const (
	replyGoOn     = "Yes, go on"
	replyStopHere = "No, stop here"
	replyDone     = "It is done already"
)

// interrupted reports whether the run waits because nobody knows how much of a
// step happened, and not because the step itself asks.
func (r *chatRun) interrupted() bool {
	path, s := r.waiting()
	if s == nil {
		return false
	}
	switch st := r.step(path); st.Type {
	case assent.StepTool:
		return true
	case assent.StepAgent:
		return strings.Contains(r.asks(), "was interrupted")
	}
	return false
}

// asks is the question on which the run waits.
func (r *chatRun) asks() string {
	path, s := r.waiting()
	switch {
	case r.reason != "":
		return r.reason
	case s != nil && s.summary != "":
		return s.summary
	case s != nil && r.step(path).Prompt != "":
		return r.step(path).Prompt
	}
	return "The run waits for your answer."
}

// step is the step of the plan at a path.
func (r *chatRun) step(path string) (out assent.Step) {
	if v := r.plan.version(r.version); v != nil {
		eachStep(v.steps, "", func(at string, st assent.Step) {
			if at == path {
				out = st
			}
		})
	}
	return out
}
