package rules

import (
	"strconv"
	"strings"
	"unicode"

	"assent/internal/assent"
)

// ByRules marks a reading that these rules made.
const byRules = "rules"

// Read reads a message. sure is false where the rules leave it to a model: the
// reading is then unclear, and without a reason.
func Read(message string, s Situation) (r assent.Reading, sure bool) {
	lines, cut := own(message)
	text := fold(strings.Join(lines, "\n"))
	ts := tokens(text)
	if len(ts) == 0 {
		return assent.Reading{As: assent.ReadUnrelated, By: byRules}, true
	}
	known := titlesOf(s)
	all := make([]parsed, len(lexicons))
	for i, x := range lexicons {
		all[i] = x.parse(ts, known)
	}
	m := understood{message: message, lines: lines, cut: cut, all: all, best: best(all, hasEastern(text)), s: s, words: len(ts)}
	r, sure = m.read()
	r.By = byRules
	return r, sure
}

// understood is a message read by every lexicon.
type understood struct {
	message string
	lines   []string
	cut     bool
	all     []parsed
	best    parsed
	s       Situation
	words   int
}

// best is the lexicon that knows most of the message, among those of its script.
func best(all []parsed, eastern bool) parsed {
	var out parsed
	for _, p := range all {
		if eastern && !p.lex.joined {
			continue
		}
		if out.lex.name == "" || p.unknown < out.unknown || p.unknown == out.unknown && weight(p) > weight(out) {
			out = p
		}
	}
	return out
}

func hasEastern(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

// weight counts the pieces that mean something for consent.
func weight(p parsed) int {
	n := 0
	for _, x := range p.pieces {
		if x.class != 0 && x.class != filler {
			n++
		}
	}
	return n
}

func (m understood) read() (assent.Reading, bool) {
	if r, ok := m.control(); ok {
		return r, true
	}
	waiting := m.items(Waiting)
	if len(waiting) == 0 {
		return assent.Reading{As: assent.ReadUnrelated}, true
	}
	switch {
	case m.approves():
		return m.approve(waiting)
	case m.edits():
		return m.change(waiting), true
	case m.best.asks || m.best.first() == ask:
		return assent.Reading{As: assent.ReadQuestion, Words: m.verbatim()}, true
	case m.waits():
		return assent.Reading{As: assent.ReadReject, Words: m.verbatim(), Reason: "Nothing is run; the plan keeps waiting."}, true
	case m.rejects():
		return m.reject(waiting)
	case m.elsewhere():
		return assent.Reading{As: assent.ReadUnrelated, Words: m.verbatim()}, true
	}
	return assent.Reading{As: assent.ReadUnclear, Words: m.verbatim()}, false
}

// items gives the items of the kinds.
func (m understood) items(kinds ...ItemKind) []Item {
	var out []Item
	for _, it := range m.s.Items {
		for _, k := range kinds {
			if it.Kind == k {
				out = append(out, it)
			}
		}
	}
	return out
}

// approves reports whether some language understands every word as assent, and
// no language that understands every word sees a refusal or doubt in it.
func (m understood) approves() bool {
	found := false
	for _, p := range m.all {
		if p.unknown > 0 || p.asks {
			continue
		}
		if p.has(no, later, not, hedge) {
			return false
		}
		if p.only(yes, run, praise, object, courtesy, filler, resume) && (p.has(yes, run) || p.has(praise) && !m.cut) && versionsOnly(p) {
			found = true
		}
	}
	return found
}

// versionsOnly reports whether numbers in the message name a version.
func versionsOnly(p parsed) bool {
	if len(p.numbers) == 0 {
		return true
	}
	for _, x := range p.pieces {
		if strings.HasPrefix(x.text, "version") || strings.HasPrefix(x.text, "versao") || strings.HasPrefix(x.text, "wersj") || strings.Contains(x.text, "バージョン") || strings.Contains(x.text, "版") {
			return len(p.numbers) == 1
		}
	}
	return false
}

func (m understood) approve(waiting []Item) (assent.Reading, bool) {
	r := assent.Reading{As: assent.ReadApprove, Words: m.verbatim()}
	unclear := func(reason string) (assent.Reading, bool) {
		r.As, r.Reason = assent.ReadUnclear, reason
		return r, true
	}
	it, ok := m.pick(waiting)
	if !ok {
		return unclear("Several plans wait, and your words do not say which one is meant.")
	}
	if m.s.AsksElse && !m.best.has(run) && !m.best.has(object) {
		return unclear("This could answer the question above, or mean the plan. Which one is it?")
	}
	if n := m.best.numbers; len(n) == 1 && n[0] != strconv.FormatInt(it.Version, 10) {
		return unclear("Version " + n[0] + " is not the one that waits; that is version " + strconv.FormatInt(it.Version, 10) + ".")
	}
	r.PlanID, r.Version = it.PlanID, it.Version
	if !it.Seen {
		return unclear("There is a newer version that you had not seen when you wrote this.")
	}
	r.Counts = true
	return r, true
}

func (m understood) reject(waiting []Item) (assent.Reading, bool) {
	r := assent.Reading{As: assent.ReadReject, Words: m.verbatim()}
	it, ok := m.pick(waiting)
	if !ok {
		r.As, r.Reason = assent.ReadUnclear, "Several plans wait, and your words do not say which one is meant."
		return r, true
	}
	if m.s.AsksElse && !m.best.has(object) && len(m.best.pieces) <= 2 {
		r.As, r.Reason = assent.ReadUnclear, "This could answer the question above, or mean the plan. Which one is it?"
		return r, true
	}
	r.PlanID, r.Version, r.Counts = it.PlanID, it.Version, true
	return r, true
}

// waits reports a wish to wait: nothing runs, nothing is dropped.
func (m understood) waits() bool { return m.best.has(later) && !m.best.has(run) }

// rejects reports a message that begins with a refusal, or has nothing else in
// it, and orders nothing.
func (m understood) rejects() bool {
	for _, p := range m.all {
		if p.unknown == 0 && p.has(no, cancelRun, stop) && p.only(no, cancelRun, stop, not, object, courtesy, filler, praise) {
			return true
		}
	}
	return m.best.first() == no && !m.best.has(yes, hedge, when)
}

// elsewhere reports a message without any word about consent.
func (m understood) elsewhere() bool {
	return m.words >= 3 && !m.best.has(yes, run, praise, no, later, hedge, not)
}

// verbatim gives the words that a reading rests on: the message, or its longest
// own line where something was cut out.
func (m understood) verbatim() string {
	whole := strings.TrimSpace(m.message)
	if !m.cut && len(whole) <= 400 {
		return whole
	}
	out := ""
	for _, l := range m.lines {
		for _, part := range strings.Split(l, "\x00") {
			if part = strings.TrimSpace(part); len(part) > len(out) && len(part) <= 400 && strings.Contains(m.message, part) {
				out = part
			}
		}
	}
	return out
}
