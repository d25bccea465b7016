package offline

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// renaming is one way to read "A to B to C": what gets another name, and which.
type renaming struct{ target, value english.Text }

// longestName is how many words and marks are read as a name.
const longestName = 30

// splits are all ways to read a renaming whose old name begins at from: it may
// end before any "to".
func splits(t english.Text, from int) []renaming {
	var out []renaming
	for i := from + 1; i < min(t.Len()-1, from+longestName); i++ {
		if t.Is(i, "to", "as", "into", "->") {
			out = append(out, renaming{t.Part(english.Range{From: from, To: i}), t.Part(english.Range{From: i + 1, To: t.Len()})})
		}
	}
	return out
}

// chooseSplit takes the reading whose old name is known. Where it is none's, the
// likeliest is taken alone; where it is that of several, ok is false and they are
// all given.
func chooseSplit(all []renaming, like func(english.Text) float64) (chosen []renaming, ok bool) {
	if len(all) < 2 {
		return all, true
	}
	var exact, likely []renaming
	for _, r := range all {
		switch l := like(r.target); {
		case l >= sureName:
			exact = append(exact, r)
		case l >= fits:
			likely = append(likely, r)
		}
	}
	if len(exact) == 0 {
		exact = likely
	}
	if len(exact) == 0 {
		exact = all[:1]
	}
	return exact, len(exact) == 1
}

// bothReadings asks which way a renaming was meant.
func bothReadings(all []renaming) string {
	var out []string
	for _, r := range all {
		out = append(out, quoted(target(r.target))+" to “"+nameOf(r.value)+"”")
	}
	return "That can be read in more than one way. Which do you mean: rename " + strings.Join(slices.Compact(out), ", or ") + "? Put the old name in quotation marks to be sure."
}

// splitRename finds which "to" of an order to rename ends the old name, by what
// there is of such a name.
func (s *situation) splitRename(m formMatch, whole english.Text) (formMatch, *answer) {
	if m.name != "rename" || m.target.Len() == 0 || whole.Len() > longestOrder || s.state.Planning != nil || createVerb(whole) >= 0 {
		return m, nil
	}
	from := slices.IndexFunc(whole.Tokens, func(t english.Token) bool { return t.Start == m.target.Tokens[0].Start })
	all := splits(whole, max(from, 0))
	if len(all) < 2 {
		return m, nil
	}
	if next := s.lookForNames(target(all[len(all)-1].target)); next != nil {
		return m, next
	}
	chosen, ok := chooseSplit(all, s.likenessOfAny)
	if !ok {
		a := say(bothReadings(chosen))
		return m, &a
	}
	m.target, m.value = chosen[0].target, chosen[0].value
	return m, nil
}

// lookForNames looks for all that words may name; nil once it is done.
func (s *situation) lookForNames(words string) *answer {
	for _, look := range []call{{"search", args{"query": words}}, {"list_tasks", lists(entity{}, assent.KindTask)}, {"list_milestones", args{}}} {
		if !s.tried(look) {
			return &answer{calls: []call{look}}
		}
	}
	return nil
}

// severalRenames makes two orders of "rename A to B and C to D" where there is a C.
func (s *situation) severalRenames(a *ask) ([]*ask, *answer) {
	text := withoutEnd(a.text)
	if !text.Is(0, "rename", "retitle") || s.state.Planning != nil || text.Len() > longestOrder || len(splits(text, 1)) < 2 {
		return []*ask{a}, nil
	}
	for k := 3; k < text.Len()-2; k++ {
		if !text.Is(k, "and", ",") {
			continue
		}
		if next := s.lookForNames(text.String()); next != nil {
			return nil, next
		}
		rest := text.Part(english.Range{From: k + 1, To: text.Len()})
		for _, other := range splits(rest, 0) {
			if s.likenessOfAny(other.target) >= sureName {
				first := newAsk(text.Part(english.Range{From: 0, To: k}).String(), s.reader)
				second, next := s.severalRenames(newAsk("rename "+rest.String(), s.reader))
				return append([]*ask{first}, second...), next
			}
		}
	}
	return []*ask{a}, nil
}

// likenessOfAny is how well words name anything that this turn's results show.
func (s *situation) likenessOfAny(t english.Text) float64 {
	name := target(t, "project")
	if isPronoun(name) {
		return 1
	}
	if hits := s.namedLike(name, entity{}); len(hits) > 0 {
		return hits[0].like
	}
	return 0
}

func nameOf(t english.Text) string { return t.Name(english.Range{From: 0, To: t.Len()}) }
