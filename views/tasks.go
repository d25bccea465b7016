package views

import "assent/internal/assent"

// TaskLine is a task in a list or on the board.
type TaskLine struct {
	Task      assent.Task
	Milestone string // its title
	Assignee  string // name
	Overdue   bool
}

// BoardColumn is the tasks of one status.
type BoardColumn struct {
	Status string
	Lines  []TaskLine
	Total  int64  // may be more than are shown
	More   string // address of the whole list
}

// Tasks is the page of a project's tasks, as list or board.
type Tasks struct {
	Head      ProjectHead
	Board     bool
	Columns   []BoardColumn // of the board
	Lines     []TaskLine    // of the list
	Any       bool          // the project has tasks, perhaps others
	ListURL   string
	BoardURL  string
	Filters   []Link
	Milestone string // only those of this one; its title
	AllURL    string // without that narrowing
	Pager     Pager
	Here      string // address of this view, to come back after a change
}

// TaskStatuses lists the statuses of a task in the order of work.
func TaskStatuses() []string { return []string{"todo", "in_progress", "blocked", "done", "cancelled"} }

// about is the line under a task's title.
func (l TaskLine) about() string {
	if l.Task.Status == "blocked" && l.Task.Blocker != "" {
		return "Blocked: " + l.Task.Blocker
	}
	return l.Milestone
}

func riskLine(k assent.Risk) string {
	out := ""
	if k.Likelihood != "" && k.Impact != "" {
		out = Words(k.Likelihood) + " likelihood, " + k.Impact + " impact"
	}
	if k.Mitigation != "" {
		if out != "" {
			out += ". "
		}
		out += k.Mitigation
	}
	return out
}

func decisionLine(r Reader, d assent.Decision) string {
	if d.DecidedOn == "" {
		return d.Rationale
	}
	if d.Rationale == "" {
		return r.ShortDate(d.DecidedOn)
	}
	return r.ShortDate(d.DecidedOn) + " · " + d.Rationale
}
