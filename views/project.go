package views

import "assent/internal/assent"

// ProjectHead is what every page of a project shows on top.
type ProjectHead struct {
	Project assent.Project
	Tab     string
	Owned   bool // by the reader, who alone manages members and deletes
}

func (h ProjectHead) tabs() []Link {
	tab := func(tab, label string) Link {
		return Link{URL: ProjectTabURL(h.Project.ID, tab), Label: label, Current: h.Tab == tab}
	}
	return []Link{tab(TabOverview, "Overview"), tab(TabMilestones, "Milestones"), tab(TabTasks, "Tasks"), tab(TabDocuments, "Documents"),
		tab(TabHealth, "Health"), tab(TabHistory, "History"), tab(TabMembers, "Members")}
}

// Overview is the first page of a project.
type Overview struct {
	Head          ProjectHead
	Owner         string
	Done, Total   int64 // tasks
	Overdue       int64
	Blocked       int64
	NextMilestone *assent.Milestone
	Today         assent.Date
	Goals         []assent.Goal
	Risks         []assent.Risk
	Decisions     []assent.Decision
	Next          []TaskLine // open tasks by due date, the first few
}

// openRisks counts the risks that still stand.
func (o Overview) openRisks() (n int64) {
	for _, r := range o.Risks {
		if r.Status == "open" || r.Status == "" {
			n++
		}
	}
	return n
}

// MilestoneLine is a milestone with how far its tasks are.
type MilestoneLine struct {
	Milestone   assent.Milestone
	Done, Total int64
	Overdue     bool
}

// Milestones is the page of a project's milestones.
type Milestones struct {
	Head  ProjectHead
	Lines []MilestoneLine
	Loose int64 // tasks without a milestone
}
