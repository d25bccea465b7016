package rules

// clause is a part of a message that says one thing.
type clause struct {
	pieces []piece
	class  class // of all pieces
	joint  class // what stands before it: and, but, except, 0 for a mark or nothing
	asks   bool
	holes  int // pieces that are not understood
}

func (c *clause) has(k class) bool { return c.class&k != 0 }

// assents reports a clause of which every word is assent.
func (c *clause) assents() bool {
	return c.holes == 0 && !c.asks && c.class&^assents == 0 && c.has(yes|ack|run|praise)
}

// unwanted reports a change that is refused: "don't remove it".
func (c *clause) unwanted() bool {
	if !c.has(remove | add | set) {
		return false
	}
	for _, x := range c.pieces {
		if x.class&(no|not) != 0 && x.class&(remove|add|set) == 0 {
			return true
		}
	}
	return false
}

// allBut reports an order to run all but a part, said without a pause, as
// Chinese and Japanese do.
func (c *clause) allBut() bool {
	return c.holes == 0 && c.has(except) && c.has(run) && !c.has(doubts)
}

// opens reports a clause that begins with a class.
func (c *clause) opens(k class) bool {
	for _, x := range c.pieces {
		if x.class&^idle != 0 || x.class == 0 {
			return x.class&k != 0
		}
	}
	return false
}

// idles reports a clause that says nothing by itself.
func (c *clause) idles() bool { return c.holes == 0 && c.class&^idle == 0 && !c.asks }

// clauses splits a message at marks, at "and" and "but", before "without", and
// behind a leading yes or no.
func (p *parsed) clauses(ts []token) []clause {
	var out []clause
	var cur clause
	end := func(joint class) {
		if len(cur.pieces) > 0 {
			out = append(out, cur)
		}
		cur = clause{joint: joint}
	}
	for i, x := range p.pieces {
		switch {
		case x.kind == mark && p.inside(ts, i):
			cur.pieces = append(cur.pieces, x)
			continue
		case x.kind == mark:
			end(0)
			continue
		case x.kind == question:
			cur.asks = true
			end(0)
			continue
		case x.class == and || x.class == and|filler:
			end(and)
			continue
		case x.class == but || x.class == but|filler:
			end(but)
			continue
		case p.chains(i):
			end(and)
		case x.class&except != 0 && cur.has(yes|ack|run|praise):
			end(except)
		case cur.leads() && (x.class&edits != 0 || x.class&assents == 0 && !cur.has(no)):
			end(0)
		}
		cur.pieces = append(cur.pieces, x)
		cur.class |= x.class
		if (x.class == 0 || x.class == neutral) && x.kind != number {
			cur.holes++
		}
	}
	end(0)
	return out
}

// chains reports the place behind a Japanese verb that leaves something out,
// where the same breath goes on to another order: "3を外して4月にして".
func (p *parsed) chains(i int) bool {
	if p.lex.name != "ja" || i == 0 || p.pieces[i-1].class&remove == 0 || p.pieces[i].class&^(date|plan) != 0 {
		return false
	}
	for _, x := range p.pieces[i:] {
		if x.kind == mark || x.kind == question {
			return false
		}
		if x.class&(set|add) != 0 {
			return true
		}
	}
	return false
}

// inside reports a mark that ends no clause: in "2-4", and in "2. Schritt".
func (p *parsed) inside(ts []token, i int) bool {
	if i == 0 || i+1 >= len(p.pieces) || p.pieces[i-1].kind != number {
		return false
	}
	before, at, next := ts[p.pieces[i-1].to-1], ts[p.pieces[i].from], p.pieces[i+1]
	switch at.text {
	case "-":
		return next.kind == number
	case ".":
		list := next.class&and != 0 && i+2 < len(p.pieces) && p.pieces[i+2].kind == number && !ts[next.from].capital
		return before.end == at.start && (next.class&step != 0 || list)
	}
	return false
}

// leads reports a clause that so far is nothing but a yes, an ok or a no, after
// which something else may begin without a mark.
func (c *clause) leads() bool {
	if c.holes > 0 || len(c.pieces) == 0 {
		return false
	}
	return c.has(yes|ack|praise) && c.class&^(assents&^run) == 0 || c.has(no) && c.class&^(no|not|filler|thanks) == 0 && len(c.pieces) == 1
}
