package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// afterPlan answers when the newest result is of a plan tool.
func (s *situation) afterPlan(o outcome) (answer, bool) {
	switch o.tool {
	case "agent_create_plan", "agent_revise_plan", "agent_execute_plan", "agent_discard_plan":
	default:
		return answer{}, false
	}
	if !o.env.Success {
		return s.planRefused(o), true
	}
	if o.tool == "agent_discard_plan" {
		return say("I have put the plan away. Nothing of it was run, and nothing was changed."), true
	}
	if text := directText(o); text != "" {
		return say(text), true
	}
	p, ok := readPlanOutput(o)
	if !ok {
		return say("The plan was handled, but its result could not be read here. The card above shows where it stands."), true
	}
	if run, ran := p.run(s); ran && p.Status != assent.PlanPendingReview {
		return say(narrateRun(run)), true
	}
	return say(s.narratePlan(o, p)), true
}

// directText is what the plan's compiler said instead of making a plan.
func directText(o outcome) string {
	var d struct {
		Text string `json:"direct_response"`
	}
	if json.Unmarshal(o.env.Output, &d) != nil {
		return ""
	}
	return d.Text
}

// narratePlan explains a plan that did not run. How to answer it is the last line
// of the turn, which the planner writes; this asks nothing, so that a bare "yes"
// after it can only mean the plan.
func (s *situation) narratePlan(o outcome, p planOutput) string {
	var b strings.Builder
	switch {
	case p.Status == assent.PlanRunning || p.Status == assent.PlanApproved:
		return "It is approved and running now; the card shows each step as it happens."
	case p.Status == assent.PlanRejected:
		return "The plan is put away. Nothing of it was run."
	case o.tool == "agent_revise_plan":
		fmt.Fprintf(&b, "I changed the plan; this is version %d", max(p.Version, 1))
		if was, ok := s.planBefore(p.PlanID); ok {
			if c := whatChanged(was, p.content()); c != "" {
				b.WriteString(": " + c)
			}
		}
	default:
		fmt.Fprintf(&b, "I drafted a plan: %s", english.Lower(strings.TrimRight(p.Objective, ".")))
	}
	if c := p.tally(); c != "" {
		b.WriteString(". It " + c)
	}
	b.WriteString(". Nothing has been done yet.")
	if o.tool == "agent_create_plan" {
		b.WriteString(assumptions(p))
		b.WriteString(s.milestonesIn(p))
	}
	b.WriteString(reviewText(p.Review))
	return b.String()
}

// planBefore is what a plan would have made when this turn began.
func (s *situation) planBefore(id string) (content, bool) {
	for _, p := range s.state.Plans {
		if p.PlanID != id {
			continue
		}
		var arguments []json.RawMessage
		var tools []string
		for _, st := range p.Steps {
			arguments, tools = append(arguments, st.Arguments), append(tools, st.Tool)
		}
		return contentOf(arguments, tools), true
	}
	return content{}, false
}

// content is what the plan would make.
func (p planOutput) content() content {
	var arguments []json.RawMessage
	var tools []string
	for _, st := range p.Steps {
		arguments, tools = append(arguments, st.Arguments), append(tools, st.Tool)
	}
	return contentOf(arguments, tools)
}

// milestonesIn names the milestones of a new project, those of its template
// included.
func (s *situation) milestonesIn(p planOutput) string {
	var titles []string
	for _, m := range p.content().of(assent.KindMilestone) {
		titles = append(titles, m.title)
	}
	for _, st := range p.Steps {
		id := argsOf(st.Arguments).text("template_id")
		if o, ok := s.latest("list_templates"); ok && id != "" && len(titles) == 0 {
			for _, t := range templatesOf(o) {
				if t.ID == id {
					for _, m := range t.milestones {
						titles = append(titles, m.Title)
					}
				}
			}
		}
	}
	if len(titles) == 0 || len(titles) > maxTold {
		return ""
	}
	return " Its milestones: " + strings.Join(titles, ", ") + "."
}

// tally says what the plan will do, from the preview or else from its steps.
func (p planOutput) tally() string {
	if c := counts(p.Preview); c != "" {
		if len(p.Preview.Deletes) == 0 {
			c += " and deletes nothing"
		}
		return c
	}
	if n := len(p.Steps); n > 0 {
		return "has " + english.Plural(n, "step")
	}
	return ""
}

// assumptions says how a date was read, since that is where words are vague.
func assumptions(p planOutput) string {
	for _, st := range p.Steps {
		a := argsOf(st.Arguments)
		if st.Tool != "create_project" {
			continue
		}
		due := a.text("due_date")
		if due == "" {
			return " You gave no date, so it has no deadline."
		}
		return " The deadline in it is " + long(due) + "."
	}
	return ""
}

func reviewText(r *assent.Review) string {
	if r == nil || r.Verdict == "" {
		return ""
	}
	if r.Verdict == assent.VerdictApproved {
		return " The reviewer has no objection."
	}
	var remarks []string
	for _, f := range r.Findings {
		if f.Severity != "info" {
			remarks = append(remarks, strings.TrimRight(f.Text, "."))
		}
	}
	if len(remarks) == 0 {
		return " The reviewer asks for changes."
	}
	return " The reviewer remarks: " + strings.Join(remarks, "; ") + "."
}

