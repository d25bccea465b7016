package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var (
	asksUndo    = groups.Compile(`(?:undo|undone|reverse|reversed|reversible|revert|reverted|roll back|rolled back|take back|taken back|irreversible|permanent|go back)`)
	asksDelete  = groups.Compile(`(?:delete|deletes|deleted|remove|removed|overwrite|lose|destroy)`)
	asksMany    = groups.Compile(`(?:how many|how much|number of)`)
	asksWhen    = groups.Compile(`(?:when|deadline|due|date|dates|how long)`)
	asksIfDone  = groups.Compile(`(?:is|are|was|has|have|did) (?:anything|something|it|this|that|any of it|the plan|you)(?: .*)?(?:created|done|run|running|changed|already|executed|started|approved|happened|yet|do|start|execute)`)
	asksCost    = groups.Compile(`(?:cost|costs|money|price|expensive|tokens)`)
	asksMissing = groups.Compile(`(?:waiting|waits|pending)`)
	asksReason  = groups.Compile(`^why`)
	asksTpl     = groups.Compile(`{template}`)
)

// askedAboutPlan answers from the plan in the state, and does nothing.
func (s *situation) askedAboutPlan(a *ask) answer {
	p, ok := s.waiting()
	if !ok && len(s.state.Plans) > 0 {
		p, ok = s.state.Plans[0], true
	}
	if !ok {
		if run, ran := s.lastRun(); ran {
			return say("The last plan has run. " + narrateRun(run))
		}
		return say("No plan waits right now. Tell me what you want to get done and I draft one.")
	}
	return say(s.aboutPlan(a, p))
}

// lastRun is the newest run that the conversation has told of.
func (s *situation) lastRun() (runResult, bool) {
	all := outcomes(s.past)
	for i := len(all) - 1; i >= 0; i-- {
		if p, ok := readPlanOutput(all[i]); ok && strings.HasPrefix(all[i].tool, "agent_") {
			if run, ran := p.run(s); ran {
				return run, true
			}
		}
	}
	return runResult{}, false
}

func (s *situation) hasRun() bool {
	_, ok := s.lastRun()
	return ok
}

func (s *situation) aboutPlan(a *ask, p plan) string {
	if i, ok := stepNamed(a.text, p.Steps); ok {
		if a.has(asksReason) {
			return whyStep(p.Steps, i)
		}
		return tellStep(p.Steps, i)
	}
	switch {
	case a.has(asksIfDone) && p.waits():
		return "No, nothing of it was done yet."
	case a.has(asksUndo):
		return undoText(p)
	case a.has(asksDelete):
		return deleteText(p)
	case a.has(asksCost):
		return "The steps are fixed tool calls and need no AI calls, so running it costs nothing."
	case a.has(asksMany):
		return "It has " + english.Plural(len(p.Steps), "step") + " and " + planTally(p.Steps) + "."
	case a.has(asksTpl):
		return templateText(p)
	case a.has(asksWhen):
		return dateText(p)
	case a.has(asksMissing):
		return quoted(p.Objective) + " is waiting: " + stepLines(p.Steps)
	}
	if words := s.beyondPlan(a, p); words != "" {
		return words
	}
	return quoted(p.Objective) + ", step by step:\n\n" + stepLines(p.Steps)
}

func whyStep(steps []assent.Step, i int) string {
	switch steps[i].Tool {
	case "list_templates":
		return "Every plan for a new project first looks at the templates, so that nothing is invented that is already worked out."
	case "publish_document":
		return "A new project gets its context document, so that everybody later sees what was asked for and by when."
	}
	return tellStep(steps, i)
}

func undoText(p plan) string {
	for _, st := range p.Steps {
		if st.Effect == assent.EffectExternal || st.Type == assent.StepAgent {
			return "Not all of it: “" + stepName(st) + "” may act outside this installation. The other steps can be taken back with “undo”."
		}
	}
	return "Yes. Everything it does can be taken back with “undo”, unless someone changes the same things in the meantime."
}

func deleteText(p plan) string {
	var gone []string
	for _, st := range p.Steps {
		if strings.HasPrefix(st.Tool, "delete_") {
			gone = append(gone, stepName(st))
		}
	}
	if len(gone) == 0 {
		return "No, it deletes nothing; it " + planTally(p.Steps) + "."
	}
	return "Yes: " + english.Join(gone) + "."
}

func templateText(p plan) string {
	for _, st := range p.Steps {
		if id := argsOf(st.Arguments).text("template_id"); id != "" {
			if _, name, ok := strings.Cut(st.Label, " from "); ok {
				return "It uses the template " + name + "."
			}
			return "It uses a template: " + strings.TrimPrefix(id, "tpl-") + "."
		}
	}
	return "It uses no template; everything it creates is listed in the plan itself."
}

func dateText(p plan) string {
	var lines []string
	for _, st := range p.Steps {
		a := argsOf(st.Arguments)
		if due := a.text("due_date"); due != "" {
			lines = append(lines, "- "+stepName(st)+datedText(due))
		}
		for _, m := range milestonesOf(a) {
			if m.DueDate != "" {
				lines = append(lines, "- "+plain(m.Title)+datedText(m.DueDate))
			}
		}
	}
	if len(lines) == 0 {
		return "There is no date in it. You can add one, for example “make it due at the end of March”."
	}
	return "These dates are in it:\n\n" + strings.Join(lines, "\n")
}
