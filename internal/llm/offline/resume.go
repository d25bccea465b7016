package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

var goOn = groups.Compile(`^(?:continue|go on|carry on|keep going|resume|proceed|try again|retry|once more|pick up where (?:you|we) left off|where were we|finish (?:it|that|what you (?:started|began|were doing)))(?: (?:please|now|then|with it|with that|from there|where you left off|[.!]))*$`)

// saysGoOn reports words that ask for nothing but to go on.
func saysGoOn(words string, r english.Reader) bool { return newAsk(words, r).has(goOn) }

// resumed is the situation of the wish that was broken off, if the person asks to
// go on: what was found and done for it then counts, what was cancelled does not.
func (s *situation) resumed() (*situation, bool) {
	if len(s.state.Plans) > 0 || !saysGoOn(s.words, s.reader) {
		return nil, false
	}
	at := s.lastWish()
	if at < 0 {
		return nil, false
	}
	was := *s
	was.words = strings.TrimSpace(s.past[at].Content)
	was.past = s.past[:at]
	was.results = nil
	for _, o := range append(outcomes(s.past[at+1:]), s.results...) {
		if o.env.Success || o.env.Error.Code != assent.CodeCancelled {
			was.results = append(was.results, o)
		}
	}
	return &was, true
}

// lastWish is the place of the latest message that asked for something.
func (s *situation) lastWish() int {
	for i := len(s.past) - 1; i >= 0; i-- {
		m := s.past[i]
		if m.Role == llm.RoleUser && !isNote(m.Content) && strings.TrimSpace(m.Content) != "" && !saysGoOn(m.Content, s.reader) {
			return i
		}
	}
	return -1
}

// goOn answers a wish to go on: the broken-off wish is taken up, one that was
// answered in full is not answered twice.
func (s *situation) goOn(was *situation) answer {
	next := was.converse()
	if len(next.calls) > 0 {
		return next
	}
	for _, m := range s.past {
		if m.Role == llm.RoleAssistant && strings.Contains(english.Squeeze(m.Content), english.Squeeze(next.text)) {
			return say("That was all of it; there is nothing left to go on with. What should come next?")
		}
	}
	return next
}
