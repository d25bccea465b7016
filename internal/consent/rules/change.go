package rules

import (
	"slices"
	"strings"

	"assent/internal/assent"
)

// edit is a clause that changes the plan, with those of a list that belong to it.
type edit struct {
	clause      int
	first, last int // of the list
	op          string
	steps       []string
	unsure      bool // steps are named, and nobody can tell which
	borders     []int
}

// edits finds the clauses that change what waits.
func (m *understood) edits(it Item) []edit {
	var out []edit
	for i := 0; i < len(m.clauses); i++ {
		e, ok := m.edit(i, it)
		if !ok {
			continue
		}
		switch {
		case e.op == opSet:
			e = m.together(e, it)
		case e.op == opRemove:
			e = m.gather(e, it, out)
			out = slices.DeleteFunc(out, func(o edit) bool { return o.first >= e.first })
		}
		out = append(out, e)
		i = e.last
	}
	return out
}

// The ops of changes.
const (
	opRemove = "remove"
	opSet    = "set"
	opAdd    = "add"
)

// edit reads one clause.
func (m *understood) edit(i int, it Item) (e edit, ok bool) {
	c := &m.clauses[i]
	e = edit{clause: i, first: i, last: i}
	switch {
	case c.asks && !c.has(polite):
		return e, false
	case m.leftOut(c, it):
		e.op = opRemove
		e.take(m.choose(i, i, it, c.has(step|except)))
	case c.unwanted():
		return e, false // a change that is not wanted
	case c.has(remove | except):
		e.op = opRemove
		if e.take(m.choose(i, i, it, true)); len(e.steps) == 0 && !e.unsure && c.holes == 0 && !m.continues(i+1, it) {
			return m.before(e, it) // "without" what
		}
	case c.has(add):
		e.op = opAdd
	case c.has(set), c.has(limit) && m.amount(c):
		e.op, e.steps = opSet, m.subject(c, it)
	case m.part(c, it):
		e.op, e.steps = opSet, m.steps(c, it, c.has(step) || c.has(only))
	case c.opens(only) && !c.has(when|hedge|later|ask) && (c.holes > 0 || c.has(date)):
		e.op = opSet
	case c.joint == but && c.has(date) && !c.has(when|hedge|later|no|not):
		e.op = opSet
	default:
		return e, false
	}
	return e, true
}

func (e *edit) take(c choice) { e.steps, e.unsure, e.borders = c.ids, c.unsure, c.borders }

// hesitates reports a condition, a doubt or a delay, but for words that only
// part the steps of an edit from others ("everything after 3").
func (m *understood) hesitates(edits []edit) bool {
	for _, x := range m.best.pieces {
		if x.class&(when|hedge|later|preview) == 0 {
			continue
		}
		if !slices.ContainsFunc(edits, func(e edit) bool {
			for i := x.from; i < x.to; i++ {
				if !slices.Contains(e.borders, i) {
					return false
				}
			}
			return true
		}) {
			return true
		}
	}
	return false
}

// before takes what is left out from the clause before: "the document isn't
// needed, take it out".
func (m *understood) before(e edit, it Item) (edit, bool) {
	if e.first == 0 {
		return e, false
	}
	c := &m.clauses[e.first-1]
	if c.asks || c.has(yes|ack|run|edits|hedge|when|later) || c.holes == 0 {
		return e, false
	}
	e.take(m.choose(e.first-1, e.first-1, it, false))
	if len(e.steps) == 0 && !e.unsure && m.clauses[e.clause].has(no) {
		return e, false // "sorry, but no"
	}
	if e.unsure || len(e.steps) > 1 {
		e.steps, e.unsure = nil, true
	}
	e.first--
	return e, true
}

// subject is the one step that a clause sets something of: the first that it
// names, as in "step 5 should come before step 4".
func (m *understood) subject(c *clause, it Item) []string {
	for i, x := range c.pieces {
		if x.kind == number && i > 0 && c.pieces[i-1].class&step != 0 {
			if id, ok := numbered(it, m.tokens[x.from].text); ok {
				return []string{id}
			}
		}
	}
	found := m.steps(c, it, false)
	return found[:min(len(found), 1)]
}

// gather adds to a removal the clauses before and behind it that go on with its
// list: "2, 3 and 5".
func (m *understood) gather(e edit, it Item, before []edit) edit {
	floor := 0
	if len(before) > 0 {
		floor = before[len(before)-1].last + 1
	}
	for e.last+1 < len(m.clauses) && m.continues(e.last+1, it) {
		e.last++
	}
	for e.first > floor && m.joins(e.first) && m.lists(e.first-1, it) {
		e.first--
	}
	if e.first < e.last {
		e.take(m.choose(e.first, e.last, it, true))
	}
	return e
}

