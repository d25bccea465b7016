package page

import (
	"errors"
	"net/http"
	"strconv"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// gate answers with a page for somebody who is not inside.
func (p *Pages) gate(c echo.Context, status int, g views.Gate) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	s := views.Shell{Title: g.Title, Person: person(c).Person, CSRF: csrf(c), Flash: takeFlash(c), Path: c.Request().URL.Path}
	c.Response().WriteHeader(status)
	return views.GatePage(s, g).Render(c.Request().Context(), c.Response())
}

// refusedGate answers a form that was sent before one is inside. Passwords are
// never sent back.
func (p *Pages) refusedGate(c echo.Context, g views.Gate, err error) error {
	status, err := refuse(&g.Form, err)
	if err != nil {
		return err
	}
	g.Form.Kept = "Nothing was created. What you typed is still here, but for the password."
	return p.gate(c, status, g)
}

// waiting says how long somebody has to wait who failed too often, and tells
// the browser too.
func waiting(c echo.Context, f *views.Form, err error) {
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeRateLimited {
		return
	}
	seconds, ok := e.Details["retry_after"].(int64)
	if !ok {
		return
	}
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.FormatInt(seconds, 10))
	f.Kept = "Try again in " + reader(c).Duration(seconds*1000) + "."
}

// nameField and so on are the fields that describe a person.
func nameField(v string) views.Field {
	return views.Field{Name: "name", Label: "Name", Value: v, Required: true, Max: 200, Autocomplete: "name"}
}

func emailField(v string) views.Field {
	return views.Field{Name: "email", Label: "E-mail", Kind: views.FieldEmail, Value: v, Required: true, Max: 254, Autocomplete: "username"}
}

func newPasswordField(label string) views.Field {
	return views.Field{Name: "password", Label: label, Kind: views.FieldPassword, Required: true, Autocomplete: "new-password", Hint: "At least 10 characters. A few unrelated words are good."}
}

func zoneField(v string, preset bool) views.Field {
	return views.Field{Name: "time_zone", Label: "Time zone", Kind: views.FieldSelect, Value: v, Options: zoneOptions(v), Zone: preset,
		Hint: "“By the end of March” means the end of March there."}
}

// newcomer reads the form of a new account.
func newcomer(c echo.Context) account.NewPerson {
	return account.NewPerson{Name: c.FormValue("name"), Email: c.FormValue("email"), Password: c.FormValue("password"),
		TimeZone: c.FormValue("time_zone"), Locale: localeOf(c.Request().Header.Get("Accept-Language"))}
}

func zoneOr(v string) string {
	if v == "" {
		return "UTC"
	}
	return v
}

// inside opens a browser session for a new account and leads in.
func (p *Pages) inside(c echo.Context, who assent.Person) error {
	secret, err := p.Accounts.Open(c.Request().Context(), who)
	if err != nil {
		return err
	}
	p.Session(c, secret)
	return c.Redirect(http.StatusSeeOther, views.HomeURL)
}
