package page

import (
	"context"
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// entityKinds are what forms of a project make and change; projects, relations
// and templates have their own ways.
func entityKinds() []assent.Kind {
	return []assent.Kind{assent.KindGoal, assent.KindMilestone, assent.KindTask, assent.KindDocument, assent.KindRisk, assent.KindDecision}
}

// choicesIn loads what the selects of a project's forms offer.
func (p *Pages) choicesIn(c echo.Context, project assent.Project) (choices, error) {
	ctx := c.Request().Context()
	var ch choices
	milestones, _, err := store.List[assent.Milestone](ctx, p.Store.Reads,
		store.Filter{UserID: person(c).Person.ID, ProjectID: project.ID, Page: store.Page{Limit: 200}})
	if err != nil {
		return ch, err
	}
	for _, m := range milestones {
		ch.milestones = append(ch.milestones, views.Option{Value: m.ID, Label: m.Title})
	}
	owner, err := p.names(c).of(project.OwnerID)
	if err != nil {
		return ch, err
	}
	ch.people = append(ch.people, views.Option{Value: project.OwnerID, Label: owner})
	members, err := p.Store.ListMembers(ctx, project.ID)
	for _, m := range members {
		ch.people = append(ch.people, views.Option{Value: m.UserID, Label: m.Name})
	}
	return ch, err
}

// keep drops the fields that a form does not have: those that only make sense
// once the thing is there (making), or only before (changing).
func keep(fields []formField, making bool) []formField {
	var out []formField
	for _, f := range fields {
		if making && f.later || !making && f.first {
			continue
		}
		out = append(out, f)
	}
	return out
}

// tabOf is where things of a kind are listed.
func tabOf(k assent.Kind) string {
	switch k {
	case assent.KindMilestone:
		return views.TabMilestones
	case assent.KindTask:
		return views.TabTasks
	case assent.KindDocument:
		return views.TabDocuments
	}
	return views.TabOverview
}

// afterwards is where to go once something was written.
func afterwards(n store.Noun) string {
	e := n.Base()
	switch e.Kind {
	case assent.KindProject, assent.KindTask, assent.KindDocument:
		return views.EntityURL(e.Kind, e.ID)
	}
	return views.ProjectTabURL(e.ProjectID, tabOf(e.Kind))
}

// newEntity shows the form for something new in a project.
func (p *Pages) newEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		project, err := p.findProject(c, c.Param("id"))
		if err != nil {
			return err
		}
		values := defaults(k)
		if m := c.QueryParam("milestone"); m != "" && k == assent.KindTask {
			values["milestone_id"] = m
		}
		f, err := p.creationForm(c, project, k, values)
		if err != nil {
			return err
		}
		return p.showNew(c, http.StatusOK, project, k, f)
	}
}

func (p *Pages) creationForm(c echo.Context, project assent.Project, k assent.Kind, values map[string]string) (views.Form, error) {
	ch, err := p.choicesIn(c, project)
	f := formOf(c, keep(fieldsOf(k, ch), true), values, views.NewEntityURL(project.ID, k))
	f.Submit, f.Cancel = "Add "+string(k), views.ProjectTabURL(project.ID, tabOf(k))
	return f, err
}

func (p *Pages) showNew(c echo.Context, status int, project assent.Project, k assent.Kind, f views.Form) error {
	title := "New " + string(k)
	return p.show(c, status, title, views.NavProjects, func(s views.Shell) templ.Component {
		return views.EntityFormPage(s, views.EntityPage{Title: title, Crumbs: views.ProjectCrumbs(project), Form: f})
	})
}

// createEntity makes what the form says.
func (p *Pages) createEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		project, err := p.findProject(c, c.Param("id"))
		if err != nil {
			return err
		}
		values := typed(c, keep(fieldsOf(k, choices{}), true))
		args := map[string]any{"project_id": project.ID}
		for name, v := range values {
			if v != "" {
				args[name] = v
			}
		}
		r, err := p.call(c, "create_"+string(k), args)
		if err == nil {
			made, err := artifact[assent.Entity](r)
			if err != nil {
				return err
			}
			return done(c, afterwards(&made), r.Summary+".")
		}
		f, ferr := p.creationForm(c, project, k, values)
		if ferr != nil {
			return ferr
		}
		status, err := refuse(&f, err)
		if err != nil {
			return err
		}
		return p.showNew(c, status, project, k, f)
	}
}

// readEntity leads to where a thing is shown: most kinds are shown by their form.
func (p *Pages) readEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, _, err := p.findEntity(c, k, c.Param("id"))
		if err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, views.EntityEditURL(k, n.Base().ID))
	}
}

// plainly drops a request's cancellation for reads that explain a refusal.
func plainly(c echo.Context) context.Context { return context.WithoutCancel(c.Request().Context()) }
