package plan

import "assent/internal/assent"

// State is what Next decides on: the approved document and the journal.
type State struct {
	Document assent.PlanDocument
	Run      assent.Run // with Steps, in order of position
	Held     bool       // the run must not write yet (not_before lies ahead)
	// Unsafe are the paths of steps that may not simply run once more when they
	// were interrupted: nobody knows how much of them happened.
	Unsafe map[string]bool
}

// Command is one thing that Drive is told to do.
type Command interface{ command() }

// Begin runs a step, once more if it was interrupted.
type Begin struct {
	Path        string
	Interrupted bool
}

// Open begins a parallel step.
type Open struct{ Path string }

// Fork runs children of a parallel step side by side.
type Fork struct {
	Path   string
	Begins []Begin
}

// Merge ends a parallel step of which every child has ended.
type Merge struct{ Path string }

// Ask lets the run wait for a person's word on a step.
type Ask struct{ Path string }

// Hold waits until the run's not_before.
type Hold struct{}

// Finish ends the run: completed when every step succeeded.
type Finish struct{ Status assent.RunStatus }

// Rest means that there is nothing to do until a person acts.
type Rest struct{}

func (Begin) command()  {}
func (Open) command()   {}
func (Fork) command()   {}
func (Merge) command()  {}
func (Ask) command()    {}
func (Hold) command()   {}
func (Finish) command() {}
func (Rest) command()   {}

// Next decides what comes next. It is pure: no clock, randomness, I/O or map
// order (design 01).
func Next(s State) Command {
	if s.Run.Status != assent.RunRunning {
		return Rest{}
	}
	if s.Held {
		return Hold{}
	}
	rows := byPath(s.Run.Steps)
	for _, st := range s.Document.Steps {
		if cmd := s.next(st, rows); cmd != nil {
			return cmd
		}
	}
	return Finish{Status: assent.RunCompleted}
}

// next decides about one top-level step; nil: it is done.
func (s State) next(st assent.Step, rows map[string]assent.StepRun) Command {
	status := rows[st.ID].Status
	switch {
	case status == assent.StepSuccess:
		return nil
	case st.Type == assent.StepParallel && status == assent.StepPending:
		return Open{Path: st.ID}
	case st.Type == assent.StepParallel && status == assent.StepRunning:
		return s.children(st, rows)
	case status == assent.StepPending:
		return Begin{Path: st.ID}
	case status == assent.StepRunning && s.Unsafe[st.ID], status == assent.StepWaitingHuman:
		return Ask{Path: st.ID}
	case status == assent.StepRunning:
		return Begin{Path: st.ID, Interrupted: true}
	}
	return Finish{Status: assent.RunFailed}
}

// children decides about the children of a parallel step under way. Those that
// can run go first; only then a failure ends the step, or a question is asked.
func (s State) children(st assent.Step, rows map[string]assent.StepRun) Command {
	var begins []Begin
	ask, failed := "", false
	for _, child := range st.Steps {
		path := st.ID + "/" + child.ID
		switch status := rows[path].Status; {
		case status == assent.StepPending:
			begins = append(begins, Begin{Path: path})
		case status == assent.StepWaitingHuman, status == assent.StepRunning && s.Unsafe[path]:
			if ask == "" {
				ask = path
			}
		case status == assent.StepRunning:
			begins = append(begins, Begin{Path: path, Interrupted: true})
		case status != assent.StepSuccess:
			failed = true
		}
	}
	switch {
	case len(begins) > 0:
		return Fork{Path: st.ID, Begins: begins}
	case ask != "" && !failed:
		return Ask{Path: ask}
	}
	return Merge{Path: st.ID}
}

func byPath(steps []assent.StepRun) map[string]assent.StepRun {
	out := make(map[string]assent.StepRun, len(steps))
	for _, sr := range steps {
		out[sr.Path] = sr
	}
	return out
}
