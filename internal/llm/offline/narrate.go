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
