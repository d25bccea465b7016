package offline

import (
	"encoding/json"
	"sort"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// planOutput is what the plan tools answer: agent_create_plan and
// agent_revise_plan with a plan, agent_execute_plan with a run's result.
type planOutput struct {
	PlanID    string            `json:"plan_id"`
	RunID     string            `json:"run_id"`
	Version   int64             `json:"version"`
	Status    assent.PlanStatus `json:"status"`
	Objective string            `json:"objective"`
	Steps     []stepResult      `json:"steps"`
	Preview   *assent.Preview   `json:"preview"`
	Review    *assent.Review    `json:"review"`
	Result    *runResult        `json:"result"`
	Success   bool              `json:"success"`
	Next      string            `json:"next"`
}

// runResult is design 03 §6's result of a run.
type runResult struct {
	Success bool              `json:"success"`
	Status  assent.PlanStatus `json:"status"`
	Steps   []stepResult      `json:"steps"`
}

// stepResult is a step as shown: of a plan with its arguments, of a run with its
// outcome.
type stepResult struct {
	ID        string            `json:"id"`
	Type      assent.StepType   `json:"type"`
	Tool      string            `json:"tool"`
	Agent     string            `json:"agent"`
	Label     string            `json:"label"`
	Prompt    string            `json:"prompt"`
	Status    assent.StepStatus `json:"status"`
	Summary   string            `json:"summary"`
	Arguments json.RawMessage   `json:"arguments"`
	Outputs   json.RawMessage   `json:"outputs"`
	Error     *assent.Problem   `json:"error"`
	Children  []stepResult      `json:"children"`
	Effect    assent.Effect     `json:"effect"`
}

func readPlanOutput(o outcome) (planOutput, bool) {
	var p planOutput
	if !o.env.Success || json.Unmarshal(o.env.Output, &p) != nil {
		return p, false
	}
	return p, p.PlanID != "" || p.RunID != "" || p.Status != "" || len(p.Steps) > 0
}

// run gives the result of the run, whichever tool told it, with labels and
// tools filled in from the plan where the run leaves them out.
func (p planOutput) run(s *situation) (runResult, bool) {
	var r runResult
	switch {
	case p.Result != nil:
		r = *p.Result
	case p.RunID != "" || ended(p.Status) && len(p.Steps) > 0 && p.Steps[0].Status != "":
		r = runResult{Success: p.Success, Status: p.Status, Steps: p.Steps}
	default:
		return r, false
	}
	if r.Status == "" {
		r.Status = p.Status
	}
	known := map[string]stepResult{}
	for _, st := range p.Steps {
		known[st.ID] = st
	}
	for _, plan := range s.state.Plans {
		if plan.PlanID == p.PlanID {
			for _, st := range plan.Steps {
				known[st.ID] = stepResult{Tool: st.Tool, Label: st.Label, Arguments: st.Arguments, Agent: st.Agent, Prompt: st.Prompt}
			}
		}
	}
	for i := range r.Steps {
		r.Steps[i].fill(known[r.Steps[i].ID])
	}
	return r, true
}

func (s *stepResult) fill(from stepResult) {
	if s.Tool == "" {
		s.Tool = from.Tool
	}
	if s.Label == "" {
		s.Label = from.Label
	}
	if len(s.Arguments) == 0 {
		s.Arguments = from.Arguments
	}
	if s.Agent == "" {
		s.Agent = from.Agent
	}
}

func ended(st assent.PlanStatus) bool {
	switch st {
	case assent.PlanCompleted, assent.PlanFailed, assent.PlanCancelled, assent.PlanUndone:
		return true
	}
	return false
}

// name is what people call the step.
func (s stepResult) name() string {
	switch {
	case s.Label != "":
		return s.Label
	case s.Tool != "":
		return spoken(s.Tool)
	case s.Agent != "":
		return "Agent " + s.Agent
	}
	return s.ID
}

// spoken writes a tool's name as words: "Create project".
func spoken(tool string) string {
	return english.Sentence(strings.ReplaceAll(tool, "_", " "))
}

// counts says what a preview counts: "creates 1 project and 3 milestones".
func counts(p *assent.Preview) string {
	if p == nil {
		return ""
	}
	var parts []string
	for _, group := range []struct {
		verb string
		n    map[string]int
	}{{"creates", p.Creates}, {"changes", p.Updates}, {"deletes", p.Deletes}} {
		if text := tally(group.n); text != "" {
			parts = append(parts, group.verb+" "+text)
		}
	}
	return english.Join(parts)
}

// tally says "1 project, 3 milestones and 9 tasks", in the order of pages.
func tally(n map[string]int) string {
	var parts []string
	seen := map[string]bool{}
	for _, k := range assent.Kinds() {
		seen[string(k)] = true
		if n[string(k)] > 0 {
			parts = append(parts, english.Plural(n[string(k)], string(k)))
		}
	}
	var others []string
	for k, v := range n {
		if !seen[k] && v > 0 {
			others = append(others, english.Plural(v, k))
		}
	}
	sort.Strings(others)
	return english.Join(append(parts, others...))
}
