package page

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// contents is everything in a project, sorted out.
type contents struct {
	milestones []assent.Milestone
	tasks      []assent.Task
	goals      []assent.Goal
	documents  []assent.Document
	risks      []assent.Risk
	decisions  []assent.Decision
	relations  []assent.Relation
}

func (p *Pages) contentsOf(c echo.Context, projectID string) (contents, error) {
	var out contents
	all, err := p.Store.ListProjectEntities(c.Request().Context(), projectID)
	for _, n := range all {
		switch e := n.(type) {
		case *assent.Milestone:
			out.milestones = append(out.milestones, *e)
		case *assent.Task:
			out.tasks = append(out.tasks, *e)
		case *assent.Goal:
			out.goals = append(out.goals, *e)
		case *assent.Document:
			out.documents = append(out.documents, *e)
		case *assent.Risk:
			out.risks = append(out.risks, *e)
		case *assent.Decision:
			out.decisions = append(out.decisions, *e)
		case *assent.Relation:
			out.relations = append(out.relations, *e)
		}
	}
	return out, err
}

func (p *Pages) tasksOf(c echo.Context, projectID string) ([]assent.Task, error) {
	all, err := p.contentsOf(c, projectID)
	return all.tasks, err
}

// over reports whether nothing is left to do in a task.
func over(t assent.Task) bool { return t.Status == "done" || t.Status == "cancelled" }

// late reports whether a day has passed.
func late(d, today assent.Date) bool { return d != "" && d < today }

// progress counts tasks that are done among those that count: a cancelled one
// does not.
func progress(tasks []assent.Task) (finished, total int64) {
	for _, t := range tasks {
		if t.Status == "cancelled" {
			continue
		}
		total++
		if t.Status == "done" {
			finished++
		}
	}
	return finished, total
}

// lines makes tasks ready to be shown.
func (p *Pages) lines(c echo.Context, tasks []assent.Task, milestones []assent.Milestone) ([]views.TaskLine, error) {
	people, today := p.names(c), reader(c).Today(p.Clock())
	titles := map[string]string{}
	for _, m := range milestones {
		titles[m.ID] = m.Title
	}
	out := make([]views.TaskLine, len(tasks))
	for i, t := range tasks {
		who, err := people.of(t.AssigneeID)
		if err != nil {
			return nil, err
		}
		out[i] = views.TaskLine{Task: t, Milestone: titles[t.MilestoneID], Assignee: who, Overdue: !over(t) && late(t.DueDate, today)}
	}
	return out, nil
}

// milestoneLines tells how far each milestone is, and how many tasks belong to none.
func milestoneLines(all contents, today assent.Date) (lines []views.MilestoneLine, loose int64) {
	of := map[string][]assent.Task{}
	for _, t := range all.tasks {
		of[t.MilestoneID] = append(of[t.MilestoneID], t)
	}
	for _, m := range all.milestones {
		l := views.MilestoneLine{Milestone: m, Overdue: m.Status == "open" && late(m.DueDate, today)}
		l.Done, l.Total = progress(of[m.ID])
		lines = append(lines, l)
		delete(of, m.ID)
	}
	for _, rest := range of {
		loose += int64(len(rest))
	}
	return lines, loose
}

// soonest orders dates with the nearest first and "no date" last.
func soonest(a, b assent.Date) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	return strings.Compare(string(a), string(b))
}

// upNext gives the open tasks that come first: by due date, then in order.
func upNext(tasks []assent.Task, limit int) []assent.Task {
	var out []assent.Task
	for _, t := range tasks {
		if !over(t) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b assent.Task) int { return soonest(a.DueDate, b.DueDate) })
	return out[:min(limit, len(out))]
}
