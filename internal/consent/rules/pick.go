package rules

import "strings"

// titles are the words of what waits or runs, so that naming it is understood.
// A single word counts where the language gives it no other meaning; two or
// more in a row always do ("the office move").
type titles struct {
	words map[string]bool
	pairs map[string]bool
}

func titlesOf(s Situation) titles {
	out := titles{words: map[string]bool{}, pairs: map[string]bool{}}
	for _, it := range s.Items {
		last := ""
		for _, t := range tokens(fold(it.Title)) {
			if t.kind != word {
				last = ""
				continue
			}
			if len([]rune(t.text)) > 2 {
				out.words[t.text] = true
			}
			if last != "" {
				out.pairs[last+" "+t.text] = true
			}
			last = t.text
		}
	}
	return out
}

// phraseAt is how many tokens from the first follow each other in a title.
func (k titles) phraseAt(ts []token) int {
	n := 1
	for n < len(ts) && ts[n].kind == word && k.pairs[ts[n-1].text+" "+ts[n].text] {
		n++
	}
	return n
}

// pick finds the item that the words refer to: the only one, or the one whose
// title they name best.
func (m understood) pick(items []Item) (Item, bool) {
	if len(items) == 1 {
		return items[0], true
	}
	said := map[string]bool{}
	for _, t := range tokens(fold(strings.Join(m.lines, " "))) {
		said[t.text] = true
	}
	var found Item
	most, tied := 0, false
	for _, it := range items {
		n := 0
		for _, t := range tokens(fold(it.Title)) {
			if len([]rune(t.text)) > 2 && said[t.text] {
				n++
			}
		}
		switch {
		case n > most:
			found, most, tied = it, n, false
		case n == most:
			tied = true
		}
	}
	return found, most > 0 && !tied
}

// contains reports whether a list of phrases separated by | holds one.
func contains(list, phrase string) bool {
	for _, p := range strings.Split(list, "|") {
		if fold(strings.TrimSpace(p)) == phrase {
			return true
		}
	}
	return false
}
