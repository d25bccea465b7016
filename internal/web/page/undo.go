package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// findRevision gives a change that the one who asks may see: one in a project
// of theirs, or the deletion of a project that was their own.
func (p *Pages) findRevision(c echo.Context) (assent.Revision, error) {
	r, err := p.Store.FindRevisionByID(c.Request().Context(), c.Param("id"))
	if err != nil {
		return r, err
	}
	_, err = p.findProject(c, r.ProjectID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		var was assent.Project
		if r.Kind == assent.KindProject && r.Op == "delete" && json.Unmarshal(r.Before, &was) == nil && was.OwnerID == person(c).Person.ID {
			return r, nil
		}
		return assent.Revision{}, assent.NotFound("change")
	}
	return r, err
}

// revision shows one change.
func (p *Pages) revision(c echo.Context) error {
	r, err := p.findRevision(c)
	if err != nil {
		return err
	}
	return p.showRevision(c, http.StatusOK, r, "")
}

func (p *Pages) showRevision(c echo.Context, status int, r assent.Revision, problem string) error {
	labels := p.labels(c)
	ch, err := p.change(c, labels, r)
	if err != nil {
		return err
	}
	props := views.ChangePage{Change: ch, Error: problem, Crumbs: []views.Link{{URL: views.ProjectsURL, Label: "Projects"}}}
	project, err := p.findProject(c, r.ProjectID)
	if err == nil {
		props.Crumbs = append(views.ProjectCrumbs(project), views.Link{URL: views.ProjectTabURL(project.ID, views.TabHistory), Label: "History"})
	} else if assent.ErrorCode(err) != assent.CodeNotFound {
		return err
	}
	if !ch.CanUndo && ch.URL != "" {
		if props.Now, err = p.since(c, labels, r); err != nil {
			return err
		}
	}
	return p.show(c, status, "One change", views.NavProjects, func(s views.Shell) templ.Component { return views.ChangeView(s, props) })
}

// since compares a thing as this change left it with what it is now.
func (p *Pages) since(c echo.Context, labels *labels, r assent.Revision) ([]views.FieldChange, error) {
	n, err := p.Store.FindAny(c.Request().Context(), r.EntityID)
	if err != nil {
		return nil, err
	}
	now, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	return labels.differences(r.After, now, r.Kind)
}

// undo takes one change back, if nothing changed the thing since.
func (p *Pages) undo(c echo.Context) error {
	r, err := p.findRevision(c)
	if err != nil {
		return err
	}
	state, err := p.undoState(c, r)
	if err != nil {
		return err
	}
	if state.possible {
		err = p.takeBack(c, r)
	} else {
		err = &assent.Error{Code: assent.CodeConflict, Message: "This cannot be undone: " + state.why}
	}
	switch assent.ErrorCode(err) {
	case "":
		return done(c, p.afterUndo(r), fmt.Sprintf("Undone: the %s “%s” is as it was before.", r.Kind, r.Title))
	case assent.CodeConflict, assent.CodeStale, assent.CodeForbidden, assent.CodeInvalid:
		return p.showRevision(c, http.StatusConflict, r, assent.ErrorMessage(err)+" Nothing was changed.")
	}
	return err
}

// afterUndo is where to go once a change was taken back.
func (p *Pages) afterUndo(r assent.Revision) string {
	if r.Op == "create" && r.Kind == assent.KindProject {
		return views.ProjectsURL
	}
	return views.ProjectTabURL(r.ProjectID, views.TabHistory)
}

// takeBack undoes a change: what was made is deleted, by the tool; everything
// else gets the state it had before.
func (p *Pages) takeBack(c echo.Context, r assent.Revision) error {
	if len(r.Before) == 0 {
		_, err := p.call(c, "delete_"+string(r.Kind), map[string]any{string(r.Kind) + "_id": r.EntityID, "revision": r.Revision})
		return err
	}
	return p.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		n, err := tx.FindAny(context.Background(), r.EntityID)
		if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
			return err
		}
		if err == nil && !stateOf(n, r).possible {
			return assent.Errorf(assent.CodeConflict, "The %s “%s” was changed by someone else just now.", r.Kind, r.Title)
		}
		revs, err := together(tx, r)
		if err != nil {
			return err
		}
		for _, x := range revs {
			if _, err := tx.RestoreEntity(p.origin(c, "undo"), x.Kind, x.Before); err != nil {
				return err
			}
		}
		return nil
	})
}

// together gives what has to be restored with a change: for the deletion of a
// project everything that went with it, else the change alone. The order is
// such that each thing is there before what refers to it.
func together(tx *store.Tx, r assent.Revision) ([]assent.Revision, error) {
	if r.Kind != assent.KindProject || r.Op != "delete" {
		return []assent.Revision{r}, nil
	}
	var out []assent.Revision
	page := store.Page{Limit: 200}
	for {
		revs, next, err := tx.ListProjectRevisions(context.Background(), r.ProjectID, page)
		if err != nil {
			return nil, err
		}
		for _, x := range revs {
			if x.Op != "delete" || x.Tool != r.Tool || x.UserID != r.UserID {
				return out, nil
			}
			out = append(out, x)
		}
		if next == "" {
			return out, nil
		}
		page.Cursor = next
	}
}

// origin says that the one who asks wrote something by hand.
func (p *Pages) origin(c echo.Context, tool string) store.Origin {
	return store.Origin{UserID: person(c).Person.ID, Caller: assent.CallerPerson, Tool: tool}
}
