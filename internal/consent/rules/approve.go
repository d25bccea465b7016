package rules

import (
	"strconv"

	"assent/internal/assent"
)

// approves gives the language in which a message is an approval: one that
// understands every word as assent, unless another one that understands every
// word sees a refusal, a doubt or something else in it. A reason beside an order
// in words that nobody knows is not read over: it may take the order back.
func (m *understood) approves() *parsed {
	var found *parsed
	for i := range m.all {
		p := &m.all[i]
		if p.unknown > 0 || p.asks {
			continue
		}
		if p.has(no|later|not|hedge) || p.speaks() {
			return nil
		}
		if found == nil && (p.foul == 0 || p.requests()) && !p.has(rest) && p.strong() && m.versionsOnly(p) {
			found = p
		}
	}
	return found
}

// speaks reports words that say something but no assent. One small word beside
// assent is no sign of that: "vamos lá" is a whole order, though Spanish, which
// shares its verb, sees an article in it.
func (p *parsed) speaks() bool {
	if !p.has(neutral) || p.lex.joined {
		return false
	}
	count := 0
	for _, x := range p.pieces {
		if x.class&neutral != 0 {
			count++
		}
	}
	return len(p.pieces) > 1 && (count > 1 || p.foul != neutral || !p.has(yes|run))
}

// strong reports assent that stands for itself: a yes, an order, praise of the
// plan, or an ok that does not merely say thanks.
func (p *parsed) strong() bool {
	return p.has(run|praise|resume) || p.has(yes) && !p.has(seen) || p.has(ack) && !p.has(thanks|seen)
}

// requests reports an order put politely: "could you run it please". Without
// the please it may as well ask whether that is possible.
func (p *parsed) requests() bool { return p.foul == polite && p.has(run) && p.has(please) }

// versionsOnly reports whether numbers in the message name a version.
func (m *understood) versionsOnly(p *parsed) bool {
	count := 0
	for i, x := range p.pieces {
		if x.kind != number {
			continue
		}
		count++
		beside := i > 0 && m.isVersion(p.pieces[i-1]) || i+1 < len(p.pieces) && m.isVersion(p.pieces[i+1])
		if !beside || count > 1 {
			return false
		}
	}
	return true
}

// version holds the words for a version, folded.
var version = setOf("v version versions fassung versione versao versie wersja wersje wersji 版 本 ン")

func (m *understood) isVersion(x piece) bool {
	return x.class != 0 && (version[m.tokens[x.to-1].text] || version[m.tokens[x.from].text])
}

// names reports whether the message names the plan, by its word or its title.
func (m *understood) names(p *parsed) bool {
	if p.has(plan) {
		return true
	}
	d := lexicons()
	for _, t := range m.tokens {
		if node, ok := p.lex.edges[edgeOf(0, d.words[t.text])]; ok && p.lex.classes[node]&plan != 0 && d.words[t.text] != 0 {
			return true
		}
	}
	return false
}

// number gives the version that the message names.
func (m *understood) number(p *parsed) string {
	for _, x := range p.pieces {
		if x.kind == number {
			return m.tokens[x.from].text
		}
	}
	return ""
}

func (m *understood) approve(p *parsed) (assent.Reading, bool) {
	r := assent.Reading{As: assent.ReadApprove, Words: m.verbatim()}
	unclear := func(reason string) (assent.Reading, bool) {
		r.As, r.Reason = assent.ReadUnclear, reason
		return r, true
	}
	it, ok := m.pick(Waiting, WaitingHuman)
	n := m.number(p)
	switch {
	case !ok:
		return unclear("Several plans wait, and your words do not say which one is meant.")
	case it.Kind == Waiting && !p.has(yes|run|praise|ack):
		r.As = assent.ReadUnclear
		return r, false // "resume": nothing was begun
	case m.s.AsksElse && !m.names(p):
		return unclear("This could answer the question above, or mean the plan. Which one is it?")
	case n != "" && n != strconv.FormatInt(it.Version, 10):
		return unclear("Version " + n + " is not the one that waits; that is version " + strconv.FormatInt(it.Version, 10) + ".")
	case !it.Seen:
		r.PlanID, r.Version = it.PlanID, it.Version
		return unclear("There is a newer version that you had not seen when you wrote this.")
	}
	r.PlanID, r.Version, r.Counts = it.PlanID, it.Version, true
	if it.Kind == WaitingHuman {
		r.RunID = it.RunID
	}
	return r, true
}