// together adds the other steps of "put steps 2 and 3 in April": a list whose
// value stands behind its end.
func (m *understood) together(e edit, it Item) edit {
	if len(e.steps) == 0 || m.clauses[e.first].has(date|limit) {
		return e
	}
	for last := e.last + 1; last < len(m.clauses) && m.continues(last, it); last++ {
		if !m.clauses[last].has(date) {
			continue
		}
		if found := m.choose(e.first, last, it, true); !found.unsure && len(found.ids) > 1 {
			e.last, e.steps = last, found.ids
		}
		return e
	}
	return e
}

// joins reports a clause that stands behind the one before it as a list does.
func (m *understood) joins(i int) bool {
	before := m.clauses[i-1].pieces
	from, to := before[len(before)-1].to, m.clauses[i].pieces[0].from
	for k := from; k < to; k++ {
		if m.tokens[k].kind == mark && !strings.Contains(",、&", m.tokens[k].text) {
			return false
		}
	}
	return to > from
}

// continues reports a clause that only names steps: "3" of "3 and 4".
func (m *understood) continues(i int, it Item) bool {
	return i < len(m.clauses) && m.joins(i) && m.lists(i, it)
}

// lists reports a clause of nothing but names of steps.
func (m *understood) lists(i int, it Item) bool {
	c := &m.clauses[i]
	if c.asks || c.class&^(step|ordinal|filler|object|please|neutral|when|date|rest) != 0 {
		return false
	}
	found := m.choose(i, i, it, true)
	return found.named || len(found.ids) > 0 && c.holes <= len(found.ids)
}

// leftOut reports a step that is not to be done: "don't do step 4", "no
// invitations".
func (m *understood) leftOut(c *clause, it Item) bool {
	if !c.has(no|not) || c.has(remove|add|set|later|hedge|ask|only) || !m.excludes(c) {
		return false
	}
	found := m.chosen(c, it, false)
	if len(found.ids) > 0 && m.beside(c, it, found.ids) > len(found.ids) { // it says something about the step instead
		return false
	}
	if c.has(when) && len(found.borders) == 0 {
		return false
	}
	return len(found.ids) > 0 || found.named && found.unsure
}

// beside counts the words of a clause that nobody understands and that stand in
// no name of the steps given.
func (m *understood) beside(c *clause, it Item, ids []string) (count int) {
	names := map[string]bool{}
	for _, st := range it.Steps {
		if slices.Contains(ids, st.ID) {
			words, _ := tokens(st.Label)
			for _, w := range words {
				names[w.text] = true
			}
		}
	}
	for _, x := range c.pieces {
		if x.kind == word && x.class == 0 && !names[m.tokens[x.from].text] {
			count++
		}
	}
	return count
}

// excludes reports a clause whose one negation stands before all else, or behind
// it after a but ("aber Schritt 3 nicht"): "the contract is not signed" tells how
// things stand. Where words are not set apart the place says nothing.
func (m *understood) excludes(c *clause) bool {
	if m.best != nil && m.best.lex.joined {
		return true
	}
	count, first, last := 0, -1, -1
	for i, x := range c.pieces {
		if x.class&(no|not) != 0 {
			if count++; first < 0 {
				first = i
			}
			last = i
		}
	}
	for first > 0 && c.pieces[first-1].class != 0 && c.pieces[first-1].class&^(please|but|and) == 0 {
		first--
	}
	return count == 1 && (first == 0 || c.joint&(but|except) != 0 && last == len(c.pieces)-1)
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
	case agreed && (m.hesitates(edits) || m.foreign && !m.quotesValues(edits)):
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
		c := &m.clauses[e.clause]
		for i := e.first; i <= e.last; i++ {
			isEdit[i] = true
		}
		vague[e.clause] = e.unsure || len(e.steps) == 0 && (e.op == opRemove && !m.reserves(c) || c.opens(only) && !c.has(date))
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
		if e.op != opAdd || len(e.steps) > 0 {
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
		words := m.words(&m.clauses[e.first], &m.clauses[e.last])
		if len(e.steps) == 0 {
			out = append(out, assent.Change{Op: e.op, Words: words})
		}
		for _, s := range e.steps {
			out = append(out, assent.Change{Op: e.op, Step: s, Words: words})
		}
	}
	return out
}

// words are the words of clauses as they stand in the message.
func (m *understood) words(from, to *clause) string {
	first, last := from.pieces[0], to.pieces[len(to.pieces)-1]
	return m.message[m.tokens[first.from].start:m.tokens[last.to-1].end]
}
