package rules

import "strconv"

// steps finds the steps that a clause names: by number where loose numbers may
// be steps or stand beside the word for one, by ordinal, or by words of a label.
func (m *understood) steps(c *clause, it Item, loose bool) []string {
	var out []string
	plural := false
	put := func(id string) {
		for _, had := range out {
			if had == id {
				return
			}
		}
		out = append(out, id)
	}
	for i, x := range c.pieces {
		plural = plural || x.class&step != 0
		switch {
		case x.kind == number && (loose || plural || i+1 < len(c.pieces) && c.pieces[i+1].class&step != 0):
			if s, ok := numbered(it, m.tokens[x.from].text); ok {
				put(s)
			}
		case x.class&ordinal != 0 && (loose || near(c.pieces, i)):
			if s, ok := counted(it, int(x.value)); ok {
				put(s)
			}
		}
	}
	if len(out) == 0 {
		if s := m.labelled(c, it); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// near reports the word for a step beside an ordinal.
func near(ps []piece, i int) bool {
	return i+1 < len(ps) && ps[i+1].class&step != 0 || i > 0 && ps[i-1].class&step != 0
}

func numbered(it Item, n string) (id string, ok bool) {
	for _, s := range it.Steps {
		if s.Number == n {
			return s.ID, true
		}
	}
	return "", false
}

// counted finds the step of an ordinal; -1 is the last one.
func counted(it Item, n int) (id string, ok bool) {
	for i := len(it.Steps) - 1; n < 0 && i >= 0; i-- {
		if !nested(it.Steps[i]) {
			if n++; n == 0 {
				return it.Steps[i].ID, true
			}
		}
	}
	return numbered(it, strconv.Itoa(n))
}

func nested(s StepInfo) bool {
	for i := range s.Number {
		if s.Number[i] == '.' {
			return true
		}
	}
	return false
}

// labelled finds the step whose label shares most words with a clause, among
// those that have no meaning of their own there. Words of
// the plan's title name the plan, not a step.
func (m *understood) labelled(c *clause, it Item) string {
	said := map[string]bool{}
	for _, x := range c.pieces {
		if x.class&^neutral != 0 {
			continue
		}
		for _, t := range m.tokens[x.from:x.to] {
			said[stem(t.text)] = true
		}
	}
	found, most := "", 0
	for _, s := range it.Steps {
		ts, _ := tokens(s.Label)
		n := 0
		for _, t := range ts {
			if len(t.text) > 3 && said[stem(t.text)] && !m.known.has(t.text) && !m.known.has(stem(t.text)) {
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
func stem(w string) string {
	for _, ending := range []string{"s", "e"} {
		if len(w) > 3 && w[len(w)-1:] == ending {
			w = w[:len(w)-1]
		}
	}
	return w
}
