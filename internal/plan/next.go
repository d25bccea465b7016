package plan

import "assent/internal/assent"

// State is what Next decides on: the approved document and the journal.
type State struct {
	Document assent.PlanDocument
	Run      assent.Run // with Steps, in order of position
	Held     bool       // the run must not write yet (not_before lies ahead)
}

// Command is one thing that Drive is told to do.
type Command interface{ command() }

// Begin runs step Index of the document, once more if it was interrupted.
type Begin struct {
	Index       int
	Interrupted bool
}

// Hold waits until the run's not_before.
type Hold struct{}

// Finish ends the run: completed when every step succeeded.
type Finish struct{ Status assent.RunStatus }

// Rest means that there is nothing to do until a person acts.
type Rest struct{}

func (Begin) command()  {}
func (Hold) command()   {}
func (Finish) command() {}
func (Rest) command()   {}

// Next decides what comes next. It is pure: no clock, randomness, I/O or map
// order (design 01).
func Next(s State) []Command {
	if s.Run.Status != assent.RunRunning {
		return []Command{Rest{}}
	}
	if s.Held {
		return []Command{Hold{}}
	}
	for i, step := range s.Run.Steps {
		switch step.Status {
		case assent.StepSuccess:
			continue
		case assent.StepPending:
			return []Command{Begin{Index: i}}
		case assent.StepRunning:
			return []Command{Begin{Index: i, Interrupted: true}}
		default:
			return []Command{Finish{Status: assent.RunFailed}}
		}
	}
	return []Command{Finish{Status: assent.RunCompleted}}
}
