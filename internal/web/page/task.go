package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// showTask answers with one task: its form, and what hangs on it.
func (p *Pages) showTask(c echo.Context, status int, e edition, f views.Form, problem string) error {
	t, ok := e.noun.(*assent.Task)
	if !ok {
		return assent.NotFound("task")
	}
	all, err := p.contentsOf(c, t.ProjectID)
	if err != nil {
		return err
	}
	props := views.TaskPage{Project: e.project, Task: *t, Form: f, Error: problem}
	byID := map[string]assent.Task{}
	for _, x := range all.tasks {
		byID[x.ID] = x
	}
	taken := map[string]bool{t.ID: true}
	for _, r := range all.relations {
		if r.Type != "depends_on" {
			continue
		}
		if other, ok := byID[r.ToID]; ok && r.FromID == t.ID {
			props.DependsOn = append(props.DependsOn, views.TaskLink{Relation: r.ID, Task: other})
			taken[other.ID] = true
		}
		if other, ok := byID[r.FromID]; ok && r.ToID == t.ID {
			props.Blocks = append(props.Blocks, views.TaskLink{Relation: r.ID, Task: other})
		}
	}
	for _, x := range all.tasks {
		if !taken[x.ID] {
			props.Others = append(props.Others, views.Option{Value: x.ID, Label: x.Title})
		}
	}
	return p.show(c, status, t.Title, views.NavProjects, func(s views.Shell) templ.Component { return views.TaskDetail(s, props) })
}

// task shows one task.
func (p *Pages) task(c echo.Context) error {
	e, err := p.edition(c, assent.KindTask)
	if err != nil {
		return err
	}
	return p.showTask(c, http.StatusOK, e, e.form(c, e.stored), "")
}

// addDependency makes a task wait for another.
func (p *Pages) addDependency(c echo.Context) error {
	e, err := p.edition(c, assent.KindTask)
	if err != nil {
		return err
	}
	id := e.noun.Base().ID
	r, err := p.call(c, "create_relation", map[string]any{"type": "depends_on", "from_id": id, "to_id": c.FormValue("to_id")})
	if err == nil {
		return done(c, views.EntityURL(assent.KindTask, id), r.Summary+".")
	}
	var f views.Form
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showTask(c, status, e, e.form(c, e.stored), f.Error+" Nothing was changed.")
}
