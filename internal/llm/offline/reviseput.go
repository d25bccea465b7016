package offline

import (
	"assent/internal/llm/offline/english"
)

// movesInTime reports a "put" that moves what is there: "put it in April", "put
// the fair in April".
func (r *revision) movesInTime(whole, rest english.Text) bool {
	dates := r.s.reader.Dates(rest)
	if len(dates) > 0 && rest.Is(0, "it", "that", "everything") {
		return true
	}
	if !whole.Is(0, "put", "set", "have") || len(dates) == 0 {
		return false
	}
	name := target(rest.Drop(english.Range{From: dates[0].From, To: dates[0].To}))
	return isPronoun(name) || everythingWords.In(read(name).Canon()) || r.likeness(read(name)) >= fits
}

// everythingWords mean the whole plan.
var everythingWords = groups.Compile(`^(?:everything|all|all of it|all of them|the lot|all dates|all the dates|the dates|dates|the whole (?:thing|plan|project|lot)|whole thing|whole plan|the plan|plan|the whole|whole)$`)
