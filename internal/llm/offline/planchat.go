package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// planWords answers words about a plan where the runtime gave no reading.
func (s *situation) planWords(w want, a *ask) answer {
	p, waits := s.waiting()
	switch {
	case w == wantAskPlan:
		return s.askedAboutPlan(a)
	case !waits && len(s.state.Plans) > 0:
		return sayf("%s is %s now, so that does not apply to it.", quoted(s.state.Plans[0].Objective), spokenStatus(string(s.state.Plans[0].Status)))
	case !waits && w == wantDiscard && s.hasRun():
		return say("No plan waits right now; the last one has run already. Say “undo” to take back what it did.")
	case !waits:
		return say("No plan waits right now, so there is nothing to do with that. Tell me what you want to get done and I draft a plan.")
	case w == wantRun:
		return use("agent_execute_plan", args{"plan_id": p.PlanID, "version": p.Version})
	case w == wantDiscard:
		return s.discard()
	}
	return revise(p, s.words)
}

// discard puts away the plan that the words name, or the only one that waits;
// between several it asks.
func (s *situation) discard() answer {
	var named, all []plan
	words := strings.ToLower(english.Squeeze(s.words))
	for _, p := range s.state.Plans {
		if !p.waits() {
			continue
		}
		all = append(all, p)
		if p.Objective != "" && strings.Contains(words, strings.ToLower(english.Squeeze(p.Objective))) {
			named = append(named, p)
		}
	}
	if len(named) == 0 {
		named = all
	}
	if len(named) != 1 {
		return say(s.whichPlan())
	}
	return use("agent_discard_plan", args{"plan_id": named[0].PlanID})
}
