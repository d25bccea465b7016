package page

import (
	"net/http"
	"net/url"

	"assent/internal/web"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// ErrorPage renders an error for people: a box for htmx, else a whole page.
// Somebody who is not signed in is led to the sign-in and back.
func (p *Pages) ErrorPage(c echo.Context, status int, problem web.Problem) error {
	known := person(c).Person.ID != ""
	fragment := wantsFragment(c.Request())
	if status == http.StatusUnauthorized && !known {
		return leadToSignIn(c, fragment)
	}
	props := views.ProblemOf(status, problem.Detail, problem.Hint, reference(status, problem))
	if fragment {
		c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
		c.Response().WriteHeader(status)
		return views.ProblemBox(props).Render(c.Request().Context(), c.Response())
	}
	if known {
		if s, err := p.shell(c, props.Title, ""); err == nil {
			return p.render(c, status, s, views.ErrorBody(props))
		}
		// the error page must not fail as well: show it without the side bar
	}
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	c.Response().WriteHeader(status)
	s := views.Shell{Title: props.Title, Person: person(c).Person}
	return views.Bare(s).Render(templ.WithChildren(c.Request().Context(), views.ErrorBody(props)), c.Response())
}

// reference is the id that finds the log line; only failures of ours have one.
func reference(status int, problem web.Problem) string {
	if status < http.StatusInternalServerError {
		return ""
	}
	return problem.RequestID
}

func leadToSignIn(c echo.Context, fragment bool) error {
	to := views.LoginURL
	if c.Request().Method == http.MethodGet && c.Request().URL.Path != views.HomeURL {
		to += "?" + url.Values{"back": {c.Request().URL.RequestURI()}}.Encode()
	}
	if fragment {
		c.Response().Header().Set("HX-Redirect", views.LoginURL)
		return c.NoContent(http.StatusUnauthorized)
	}
	return c.Redirect(http.StatusSeeOther, to)
}
