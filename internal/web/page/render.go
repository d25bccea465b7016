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

// recentShown and projectsShown bound what the side bar lists.
const (
	recentShown   = 8
	projectsShown = 6
)

// person is who asks.
func person(c echo.Context) assent.Principal {
	pr, _ := c.Get("principal").(assent.Principal)
	return pr
}

// csrf is the token for this request's forms.
func csrf(c echo.Context) string {
	s, _ := c.Get("csrf").(string)
	return s
}

// shell loads what every page shows around its content.
func (p *Pages) shell(c echo.Context, title, nav string) (views.Shell, error) {
	ctx, who := c.Request().Context(), person(c).Person
	s := views.Shell{Title: title, Person: who, Currency: p.Budgets.Currency(), CSRF: csrf(c), Nav: nav, Offline: p.Models.Offline(), Path: c.Request().URL.Path}
	err := p.lists(ctx, &s)
	return s, err
}

// lists loads what the side bar lists.
func (p *Pages) lists(ctx context.Context, s *views.Shell) (err error) {
	who := s.Person.ID
	if s.Waiting, err = p.Store.ListWaitingSessions(ctx, who); err != nil {
		return err
	}
	if s.WaitingCount, err = p.Store.CountWaiting(ctx, who); err != nil {
		return err
	}
	recent, _, err := p.Store.ListSessions(ctx, who, store.Page{Limit: recentShown + len(s.Waiting)})
	if err != nil {
		return err
	}
	s.Recent = withoutWaiting(recent)
	s.Projects, _, err = store.List[assent.Project](ctx, p.Store.Reads, store.Filter{UserID: who, Page: store.Page{Limit: projectsShown}})
	return err
}

// withoutWaiting leaves out what the queue above lists already.
func withoutWaiting(sessions []assent.Session) []assent.Session {
	out := make([]assent.Session, 0, recentShown)
	for _, s := range sessions {
		if s.Waiting == 0 && len(out) < recentShown {
			out = append(out, s)
		}
	}
	return out
}

// wantsFragment reports whether htmx asks for the content alone. A restored or
// boosted page is a whole one.
func wantsFragment(r *http.Request) bool {
	h := r.Header
	return h.Get("HX-Request") == "true" && h.Get("HX-Boosted") == "" && h.Get("HX-History-Restore-Request") == ""
}

// render answers with a page: whole, or its content alone for htmx. This is
// the one place where that is decided.
func (p *Pages) render(c echo.Context, status int, s views.Shell, content templ.Component) error {
	c.Response().Header().Set("Vary", "HX-Request")
	c.Response().Header().Set("Cache-Control", "no-store")
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	c.Response().WriteHeader(status)
	ctx := c.Request().Context()
	if wantsFragment(c.Request()) {
		return content.Render(ctx, c.Response())
	}
	return views.Page(s).Render(templ.WithChildren(ctx, content), c.Response())
}
