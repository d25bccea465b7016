package api

import (
	"net/http"
	"strings"
	"unicode"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// sessionView is a session as the API shows it whole.
type sessionView struct {
	assent.Session
	Messages []assent.Message `json:"messages"`
	Plans    []assent.Plan    `json:"plans"`
	Turns    []assent.Turn    `json:"turns"`
}

// ownSession gives the caller's session; someone else's is not found.
func (r *Resources) ownSession(c echo.Context, id string) (assent.Session, error) {
	s, err := r.Store.FindSession(c.Request().Context(), id)
	if err == nil && s.UserID != web.Principal(c).Person.ID {
		return s, assent.NotFound("conversation")
	}
	return s, err
}

func (r *Resources) listSessions(c echo.Context) error {
	page, err := web.Page(c)
	if err != nil {
		return err
	}
	items, next, err := r.Store.ListSessions(c.Request().Context(), web.Principal(c).Person.ID, page)
	if err != nil {
		return err
	}
	return web.List(c, items, next)
}

func (r *Resources) createSession(c echo.Context) error {
	var in struct {
		ContextType string `json:"context_type"`
		EntityID    string `json:"entity_id"`
		Title       string `json:"title"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	ct, ok := assent.ParseContextType(in.ContextType)
	if !ok {
		return assent.Invalid("/context_type", "invalid", "Must be one of general, project_create, project, task, project_audit.")
	}
	if len(in.Title) > 200 {
		return assent.Invalid("/title", "too_long", "A title may be at most 200 bytes long.")
	}
	person := web.Principal(c).Person
	if err := r.seeEntity(c, in.EntityID); err != nil {
		return err
	}
	now := r.Store.Now()
	s := assent.Session{ID: r.Store.NewID(), UserID: person.ID, ContextType: ct, EntityID: in.EntityID, Title: in.Title, CreatedAt: now, UpdatedAt: now}
	if err := r.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.CreateSession(s) }); err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, sessionView{Session: s, Messages: []assent.Message{}, Plans: []assent.Plan{}, Turns: []assent.Turn{}})
}

// seeEntity checks that a session may be about an entity.
func (r *Resources) seeEntity(c echo.Context, id string) error {
	if id == "" {
		return nil
	}
	n, err := r.Store.FindAny(c.Request().Context(), id)
	if err == nil {
		var ok bool
		if ok, err = r.Store.MaySee(c.Request().Context(), web.Principal(c).Person.ID, n.Base().ProjectID); err == nil && ok {
			return nil
		}
	}
	if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
		return err
	}
	return assent.Invalid("/entity_id", "not_found", "There is no such project or task.")
}

func (r *Resources) getSession(c echo.Context) error {
	s, err := r.ownSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	v := sessionView{Session: s}
	ctx := c.Request().Context()
	if v.Messages, err = r.Store.ListMessages(ctx, s.ID); err != nil {
		return err
	}
	if v.Plans, err = r.Store.ListPlansBySession(ctx, s.ID); err != nil {
		return err
	}
	if v.Turns, err = r.Store.ListTurns(ctx, s.ID); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

func (r *Resources) patchSession(c echo.Context) error {
	var in struct {
		Title string `json:"title"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	in.Title = strings.TrimSpace(in.Title)
	if in.Title == "" || len(in.Title) > 200 || strings.ContainsFunc(in.Title, unicode.IsControl) {
		return assent.Invalid("/title", "invalid", "A title has 1 to 200 bytes.")
	}
	s, err := r.ownSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	if err := r.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.UpdateSessionTitle(s.ID, in.Title) }); err != nil {
		return err
	}
	return r.getSession(c)
}

func (r *Resources) deleteSession(c echo.Context) error {
	s, err := r.ownSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	if err := r.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DeleteSession(s.ID) }); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
