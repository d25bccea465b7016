package rules

import (
	"strings"

	"assent/internal/assent"
)

// edit is a clause that changes the plan.
type edit struct {
	clause int
	op     string
	steps  []string
}

// edits finds the clauses that change what waits.
func (m *understood) edits(it Item) []edit {
	var out []edit
	for i := range m.clauses {
		c := &m.clauses[i]
		e := edit{clause: i}
		follows := len(out) > 0 && out[len(out)-1].clause == i-1
		switch {
		case follows && m.listed(c, it):
			last := out[len(out)-1] // "3 and 4"
			e.op, e.steps = last.op, m.steps(c, it, true)
		case c.asks && !c.has(polite):
			continue
		case m.leftOut(c, it):
			e.op, e.steps = "remove", m.steps(c, it, c.has(step|except))
		case c.unwanted():
			continue // a change that is not wanted
		case c.has(remove | except):
			e.op, e.steps = "remove", m.steps(c, it, true)
			if len(e.steps) == 0 && c.holes == 0 {
				continue // "without" what
			}
			if i > 0 && c.joint == and && len(out) < i && m.listed(&m.clauses[i-1], it) {
				out = append(out, edit{i - 1, e.op, m.steps(&m.clauses[i-1], it, true)})
			}
		case c.has(add):
			e.op = "add"
		case c.has(set), c.has(limit) && m.amount(c):
			if e.op, e.steps = "set", m.steps(c, it, false); len(e.steps) > 1 {
				e.steps = e.steps[:1]
			}
		case m.part(c, it):
			e.op, e.steps = "set", m.steps(c, it, c.has(step) || c.has(only))
		case c.opens(only) && !c.has(when|hedge|later|ask) && (c.holes > 0 || c.has(date)):
			e.op = "set"
		case c.joint == but && c.has(date) && !c.has(when|hedge|later|no|not):
			e.op = "set"
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}

// listed reports a clause that only names steps: "3" of "3 and 4".
func (m *understood) listed(c *clause, it Item) bool {
	return c.class&^(step|ordinal|filler|object|please) == 0 && c.holes == 0 && len(m.steps(c, it, true)) > 0
}

// leftOut reports a step that is not to be done: "don't do step 4", "no
// invitations".
func (m *understood) leftOut(c *clause, it Item) bool {
	return c.has(no|not) && !c.has(remove|add|set|later|when|hedge|ask) && len(m.steps(c, it, false)) > 0
}

// part reports an order for some of the steps: "just do step 1".
func (m *understood) part(c *clause, it Item) bool {
	return c.has(run|only) && !c.has(no|not|ask) && len(m.steps(c, it, c.has(only))) > 0
}

// amount reports a clause that names a number.
func (m *understood) amount(c *clause) bool {
	for _, x := range c.pieces {
		if x.kind == number || x.class&(ordinal|date) != 0 {
			return true
		}
	}
	return false
}

// change reads a message that changes what waits; ok is false where none is
// asked for.
func (m *understood) change() (r assent.Reading, sure, ok bool) {
	if first := m.best.first(); first&ask != 0 && first&polite == 0 || m.best.lex.joined && m.best.has(ask) && !m.best.has(polite) {
		return r, false, false
	}
	it, clear := m.pick(Waiting)
	edits := m.edits(it)
	if len(edits) == 0 {
		return r, false, false
	}
	r = assent.Reading{As: assent.ReadChange, Words: m.verbatim()}
	agreed, strict := m.agrees(edits)
	switch {
	case !agreed && m.orders(edits):
		return assent.Reading{As: assent.ReadUnrelated, Words: m.verbatim()}, true, true
	case agreed && (m.best.has(when|hedge|later|preview) || m.foreign && !m.quotesValues(edits)):
		r.As = assent.ReadUnclear
		return r, false, true
	case agreed && strict:
		r.As = assent.ReadApproveWithChanges
	}
	if !clear {
		r.As, r.Reason = assent.ReadUnclear, "Several plans wait, and your words do not say which one is meant."
		return r, true, true
	}
	r.PlanID, r.Version, r.Counts = it.PlanID, it.Version, true
	r.Changes = m.changes(edits)
	return r, true, true
}

// agrees reports whether a message with changes also says to go ahead; strict,
// that beside changes it says nothing else, and that what is left out is a step
// of the plan. "Go ahead and change it" only changes it.
func (m *understood) agrees(edits []edit) (agreed, strict bool) {
	isEdit, vague := map[int]bool{}, map[int]bool{}
	for _, e := range edits {
		isEdit[e.clause] = true
		c := &m.clauses[e.clause]
		vague[e.clause] = len(e.steps) == 0 && (e.op == "remove" && !m.reserves(c) || c.opens(only) && !c.has(date))
	}
	strict = true
	for i := range m.clauses {
		c := &m.clauses[i]
		light := i+1 < len(m.clauses) && m.clauses[i+1].joint == and && isEdit[i+1] && !c.has(yes|ack|praise)
		switch {
		case isEdit[i]:
			agreed = agreed || c.allBut() && !vague[i]
			strict = strict && !vague[i]
		case c.assents() && !light:
			agreed = true
		case c.has(no):
			return false, false
		case !c.idles() && !c.assents():
			strict = false
		}
	}
	return agreed, strict
}

// reserves reports an approval's reservation about something that it names in
// words which no step bears: "but without the fireworks". What cannot be found
// in the plan is not carried over, so it may stand beside a yes.
func (m *understood) reserves(c *clause) bool {
	if c.joint&(but|except) == 0 && !c.opens(except) {
		return false
	}
	joined := 0
	for _, x := range c.pieces {
		if x.class&^neutral != 0 || x.kind != word {
			continue
		}
		n := m.tokens[x.to-1].end - m.tokens[x.from].start
		if joined += n; n > 4 || m.best.lex.joined && joined > 4 {
			return true
		}
	}
	return false
}

// orders reports an order of its own, beside the plan that waits: it adds a
// thing, wants to see a plan of that first, and refers to nothing that waits.
func (m *understood) orders(edits []edit) bool {
	if !m.best.has(preview) || m.best.has(rest|again) {
		return false
	}
	for _, t := range m.tokens {
		if m.known.has(t.text) && !m.common(t.text) {
			return false
		}
	}
	for _, e := range edits {
		if e.op != "add" || len(e.steps) > 0 {
			return false
		}
	}
	return true
}

// longestValue is how long a quotation may be that names a value, in bytes.
const longestValue = 120

// quotesValues reports whether all that is not the person's own are values in
// quotation marks, each beside the words that set it: rename it to "Leith".
func (m *understood) quotesValues(edits []edit) bool {
	left := 0
	for _, t := range m.tokens {
		if t.kind == foreign {
			left++
		}
	}
	for _, e := range edits {
		c := &m.clauses[e.clause]
		for _, x := range c.pieces {
			if x.kind == foreign && c.has(set|add) && m.quoted(m.tokens[x.from]) {
				left--
			}
		}
	}
	return left == 0
}

// quoted reports a short quotation on one line.
func (m *understood) quoted(t token) bool {
	text := m.message[t.start:t.end]
	if len(text) > longestValue || strings.ContainsRune(text, '\n') {
		return false
	}
	for _, q := range quotes {
		if strings.HasPrefix(text, q.open) && strings.HasSuffix(text, q.close) && len(text) > len(q.open)+len(q.close) {
			return true
		}
	}
	return len(text) > 2 && text[0] == '\'' && text[len(text)-1] == '\''
}

// changes lists what each clause asks for, in the message's own words.
func (m *understood) changes(edits []edit) []assent.Change {
	var out []assent.Change
	for _, e := range edits {
		words := m.words(&m.clauses[e.clause])
		if len(e.steps) == 0 {
			out = append(out, assent.Change{Op: e.op, Words: words})
		}
		for _, s := range e.steps {
			out = append(out, assent.Change{Op: e.op, Step: s, Words: words})
		}
	}
	return out
}

// words are the words of a clause as they stand in the message.
func (m *understood) words(c *clause) string {
	first, last := c.pieces[0], c.pieces[len(c.pieces)-1]
	return m.message[m.tokens[first.from].start:m.tokens[last.to-1].end]
}
