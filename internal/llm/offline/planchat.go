package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// meansPlan reports whether an order to add or change something is about the
// plan that waits: it names a thing of the plan, or adds one without saying where.
func (s *situation) meansPlan(a *ask, u understanding) bool {
	p, ok := s.waiting()
	if !ok || s.aboutOtherProject(a, p) || moodOf(a.text) == moodTells {
		return false
	}
	if u.want == wantAdd && u.score >= sure {
		return true
	}
	words := strings.ToLower(english.Squeeze(s.words))
	for _, title := range planTitles(p.Steps) {
		if strings.Contains(words, strings.ToLower(title)) && (u.want == wantChange || len(a.dates) > 0) {
			return true
		}
	}
	return false
}

// planTitles are the titles of what a plan creates.
func planTitles(steps []assent.Step) []string {
	var out []string
	for _, st := range steps {
		a := argsOf(st.Arguments)
		if title := a.text("title"); title != "" && strings.HasPrefix(st.Tool, "create_") {
			out = append(out, plain(title))
		}
		for _, m := range milestonesOf(a) {
			out = append(out, plain(m.Title))
			for _, task := range m.Tasks {
				out = append(out, plain(task))
			}
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			out = append(out, plain(titleOf(item)))
		}
	}
	return out
}

func (s *situation) whichPlan() string {
	var all []string
	for _, p := range s.state.Plans {
		if p.waits() {
			all = append(all, quoted(p.Objective))
		}
	}
	return "Several plans wait: " + english.Join(all) + ". Which one do you mean?"
}

func planName(p plan) string {
	return fmt.Sprintf("version %d of %s", p.Version, quoted(p.Objective))
}

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
	return quoted(p.Objective) + ", step by step:\n\n" + stepLines(p.Steps)
}

func stepLines(steps []assent.Step) string {
	var b strings.Builder
	for i := range steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, stepName(steps[i]))
	}
	return strings.TrimRight(b.String(), "\n")
}

func stepName(st assent.Step) string {
	switch {
	case st.Label != "":
		return st.Label
	case st.Tool != "":
		return spoken(st.Tool)
	case st.Prompt != "":
		return st.Prompt
	}
	return st.ID
}

// tellStep says what a step does, with its arguments in words.
func tellStep(steps []assent.Step, i int) string {
	st := steps[i]
	var b strings.Builder
	fmt.Fprintf(&b, "Step %d: %s.", i+1, stepName(st))
	switch {
	case st.Type == assent.StepCheckpoint:
		b.WriteString(" The run stops there and asks you.")
	case strings.HasPrefix(st.Tool, "list_") || strings.HasPrefix(st.Tool, "get_") || strings.HasPrefix(st.Tool, "search"):
		b.WriteString(" It only reads and changes nothing.")
	case strings.HasPrefix(st.Tool, "delete_"):
		b.WriteString(" It deletes something.")
	}
	b.WriteString(argumentText(st))
	return b.String()
}

func argumentText(st assent.Step) string {
	a := argsOf(st.Arguments)
	var lines []string
	for _, key := range []string{"name", "title", "query", "description", "start_date", "due_date", "priority", "mitigation"} {
		if v := a.text(key); v != "" && !looksLikeReference.MatchString(v) {
			lines = append(lines, "- "+english.Sentence(strings.ReplaceAll(key, "_", " "))+": "+long(plain(v)))
		}
	}
	for _, m := range milestonesOf(a) {
		line := "- " + plain(m.Title) + datedText(m.DueDate)
		if len(m.Tasks) > 0 {
			line += " (" + english.Plural(len(m.Tasks), "task") + ")"
		}
		lines = append(lines, line)
	}
	if list, ok := a["tasks"].([]any); ok {
		for _, t := range list {
			if m, isTask := t.(map[string]any); isTask {
				lines = append(lines, "- "+plain(args(m).text("title"))+datedText(args(m).text("due_date")))
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(lines, "\n")
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

// planTally counts what steps create, from their arguments.
func planTally(steps []assent.Step) string {
	n := map[string]int{}
	deletes := 0
	for _, st := range steps {
		a := argsOf(st.Arguments)
		for _, m := range milestonesOf(a) {
			n["milestone"]++
			n["task"] += len(m.Tasks)
		}
		if list, ok := a["tasks"].([]any); ok {
			n["task"] += len(list)
		}
		switch {
		case strings.HasPrefix(st.Tool, "delete_"):
			deletes++
		case st.Tool == "publish_document" && a.text("document_id") == "":
			n["document"]++
		case strings.HasPrefix(st.Tool, "create_") && st.Tool != "create_milestones" && st.Tool != "create_tasks":
			n[strings.TrimPrefix(st.Tool, "create_")]++
		}
	}
	text := tally(n)
	if text == "" {
		text = "nothing new"
	}
	text = "creates " + text
	if deletes > 0 {
		text += ", and deletes " + english.Plural(deletes, "thing")
	}
	return text
}
