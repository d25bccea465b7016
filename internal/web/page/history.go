package page

import (
	"net/http"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// changesPerPage is how many changes a page of a history shows.
const changesPerPage = 30

// projectHistory shows what happened in a project.
func (p *Pages) projectHistory(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	revs, next, err := p.Store.ListProjectRevisions(c.Request().Context(), project.ID, store.Page{Cursor: c.QueryParam("cursor"), Limit: changesPerPage})
	if err != nil {
		return err
	}
	head := p.head(c, project, views.TabHistory)
	h := views.History{Head: &head, Pager: cursorPager(c, next)}
	if h.Changes, err = p.changes(c, revs); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, project.Name+": history", views.NavProjects, func(s views.Shell) templ.Component { return views.HistoryPage(s, h) })
}

// entityHistory shows what happened to one thing.
func (p *Pages) entityHistory(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, project, err := p.findEntity(c, k, c.Param("id"))
		if err != nil {
			return err
		}
		before, _ := strconv.ParseInt(c.QueryParam("cursor"), 10, 64) // what is no number is the start
		revs, err := p.Store.ListRevisions(c.Request().Context(), n.Base().ID, before, changesPerPage)
		if err != nil {
			return err
		}
		next := ""
		if len(revs) == changesPerPage {
			next = strconv.FormatInt(revs[len(revs)-1].Revision, 10)
		}
		h := views.History{Title: "History of " + store.Title(n), Pager: cursorPager(c, next),
			Crumbs: append(views.ProjectCrumbs(project), views.Link{URL: views.EntityURL(k, n.Base().ID), Label: store.Title(n)})}
		if h.Changes, err = p.changes(c, revs); err != nil {
			return err
		}
		return p.show(c, http.StatusOK, h.Title, views.NavProjects, func(s views.Shell) templ.Component { return views.HistoryPage(s, h) })
	}
}

// changes makes revisions ready to be read.
func (p *Pages) changes(c echo.Context, revs []assent.Revision) ([]views.Change, error) {
	labels := p.labels(c)
	out := make([]views.Change, len(revs))
	for i, r := range revs {
		var err error
		if out[i], err = p.change(c, labels, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *Pages) change(c echo.Context, labels *labels, r assent.Revision) (views.Change, error) {
	ch := views.Change{Revision: r, What: deed(r), Who: "You"}
	if r.Kind == assent.KindRelation {
		ch.Revision.Title = views.StatusWords(r.Title) // it has no name of its own, but a kind
	}
	if r.UserID != person(c).Person.ID {
		who, err := labels.people.of(r.UserID)
		if err != nil {
			return ch, err
		}
		ch.Who = who
	}
	ch.How = through(r)
	if r.SessionID != "" && r.UserID == person(c).Person.ID {
		ch.HowURL = views.ChatURL(r.SessionID)
	}
	var err error
	if ch.Fields, err = labels.differences(r.Before, r.After, r.Kind); err != nil {
		return ch, err
	}
	state, err := p.undoState(c, r)
	if err != nil {
		return ch, err
	}
	ch.CanUndo, ch.Why = state.possible, state.why
	if state.exists && r.Kind != assent.KindRelation {
		ch.URL = views.EntityURL(r.Kind, r.EntityID)
	}
	return ch, nil
}

// deed is what a revision did, with the kind of thing: "changed the task".
func deed(r assent.Revision) string {
	verb := map[string]string{"create": "created", "update": "changed", "delete": "deleted", "restore": "restored"}[r.Op]
	if r.Tool == "undo" {
		verb = "undid a change of"
	}
	return verb + " the " + string(r.Kind)
}

// through is by which way a revision came about.
func through(r assent.Revision) string {
	switch {
	case r.RunID != "":
		return "by an approved plan"
	case r.Caller == assent.CallerModel || r.Caller == assent.CallerPlan:
		return "in a conversation"
	case r.Caller == assent.CallerAgent:
		return "through an agent"
	case r.Caller == assent.CallerMCP || r.Caller == assent.CallerA2A:
		return "through " + strings.ToUpper(string(r.Caller))
	}
	return "by hand"
}
