package rules

import "assent/internal/assent"

// control reads control words for what runs, is paused or can be undone. Every
// word must be understood, as with an approval.
func (m understood) control() (assent.Reading, bool) {
	for _, p := range m.all {
		if p.unknown > 0 || p.asks || len(p.numbers) > 0 || p.has(not, hedge, later, when) {
			continue
		}
		c := controlClass(p)
		if c == 0 {
			continue
		}
		if r, ok := m.act(c); ok {
			r.As, r.Words = assent.ReadControl, m.verbatim()
			return r, true
		}
	}
	return assent.Reading{}, false
}

// controlClass is the one control word of a message that holds nothing else.
func controlClass(p parsed) class {
	found := class(0)
	for _, x := range p.pieces {
		switch {
		case x.class >= stop && x.class <= cancelRun:
			if found != 0 && found != x.class {
				return 0
			}
			found = x.class
		case x.class == run && found == 0 && p.lex.resumes[x.text]:
			found = resume
		case x.class == no && isCancel(x.text):
			found = cancelRun
		case x.class == object, x.class == courtesy, x.class == filler, x.class == yes:
		default:
			return 0
		}
	}
	return found
}

// isCancel reports refusals that cancel a run where one is under way.
func isCancel(text string) bool { return contains(english().words[cancelRun], text) }

// act finds what a control word is about.
func (m understood) act(c class) (assent.Reading, bool) {
	on := func(a assent.ControlAction, kinds ...ItemKind) (assent.Reading, bool) {
		items := m.items(kinds...)
		if len(items) == 0 {
			return assent.Reading{}, false
		}
		it, ok := m.pick(items)
		r := assent.Reading{Action: a, PlanID: it.PlanID, Version: it.Version, RunID: it.RunID, Counts: ok}
		if !ok {
			r.Reason = "Your words do not say which plan is meant."
		}
		return r, true
	}
	switch c {
	case stop:
		if r, ok := on(assent.ControlCancel, Running); ok {
			return r, true
		}
		return assent.Reading{Action: assent.ControlStop, Counts: m.s.TurnRunning}, m.s.TurnRunning
	case pause:
		return on(assent.ControlPause, Running)
	case resume:
		if r, ok := on(assent.ControlResume, Paused); ok {
			return r, true
		}
		return assent.Reading{}, false
	case cancelRun:
		if len(m.items(Waiting)) > 0 {
			return assent.Reading{}, false // it is the plan that is meant
		}
		return on(assent.ControlCancel, Running, Paused, WaitingHuman)
	case undoAll:
		return on(assent.ControlUndo, Running, Paused, WaitingHuman, Undoable)
	case undoStep:
		return on(assent.ControlRollback, Paused, WaitingHuman, Undoable)
	}
	return assent.Reading{}, false
}
