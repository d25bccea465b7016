package offline

import (
	"strings"
)

func (r *revision) removeTool(tools ...string) bool {
	var which []int
	for i, st := range r.doc.Steps {
		for _, tool := range tools {
			if st.Tool == tool {
				which = append(which, i)
			}
		}
	}
	if len(which) == 0 {
		return r.fail("There is no such step in the plan.")
	}
	return r.removeSteps(which)
}

// removeTools removes the steps of a tool and the argument that does the same.
func (r *revision) removeTools(tool, argument string) bool {
	had := r.hasArgument(argument)
	if had {
		r.dropArgument(argument)
	}
	for _, st := range r.doc.Steps {
		if st.Tool == tool {
			return r.removeTool(tool)
		}
	}
	if !had {
		return r.fail("There are no " + argument + " of its own in the plan.")
	}
	return true
}

func (r *revision) removeMilestones() bool {
	had := false
	if i := r.projectStep(); i >= 0 && len(milestonesOf(argsOf(r.doc.Steps[i].Arguments))) > 0 {
		r.setMilestones(i, nil)
		had = true
	}
	for _, st := range r.doc.Steps {
		if st.Tool == "create_milestones" || st.Tool == "create_milestone" {
			return r.removeTool("create_milestones", "create_milestone")
		}
	}
	if !had {
		return r.fail("The plan lists no milestones of its own; if they come from the template, say “without the template”.")
	}
	return true
}

func (r *revision) removeTasks() bool {
	had := false
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		for k := range ms {
			had = had || len(ms[k].Tasks) > 0
			ms[k].Tasks = nil
		}
		r.setMilestones(i, ms)
	}
	if i := r.projectStep(); i >= 0 && r.hasArgument("tasks") {
		had = r.dropArgument("tasks")
	}
	for _, st := range r.doc.Steps {
		if st.Tool == "create_tasks" || st.Tool == "create_task" {
			return r.removeTool("create_tasks", "create_task")
		}
	}
	if !had {
		return r.fail("The plan lists no tasks of its own.")
	}
	return true
}

func (r *revision) hasArgument(name string) bool {
	i := r.projectStep()
	return i >= 0 && argsOf(r.doc.Steps[i].Arguments)[name] != nil
}

func (r *revision) dropArgument(name string) bool {
	i := r.projectStep()
	if i < 0 || !r.hasArgument(name) {
		return r.fail("The plan has no " + strings.ReplaceAll(name, "_", " ") + ".")
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	delete(a, name)
	r.set(i, a)
	return true
}

func (r *revision) removeDates() bool {
	had := false
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if a.text("due_date") != "" {
			had = true
			delete(a, "due_date")
		}
		if list, ok := a["tasks"].([]any); ok {
			for _, item := range list {
				if m, isTask := item.(map[string]any); isTask {
					had = had || m["due_date"] != nil
					delete(m, "due_date")
				}
			}
		}
		r.set(i, a)
		if ms := milestonesOf(a); len(ms) > 0 {
			for k := range ms {
				had = had || ms[k].DueDate != ""
				ms[k].DueDate = ""
			}
			r.setMilestones(i, ms)
		}
	}
	if !had {
		return r.fail("There is no date in the plan.")
	}
	return true
}
