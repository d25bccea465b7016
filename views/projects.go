package views

import "assent/internal/assent"

// ProjectLine is a project in the list.
type ProjectLine struct {
	Project     assent.Project
	Owner       string // name; empty when it is the reader
	Done, Total int64  // tasks
	Overdue     bool
}

// Projects is the list of projects.
type Projects struct {
	Lines   []ProjectLine
	Any     bool // there are projects, perhaps of another status
	Filters []Link
	Pager   Pager
}
