package rules

import "assent/internal/assent"

// control reads control words for what runs, is paused, has failed or can be
// undone. Every word must be understood, as with an approval.
func (m *understood) control() (assent.Reading, bool) {
	for i := range m.all {
		p := &m.all[i]
		if p.unknown > 0 || p.has(not|hedge|when|ask|but) || p.asks && !(p.has(polite) && p.has(please)) {
			continue
		}
		c, refuses := controlOf(p)
		if c == 0 {
			continue
		}
		if r, ok := m.act(c, refuses); ok {
			r.As, r.Words = assent.ReadControl, m.verbatim()
			return r, true
		}
	}
	return assent.Reading{}, false
}

// controlOf is what every control word of a message that holds nothing else can
// mean; refuses tells that they could refuse a plan as well.
func controlOf(p *parsed) (found class, refuses bool) {
	for _, x := range p.pieces {
		c := x.class & (controls | later)
		switch {
		case x.kind == number && x.class == 0:
			return 0, false
		case c != 0:
			if found == 0 {
				found = c
			} else if found &= c; found == 0 {
				return 0, false
			}
			refuses = refuses || x.class&no != 0
		case x.kind == mark, x.kind == question:
		case x.class&^(idle|yes|ack|polite) != 0:
			return 0, false
		}
	}
	return found, refuses
}

// act finds what control words are about, the narrowest first.
func (m *understood) act(c class, refuses bool) (assent.Reading, bool) {
	waiting := m.s.any(Waiting)
	for _, try := range []struct {
		class  class
		ok     bool
		action assent.ControlAction
		kinds  []ItemKind
	}{
		{undoStep, true, assent.ControlRollback, []ItemKind{Paused, WaitingHuman, Undoable, Failed}},
		{undoAll, true, assent.ControlUndo, []ItemKind{Running, Paused, WaitingHuman, Undoable, Failed}},
		{pause, true, assent.ControlPause, []ItemKind{Running}},
		{resume, !waiting, assent.ControlResume, []ItemKind{Paused}},
		{again, !waiting, assent.ControlExecute, []ItemKind{Paused}},
		{resume | again, !waiting && !m.s.any(WaitingHuman), assent.ControlContinue, []ItemKind{Failed}},
		{cancelRun, !waiting || !refuses, assent.ControlCancel, []ItemKind{Running, Paused, WaitingHuman}},
		{stop, true, assent.ControlCancel, []ItemKind{Running}},
		{stop | cancelRun, m.s.TurnRunning && (!waiting || c&stop != 0), assent.ControlStop, nil},
		{later, !waiting, assent.ControlPause, []ItemKind{Running}},
	} {
		if c&try.class == 0 || !try.ok {
			continue
		}
		if try.kinds == nil {
			return assent.Reading{Action: try.action, Counts: true}, true
		}
		if !m.s.any(try.kinds...) {
			continue
		}
		it, ok := m.pick(try.kinds...)
		if !ok {
			return assent.Reading{Action: try.action, Reason: "Your words do not say which plan is meant."}, true
		}
		return assent.Reading{Action: try.action, PlanID: it.PlanID, Version: it.Version, RunID: it.RunID, Counts: true}, true
	}
	return assent.Reading{}, false
}
