package page

import (
	"net/http"
	"net/url"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// tasksPerPage and columnLength bound what the list and a column of the board show.
const (
	tasksPerPage = 50
	columnLength = 40
)

// tasks shows a project's tasks as list or board.
func (p *Pages) tasks(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	all, err := p.contentsOf(c, project.ID)
	if err != nil {
		return err
	}
	base, milestone := views.ProjectTabURL(project.ID, views.TabTasks), c.QueryParam("milestone")
	t := views.Tasks{Head: p.head(c, project, views.TabTasks), Board: c.QueryParam("view") == "board", Any: len(all.tasks) > 0,
		ListURL: views.WithQuery(base, "milestone", milestone), BoardURL: views.WithQuery(base, "view", "board", "milestone", milestone),
		Here: c.Request().URL.RequestURI()}
	t.AllURL = base
	tasks := all.tasks
	if milestone != "" {
		tasks, t.Milestone = within(all, milestone)
	}
	if t.Board {
		t.AllURL = views.WithQuery(base, "view", "board")
		err = p.fillBoard(c, &t, tasks, all.milestones)
	} else {
		err = p.fillList(c, &t, tasks, all.milestones)
	}
	if err != nil {
		return err
	}
	return p.show(c, http.StatusOK, project.Name+": tasks", views.NavProjects, func(s views.Shell) templ.Component { return views.TasksPage(s, t) })
}

// within gives the tasks of one milestone ("none": of none) and what to call it.
func within(all contents, milestone string) ([]assent.Task, string) {
	name, id := "tasks without a milestone", milestone
	if milestone == "none" {
		id = ""
	} else {
		name = "tasks of a milestone that is gone"
		for _, m := range all.milestones {
			if m.ID == id {
				name = "tasks of “" + m.Title + "”"
			}
		}
	}
	var out []assent.Task
	for _, t := range all.tasks {
		if t.MilestoneID == id {
			out = append(out, t)
		}
	}
	return out, name
}

func (p *Pages) fillBoard(c echo.Context, t *views.Tasks, tasks []assent.Task, milestones []assent.Milestone) error {
	by := map[string][]assent.Task{}
	for _, x := range tasks {
		by[x.Status] = append(by[x.Status], x)
	}
	for _, st := range views.TaskStatuses() {
		some := by[st]
		lines, err := p.lines(c, some[:min(len(some), columnLength)], milestones)
		if err != nil {
			return err
		}
		t.Columns = append(t.Columns, views.BoardColumn{Status: st, Lines: lines, Total: int64(len(some)),
			More: statusURL(t.ListURL, st)})
	}
	return nil
}

func (p *Pages) fillList(c echo.Context, t *views.Tasks, tasks []assent.Task, milestones []assent.Milestone) error {
	status := c.QueryParam("status")
	count, open := map[string]int64{}, int64(0)
	var shown []assent.Task
	for _, x := range tasks {
		count[x.Status]++
		if !over(x) {
			open++
		}
		if status == "all" || x.Status == status || status == "" && !over(x) {
			shown = append(shown, x)
		}
	}
	t.Filters = []views.Link{{URL: t.ListURL, Label: "Open", Current: status == "", Count: open}}
	for _, st := range views.TaskStatuses() {
		if count[st] > 0 || st == status {
			t.Filters = append(t.Filters, views.Link{URL: statusURL(t.ListURL, st), Label: views.StatusWords(st), Current: status == st, Count: count[st]})
		}
	}
	t.Filters = append(t.Filters, views.Link{URL: statusURL(t.ListURL, "all"), Label: "All", Current: status == "all", Count: int64(len(tasks))})
	w, pager := pageOf(c, len(shown), tasksPerPage)
	t.Pager = pager
	var err error
	t.Lines, err = p.lines(c, shown[w.from:w.to], milestones)
	return err
}

// statusURL narrows a list of tasks to a status.
func statusURL(list, status string) string {
	u, err := url.Parse(list)
	if err != nil {
		return list
	}
	q := u.Query()
	q.Set("status", status)
	u.RawQuery = q.Encode()
	return u.String()
}

// moveTask gives a task another status, from a list or the board.
func (p *Pages) moveTask(c echo.Context) error {
	e, err := p.edition(c, assent.KindTask)
	if err != nil {
		return err
	}
	revision, err := revisionOf(c)
	if err != nil {
		return err
	}
	status := c.FormValue("status")
	r, err := p.call(c, "update_task", map[string]any{"task_id": e.noun.Base().ID, "revision": revision, "status": status})
	if err == nil {
		return done(c, backTo(c, afterwards(e.noun)), r.Summary+".")
	}
	values := map[string]string{}
	for name, v := range e.stored {
		values[name] = v
	}
	values["status"] = status
	if assent.ErrorCode(err) == assent.CodeStale {
		return p.showStale(c, assent.KindTask, revision, values)
	}
	f := e.form(c, values)
	code, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showEdit(c, code, e, f)
}
