package rules

import "assent/internal/assent"

// waits reports a wish to wait: nothing runs, nothing is dropped.
func (m *understood) waits() bool {
	found := false
	for i := range m.clauses {
		c := &m.clauses[i]
		if c.assents() && c.has(yes|run|ack) {
			return false
		}
		found = found || c.delays()
	}
	return found
}

// delays reports a clause with a wish to wait, of which a time or a condition
// may only tell how long: "wait until Friday", but not "if you wait".
func (c *clause) delays() bool {
	for _, x := range c.pieces {
		if x.class&later != 0 {
			return true
		}
		if x.class&when != 0 {
			return false
		}
	}
	return false
}

// rejects reports a message that has nothing but a refusal in it, or that
// begins with one and orders nothing.
func (m *understood) rejects() bool {
	for i := range m.all {
		if p := &m.all[i]; p.unknown == 0 && p.lex.joined == m.best.lex.joined && p.refuses() {
			return true
		}
	}
	if m.refusesFirst() || m.refusesLast() {
		return true
	}
	p := m.best
	return !p.determines() && p.first()&(no|cancelRun) != 0 && !p.has(yes|ack|run|hedge|when|later) && !p.asks
}

// refusesFirst reports a message that begins with a whole refusal and then only
// says why, in whatever words: "drop it, I'll see to it myself".
func (m *understood) refusesFirst() bool {
	refused := false
	for i := range m.clauses {
		c := &m.clauses[i]
		switch {
		case m.foreign || c.asks || c.assents() || c.has(edits) && !c.has(no), c.joint == but && c.has(yes|run):
			return false
		case refused || c.idles():
		case c.holes == 0 && (&parsed{lex: m.best.lex, pieces: c.pieces, all: c.class}).refuses():
			refused = true
		default:
			return false
		}
	}
	return refused
}

// refusesLast reports a message that ends with a whole refusal behind words
// that only say why: "plans have changed, cancel it".
func (m *understood) refusesLast() bool {
	n := len(m.clauses) - 1
	for n > 0 && m.clauses[n].idles() {
		n--
	}
	if n < 1 || m.foreign {
		return false
	}
	for i := range m.clauses[:n] {
		c := &m.clauses[i]
		if c.asks || c.assents() && !c.idles() || c.has(edits|when|later|ask|polite|run|yes) && !c.has(no) {
			return false
		}
	}
	c := &m.clauses[n]
	return c.holes == 0 && c.joint != except && (&parsed{lex: m.best.lex, pieces: c.pieces, all: c.class}).refuses()
}

// contradicts reports a sign that says yes beside a no, or a sign that says no
// beside a yes: "looks good 👎". Which of them is meant cannot be known.
func (m *understood) contradicts() bool {
	for _, x := range m.best.pieces {
		if x.class == 0 || !m.tokens[x.from].isSign() {
			continue
		}
		if x.class&(yes|run) != 0 && m.best.has(no) || x.class&no != 0 && m.best.has(yes|run|ack|praise) {
			return true
		}
	}
	return false
}

// determines reports a "no" that belongs to the word after it ("no risks
// please"): that asks for less, and does not refuse the whole.
func (p *parsed) determines() bool {
	return len(p.pieces) > 1 && len(p.pieces) <= 4 && p.pieces[0].class&no != 0 && p.pieces[0].to-p.pieces[0].from == 1 && p.pieces[1].class&^(neutral|step) == 0 && p.pieces[1].kind == word
}

// refuses reports a message of which every word is refusal. Assent in it must
// be negated ("don't run it"), and only once ("don't not run it").
func (p *parsed) refuses() bool {
	if p.asks || p.all&^(assents|no|not|stop|cancelRun|but|except) != 0 || !p.has(no|not|stop|cancelRun) {
		return false
	}
	if p.has(but|except) && p.has(yes|ack|run|praise) {
		return false // "thanks, but no" refuses, "ok, but no" does not know
	}
	negated, refused := 0, false
	for _, x := range p.pieces {
		switch {
		case x.kind == mark:
			negated = 0
		case x.class&(no|stop|cancelRun) != 0:
			refused = true
			negated++
		case x.class&not != 0:
			negated++
			refused = refused || p.lex.joined && p.has(run|yes)
		case x.class&(yes|ack|run) != 0:
			if negated != 1 && !p.lex.joined {
				return false
			}
			refused = true
		}
	}
	return refused
}

func (m *understood) reject() (assent.Reading, bool) {
	r := assent.Reading{As: assent.ReadReject, Words: m.verbatim()}
	it, ok := m.pick(Waiting, WaitingHuman)
	switch {
	case !ok:
		r.As, r.Reason = assent.ReadUnclear, "Several plans wait, and your words do not say which one is meant."
		return r, true
	case m.s.AsksElse && !m.best.has(object|plan) && len(m.best.pieces) <= 2:
		r.As, r.Reason = assent.ReadUnclear, "This could answer the question above, or mean the plan. Which one is it?"
		return r, true
	}
	r.PlanID, r.Version, r.Counts = it.PlanID, it.Version, true
	if it.Kind == WaitingHuman {
		r.RunID = it.RunID
	}
	return r, true
}
