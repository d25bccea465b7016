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

// Percent is the share of tasks done, 0 to 1.
func (l ProjectLine) Percent() float64 {
	if l.Total == 0 {
		return 0
	}
	return float64(l.Done) / float64(l.Total)
}
