package rules

import "strings"

// steps finds the steps that a clause names.
func (m *understood) steps(c *clause, it Item, loose bool) []string {
	return m.chosen(c, it, loose).ids
}

func (m *understood) chosen(c *clause, it Item, loose bool) choice {
	for i := range m.clauses {
		if &m.clauses[i] == c {
			return m.choose(i, i, it, loose)
		}
	}
	return choice{}
}

func numbered(it Item, n string) (id string, ok bool) {
	for _, s := range it.Steps {
		if s.Number == n {
			return s.ID, true
		}
	}
	return "", false
}

func nested(s StepInfo) bool { return strings.Contains(s.Number, ".") }

// stem drops a plural ending, so that "invitations" finds "invitation".
func stem(w string) string {
	for _, ending := range []string{"s", "e"} {
		if len(w) > 3 && w[len(w)-1:] == ending {
			w = w[:len(w)-1]
		}
	}
	return w
}
