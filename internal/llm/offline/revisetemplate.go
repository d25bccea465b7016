package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// template takes the template out of the plan, or says that it cannot look
// another one up here.
func (r *revision) template(t english.Text) bool {
	c := t.Canon()
	i := r.projectStep()
	switch {
	case !templateNoun.In(c) && !scratch.In(c), i < 0:
		return false
	case without.In(c):
		a := argsOf(r.doc.Steps[i].Arguments)
		if a["template_id"] == nil {
			return r.fail("The plan uses no template.")
		}
		delete(a, "template_id")
		r.doc.Steps[i].Label = cutFrom(r.doc.Steps[i].Label)
		r.set(i, a)
		return true
	}
	return r.useTemplate(t, i)
}

var (
	without = groups.Compile(`(?:no|without|not|leave out|drop|skip|remove|scratch|do not)`)
	scratch = groups.Compile(`from scratch`)
)

func cutFrom(label string) string {
	head, _, _ := strings.Cut(label, " from “")
	return head
}

// useTemplate takes another template, if the conversation has shown it.
func (r *revision) useTemplate(t english.Text, project int) bool {
	name := target(t.Drop(templateWords(t)...))
	for _, o := range append(outcomes(r.s.past), r.s.results...) {
		for _, tpl := range templatesOf(o) {
			if o.tool == "list_templates" && english.Likeness(name, tpl.Name) >= fits {
				a := argsOf(r.doc.Steps[project].Arguments)
				a["template_id"] = tpl.ID
				delete(a, "milestones")
				r.set(project, a)
				r.doc.Steps[project].Label = cutFrom(r.doc.Steps[project].Label) + " from “" + tpl.Name + "”"
				return r.withoutOwnMilestones()
			}
		}
	}
	return r.fail("I cannot look up another template inside a change. Say “discard it” and then name the template, for example “set it up from the event template”.")
}

func (r *revision) withoutOwnMilestones() bool {
	for _, st := range r.doc.Steps {
		if st.Tool == "create_milestones" {
			return r.removeTool("create_milestones")
		}
	}
	return true
}

func templateWords(t english.Text) []english.Range {
	var out []english.Range
	for i := range t.Tokens {
		if t.Is(i, "use", "take", "pick", "template", "instead", "the", "a", "with", "go", "switch", "to", "change", "based", "on", "from", "another", "different") {
			out = append(out, english.Range{From: i, To: i + 1})
		}
	}
	return out
}
