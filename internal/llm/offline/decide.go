package offline

import (
	"regexp"
	"strings"

	"assent/internal/assent"
)

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
	if words := strings.ToLower(s.words); otherWish.MatchString(words) || !projectWish.MatchString(words) {
		return say(notYet)
	}
	return s.createProject(newAsk(s.words, s.reader))
}

// notYet is the honest answer to what this model does not do.
const notYet = "I am the built-in offline planner, not an AI model, and I did not understand that. What I can do: set up a project from your words, " +
	"for example “We are moving our office to Leith by the end of March, show me the plan first”. A plan that waits you can approve, reject or undo in your own words. " +
	"Everything else you find on the pages of Projects, Plans and Search; an admin can add a Gemini or OpenAI-compatible key for free conversation."

var (
	otherWish   = regexp.MustCompile(`^\W*(show|list|what|how|delete|remove|undo|leave|skip|yes|no|ok|hello|hi|hey|thanks|thank|who|when|where|why|which|find|search|add|mark|rename|change|is|are|do|does|can|tell|explain|make it|move the|discard|cancel|complete|write)\b`)
	projectWish = regexp.MustCompile(`\b(project|set ?up|kick(ing)? ?off|plan|planning|organi[sz]\w*|arrang\w*|prepar\w*|launch\w*|relaunch\w*|mov(e|ing)|relocat\w*|wedding|conference|event|offsite|party|hir(e|ing)|onboard\w*|campaign|template|by the end|deadline|milestones?)\b`)
)
