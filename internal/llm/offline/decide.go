package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// decide is the next step for a request.
func decide(s *situation) answer {
	if s.req.ToolChoice == planningTool {
		return s.planNow()
	}
	switch s.req.Meta.Operation {
	case assent.OpPlanGeneration:
		return s.planNow()
	case assent.OpPlanReview:
		return s.reviewNow()
	case assent.OpAgentBuild, assent.OpAgentConverse, assent.OpArgumentExtraction, assent.OpPlanSummary:
		return s.agentWork()
	case assent.OpConsentReading:
		return s.consentReading()
	case assent.OpTitle:
		return s.title()
	case assent.OpHistorySummary:
		return s.historySummary()
	}
	return s.converse()
}

// converse is the chat planner: what a plan tool or a refused call came to is
// told; else the message is answered.
func (s *situation) converse() answer {
	if was, ok := s.resumed(); ok {
		return s.goOn(was)
	}
	if o, ok := s.last(); ok {
		if !o.env.Success && o.env.Error.Code == assent.CodeConfirmationRequired {
			return waitsForWord(o)
		}
		if a, done := s.afterPlan(o); done {
			return a
		}
	}
	next := s.reply()
	if len(next.calls) > 0 && !s.offered() {
		return s.withoutTools()
	}
	return s.onceOnly(next)
}

// reply answers the person's words.
func (s *situation) reply() answer {
	a := newAsk(s.words, s.reader)
	if a.text.Len() > maxTokens {
		return say(tooLong)
	}
	if next, ok := s.noSuchDay(a); ok {
		return next
	}
	if next, ok := s.countsDays(a); ok {
		return next
	}
	if !s.planWaits() && onlyIf.In(read(s.words).Canon()) {
		return say("No plan waits right now, so there is nothing that could run on that condition. Tell me what you want to get done and I draft a plan.")
	}
	s.takeTopic(a)
	if r, ok := s.answerReading(a); ok {
		return r
	}
	u := understand(s, a)
	if u.score < 45 {
		a, u = s.orderWithin(a, u)
	}
	if s.homeIsGone() && s.meansHome(a, u) {
		return say("The project of this conversation has been deleted, so I can neither look into it nor change it. " + howToRestore +
			" To ask about another project, name it; for the whole workspace, say “all projects”.")
	}
	if wish, ok := s.unanswered(); ok && (u.score < sure || a.text.Len() <= 3 || onlyDate(a)) {
		if completed, done := s.complete(wish); done {
			return completed
		}
	}
	if s.topic != nil && (u.want == wantUnclear || u.want == wantCreate && u.score < 90) {
		return sayf("Should I add that to %s? Say it like “add the tasks: …”, with a milestone, risk or document just so.", quoted(s.topic.Name))
	}
	if changesWorkspace(u.want) || looksUp(u.want) {
		if order, question, ok := s.splitQuestion(a); ok {
			return s.answerBoth(order, question)
		}
	}
	return s.answerWant(u, a)
}

// orderWithin finds a clear order behind words that say nothing by themselves:
// "the lease is signed, mark the task as done".
func (s *situation) orderWithin(a *ask, u understanding) (*ask, understanding) {
	for _, at := range joints(a.text) {
		part := a.text.Part(english.Range{From: at + 1, To: a.text.Len()})
		b := &ask{raw: part.String(), text: part, mode: a.mode}
		b.takeCourtesy()
		b.refresh(s.reader)
		v := understand(s, b)
		if v.want == wantCreate && v.score >= sure && a.text.Ends(at) && !muses(a.text.Part(english.Range{From: 0, To: at})) {
			return a, v // what was said before belongs to it
		}
		if v.score >= 92 && isEdit(v.want) || v.score >= sure && v.want == wantCreate && a.text.Ends(at) {
			return b, v
		}
	}
	return a, u
}

// answerWant sends a wish to the part that answers it.
func (s *situation) answerWant(u understanding, a *ask) answer {
	switch u.want {
	case wantCreate:
		if s.bareOrder(a, u) {
			return s.projectOrTask(a)
		}
		return s.createProject(a)
	case wantTemplate:
		return s.createTemplate(a)
	case wantList:
		return s.list(a)
	case wantSearch:
		return s.search(a)
	case wantOpen:
		return s.open(a)
	case wantAdd, wantChange, wantLink, wantDelete:
		return s.edit(a)
	case wantAudit:
		return s.audit(a)
	case wantRevise, wantRun, wantDiscard, wantAskPlan:
		return s.planWords(u.want, a)
	case wantUndo:
		return s.nothingToUndo()
	case wantRestore:
		return say(howToRestore)
	case wantUnclear:
		return s.lost()
	}
	if next, ok := s.answerTold(u.want, a); ok {
		return next
	}
	return s.smallTalk(u.want)
}

// complete answers a wish together with the answer to the question about it.
func (s *situation) complete(wish string) (answer, bool) {
	given := s.words
	if mended, ok := s.withDay(wish, given); ok {
		return s.answerInstead(mended), true
	}
	a := newAsk(wish, s.reader)
	u := understand(s, a)
	if u.score < 40 {
		return answer{}, false
	}
	if u.want == wantCreate {
		return s.createProject(newAsk(given, s.reader)), true
	}
	if u.want == wantDelete && strings.Contains(s.lastSaid(), "Which one do you mean") {
		return s.answerInstead(deleteInstead(a, given)), true
	}
	if e, _, ok := s.knownProject(read(given)); ok && isEdit(u.want) {
		s.topic = &e // of each part of the wish
		return s.answerInstead(wish), true
	}
	joined := wish + " in the project “" + given + "”"
	if e, _, ok := s.knownProject(read(given)); ok { // a question
		joined = wish + " in the project “" + e.Name + "”"
	}
	return s.answerInstead(joined), true
}

// answerInstead answers words that the person has put together over two messages.
func (s *situation) answerInstead(words string) answer {
	given := s.words
	s.words = words
	a := newAsk(words, s.reader)
	next := s.answerWant(understand(s, a), a)
	s.words = given
	return next
}

// onceOnly keeps the loop from making a failed call again.
func (s *situation) onceOnly(a answer) answer {
	for _, c := range a.calls {
		if s.tried(c) {
			if o, ok := s.latest(c.tool); ok && !o.env.Success {
				return explainError(o)
			}
			return say("I do not get further with this: the same look-up gave the same answer. Please put it in other words, or name the thing exactly.")
		}
	}
	return a
}

// withoutTools answers when no tool may be called.
func (s *situation) withoutTools() answer {
	if o, ok := s.last(); ok {
		if !o.env.Success {
			return explainError(o)
		}
		return say("I stop here: this turn has used up its calls. What was found so far stands above; ask again to go on.")
	}
	return say("I have no tools in this conversation, so I can neither look anything up nor change anything. I can only tell you how I work: " + abilities)
}
