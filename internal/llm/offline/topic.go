package offline

import "assent/internal/llm/offline/english"

// takeTopic reads a project that is named before the wish ("office move: add a
// task", "in the office move, add a task", "the office move needs two tasks") and
// removes it: for this message it is what the conversation is about.
func (s *situation) takeTopic(a *ask) {
	e, r, ok := s.knownProject(a.text.Part(english.Range{From: 0, To: min(topicWords, a.text.Len())}))
	if !ok || r.From > 0 || r.To >= a.text.Len() {
		return
	}
	end := r.To
	switch {
	case a.text.Is(end, ":", ",", "-", "–", "—"):
		end++
	case a.text.Is(end, "needs", "need") && a.text.Is(0, "the", "our", "my") || a.text.Is(end, "needs"):
	case isPreposition(a.text.Tokens[0].Word) && a.text.Is(end, "we", "i", "please", "add", "create", "there"):
	default:
		return
	}
	s.topic = &entity{ID: e.ID, Kind: e.Kind, Name: e.Name}
	a.text = a.text.Drop(english.Range{From: 0, To: end})
	a.takeCourtesy()
	a.refresh(s.reader)
}

// topicWords is how far into a message its topic may reach.
const topicWords = 10
