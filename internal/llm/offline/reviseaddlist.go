package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

func (r *revision) hasTaskList() bool {
	for _, st := range r.doc.Steps {
		if st.Tool == "create_tasks" {
			return true
		}
	}
	return false
}

// addTaskList adds several tasks as one step.
func (r *revision) addTaskList(items []item) bool {
	project, ok := r.projectReference()
	if !ok {
		return r.fail("I cannot tell to which project that should be added.")
	}
	var list []args
	for _, it := range items {
		task := args{"title": literal(it.title)}
		if !it.due.IsZero() {
			task["due_date"] = it.due.Format(time.DateOnly)
		}
		list = append(list, task)
	}
	st := assent.Step{ID: r.freshID("tasks"), Type: assent.StepTool, Label: "Add " + english.Plural(len(items), "task"), Tool: "create_tasks",
		Arguments: encode(within(args{"project_id": project, "tasks": list}))}
	return r.insert(st, r.index(assent.KindTask, place{step: -1}))
}
