package page

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// tokens lists the API tokens of the one who asks.
func (p *Pages) tokens(c echo.Context) error {
	return p.showTokens(c, http.StatusOK, views.Tokens{Form: tokenForm(c, []string{"read", "chat"})})
}

func (p *Pages) showTokens(c echo.Context, status int, props views.Tokens) error {
	var err error
	if props.Tokens, err = p.Accounts.ListTokens(c.Request().Context(), person(c).Person.ID); err != nil {
		return err
	}
	return p.show(c, status, "API tokens", views.NavSettings, func(s views.Shell) templ.Component { return views.TokensPage(s, props) })
}

// tokenForm asks for name, scopes and end of a token. Every scope has a field
// of its own, all of the name scopes.
func tokenForm(c echo.Context, checked []string) views.Form {
	f := views.Form{ID: "token", Action: views.SettingsTokensURL, CSRF: csrf(c), Submit: "Create token",
		Fields: []views.Field{{Name: "name", Label: "Name", Value: c.FormValue("name"), Required: true, Max: 100, Hint: "What it is for, so that you know it again."}}}
	for _, s := range assent.TokenScopes() {
		if person(c).May(s) {
			f.Fields = append(f.Fields, views.Field{Name: "scopes", ID: "scope-" + string(s), Label: scopeLabel(s), Kind: views.FieldCheck, Value: string(s),
				Checked: slices.Contains(checked, string(s))})
		}
	}
	f.Fields = append(f.Fields, views.Field{Name: "expires_at", Label: "Ends on", Kind: views.FieldDate, Value: c.FormValue("expires_at"),
		Hint: "Without a day it holds until you delete it."})
	return f
}

func scopeLabel(s assent.TokenScope) string {
	switch s {
	case assent.ScopeRead:
		return "Read: see what you see"
	case assent.ScopeChat:
		return "Chat: send messages, draft plans, change projects and tasks"
	case assent.ScopeApprove:
		return "Approve: its messages count as your consent; runs, deletions and calls to other systems"
	}
	return "Administration: people, models, tools"
}

// createToken makes a token and shows its secret, this once.
func (p *Pages) createToken(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return &assent.Error{Code: assent.CodeMalformed, Message: "This form cannot be read. Nothing was created.", Err: err}
	}
	var scopes []assent.TokenScope
	for _, s := range form["scopes"] {
		scopes = append(scopes, assent.TokenScope(s))
	}
	props := views.Tokens{Form: tokenForm(c, form["scopes"])}
	expires, err := endOf(c)
	if err == nil {
		var t assent.Token
		t, props.Secret, err = p.Accounts.CreateToken(c.Request().Context(), person(c), strings.TrimSpace(c.FormValue("name")), scopes, expires)
		props.Name = t.Name
	}
	if err == nil {
		props.Form = tokenForm(c, []string{"read", "chat"})
		props.Form.Fields[0].Value = ""
		return p.showTokens(c, http.StatusCreated, props)
	}
	status, err := refuse(&props.Form, err)
	if err != nil {
		return err
	}
	props.Form.Kept = "No token was created."
	return p.showTokens(c, status, props)
}

// endOf reads the last day of a token, which it holds to its end.
func endOf(c echo.Context) (assent.Time, error) {
	v := c.FormValue("expires_at")
	if v == "" {
		return 0, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, v, reader(c).Zone())
	if err != nil {
		return 0, assent.Invalid("/expires_at", "invalid", "This is not a day.")
	}
	return assent.At(day.AddDate(0, 0, 1)), nil
}

// confirmDeleteToken asks before a token is ended.
func (p *Pages) confirmDeleteToken(c echo.Context) error {
	all, err := p.Accounts.ListTokens(c.Request().Context(), person(c).Person.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(t assent.Token) bool { return t.ID == c.Param("id") })
	if i < 0 {
		return assent.NotFound("token")
	}
	title := "Delete the token “" + all[i].Name + "”?"
	page := views.ConfirmPage{Title: title, Facts: []string{"Programs that use it are refused at once.", "It cannot be brought back; you can make another one."},
		Crumbs: []views.Link{{URL: views.SettingsURL, Label: "Settings"}, {URL: views.SettingsTokensURL, Label: "API tokens"}},
		Form:   views.Form{ID: "f", Action: views.TokenDeleteURL(all[i].ID), CSRF: csrf(c), Submit: "Delete token", Danger: true, Cancel: views.SettingsTokensURL}}
	return p.show(c, http.StatusOK, title, views.NavSettings, func(s views.Shell) templ.Component { return views.ConfirmView(s, page) })
}

// deleteToken ends a token at once.
func (p *Pages) deleteToken(c echo.Context) error {
	if err := p.Accounts.DeleteToken(c.Request().Context(), person(c).Person.ID, c.Param("id")); err != nil {
		return err
	}
	return done(c, views.SettingsTokensURL, "The token is deleted; it does not work any more.")
}
