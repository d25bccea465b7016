package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// priority sets the priority of the tasks that the plan creates.
func (r *revision) priority(t english.Text) bool {
	p := changedPriority(t)
	if p == "" {
		return false
	}
	name := target(withoutFields(t), "priority", "all", "every", "everything", "tasks", "them", "them all")
	if i, ok := r.titled(name); ok && !isPronoun(name) && !onlyStop(name) {
		a := argsOf(r.doc.Steps[i].Arguments)
		a["priority"] = p
		r.set(i, a)
		return true
	}
	return r.setPriority(p)
}

func (r *revision) setPriority(p string) bool {
	had := false
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if st.Tool == "create_task" || st.Tool == "update_task" {
			a["priority"], had = p, true
			if p == "" {
				delete(a, "priority")
			}
			r.set(i, a)
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok {
				m["priority"], had = p, true
				if p == "" {
					delete(m, "priority")
				}
			}
		}
		if had && len(list) > 0 {
			r.set(i, a)
		}
	}
	if !had {
		return r.fail("The tasks of this plan come with their milestones, so they get the normal priority; change it after they are made.")
	}
	return true
}

var describing = groups.Compile(`^(?:describe (?:it|the project) as|(?:set|change|make|add|give it) (?:a |the )?description(?: of the project)?(?: to| as| :)?|description(?: :| should be| is)?|the description should (?:be|say)|describe :?) (?P<value>.+)$`)

func (r *revision) describe(t english.Text) bool {
	m, ok := describing.Find(t.Canon())
	i := r.projectStep()
	if !ok || i < 0 {
		return false
	}
	v := t.Part(m.Groups["value"])
	a := argsOf(r.doc.Steps[i].Arguments)
	a["description"] = literal(v.Name(english.Range{From: 0, To: v.Len()}))
	r.set(i, a)
	return true
}

var activating = groups.Compile(`(?:active|status active|status to active|running|live)(?: (?:right away|at once|immediately|now))*$`)

func (r *revision) status(t english.Text) bool {
	i := r.projectStep()
	if i < 0 || !activating.In(t.Canon()) {
		return false
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	a["status"] = "active"
	r.set(i, a)
	return true
}

// replace changes the words of a query or a text that the plan holds literally.
func (r *revision) replace(t english.Text) bool {
	m, ok := renamings[len(renamings)-1].Find(t.Canon())
	if !ok {
		return false
	}
	old, value := target(t.Part(m.Groups["target"])), target(t.Part(m.Groups["value"]))
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		for _, key := range []string{"query", "title", "mitigation", "rationale", "body", "description"} {
			if v := a.text(key); v != "" && strings.Contains(strings.ToLower(v), strings.ToLower(old)) && st.Type == assent.StepTool {
				at := strings.Index(strings.ToLower(v), strings.ToLower(old))
				a[key] = v[:at] + literal(value) + v[at+len(old):]
				r.set(i, a)
				return true
			}
		}
	}
	return false
}
