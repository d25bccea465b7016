package workspace

import (
	"fmt"
	"time"

	"assent/internal/assent"
)

// are is a count with its verb: "1 task is", "3 tasks are".
func are(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " is"
	}
	return count(n, noun) + " are"
}

func blockedTasks(x examination) (string, []string) {
	names, ids := found(x.tasks, func(t assent.Task) bool { return t.Status == "blocked" }, func(t assent.Task) string {
		if t.Blocker == "" {
			return quoted(&t)
		}
		return fmt.Sprintf("%s (%s)", quoted(&t), clip(t.Blocker, 100))
	})
	if len(ids) == 0 || x.closed() {
		return noCase()
	}
	return fmt.Sprintf("%s blocked: %s.", are(len(ids), "task"), examples(names, 3)), ids
}

func highRisks(x examination) (string, []string) {
	names, ids := found(x.risks, func(r assent.Risk) bool {
		high := r.Likelihood == "high" || r.Impact == "high"
		return r.Status == "open" && high && r.Likelihood != "low" && r.Impact != "low"
	}, func(r assent.Risk) string {
		if r.Mitigation == "" {
			return quoted(&r) + ", with nothing done about it"
		}
		return quoted(&r)
	})
	if len(ids) == 0 || x.closed() {
		return noCase()
	}
	return fmt.Sprintf("%s open: %s.", are(len(ids), "high risk"), examples(names, 3)), ids
}

func stale(x examination) (string, []string) {
	silence := x.now.Sub(x.lastChange)
	if !x.running() || silence < staleAfter {
		return noCase()
	}
	return fmt.Sprintf("Nothing has changed for %s, since %s.", count(int(silence/(24*time.Hour)), "day"), x.lastChange.In(x.now.Location()).Format(time.DateOnly)), []string{x.project.ID}
}

func noTasks(x examination) (string, []string) {
	if len(x.tasks) > 0 || !x.running() {
		return noCase()
	}
	return "The project has no tasks.", []string{x.project.ID}
}

func unfinished(x examination) (string, []string) {
	names, ids := found(x.tasks, func(t assent.Task) bool { return !finished(&t) }, plainName[assent.Task])
	if len(ids) == 0 || !x.closed() {
		return noCase()
	}
	text := fmt.Sprintf("The project is %s, but %s open: %s.", x.project.Status, are(len(ids), "task"), examples(names, 3))
	return text, ids
}

func noDueDate(x examination) (string, []string) {
	if x.project.DueDate != "" || !x.running() {
		return noCase()
	}
	return "The project has no due date.", []string{x.project.ID}
}

func noContext(x examination) (string, []string) {
	_, ids := found(x.documents, func(d assent.Document) bool { return d.Type == "context" && d.Status == "published" }, plainName[assent.Document])
	if len(ids) > 0 || !x.running() {
		return noCase()
	}
	return "There is no published context document.", []string{x.project.ID}
}

func milestonesSoon(x examination) (string, []string) {
	names, ids := []string{}, []string{}
	for _, m := range x.milestones {
		if m.DueDate == "" || m.Status != "open" || m.Passed || x.late(m.DueDate) < -soon || m.OpenTasks <= m.DoneTasks {
			continue
		}
		names, ids = append(names, fmt.Sprintf("%s (%s, %s)", quoted(&m.Milestone), m.DueDate, count(m.OpenTasks, "open task"))), append(ids, m.ID)
	}
	if len(ids) == 0 || x.closed() {
		return noCase()
	}
	return fmt.Sprintf("%s due within a week with most of the work open: %s.", are(len(ids), "milestone"), examples(names, 3)), ids
}

func withoutMilestone(x examination) (string, []string) {
	names, ids := found(x.tasks, func(t assent.Task) bool { return t.MilestoneID == "" && !finished(&t) }, plainName[assent.Task])
	if len(ids) == 0 || len(x.milestones) == 0 || x.closed() {
		return noCase()
	}
	return fmt.Sprintf("%s in no milestone: %s.", are(len(ids), "open task"), examples(names, 3)), ids
}

func noGoals(x examination) (string, []string) {
	if len(x.goals) > 0 || !x.running() {
		return noCase()
	}
	return "No goal is written down.", []string{x.project.ID}
}

func waitingTasks(x examination) (string, []string) {
	names, ids := []string{}, []string{}
	for _, t := range x.blocked {
		if t.Status != "blocked" {
			names, ids = append(names, quoted(&t.Task)), append(ids, t.ID)
		}
	}
	if len(ids) == 0 || x.closed() {
		return noCase()
	}
	return fmt.Sprintf("%s waiting for something unfinished: %s.", are(len(ids), "task"), examples(names, 3)), ids
}
