package rules

import "strings"

// piece is a stretch of the message with what it does there; class 0 is
// something that the lexicon does not know.
type piece struct {
	class class
	text  string
}

// parsed is a message as one language understands it.
type parsed struct {
	lex     lexicon
	pieces  []piece
	unknown int
	numbers []string
	asks    bool // it holds a question mark
}

func (p parsed) has(classes ...class) bool {
	for _, x := range p.pieces {
		for _, c := range classes {
			if x.class == c {
				return true
			}
		}
	}
	return false
}

// only reports whether every piece is of one of the classes.
func (p parsed) only(classes ...class) bool {
	for _, x := range p.pieces {
		ok := false
		for _, c := range classes {
			ok = ok || x.class == c
		}
		if !ok {
			return false
		}
	}
	return p.unknown == 0
}

// first is the class of the first piece that is more than filler.
func (p parsed) first() class {
	for _, x := range p.pieces {
		if x.class != filler && x.class != courtesy {
			return x.class
		}
	}
	return 0
}

// parse reads tokens with one lexicon, longest phrase first. known are words
// that name what waits (of its title).
func (x lexicon) parse(ts []token, known titles) parsed {
	p := parsed{lex: x}
	ts = x.correct(ts, known)
	for i := 0; i < len(ts); {
		t := ts[i]
		switch t.kind {
		case mark:
			i++
			continue
		case question:
			p.asks = true
			i++
			continue
		case foreign:
			p.unknown++
			i++
			continue
		}
		if n := known.phraseAt(ts[i:]); n > 1 {
			p.pieces = append(p.pieces, piece{object, ts[i].text})
			i += n
			continue
		}
		if c, n, text := x.longestAt(ts[i:]); n > 0 {
			p.pieces = append(p.pieces, piece{c, text})
			i += n
			continue
		}
		p.one(t, known)
		i++
	}
	return p
}

// one places a single token that no phrase covers.
func (p *parsed) one(t token, known titles) {
	switch v := strings.TrimPrefix(t.text, "v"); {
	case t.kind == number, t.text != v && strings.Trim(v, "0123456789") == "" && v != "":
		p.numbers = append(p.numbers, v)
	case known.words[t.text]:
		p.pieces = append(p.pieces, piece{object, t.text})
	case p.lex.joined && p.runes(t.text):
	default:
		p.unknown++
		p.pieces = append(p.pieces, piece{0, t.text})
	}
}

// longestAt finds the longest phrase that begins the tokens.
func (x lexicon) longestAt(ts []token) (c class, n int, text string) {
	limit := x.longest
	if x.joined {
		limit = 1
	}
	var b strings.Builder
	for k := 0; k < len(ts) && k < limit; k++ {
		if ts[k].kind != word && ts[k].kind != number {
			break
		}
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ts[k].text)
		if found, ok := x.phrases[b.String()]; ok {
			c, n, text = found, k+1, b.String()
		}
	}
	return c, n, text
}

// runes reads a word of a language without spaces: the reading with the fewest
// unknown letters, then with the longest phrases. A stretch that is not known
// counts once.
func (p *parsed) runes(text string) bool {
	rs := []rune(text)
	cost := make([]int, len(rs)+1)
	step := make([]int, len(rs)+1) // length of the phrase that begins here; 0: unknown
	for i := len(rs) - 1; i >= 0; i-- {
		cost[i] = cost[i+1] + 1000
		if rs[i] >= '0' && rs[i] <= '9' {
			cost[i] = cost[i+1]
		}
		for n := 1; n <= min(p.lex.longest, len(rs)-i); n++ {
			if _, ok := p.lex.phrases[string(rs[i:i+n])]; ok && cost[i+n]+1 <= cost[i] {
				cost[i], step[i] = cost[i+n]+1, n
			}
		}
	}
	for i := 0; i < len(rs); {
		if n := step[i]; n > 0 {
			w := string(rs[i : i+n])
			p.pieces = append(p.pieces, piece{p.lex.phrases[w], w})
			i += n
			continue
		}
		j := i + 1
		digit := rs[i] >= '0' && rs[i] <= '9'
		for j < len(rs) && step[j] == 0 && digit == (rs[j] >= '0' && rs[j] <= '9') {
			j++
		}
		if digit {
			p.numbers = append(p.numbers, string(rs[i:j]))
		} else {
			p.unknown++
			p.pieces = append(p.pieces, piece{0, string(rs[i:j])})
		}
		i = j
	}
	return true
}

// minSlip is how long a word must be for a slip of the finger to be forgiven:
// short words are too close to each other.
const minSlip = 5

// correct undoes single slips of the finger towards words of assent, its object
// and courtesy. A misspelt refusal is never turned into anything else, it just
// stays unknown.
func (x lexicon) correct(ts []token, known titles) []token {
	var out []token
	for i, t := range ts {
		if t.kind != word || len(t.text) < minSlip || x.joined || x.vocabulary[t.text] || known.words[t.text] {
			continue
		}
		if w := x.slip(t.text); w != "" {
			if out == nil {
				out = append(out, ts...)
			}
			out[i].text = w
		}
	}
	if out == nil {
		return ts
	}
	return out
}

// slip finds the one word that was meant.
func (x lexicon) slip(w string) string {
	for n := len(w) - 1; n <= len(w)+1; n++ {
		for _, p := range x.typos[n] {
			if p[0] == w[0] && oneSlip(w, p) {
				return p
			}
		}
	}
	return ""
}

// oneSlip reports whether two words differ by one letter added, left out,
// changed, or by two neighbours swapped.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		if i == len(a) {
			return true
		}
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	}
	return len(b)-len(a) == 1 && a[i:] == b[i+1:]
}
