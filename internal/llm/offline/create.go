package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// createProject goes from an idea to a plan: look at the templates, then make the
// plan from what was found.
func (s *situation) createProject(a *ask) answer {
	b := readBrief(a, s.reader)
	if b.name == "" {
		return say("Gladly. What is the project about? One sentence is enough, for example “We are moving our office to Leith by the end of March”. " +
			"You can name milestones, tasks and a date as well.")
	}
	if b.goneBy(s.today()) {
		return sayf("%s has gone by already. Which day do you mean? I have changed nothing yet.", english.LongDate(b.due))
	}
	found, looked := s.latest("list_templates")
	if !looked {
		query := topicOf(b)
		if b.template != "" {
			query = b.template
		}
		return use("list_templates", args{"query": query}).before("I’ll see whether a template fits.")
	}
	o := planOutline(b, chooseTemplate(found, b), s.today())
	o.ownList = b.ownList() && o.template == nil
	if b.template != "" && o.template == nil && found.env.Success {
		if names := templateNames(found); len(names) > 0 {
			return sayf("I found no template called %s. There are: %s. Tell me which one to use, or say “without a template”.", quoted(b.template), english.Join(names))
		}
	}
	return s.propose(createPlan(o), s.mode(a))
}

// chooseTemplate is the template that fits. Who lists milestones or tasks of their
// own gets these and nothing else, unless they ask for a template.
func chooseTemplate(found outcome, b brief) *template {
	if b.ownList() && b.template == "" && !b.anyTemplate {
		return nil
	}
	if t, ok := bestTemplate(templatesOf(found), b); ok {
		return &t
	}
	return nil
}

func templateNames(found outcome) []string {
	var out []string
	for _, t := range templatesOf(found) {
		out = append(out, quoted(t.Name))
	}
	return out[:min(len(out), 8)]
}

// propose asks the runtime for a plan.
func (s *situation) propose(doc assent.PlanDocument, mode assent.Mode) answer {
	a := args{"objective": doc.Objective, "execution_mode": string(mode), "steps": doc.Steps}
	if doc.Reasoning != "" {
		a["reasoning"] = doc.Reasoning
	}
	if len(doc.RequestedOutputs) > 0 {
		a["requested_outputs"] = doc.RequestedOutputs
	}
	return use("agent_create_plan", a)
}

// mode is how far a plan may go: what the words ask for, but never looser than
// the state's floor.
func (s *situation) mode(a *ask) assent.Mode { return assent.Stricter(s.state.Mode, a.mode) }

// topicOf are the words that say what a project is about, for looking up
// templates: places after a preposition and dates are left out.
func topicOf(b brief) string {
	var out []string
	for _, w := range strings.Fields(b.name) {
		if len(out) > 0 && isPreposition(w) {
			break
		}
		if !english.Stop(w) {
			out = append(out, strings.ToLower(strings.Trim(w, ".,;:!?\"“”()")))
		}
	}
	if kind, ok := archetypeOf(b.name + " " + b.about); ok && !strings.Contains(strings.Join(out, " "), kind.kind) {
		out = append(out, kind.kind)
	}
	if len(out) == 0 {
		return strings.ToLower(b.name)
	}
	return strings.Join(out[:min(len(out), 6)], " ")
}

func isPreposition(w string) bool {
	switch strings.ToLower(w) {
	case "to", "from", "in", "into", "at", "for", "with", "on", "of", "by", "near", "across", "within":
		return true
	}
	return false
}
