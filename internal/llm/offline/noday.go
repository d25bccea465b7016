package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// noSuchDay asks back where words name a day or an hour that does not exist,
// rather than shift it or take it for a part of a title.
func (s *situation) noSuchDay(a *ask) (answer, bool) {
	why := s.whyNoDay(a.text)
	if why == "" || moodOf(a.text) == moodTells {
		return answer{}, false
	}
	return say(why + " Which day do you mean? I have changed nothing yet."), true
}

// whyNoDay explains the days in words that do not exist; "" if all do.
func (s *situation) whyNoDay(t english.Text) string {
	var all []string
	for _, d := range s.reader.NoDays(t) {
		all = append(all, "There is no "+quoted(t.Slice(d.From, d.To))+": "+d.Why+".")
	}
	return strings.Join(all, " ")
}

// withDay is a wish whose day does not exist, with the one that was given for it.
func (s *situation) withDay(wish, given string) (string, bool) {
	t := read(wish)
	none, days := s.reader.NoDays(t), s.reader.Dates(read(given))
	if len(none) == 0 || len(days) == 0 {
		return "", false
	}
	from, to := t.Tokens[none[0].From].Start, t.Tokens[none[0].To-1].End
	return wish[:from] + english.LongDate(days[0].Day) + wish[to:], true
}
