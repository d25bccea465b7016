package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// signIn opens a browser session for a password.
func (p *Pages) signIn(c echo.Context) error {
	ctx := c.Request().Context()
	if needed, err := p.Accounts.NeedsSetup(ctx); err != nil || needed {
		if err == nil {
			err = c.Redirect(http.StatusSeeOther, views.SetupURL)
		}
		return err
	}
	if person(c).Person.ID != "" {
		return c.Redirect(http.StatusSeeOther, backTo(c, views.HomeURL))
	}
	g := p.signInGate(c)
	if c.Request().Method != http.MethodPost {
		return p.gate(c, http.StatusOK, g)
	}
	secret, _, err := p.Accounts.SignIn(ctx, c.FormValue("email"), c.FormValue("password"), c.RealIP())
	if err == nil {
		p.Session(c, secret)
		return c.Redirect(http.StatusSeeOther, backTo(c, views.HomeURL))
	}
	status, rerr := refuse(&g.Form, err)
	if rerr != nil {
		return rerr
	}
	g.Form.Kept = "Check both and try again. If you forgot the password, an admin can give you a one-time one."
	if assent.ErrorCode(err) == assent.CodeUnauthenticated {
		status = http.StatusUnauthorized
	}
	waiting(c, &g.Form, err)
	return p.gate(c, status, g)
}

func (p *Pages) signInGate(c echo.Context) views.Gate {
	email := emailField(c.FormValue("email"))
	email.Focus = true
	g := views.Gate{Title: "Sign in", Form: views.Form{ID: "login", Action: views.LoginURL, CSRF: csrf(c), Submit: "Sign in",
		Fields: []views.Field{email, {Name: "password", Label: "Password", Kind: views.FieldPassword, Required: true, Autocomplete: "current-password"}}}}
	if back := backTo(c, ""); back != "" {
		g.Form.Hidden = []views.Option{{Label: "back", Value: back}}
	}
	if p.Accounts.MaySignUp() {
		g.Links = []views.Link{{URL: views.SignUpURL, Label: "Create an account"}}
	}
	return g
}

// signUp creates a member's account, where anybody may.
func (p *Pages) signUp(c echo.Context) error {
	if !p.Accounts.MaySignUp() {
		return assent.Errorf(assent.CodeForbidden, "New accounts are made by an admin here.")
	}
	g := views.Gate{Title: "Create an account", Links: []views.Link{{URL: views.LoginURL, Label: "I have an account"}},
		Form: views.Form{ID: "signup", Action: views.SignUpURL, CSRF: csrf(c), Submit: "Create account",
			Fields: []views.Field{nameField(c.FormValue("name")), emailField(c.FormValue("email")), newPasswordField("Password"),
				zoneField(zoneOr(c.FormValue("time_zone")), c.FormValue("time_zone") == "")}}}
	if c.Request().Method != http.MethodPost {
		return p.gate(c, http.StatusOK, g)
	}
	who, err := p.Accounts.SignUp(c.Request().Context(), newcomer(c))
	if err != nil {
		return p.refusedGate(c, g, err)
	}
	return p.inside(c, who)
}

// signOut ends the browser session.
func (p *Pages) signOut(c echo.Context) error {
	if err := p.Accounts.SignOut(c.Request().Context(), person(c)); err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
		return err
	}
	p.Session(c, "")
	return done(c, views.LoginURL, "You are signed out.")
}

// newPassword asks for another password, once somebody else has set it.
func (p *Pages) newPassword(c echo.Context) error {
	g := views.Gate{Title: "Choose a new password", Lead: "Your password was set by somebody else. Choose one that only you know.",
		Form: passwordForm(c, views.ChangePasswordURL, "One-time password")}
	if c.Request().Method != http.MethodPost {
		return p.gate(c, http.StatusOK, g)
	}
	err := p.Accounts.ChangePassword(c.Request().Context(), person(c), c.FormValue("old_password"), c.FormValue("password"))
	if err == nil {
		return done(c, views.HomeURL, "Your password is changed.")
	}
	status, rerr := refuse(&g.Form, err)
	if rerr != nil {
		return rerr
	}
	g.Form.Kept = "Your password was not changed."
	waiting(c, &g.Form, err)
	return p.gate(c, status, g)
}

func passwordForm(c echo.Context, action, old string) views.Form {
	return views.Form{ID: "password", Action: action, CSRF: csrf(c), Submit: "Change password", Username: person(c).Person.Email,
		Fields: []views.Field{{Name: "old_password", Label: old, Kind: views.FieldPassword, Required: true, Autocomplete: "current-password"},
			newPasswordField("New password")}}
}
