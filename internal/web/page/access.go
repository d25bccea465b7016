package page

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/labstack/echo/v4"
)

// findProject gives a project that the one who asks may see; anything else is
// not found.
func (p *Pages) findProject(c echo.Context, id string) (assent.Project, error) {
	ctx := c.Request().Context()
	project, err := store.Find[assent.Project](ctx, p.Store.Reads, id)
	if err != nil {
		return assent.Project{}, err
	}
	ok, err := p.Store.MaySee(ctx, person(c).Person.ID, project.ID)
	if err != nil {
		return assent.Project{}, err
	}
	if !ok {
		return assent.Project{}, assent.NotFound("project")
	}
	return project, nil
}

// ownProject is findProject for what the owner alone may do. A member is told
// so: that the project exists is no news to them.
func (p *Pages) ownProject(c echo.Context, id string) (assent.Project, error) {
	project, err := p.findProject(c, id)
	if err == nil && project.OwnerID != person(c).Person.ID {
		return assent.Project{}, assent.Errorf(assent.CodeForbidden, "Only the owner of this project may do that. Nothing was changed.")
	}
	return project, err
}

// findEntity gives something of a kind in a project that the one who asks may
// see, with its project.
func (p *Pages) findEntity(c echo.Context, k assent.Kind, id string) (store.Noun, assent.Project, error) {
	n, err := p.Store.FindAny(c.Request().Context(), id)
	if assent.ErrorCode(err) == assent.CodeNotFound || err == nil && n.Base().Kind != k {
		return nil, assent.Project{}, assent.NotFound(string(k))
	}
	if err != nil {
		return nil, assent.Project{}, err
	}
	project, err := p.findProject(c, n.Base().ProjectID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		err = assent.NotFound(string(k))
	}
	return n, project, err
}

// names looks people up by id, each once.
type names struct {
	ctx   context.Context
	reads store.Reads
	known map[string]string
}

func (p *Pages) names(c echo.Context) *names {
	return &names{ctx: c.Request().Context(), reads: p.Store.Reads, known: map[string]string{}}
}

// of gives a person's name; somebody who is gone is "Somebody".
func (n *names) of(id string) (string, error) {
	if id == "" {
		return "", nil
	}
	if name, ok := n.known[id]; ok {
		return name, nil
	}
	who, err := n.reads.FindPerson(n.ctx, id)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		who, err = assent.Person{Name: "Somebody"}, nil
	}
	if err != nil {
		return "", err
	}
	n.known[id] = who.Name
	return who.Name, nil
}
