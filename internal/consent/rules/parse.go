package rules

// piece is a stretch of the message with what it does there; class 0 is
// something that the lexicon does not know.
type piece struct {
	class    class
	from, to int // tokens
	value    int8
	kind     tokenKind
}

// parsed is a message as one language understands it.
type parsed struct {
	lex     *lexicon
	pieces  []piece
	unknown int
	all     class // of all pieces
	foul    class // what in them is no assent
	asks    bool  // it holds a question mark
}

func (p *parsed) has(c class) bool { return p.all&c != 0 }

// first is the class of the first piece that says something.
func (p *parsed) first() class {
	for _, x := range p.pieces {
		if x.kind == word && x.class&^idle != 0 || x.class == 0 && x.kind != mark && x.kind != question {
			return x.class
		}
	}
	return 0
}

// room is what parse works in, used for one lexicon after the other.
type room struct {
	cost   []int32
	choice []piece
}

func roomFor(ts []token) *room { return &room{make([]int32, len(ts)+1), make([]piece, len(ts))} }

// parse reads tokens with one lexicon: the reading with the fewest unknown
// words, then with the longest phrases. Names of what waits count as objects.
// It takes time linear in the tokens, as phrases have a greatest length.
func (x *lexicon) parse(ts []token, ids []int32, known titles, room *room) parsed {
	n := len(ts)
	cost, choice := room.cost[:n+1], room.choice[:n]
	cost[n] = 0
	for i := n - 1; i >= 0; i-- {
		choice[i] = piece{from: i, to: i + 1, kind: ts[i].kind}
		switch ts[i].kind {
		case mark, question:
			cost[i] = cost[i+1]
			continue
		case foreign:
			cost[i] = cost[i+1] + 1000
			continue
		case number:
			cost[i] = cost[i+1] + 1
		default:
			cost[i] = cost[i+1] + 1000
			if known.has(ts[i].text) {
				cost[i] = cost[i+1] + 2
				choice[i].class = object
			}
		}
		x.phrases(i, ids, cost, choice)
		if run := known.run(ts[i:]); run > 1 && cost[i+run]+1 <= cost[i] && !x.warns(ids[i:i+run]) {
			cost[i], choice[i] = cost[i+run]+1, piece{class: object | plan, from: i, to: i + run}
		}
	}
	return x.collect(ts, choice)
}

// phrases tries every phrase that begins at a token.
func (x *lexicon) phrases(i int, ids []int32, cost []int32, choice []piece) {
	node, ok := int32(0), true
	for k := i; k < len(ids) && ids[k] != 0; k++ {
		if node, ok = x.edges[edgeOf(node, ids[k])]; !ok {
			return
		}
		if c := x.classes[node]; c != 0 && cost[k+1]+1 <= cost[i] {
			cost[i] = cost[k+1] + 1
			choice[i] = piece{class: c, from: i, to: k + 1, value: x.values[node]}
		}
	}
}

// warns reports whether words that look like a title hold a word of doubt.
func (x *lexicon) warns(ids []int32) bool {
	for _, id := range ids {
		if node, ok := x.edges[edgeOf(0, id)]; ok && x.classes[node]&(doubts|controls) != 0 {
			return true
		}
	}
	return false
}

func (x *lexicon) collect(ts []token, choice []piece) parsed {
	p := parsed{lex: x, pieces: make([]piece, 0, len(ts))}
	for i := 0; i < len(ts); {
		c := choice[i]
		if c.class&si != 0 {
			c.class = c.class&^si | x.resolve(ts, choice, c)
		}
		if x.name == "de" && ts[c.from].text == "andere" && c.to == c.from+1 {
			if c.class = when; ts[c.from].accented {
				c.class = set // "ändere" is no "andere"
			}
		}
		switch {
		case c.kind == question:
			p.asks = true
		case c.class == 0 && (c.kind == word || c.kind == foreign):
			p.unknown++
		}
		p.all |= c.class
		p.foul |= foul(c.class)
		p.pieces = append(p.pieces, c)
		i = c.to
	}
	p.sign(ts)
	return p
}

// sign takes up to three capitalised words behind a closing or thanks, at the end
// of the message, for a name ("Best regards, Ada").
func (p *parsed) sign(ts []token) {
	from := len(p.pieces)
	for from > 0 && len(p.pieces)-from < 3 && p.pieces[from-1].class == 0 && p.pieces[from-1].kind == word && ts[p.pieces[from-1].from].capital {
		from--
	}
	before := from - 1
	for before >= 0 && p.pieces[before].kind == mark {
		before--
	}
	if from == len(p.pieces) || before < 0 || p.pieces[before].class&(closing|thanks) == 0 {
		return
	}
	for i := from; i < len(p.pieces); i++ {
		p.pieces[i].class = closing
		p.unknown--
	}
}

// foul is what in a class is no assent. To run a thing and to run it again are
// one word in many languages.
func foul(c class) class {
	if c&run != 0 {
		c &^= again
	}
	return c &^ assents
}

// resolve tells whether "si" is a yes or an if: with its accent it is a yes;
// without, only before the end of its clause or another word of assent.
func (x *lexicon) resolve(ts []token, choice []piece, c piece) class {
	if ts[c.from].accented || c.to == len(ts) {
		return yes
	}
	switch next := choice[c.to]; {
	case x.name == "es" && conditional[ts[next.from].text]:
		return when
	case next.kind == mark && ts[next.from].text != "'":
		return yes
	case next.class&(object|plan|praise|cheer|filler) != 0, next.class&(yes|ack|run|please|thanks|but|si) == 0:
		return when
	}
	return yes
}

// conditional are the words that make a Spanish "si" before them an if.
var conditional = setOf("esta estan estas todo todos me te se lo la le va van suena parece no es hay")
