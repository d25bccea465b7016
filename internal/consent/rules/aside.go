package rules

import (
	"embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// asideFiles hold, one file a language, what a clause beside an order to run may
// be made of: how it opens, what it states, how it says that the plan suits, words that are tolerated in it though
// the lexicon warns of them, and words that it must not hold, a star standing for
// any ending.
//
//go:embed asides/*.txt
var asideFiles embed.FS

type asideTable struct {
	opens, states, tolerates partTable
	suits                    partTable // what states assent to the plan, and needs no opening
	blocked                  map[string]bool
	beginnings               []string
}

// asideTables are those of all languages, built on first use.
var asideTables = sync.OnceValue(func() map[string]asideTable {
	out, han := map[string]asideTable{}, hanForms()
	for _, name := range languages {
		spellings := variants
		if name == "zh" {
			spellings = han
		}
		out[name] = readAsides(name, spellings)
	}
	return out
})

func readAsides(name string, spellings func(string) []string) asideTable {
	b, err := asideFiles.ReadFile("asides/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	empty := func() partTable { return partTable{phrases: map[string]part{}} }
	out := asideTable{opens: empty(), states: empty(), tolerates: empty(), suits: empty(), blocked: map[string]bool{}}
	tables := map[string]*partTable{"opens": &out.opens, "states": &out.states, "tolerates": &out.tolerates, "suits": &out.suits}
	var into *partTable
	for line := range strings.Lines(string(b)) {
		if line[0] != ' ' {
			head, rest, _ := strings.Cut(line, ":")
			into, line = tables[head], rest
		}
		for _, alternative := range alternatives(line) {
			for _, phrase := range expand(strings.TrimSpace(alternative)) {
				for _, spelt := range spellings(phrase) {
					if into == nil {
						out.block(spelt)
					} else {
						into.learn(spelt, part{})
					}
				}
			}
		}
	}
	return out
}

func (t *asideTable) block(phrase string) {
	phrase = foldText(phrase)
	if begins, ok := strings.CutSuffix(phrase, "*"); ok {
		t.beginnings = append(t.beginnings, begins)
		return
	}
	t.blocked[phrase] = true
}

// blocks reports a word that a clause beside an order must not hold.
func (t *asideTable) blocks(w string) bool {
	if t.blocked[w] {
		return true
	}
	for _, b := range t.beginnings {
		if strings.HasPrefix(w, b) {
			return true
		}
	}
	return false
}

const (
	longestAside  = 20 // words
	longestMargin = 40 // tokens of a message with one
)

// ordersBeside gives the language in which a message is an order to run, said in
// full, beside clauses that only tell why or how things stand: "go ahead, the
// truck arrives at noon". Words that nobody knows may stand there, and nowhere
// else; the rest of the message is held to the same rules as every approval. A
// bare yes beside such a clause is no order.
func (m *understood) ordersBeside() *parsed {
	if m.foreign || len(m.tokens) > longestMargin || m.best == nil || m.best.asks {
		return nil
	}
	for _, t := range m.tokens {
		if t.kind == foreign || t.kind == number || t.kind == mark && strings.ContainsAny(t.text, "\n:;()[]：；（）-–—") {
			return nil
		}
	}
	for i := range m.all {
		if p := &m.all[i]; p != m.best && p.unknown == 0 && (p.has(doubts) || p.speaks()) {
			return nil
		}
	}
	table := asideTables()[m.best.lex.name]
	ordered, beside := false, false
	for i := range m.clauses {
		c := &m.clauses[i]
		switch {
		case c.joint&(but|except) != 0 || c.asks:
			return nil
		case c.orders():
			ordered = true
		case c.assents() || c.idles():
		case m.states(i, &table):
			beside = true
		default:
			return nil
		}
	}
	if !ordered || !beside {
		return nil
	}
	return m.best
}

// states reports a clause that only tells how things stand.
func (m *understood) states(i int, table *asideTable) bool {
	c := &m.clauses[i]
	from, to := c.pieces[0].from, c.pieces[len(c.pieces)-1].to
	if to-from > longestAside || !m.apart(i) {
		return false
	}
	joined := m.best.lex.joined
	if joined && table.blocksAny(m.tokens[from:to]) {
		return false
	}
	known := make([]bool, to-from)
	stated := cover(m.tokens[from:to], table.states, known)
	opened := joined
	if p, ok := table.opens.at(m.tokens[from:to]); ok {
		opened = true
		for k := range p.tokens {
			known[k] = true
		}
	}
	if m.best.lex.name == "pl" && stated && !known[0] {
		opened = true // a language without articles
	}
	if cover(m.tokens[from:to], table.suits, known) {
		stated, opened = true, true
	}
	cover(m.tokens[from:to], table.tolerates, known)
	if !stated || !opened || to-from < 2 {
		return false
	}
	for _, x := range c.pieces {
		for k := x.from; k < x.to; k++ {
			if known[k-from] {
				continue
			}
			if x.class&^(neutral|idle|praise|seen) != 0 || table.blocks(m.tokens[k].text) || x.class == 0 && m.doubtful(k) {
				return false
			}
		}
	}
	return true
}

// doubtful reports a word that any language doubts or denies with, or one in
// letters that its clause is not written in.
func (m *understood) doubtful(at int) bool {
	text := m.tokens[at].text
	if m.best.lex.joined {
		return text[0] < utf8.RuneSelf || strings.Contains("不没沒别別非勿無无", text)
	}
	d := lexicons()
	id := d.words[text]
	for _, x := range d.lexicons {
		if node, ok := x.edges[edgeOf(0, id)]; ok && id != 0 && x.classes[node]&doubts != 0 {
			return true
		}
	}
	return false
}

// apart reports a clause with a mark before it, or behind it where it comes
// first.
func (m *understood) apart(i int) bool {
	from := m.clauses[i].pieces[0].from
	if i == 0 {
		last := m.clauses[i].pieces
		end := last[len(last)-1].to
		return end < len(m.tokens) && m.tokens[end].kind == mark
	}
	before := m.clauses[i-1].pieces
	for k := before[len(before)-1].to; k < from; k++ {
		if m.tokens[k].kind == mark {
			return true
		}
	}
	return false
}

// cover marks the tokens that phrases of a table stand for.
func cover(ts []token, t partTable, known []bool) (found bool) {
	for i := range ts {
		if p, ok := t.at(ts[i:]); ok {
			found = true
			for k := range p.tokens {
				known[i+k] = true
			}
		}
	}
	return found
}

// blocksAny reports blocked signs where words are not set apart.
func (t *asideTable) blocksAny(ts []token) bool {
	var b strings.Builder
	for _, x := range ts {
		b.WriteString(x.text)
	}
	for w := range t.blocked {
		if strings.Contains(b.String(), w) {
			return true
		}
	}
	return false
}
