package planner

import (
	"assent/internal/assent"
	"assent/internal/llm"
)

// contextRow is what a context type means for a turn; design 02 §1. Adding a
// context type is adding a row.
type contextRow struct {
	profile   llm.Profile
	guidance  string
	preferred []string          // tools on offer beside the meta tools
	offered   []assent.ToolSpec // what a turn is offered at first; New fills it
}

func contextTable() map[assent.ContextType]contextRow {
	reads := []string{"search", "list_projects", "get_project", "list_tasks", "list_milestones", "list_documents", "get_document", "search_documents",
		"list_templates", "blocked_tasks", "overdue_tasks", "project_health"}
	writes := []string{"create_task", "update_task", "complete_task", "create_milestone", "create_document"}
	return map[assent.ContextType]contextRow{
		assent.ContextGeneral: {profile: llm.ProfileBalanced, preferred: append(append([]string{}, reads...), writes...),
			guidance: "General help and research. Read with tools first. Make a plan only when the wish takes several steps."},
		assent.ContextProjectCreate: {profile: llm.ProfileBalanced,
			preferred: append([]string{"list_templates", "get_template", "create_template", "create_project", "create_milestones", "create_tasks", "create_goal", "create_risk", "publish_document"}, reads...),
			guidance:  "The person wants a new project. They must leave with one: find a template, create the project, publish its context document, in that order, as one plan."},
		assent.ContextProject: {profile: llm.ProfileBalanced, preferred: append(append([]string{"update_project", "list_risks", "list_decisions", "create_risk", "create_decision"}, reads...), writes...),
			guidance: "You work inside the project named in the state's entity; it is meant unless another is named. Delete or replace nothing without the person's word."},
		assent.ContextTask: {profile: llm.ProfileSpeed, preferred: append([]string{"get_task", "task_dependencies", "create_relation"}, append(append([]string{}, writes...), reads...)...),
			guidance: "Inspect and update tasks. Use the task tools first. Always say what blocks a task and what it waits for."},
		assent.ContextProjectAudit: {profile: llm.ProfileQuality, preferred: append([]string{"task_dependencies", "list_risks", "list_decisions", "list_goals", "get_task"}, reads...),
			guidance: "Judge the health of a running project. Start with project_health, then look deeper where it points. Name findings with evidence and what to do about each. You may plan a deeper look."},
	}
}
