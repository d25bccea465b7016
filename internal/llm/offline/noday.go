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

// withDay is a wish whose day does not exist or has gone by, with the one that was
// given for it.
func (s *situation) withDay(wish, given string) (string, bool) {
	t := read(wish)
	days := s.reader.Dates(read(given))
	if len(days) == 0 {
		return "", false
	}
	put := func(from, to int, before string) (string, bool) {
		return wish[:t.Tokens[from].Start] + before + english.LongDate(days[0].Day) + wish[t.Tokens[to-1].End:], true
	}
	if none := s.reader.NoDays(t); len(none) > 0 {
		return put(none[0].From, none[0].To, "")
	}
	for _, d := range s.reader.Dates(t) {
		if d.Day.Before(s.today()) && strings.Contains(s.lastSaid(), "has gone by") {
			return put(d.From, d.To, "by ")
		}
	}
	return "", false
}

// onlyDate reports words that are a date and nothing else.
func onlyDate(a *ask) bool {
	return len(a.dates) == 1 && a.dates[0].From == 0 && a.dates[0].To == withoutEnd(a.text).Len()
}
