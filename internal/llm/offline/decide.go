package offline

import "assent/internal/assent"

// decide is the next step for a request.
func decide(s *situation) answer {
	switch s.req.Meta.Operation {
	case assent.OpConsentReading:
		return consentReading()
	case assent.OpTitle:
		return s.title()
	case assent.OpHistorySummary:
		return s.historySummary()
	}
	return s.converse()
}

// converse is the chat planner: a plan's result is told, else the words are
// answered.
func (s *situation) converse() answer {
	if o, ok := s.last(); ok {
		if a, done := s.afterPlan(o); done {
			return a
		}
	}
	return s.createProject(newAsk(s.words, s.reader))
}
