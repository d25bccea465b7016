package offline

import (
	"encoding/json"

	"assent/internal/assent"
)

// consentReading reads a message that the rules of consent were not sure of. It
// finds no consent, no refusal and no control where they found none; it only
// tells words that are clearly about something else, or a question, or a change
// of what waits, from those that are unclear.
func (s *situation) consentReading() answer {
	var in struct {
		Message string `json:"message"`
	}
	as := assent.ReadUnclear
	if json.Unmarshal([]byte(s.words), &in) == nil && in.Message != "" {
		as = s.kindOf(in.Message)
	}
	words := ""
	if as != assent.ReadUnclear {
		words = in.Message
	}
	return say(string(encode(map[string]any{"as": as, "words": words, "changes": []any{}})))
}

// plainCreate is the score from which words ask for a project in as many words.
const plainCreate = 96

func (s *situation) kindOf(message string) assent.ReadingAs {
	inner := &situation{reader: s.reader, words: message, state: state{Plans: []plan{{Status: assent.PlanPendingReview}}}}
	a := newAsk(message, s.reader)
	if a.text.Len() > maxTokens {
		return assent.ReadUnclear
	}
	switch u := understand(inner, a); {
	case u.score < sure:
		return assent.ReadUnclear
	case u.want == wantRevise:
		return assent.ReadChange
	case u.want == wantAskPlan:
		return assent.ReadQuestion
	case u.want == wantCreate && u.score < plainCreate:
		return assent.ReadUnclear // "run the integration tests" may mean the plan
	case !isPlanWant(u.want):
		return assent.ReadUnrelated
	}
	return assent.ReadUnclear
}
