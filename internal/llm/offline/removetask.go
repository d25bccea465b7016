package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// removeTask takes one task out of the lists of tasks.
func (r *revision) removeTask(name string) bool {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		ms := milestonesOf(a)
		for k, m := range ms {
			for n, title := range m.Tasks {
				if english.Likeness(name, plain(title)) >= 0.7 {
					ms[k].Tasks = append(m.Tasks[:n:n], m.Tasks[n+1:]...)
					r.setMilestones(i, ms)
					return true
				}
			}
		}
		list, _ := a["tasks"].([]any)
		for n, item := range list {
			if english.Likeness(name, plain(titleOf(item))) >= 0.7 {
				a["tasks"] = append(list[:n:n], list[n+1:]...)
				r.set(i, a)
				if len(list) == 1 {
					return r.removeSteps([]int{i})
				}
				r.relabelTasks(i, len(list)-1)
				return true
			}
		}
	}
	return false
}

func titleOf(item any) string {
	switch v := item.(type) {
	case string:
		return v
	case map[string]any:
		return args(v).text("title")
	}
	return ""
}

func (r *revision) relabelTasks(i, n int) {
	if st := &r.doc.Steps[i]; st.Tool == "create_tasks" && strings.HasPrefix(st.Label, "Add ") {
		st.Label = "Add " + english.Plural(n, "task")
	}
}
