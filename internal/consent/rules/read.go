package rules

import (
	"strings"
	"unicode/utf8"

	"assent/internal/assent"
)

// byRules marks a reading that these rules made.
const byRules = "rules"

// Read reads a message. sure is false where the rules leave it to a model: the
// reading is then unclear, and without a reason.
func Read(message string, s Situation) (r assent.Reading, sure bool) {
	m := understand(message, s)
	switch {
	case len(m.tokens) == 0 || m.nothingOwn():
		r, sure = assent.Reading{As: assent.ReadUnrelated}, true
	case m.long:
		r.As = assent.ReadUnclear
	default:
		r, sure = m.read()
	}
	r.By = byRules
	return r, sure
}

// understood is a message read by every lexicon.
type understood struct {
	message string
	s       Situation
	known   titles
	tokens  []token
	long    bool // too long to be read
	foreign bool // something in it is not the person's own
	all     []parsed
	best    *parsed
	clauses []clause
	byToken []class // of best; see classes
}

func understand(message string, s Situation) *understood {
	m := &understood{message: message, s: s, known: titlesOf(s)}
	m.tokens, m.long = tokens(own(message, m.known.is))
	if m.long || len(m.tokens) == 0 {
		return m
	}
	d := lexicons()
	ids := make([]int32, len(m.tokens))
	for i, t := range m.tokens {
		m.foreign = m.foreign || t.kind == foreign
		if t.kind == word || t.kind == number {
			ids[i] = d.words[t.text]
		}
	}
	complete := m.parse(d, ids)
	if !complete && !m.foreign {
		m.forgive(d, ids)
	}
	m.best = best(m.all, scriptOf(m.tokens))
	m.clauses = m.best.clauses(m.tokens)
	return m
}

// parse reads the message with every lexicon and reports whether one of them
// understands every word.
func (m *understood) parse(d *dictionary, ids []int32) (complete bool) {
	m.all = make([]parsed, len(d.lexicons))
	room := roomFor(m.tokens)
	for i, x := range d.lexicons {
		m.all[i] = x.parse(m.tokens, ids, m.known, room)
		complete = complete || m.all[i].unknown == 0
	}
	return complete
}

// forgive reads slips of the finger as what was meant, where that makes a
// message understood that was not.
func (m *understood) forgive(d *dictionary, ids []int32) {
	for i, x := range d.lexicons {
		if m.all[i].unknown > 3 {
			continue
		}
		right, loose := x.correct(d, m.tokens, ids, m.known)
		if right == nil {
			continue
		}
		p := x.parse(m.tokens, right, m.known, roomFor(m.tokens))
		if p.unknown > 0 {
			continue
		}
		holds := true
		for _, c := range p.pieces {
			holds = holds && (!loose[c.from] || c.to-c.from > 1)
		}
		if holds {
			m.all[i] = p
		}
	}
}

// nothingOwn reports a message without a word of the person's own.
func (m *understood) nothingOwn() bool {
	for _, t := range m.tokens {
		if t.kind != foreign || t.text != "" {
			return false
		}
	}
	return !m.long
}

// scripts are the ways of writing that tell languages apart.
type script int

const (
	spaced script = iota
	han
	kana
)

func scriptOf(ts []token) script {
	out := spaced
	for _, t := range ts {
		if r, _ := utf8.DecodeRuneInString(t.text); r >= 0x3040 && r <= 0x30ff {
			return kana
		} else if isJoined(r) {
			out = han
		}
	}
	return out
}

// best is the lexicon that knows most of the message, among those of its script.
func best(all []parsed, s script) *parsed {
	var out *parsed
	for i := range all {
		p := &all[i]
		if p.lex.joined != (s != spaced) || s == kana && p.lex.name != "ja" {
			continue
		}
		if out == nil || p.unknown < out.unknown || p.unknown == out.unknown && weight(p) > weight(out) {
			out = p
		}
	}
	return out
}

// weight counts the words that mean something for consent.
func weight(p *parsed) int {
	n := 0
	for _, x := range p.pieces {
		if x.class&^filler != 0 {
			n += x.to - x.from
		}
	}
	return n
}

func (m *understood) read() (assent.Reading, bool) {
	if r, ok := m.control(); ok {
		return r, true
	}
	if !m.s.any(Waiting, WaitingHuman) {
		return assent.Reading{As: assent.ReadUnrelated}, true
	}
	if p := m.approves(); p != nil {
		return m.approve(p)
	}
	if m.s.any(Waiting) {
		if r, sure, ok := m.change(); ok {
			return r, sure
		}
	}
	switch {
	case m.asks():
		return assent.Reading{As: assent.ReadQuestion, Words: m.verbatim()}, true
	case m.contradicts():
		return assent.Reading{As: assent.ReadUnclear, Words: m.verbatim(), Reason: "Your words say yes and no at once. Which one is it?"}, true
	case m.waits():
		return assent.Reading{As: assent.ReadReject, Words: m.verbatim(), Reason: "Nothing is run; the plan keeps waiting."}, true
	case m.rejects():
		return m.reject()
	case m.compliments():
		return assent.Reading{As: assent.ReadUnclear, Words: m.verbatim(), Reason: "Your words do not say whether it is to run. Shall it?"}, true
	case m.elsewhere():
		return assent.Reading{As: assent.ReadUnrelated, Words: m.verbatim()}, true
	}
	return assent.Reading{As: assent.ReadUnclear, Words: m.verbatim()}, false
}

// asks reports a question: by its mark, or by a question word with which a
// clause begins.
func (m *understood) asks() bool {
	if m.best.asks || m.best.first()&ask != 0 || m.best.lex.joined && m.best.has(ask) {
		return true
	}
	for i := range m.clauses {
		for _, x := range m.clauses[i].pieces {
			if x.class&ask != 0 && (i == 0 || m.clauses[i-1].assents() || m.clauses[i-1].idles()) {
				return true
			}
			if x.class&^(filler|and|object|please) != 0 || x.class == 0 {
				break
			}
		}
	}
	return false
}

// compliments reports a message of nothing but praise for work well done or a
// courtesy ("cool", "no problem"): neither begins anything.
func (m *understood) compliments() bool {
	for i := range m.all {
		p := &m.all[i]
		if p.unknown == 0 && p.has(cheer) && !p.has(thanks) && p.all&^idle == 0 && !p.asks {
			return true
		}
	}
	return false
}

// elsewhere reports a message without any word about consent.
func (m *understood) elsewhere() bool {
	words := 0
	for _, t := range m.tokens {
		if t.kind == word {
			words++
		}
	}
	return words >= 3 && !m.best.has(yes|run|ack|praise|no|later|hedge|not)
}

// verbatim gives the words that a reading rests on: the message, or its longest
// own line where something was cut out.
func (m *understood) verbatim() string {
	whole := strings.TrimSpace(m.message)
	if !m.foreign && len(whole) <= 400 {
		return whole
	}
	out := ""
	from := 0
	for i, t := range m.tokens {
		if t.kind == foreign || t.text == "\n" {
			from = i + 1
			continue
		}
		if s := m.message[m.tokens[from].start:t.end]; len(s) > len(out) && len(s) <= 400 {
			out = s
		}
	}
	return out
}

// Objects reports a message that holds a word of refusal, denial, delay, doubt or
// taking away in any language, whatever else it says.
func Objects(message string, s Situation) bool {
	m := understand(message, s)
	for i := range m.all {
		if m.all[i].has(no | not | later | hedge | remove | stop | pause | cancelRun) {
			return true
		}
	}
	return false
}
