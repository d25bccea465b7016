package page

import (
	"fmt"
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// confirmDelete asks before something is deleted.
func (p *Pages) confirmDelete(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, project, err := p.findEntity(c, k, c.Param("id"))
		if err != nil {
			return err
		}
		return p.showConfirm(c, http.StatusOK, n, project, nil)
	}
}

func (p *Pages) showConfirm(c echo.Context, status int, n store.Noun, project assent.Project, refusal error) error {
	b := n.Base()
	name, err := p.nameOf(c, n)
	if err != nil {
		return err
	}
	facts, err := p.consequences(c, n)
	if err != nil {
		return err
	}
	f := views.Form{ID: "f", Action: views.EntityDeleteURL(b.Kind, b.ID), CSRF: csrf(c), Submit: "Delete " + string(b.Kind), Danger: true,
		Revision: b.Revision, Cancel: backTo(c, afterwards(n))}
	if refusal != nil {
		if status, err = refuse(&f, refusal); err != nil {
			return err
		}
		f.Kept = "Nothing was deleted. Look again, then decide."
	}
	title := fmt.Sprintf("Delete the %s %s?", b.Kind, name)
	return p.show(c, status, title, views.NavProjects, func(s views.Shell) templ.Component {
		return views.ConfirmView(s, views.ConfirmPage{Title: title, Facts: facts, Crumbs: views.ProjectCrumbs(project), Form: f})
	})
}

// nameOf is what a thing is called in a question; a relation has no name of its
// own, so both its ends are named.
func (p *Pages) nameOf(c echo.Context, n store.Noun) (string, error) {
	rel, ok := n.(*assent.Relation)
	if !ok {
		return "“" + store.Title(n) + "”", nil
	}
	var ends [2]string
	for i, id := range []string{rel.FromID, rel.ToID} {
		end, err := p.Store.FindAny(c.Request().Context(), id)
		if err != nil {
			return "", err
		}
		ends[i] = "“" + store.Title(end) + "”"
	}
	return ends[0] + " " + rel.Type + " " + ends[1], nil
}

// consequences says what a deletion takes along and what stays.
func (p *Pages) consequences(c echo.Context, n store.Noun) ([]string, error) {
	b, r := n.Base(), reader(c)
	kept := "Its history is kept, and from there it can be restored."
	switch b.Kind {
	case assent.KindProject:
		counts, err := p.Store.CountEntities(c.Request().Context(), person(c).Person.ID, b.ID)
		var parts []string
		for _, k := range entityKinds() {
			if n := counts[string(k)]; n > 0 {
				parts = append(parts, r.Count(int64(n), string(k)))
			}
		}
		if len(parts) == 0 {
			return []string{"The project is empty.", kept}, err
		}
		return []string{assent.List(parts) + " go with it.", "Conversations about it stay.", kept}, err
	case assent.KindMilestone:
		tasks, err := p.tasksOf(c, b.ProjectID)
		count := int64(0)
		for _, t := range tasks {
			if t.MilestoneID == b.ID {
				count++
			}
		}
		if count == 0 {
			return []string{"No task belongs to it.", kept}, err
		}
		return []string{r.Count(count, "task") + " of it stay in the project, without a milestone.", kept}, err
	case assent.KindRelation:
		return []string{"Both ends stay as they are.", kept}, nil
	}
	return []string{"Relations to it go with it.", kept}, nil
}

// deleteEntity deletes what was confirmed, if it is still what was shown.
func (p *Pages) deleteEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, project, err := p.findEntity(c, k, c.Param("id"))
		if err != nil {
			return err
		}
		revision, err := revisionOf(c)
		if err != nil {
			return err
		}
		r, err := p.call(c, "delete_"+string(k), map[string]any{string(k) + "_id": n.Base().ID, "revision": revision})
		if err != nil {
			return p.refusedDelete(c, k, project, err)
		}
		to, err := p.afterDelete(c, n)
		if err != nil {
			return err
		}
		return done(c, to, r.Summary+".")
	}
}

// refusedDelete asks again, about what is there now.
func (p *Pages) refusedDelete(c echo.Context, k assent.Kind, project assent.Project, refusal error) error {
	n, _, err := p.findEntity(c, k, c.Param("id"))
	if err != nil {
		return err
	}
	return p.showConfirm(c, http.StatusConflict, n, project, refusal)
}

// afterDelete is where to go: for a project, whose pages are gone, to the
// deletion itself, from where it can be taken back.
func (p *Pages) afterDelete(c echo.Context, n store.Noun) (string, error) {
	b := n.Base()
	if rel, ok := n.(*assent.Relation); ok && rel.FromKind == assent.KindTask {
		return views.EntityURL(assent.KindTask, rel.FromID), nil
	}
	if b.Kind != assent.KindProject {
		return views.ProjectTabURL(b.ProjectID, tabOf(b.Kind)), nil
	}
	last, err := p.Store.ListRevisions(plainly(c), b.ID, 0, 1)
	if err != nil || len(last) == 0 {
		return views.ProjectsURL, err
	}
	return views.RevisionURL(last[0].ID), nil
}
