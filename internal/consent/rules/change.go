package rules

import (
	"regexp"
	"strings"

	"assent/internal/assent"
)

// edits reports a message that asks for a change of what waits.
func (m understood) edits() bool {
	p := m.best
	if p.asks && !p.has(yes, run) {
		return false
	}
	return p.has(remove, add, set) && p.first() != ask
}

func (m understood) change(waiting []Item) assent.Reading {
	r := assent.Reading{As: assent.ReadChange, Words: m.verbatim()}
	if m.ordersToo() && !m.best.has(no, hedge, when, later) {
		r.As = assent.ReadApproveWithChanges
	}
	it, ok := m.pick(waiting)
	if !ok {
		r.As, r.Reason = assent.ReadUnclear, "Several plans wait, and your words do not say which one is meant."
		return r
	}
	r.PlanID, r.Version, r.Counts = it.PlanID, it.Version, true
	r.Changes = m.changes(it)
	return r
}

// ordersToo reports that a message with changes also says to go ahead: by a
// word of assent, or by an order in a clause of its own.
func (m understood) ordersToo() bool {
	if m.best.has(yes, praise) {
		return true
	}
	for _, line := range m.lines {
		for _, clause := range clauseEnd.Split(line, -1) {
			p := m.best.lex.parse(tokens(fold(clause)), titles{})
			if p.has(run) && p.only(run, object, courtesy, filler) {
				return true
			}
		}
	}
	return false
}

var (
	clauseEnd = regexp.MustCompile(`[,.;!\n、。，；]+|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar|i|ale)\s`)
	digits    = regexp.MustCompile(`\d+(\.\d+)?`)
)

// changes lists what each clause asks for, in the message's own words.
func (m understood) changes(it Item) []assent.Change {
	var out []assent.Change
	for _, line := range m.lines {
		for _, clause := range clauseEnd.Split(line, -1) {
			clause = strings.TrimSpace(clause)
			if clause == "" || !strings.Contains(m.message, clause) {
				continue
			}
			p := m.best.lex.parse(tokens(fold(clause)), titles{})
			op := ""
			switch {
			case p.has(remove):
				op = "remove"
			case p.has(add):
				op = "add"
			case p.has(set):
				op = "set"
			}
			if op != "" {
				out = append(out, assent.Change{Op: op, Step: stepOf(clause, it), Words: clause})
			}
		}
	}
	return out
}

// stepOf finds the step that a clause names by number or by its words.
func stepOf(clause string, it Item) string {
	for _, n := range digits.FindAllString(clause, -1) {
		for _, s := range it.Steps {
			if s.Number == n {
				return s.ID
			}
		}
	}
	words := map[string]bool{}
	for _, t := range tokens(fold(clause)) {
		words[stem(t.text)] = true
	}
	found, most := "", 0
	for _, s := range it.Steps {
		n := 0
		for _, t := range tokens(fold(s.Label + " " + s.Tool)) {
			if len(t.text) > 3 && words[stem(t.text)] {
				n++
			}
		}
		if n > most {
			found, most = s.ID, n
		}
	}
	return found
}

// stem drops a plural ending, so that "invitations" finds "invitation".
func stem(w string) string { return strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e") }
