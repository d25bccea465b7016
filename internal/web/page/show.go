package page

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"assent/internal/assent"
	"assent/internal/web"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// show answers with a page inside the shell.
func (p *Pages) show(c echo.Context, status int, title, nav string, content func(views.Shell) templ.Component) error {
	s, err := p.shell(c, title, nav)
	if err != nil {
		return err
	}
	s.Flash = takeFlash(c)
	return p.render(c, status, s, content(s))
}

// reader is how the one who asks reads dates and numbers.
func reader(c echo.Context) views.Reader {
	currency, _ := c.Get(currencyKey).(assent.Currency)
	return views.ReaderOf(person(c).Person).In(currency)
}

// currencyKey is under what a request holds the currency of all money.
const currencyKey = "currency"

// counted tells a page's request what money is counted in.
func (p *Pages) counted(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set(currencyKey, p.Budgets.Currency())
		return h(c)
	}
}

const flashCookie = "flash"

// done leads on after a write, with a sentence about what happened for the next
// page. The sentence travels in a cookie that lives for that one page.
func done(c echo.Context, to, flash string) error {
	if flash != "" {
		c.SetCookie(&http.Cookie{Name: flashCookie, Value: url.QueryEscape(flash), Path: "/", MaxAge: 60, HttpOnly: true,
			SameSite: http.SameSiteLaxMode, Secure: web.Secure(c)})
	}
	return c.Redirect(http.StatusSeeOther, to)
}

// takeFlash gives the sentence that done left, once.
func takeFlash(c echo.Context) string {
	k, err := c.Cookie(flashCookie)
	if err != nil || k.Value == "" {
		return ""
	}
	c.SetCookie(&http.Cookie{Name: flashCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: web.Secure(c)})
	text, err := url.QueryUnescape(k.Value)
	if err != nil {
		return ""
	}
	return text
}

// backTo is where a form wants to return to: a path of our own, or otherwise.
func backTo(c echo.Context, otherwise string) string {
	to := c.FormValue("back")
	u, err := url.Parse(to)
	own := err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(u.Path, "//")
	// Browsers leave out tabs and line ends and take a backslash for a slash.
	if !own || !strings.HasPrefix(to, "/") || strings.Contains(to, "\\") || strings.ContainsFunc(to+u.Path, unicode.IsControl) {
		return otherwise
	}
	return to
}