// narrateRun tells honestly what a run did.
func narrateRun(r runResult) string {
	done, failed, rest := sortSteps(r.Steps)
	switch r.Status {
	case assent.PlanRunning, assent.PlanApproved:
		return "It is running; the card shows each step as it happens, and I report when it ends."
	case assent.PlanWaitingHuman:
		return waitingText(r, done)
	case assent.PlanPaused:
		return "The run is paused" + after(done) + ". Say “resume” to go on or “cancel” to stop for good."
	case assent.PlanUndone:
		return "Everything that this plan did is undone."
	case assent.PlanCancelled:
		return "The run was cancelled" + after(done) + ". What was done before is kept; say “undo” to take it back."
	}
	if r.Success || r.Status == assent.PlanCompleted && len(failed) == 0 {
		return "Done.\n" + bullets(effects(done)) + "\nSay “undo” to take all of it back."
	}
	return failureText(done, failed, rest)
}

// effects leaves out the steps that only looked something up, if there are others.
func effects(done []stepResult) []stepResult {
	var out []stepResult
	for _, st := range done {
		if st.Effect != assent.EffectRead && !strings.HasPrefix(st.Tool, "list_") && !strings.HasPrefix(st.Tool, "get_") && !strings.HasPrefix(st.Tool, "search") {
			out = append(out, st)
		}
	}
	if len(out) == 0 {
		return done
	}
	return out
}

func failureText(done, failed, rest []stepResult) string {
	var b strings.Builder
	b.WriteString("The plan did not finish.")
	for _, st := range failed {
		fmt.Fprintf(&b, " “%s” failed", st.name())
		if st.Error != nil && st.Error.Message != "" {
			fmt.Fprintf(&b, ": %s", strings.TrimRight(st.Error.Message, "."))
		}
		b.WriteString(".")
	}
	if len(done) > 0 {
		b.WriteString("\n\nThis was done before and is kept:\n" + bullets(done))
	} else {
		b.WriteString(" Nothing was changed before that.")
	}
	if len(rest) > 0 {
		fmt.Fprintf(&b, "\n%s not run.", english.Sentence(english.Plural(len(rest), "step")+was(len(rest))))
	}
	b.WriteString("\nSay “continue” to try again from there, or “undo” to take back what was done.")
	return b.String()
}

func was(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

func waitingText(r runResult, done []stepResult) string {
	for _, st := range r.Steps {
		if st.Status == assent.StepWaitingHuman {
			return fmt.Sprintf("The run waits for your word at “%s”%s. Say “go on” to let it continue, or “stop” to cancel it.", st.name(), after(done))
		}
	}
	return "The run waits for your word" + after(done) + "."
}

func after(done []stepResult) string {
	if len(done) == 0 {
		return ""
	}
	return " after " + english.Plural(len(done), "step")
}

func sortSteps(steps []stepResult) (done, failed, rest []stepResult) {
	for _, st := range steps {
		switch st.Status {
		case assent.StepSuccess:
			done = append(done, st)
		case assent.StepFailed, assent.StepPartial:
			failed = append(failed, firstFailed(st))
		default:
			rest = append(rest, st)
		}
	}
	return done, failed, rest
}

// firstFailed is the child of a parallel step that explains its failure.
func firstFailed(st stepResult) stepResult {
	for _, c := range st.Children {
		if c.Status == assent.StepFailed {
			return c
		}
	}
	return st
}

func bullets(steps []stepResult) string {
	var b strings.Builder
	for _, st := range steps {
		b.WriteString("- " + strings.TrimRight(st.outcome(), ".") + "\n")
	}
	return b.String()
}

// outcome is what a finished step did: its summary, else what its output tells,
// else its label.
func (s stepResult) outcome() string {
	if s.Summary != "" {
		return s.Summary
	}
	var out output
	var e entity
	if json.Unmarshal(s.Outputs, &out) == nil && json.Unmarshal(out.Artifact, &e) == nil {
		if text := told(s.Tool, e); text != "" {
			return text
		}
	}
	return s.name()
}

// told says what a tool's output shows.
func told(tool string, e entity) string {
	verb, kind, ok := strings.Cut(tool, "_")
	if !ok {
		return ""
	}
	switch verb {
	case "create":
		if n := len(entities(e.Milestones)); kind == "milestones" && n > 0 {
			return "Added " + english.Plural(n, "milestone") + tasksToo(e)
		}
		if n := len(entities(e.Tasks)); kind == "tasks" && n > 0 {
			return "Added " + english.Plural(n, "task")
		}
		if e.label() == "" {
			return ""
		}
		text := "Created the " + strings.TrimSuffix(kind, "s") + " " + quoted(e.label())
		if kind == "project" {
			text += filledWith(e)
		}
		return text + dueText(e.DueDate)
	case "publish":
		return "Published the document " + quoted(e.label())
	case "update", "complete", "delete":
		if e.label() != "" {
			return past[verb] + " the " + kind + " " + quoted(e.label())
		}
	}
	return ""
}

var past = map[string]string{"update": "Changed", "complete": "Completed", "delete": "Deleted"}

func tasksToo(e entity) string {
	if n := len(entities(e.Tasks)); n > 0 {
		return " with " + english.Plural(n, "task")
	}
	return ""
}

func filledWith(e entity) string {
	var parts []string
	for _, group := range []struct {
		raw  json.RawMessage
		noun string
	}{{e.Milestones, "milestone"}, {e.Tasks, "task"}, {e.Goals, "goal"}, {e.Risks, "risk"}} {
		if n := len(entities(group.raw)); n > 0 {
			parts = append(parts, english.Plural(n, group.noun))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " with " + english.Join(parts)
}

func dueText(due string) string {
	if due == "" {
		return ""
	}
	return ", due " + long(due)
}
