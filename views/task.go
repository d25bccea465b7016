package views

import "assent/internal/assent"

// TaskLink is a task that another one depends on, or that depends on it.
type TaskLink struct {
	Relation string // id of the relation
	Task     assent.Task
}

// TaskPage is one task: a form for its fields, and what hangs on it.
type TaskPage struct {
	Project   assent.Project
	Task      assent.Task
	Overdue   bool
	Form      Form
	DependsOn []TaskLink
	Blocks    []TaskLink
	Others    []Option // tasks that it may come to depend on
	Error     string   // why a dependency was refused
}
