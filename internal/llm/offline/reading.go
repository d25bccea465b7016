package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// answerReading answers a message that the runtime has read as being about what
// waits. ok is false where the words are about something else after all.
func (s *situation) answerReading(a *ask) (answer, bool) {
	r := s.state.Reading
	if r == nil {
		return answer{}, false
	}
	p, waits := s.waiting()
	switch r.As {
	case assent.ReadApprove:
		return s.approved(*r, p, waits), true
	case assent.ReadChange, assent.ReadApproveWithChanges:
		if !waits || s.aboutOtherProject(a, p) {
			return answer{}, false
		}
		return revise(p, s.words), true
	case assent.ReadReject:
		return s.rejected(*r), true
	case assent.ReadQuestion:
		if u := understand(s, a); u.want == wantAskPlan || waits && u.score < sure {
			return s.askedAboutPlan(a), true
		}
	case assent.ReadUnclear:
		return s.unclear(a, *r, waits)
	case assent.ReadUnrelated:
		if waits && s.meansPlan(a, understand(s, a)) {
			return revise(p, s.words), true
		}
	case assent.ReadControl:
		if r.Reason != "" {
			return say(sentence(r.Reason)), true
		}
		return say("Understood; the card shows where the run stands."), true
	}
	return answer{}, false
}

func revise(p plan, words string) answer {
	return use("agent_revise_plan", args{"plan_id": p.PlanID, "instructions": words})
}

// aboutOtherProject reports whether words that the reader took for a change name
// a project of the workspace that the plan does not make.
func (s *situation) aboutOtherProject(a *ask, p plan) bool {
	e, _, ok := s.knownProject(a.text)
	if !ok {
		return false
	}
	for _, st := range p.Steps {
		if strings.Contains(string(st.Arguments), e.ID) || english.Likeness(argsOf(st.Arguments).text("name"), e.Name) >= sameName {
			return false
		}
	}
	u := understand(s, a)
	return isEdit(u.want) && u.score >= sure
}

// approved answers an approval whose run has not been told yet.
func (s *situation) approved(r assent.Reading, p plan, waits bool) answer {
	if !r.Counts {
		reason := sentence(r.Reason)
		if reason == "" {
			reason = "It does not count as an approval here."
		}
		return say(strings.TrimSpace("I have not run anything. " + reason))
	}
	if !waits {
		return say("It is approved; the card shows each step as it runs.")
	}
	return use("agent_execute_plan", args{"plan_id": p.PlanID, "version": p.Version})
}

// rejected tells what came of a refusal. The runtime has carried out one that
// counts before the model is asked, so nothing is discarded here: one that does
// not count leaves the plan as it is, and another plan that waits is not meant.
func (s *situation) rejected(r assent.Reading) answer {
	p, known := s.planOf(r)
	if r.Counts {
		what := "the plan"
		if known && p.Objective != "" {
			what += " " + quoted(p.Objective)
		}
		return say("I have put " + what + " away. Nothing of it was run, and nothing was changed.")
	}
	text := sentence(r.Reason)
	if text == "" {
		text = "That has changed nothing."
	}
	switch {
	case !known:
	case p.waits() && !strings.Contains(text, "waiting"):
		text += " " + quoted(p.Objective) + " keeps waiting."
	case !p.waits():
		text += " " + quoted(p.Objective) + " is " + spokenStatus(string(p.Status)) + "."
	}
	return say(text)
}

// planOf is the plan that a reading is about, as the state shows it.
func (s *situation) planOf(r assent.Reading) (plan, bool) {
	for _, p := range s.state.Plans {
		if p.PlanID == r.PlanID {
			return p, true
		}
	}
	return plan{}, false
}

// unclear does not ask how words are meant that two questions of the product did
// not clear up, unless they clearly ask for something that only reads. Beside a plan that waits nothing else is begun on
// words that were not understood; a change of the plan itself is only shown.
func (s *situation) unclear(a *ask, r assent.Reading, waits bool) (answer, bool) {
	u := understand(s, a)
	p, _ := s.waiting()
	switch {
	case !waits, u.score >= sure && !isPlanWant(u.want) && !changesWorkspace(u.want):
		return answer{}, false
	case u.want == wantRevise && u.score >= sure, s.meansPlan(a, u):
		return revise(p, s.words), true
	case u.want == wantAskPlan && u.score >= sure:
		return s.askedAboutPlan(a), true
	case strings.Contains(strings.ToLower(r.Reason), "several plans"):
		return say(s.whichPlan()), true
	case changesWorkspace(u.want):
		return sayf("Do you mean %s with that, or something new beside it? I do nothing until you say which.", planName(p)), true
	}
	return sayf("Nothing runs, and %s keeps waiting as long as you like. We can go on with anything else meanwhile.", planName(p)), true
}
