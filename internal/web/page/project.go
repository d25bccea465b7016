package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// nextTasks is how many of the open tasks the overview shows.
const nextTasks = 6

func (p *Pages) head(c echo.Context, project assent.Project, tab string) views.ProjectHead {
	return views.ProjectHead{Project: project, Tab: tab, Owned: project.OwnerID == person(c).Person.ID}
}

// overview is the first page of a project.
func (p *Pages) overview(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	all, err := p.contentsOf(c, project.ID)
	if err != nil {
		return err
	}
	o := views.Overview{Head: p.head(c, project, views.TabOverview), Today: reader(c).Today(p.Clock()),
		Goals: all.goals, Risks: all.risks, Decisions: all.decisions}
	o.Done, o.Total = progress(all.tasks)
	for _, t := range all.tasks {
		if !over(t) && late(t.DueDate, o.Today) {
			o.Overdue++
		}
		if t.Status == "blocked" {
			o.Blocked++
		}
	}
	o.NextMilestone = nextMilestone(all.milestones)
	if o.Next, err = p.lines(c, upNext(all.tasks, nextTasks), all.milestones); err != nil {
		return err
	}
	if o.Owner, err = p.names(c).of(project.OwnerID); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, project.Name, views.NavProjects, func(s views.Shell) templ.Component { return views.OverviewPage(s, o) })
}

func nextMilestone(all []assent.Milestone) *assent.Milestone {
	var next *assent.Milestone
	for i, m := range all {
		if m.Status == "open" && (next == nil || soonest(m.DueDate, next.DueDate) < 0) {
			next = &all[i]
		}
	}
	return next
}

// milestones lists a project's milestones with how far each is.
func (p *Pages) milestones(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	all, err := p.contentsOf(c, project.ID)
	if err != nil {
		return err
	}
	m := views.Milestones{Head: p.head(c, project, views.TabMilestones)}
	m.Lines, m.Loose = milestoneLines(all, reader(c).Today(p.Clock()))
	return p.show(c, http.StatusOK, project.Name+": milestones", views.NavProjects, func(s views.Shell) templ.Component { return views.MilestonesPage(s, m) })
}

// newProject shows the form for a project.
func (p *Pages) newProject(c echo.Context) error {
	f, err := p.projectForm(c, defaults(assent.KindProject))
	if err != nil {
		return err
	}
	return p.showNewProject(c, http.StatusOK, f)
}

// projectForm offers the templates that the tool knows, so that page and chat
// create from the same ones.
func (p *Pages) projectForm(c echo.Context, values map[string]string) (views.Form, error) {
	r, err := p.call(c, "list_templates", map[string]any{"limit": 100})
	if err != nil {
		return views.Form{}, err
	}
	found, err := artifact[struct {
		Templates []struct{ Slug, Name string } `json:"templates"`
	}](r)
	if err != nil {
		return views.Form{}, err
	}
	ch := choices{templates: []views.Option{{Label: "None: start empty"}}}
	for _, t := range found.Templates {
		ch.templates = append(ch.templates, views.Option{Value: t.Slug, Label: t.Name})
	}
	f := formOf(c, keep(fieldsOf(assent.KindProject, ch), true), values, views.NewProjectURL)
	f.Submit, f.Cancel = "Create project", views.ProjectsURL
	return f, nil
}

func (p *Pages) showNewProject(c echo.Context, status int, f views.Form) error {
	return p.show(c, status, "New project", views.NavProjects, func(s views.Shell) templ.Component {
		return views.EntityFormPage(s, views.EntityPage{Title: "New project", Crumbs: []views.Link{{URL: views.ProjectsURL, Label: "Projects"}}, Form: f})
	})
}

// createProject makes what the form says.
func (p *Pages) createProject(c echo.Context) error {
	values := typed(c, keep(fieldsOf(assent.KindProject, choices{}), true))
	args := map[string]any{}
	for name, v := range values {
		if v != "" {
			args[name] = v
		}
	}
	r, err := p.call(c, "create_project", args)
	if err == nil {
		made, err := artifact[assent.Entity](r)
		if err != nil {
			return err
		}
		return done(c, views.ProjectURL(made.ID), r.Summary+".")
	}
	f, ferr := p.projectForm(c, values)
	if ferr != nil {
		return ferr
	}
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showNewProject(c, status, f)
}
