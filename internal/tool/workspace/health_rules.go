package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// Severities of findings.
const (
	info    = "info"
	warning = "warning"
	grave   = "error"
)

// staleAfter is the silence after which a project that should move is stale.
const staleAfter = 14 * 24 * time.Hour

// soon is how far ahead a milestone is looked at.
const soon = 7

// maxEvidence is how many things each list of a report shows; counts tell how
// many there are.
const maxEvidence = 50

// A rule notices one thing. It costs each points per case, at most limit in all;
// a rule that finds nothing gives no text.
type rule struct {
	name        string
	severity    string
	each, limit int
	check       func(examination) (text string, ids []string)
}

// rules are all there are, the gravest first:
//
//	project_overdue      25          due date passed, project not done
//	dependency_cycle     10 each ≤20 tasks wait for each other in a circle
//	milestone_passed      8 each ≤24 due date passed, not reached
//	overdue_tasks         4 each ≤30 due date passed, not done
//	blocked_tasks         5 each ≤20 marked as blocked
//	high_risks            5 each ≤15 open, high likelihood or impact, the other not low
//	stale                10          no change for 14 days while planning or active
//	no_tasks             10          nothing to do is written down
//	unfinished           10          project done, tasks open
//	no_due_date           5
//	no_context_document   5          no published context document
//	milestone_soon        3 each ≤9  due within 7 days, more tasks open than done
//	without_milestone     3          tasks outside the milestones there are
//	no_goals              2
//	waiting_tasks         0          wait for something unfinished
//
// The verdict is critical below 45 or, with an error among the findings, below
// 60; good from 75 on if there is no error; else at_risk.
func rules() []rule {
	return []rule{
		{"project_overdue", grave, 25, 25, projectOverdue},
		{"dependency_cycle", grave, 10, 20, dependencyCycles},
		{"milestone_passed", grave, 8, 24, milestonesPassed},
		{"overdue_tasks", warning, 4, 30, overdueTasks},
		{"blocked_tasks", warning, 5, 20, blockedTasks},
		{"high_risks", warning, 5, 15, highRisks},
		{"stale", warning, 10, 10, stale},
		{"no_tasks", warning, 10, 10, noTasks},
		{"unfinished", warning, 10, 10, unfinished},
		{"no_due_date", warning, 5, 5, noDueDate},
		{"no_context_document", warning, 5, 5, noContext},
		{"milestone_soon", warning, 3, 9, milestonesSoon},
		{"without_milestone", info, 3, 3, withoutMilestone},
		{"no_goals", info, 2, 2, noGoals},
		{"waiting_tasks", info, 0, 0, waitingTasks},
	}
}

// judge applies every rule.
func (x examination) judge() health {
	h := health{ProjectID: x.project.ID, Name: x.project.Name, Status: x.project.Status, AsOf: x.today, Score: 100, Findings: []finding{},
		Counts: x.counts(), Overdue: x.overdue[:min(maxEvidence, len(x.overdue))], Blocked: x.blocked[:min(maxEvidence, len(x.blocked))], Milestones: x.milestones[:min(maxEvidence, len(x.milestones))]}
	grim := false
	for _, r := range rules() {
		text, ids := r.check(x)
		if text == "" {
			continue
		}
		f := finding{Severity: r.severity, Text: text, Rule: r.name, Cost: min(r.limit, r.each*max(1, len(ids))), IDs: ids[:min(maxEvidence, len(ids))]}
		h.Findings, h.Score, grim = append(h.Findings, f), h.Score-f.Cost, grim || r.severity == grave
	}
	h.Score = max(0, h.Score)
	switch {
	case h.Score < 45 || grim && h.Score < 60:
		h.Verdict = "critical"
	case h.Score >= 75 && !grim:
		h.Verdict = "good"
	default:
		h.Verdict = "at_risk"
	}
	for i := range h.Overdue {
		cut(&h.Overdue[i], keepBrief)
	}
	for i := range h.Milestones {
		cut(&h.Milestones[i].Milestone, keepBrief)
	}
	return h
}

func (x examination) counts() healthCounts {
	n := healthCounts{Tasks: len(x.tasks), Overdue: len(x.overdue), Blocked: len(x.blocked), Milestones: len(x.milestones), Documents: len(x.documents), Goals: len(x.goals)}
	for _, t := range x.tasks {
		if t.Status == "done" {
			n.Done++
		}
		if !finished(&t) {
			n.Open++
		}
	}
	for _, m := range x.milestones {
		if m.Status == "reached" {
			n.MilestonesReached++
		}
		if m.Passed {
			n.MilestonesPassed++
		}
	}
	for _, r := range x.risks {
		if r.Status == "open" {
			n.OpenRisks++
		}
	}
	return n
}

// running reports whether the project is meant to move.
func (x examination) running() bool {
	return x.project.Status == "planning" || x.project.Status == "active"
}

// closed reports whether nothing is expected of the project any more.
func (x examination) closed() bool { return finished(&x.project) }

// found gives the names and ids of the items that a test picks.
func found[T any, P entity[T]](items []T, pick func(T) bool, name func(T) string) (names, ids []string) {
	for _, it := range items {
		if pick(it) {
			names, ids = append(names, name(it)), append(ids, P(&it).Base().ID)
		}
	}
	return names, ids
}

func plainName[T any, P entity[T]](it T) string { return "“" + store.Title(P(&it)) + "”" }

// late is how many days a date lies back.
func (x examination) late(d assent.Date) int {
	due, err1 := time.Parse(time.DateOnly, string(d))
	now, err2 := time.Parse(time.DateOnly, string(x.today))
	if err := cmp.Or(err1, err2); err != nil {
		return 0
	}
	return int(now.Sub(due).Hours() / 24)
}

func noCase() (string, []string) { return "", []string{} }

func projectOverdue(x examination) (string, []string) {
	if x.closed() || x.project.DueDate == "" || x.project.DueDate >= x.today {
		return noCase()
	}
	return fmt.Sprintf("The project was due on %s, %s ago.", x.project.DueDate, count(x.late(x.project.DueDate), "day")), []string{x.project.ID}
}

func dependencyCycles(x examination) (string, []string) {
	var ids []string
	for id := range x.graph.deps {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	names, first := []string{}, []string{}
	for _, part := range x.graph.components(ids) {
		if len(part) > 1 {
			names, first = append(names, "“"+x.graph.title(part[0])+"” and "+count(len(part)-1, "other")), append(first, part[0])
		}
	}
	if len(first) == 0 {
		return noCase()
	}
	return "These wait for each other in a circle and can never start: " + examples(names, 3) + ".", first
}

func milestonesPassed(x examination) (string, []string) {
	if x.closed() {
		return noCase()
	}
	names, ids := []string{}, []string{}
	for _, m := range x.milestones {
		if m.Passed {
			names, ids = append(names, fmt.Sprintf("%s (%s)", quoted(&m.Milestone), m.DueDate)), append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return noCase()
	}
	return fmt.Sprintf("%s passed without being reached: %s.", count(len(ids), "milestone"), examples(names, 3)), ids
}

func overdueTasks(x examination) (string, []string) {
	if len(x.overdue) == 0 || x.closed() {
		return noCase()
	}
	names, ids := found(x.overdue, func(assent.Task) bool { return true }, func(t assent.Task) string {
		return fmt.Sprintf("%s (%s)", quoted(&t), count(x.late(t.DueDate), "day"))
	})
	return fmt.Sprintf("%s overdue: %s.", are(len(ids), "task"), examples(names, 3)), ids
}
