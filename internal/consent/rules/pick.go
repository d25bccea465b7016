package rules

// titles are the words of what waits or runs, so that naming it is understood.
// A single word counts where the language gives it no other meaning; two or
// more in a row always do ("the office move").
type titles struct {
	words  map[string]bool
	pairs  map[[2]string]bool
	wholes map[string]bool
	items  [][]token // of each item, in order
}

func titlesOf(s Situation) titles {
	out := titles{words: map[string]bool{}, pairs: map[[2]string]bool{}, wholes: map[string]bool{}}
	for _, it := range s.Items {
		title := it.Title
		if len(title) > 400 {
			title = title[:400]
		}
		ts, _ := tokens(title)
		out.items = append(out.items, ts)
		out.wholes[foldText(title)] = true
		last := ""
		for _, t := range ts {
			if t.kind != word {
				last = ""
				continue
			}
			if len(t.text) > 2 {
				out.words[t.text] = true
			}
			if last != "" {
				out.pairs[[2]string{last, t.text}] = true
			}
			last = t.text
		}
	}
	return out
}

func (k titles) has(w string) bool { return k.words[w] }

// is reports whether a text is a title.
func (k titles) is(text string) bool { return k.wholes[foldText(text)] }

// run is how many tokens from the first follow each other in a title.
func (k titles) run(ts []token) int {
	n := 1
	for n < len(ts) && n < 12 && ts[n].kind == word && k.pairs[[2]string{ts[n-1].text, ts[n].text}] {
		n++
	}
	return n
}

// pick finds the item that the words refer to: the only one, or the one whose
// title they name best.
func (m *understood) pick(kinds ...ItemKind) (Item, bool) {
	said := map[string]bool{}
	for _, t := range m.tokens {
		said[t.text] = true
	}
	var found Item
	best, tied, count := -1, false, 0
	for i, it := range m.s.Items {
		if !isOneOf(it.Kind, kinds) {
			continue
		}
		count++
		n := 0
		for _, t := range m.known.items[i] {
			if len(t.text) > 2 && said[t.text] && !m.common(t.text) {
				n++
			}
		}
		switch {
		case n > best:
			found, best, tied = it, n, false
		case n == best:
			tied = true
		}
	}
	return found, count == 1 || best > 0 && !tied
}

// common reports a word that every plan could be called by.
func (m *understood) common(w string) bool {
	d := lexicons()
	node, ok := m.best.lex.edges[edgeOf(0, d.words[w])]
	return ok && m.best.lex.classes[node]&(idle|neutral) != 0
}

func isOneOf(k ItemKind, kinds []ItemKind) bool {
	for _, other := range kinds {
		if k == other {
			return true
		}
	}
	return false
}

// any reports whether an item of one of the kinds is there.
func (s Situation) any(kinds ...ItemKind) bool {
	for _, it := range s.Items {
		if isOneOf(it.Kind, kinds) {
			return true
		}
	}
	return false
}
