package page

import (
	"net/http"
	"slices"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// secrets lists names; there is no page that shows a value.
func (p *Pages) secrets(c echo.Context) error {
	return p.showSecrets(c, http.StatusOK, secretForm(c, ""))
}

func secretForm(c echo.Context, name string) views.Form {
	return views.Form{ID: "secret", Action: views.AdminSecretsURL, CSRF: csrf(c), Submit: "Save", Fields: []views.Field{
		{Name: "name", Label: "Name", Value: name, Required: true, Max: 64, Autocomplete: "off", Hint: "Letters, digits, dots, dashes and underscores. An existing name gets the new value."},
		{Name: "value", Label: "Value", Kind: views.FieldPassword, Required: true, Autocomplete: "new-password"}}}
}

func (p *Pages) showSecrets(c echo.Context, status int, f views.Form) error {
	props := views.SecretsPage{Form: f}
	var err error
	if props.Secrets, err = p.Secrets.List(c.Request().Context()); err != nil {
		return err
	}
	if props.Head, err = p.adminHead(c, views.AdminSecretsURL); err != nil {
		return err
	}
	return p.show(c, status, "Secrets", views.NavAdmin, func(s views.Shell) templ.Component { return views.SecretsView(s, props) })
}

// saveSecret sets a secret.
func (p *Pages) saveSecret(c echo.Context) error {
	name := c.FormValue("name")
	err := p.Secrets.Set(c.Request().Context(), person(c).Person.ID, name, c.FormValue("value"))
	if err == nil {
		return done(c, views.AdminSecretsURL, "The secret "+name+" is set.")
	}
	f := secretForm(c, name)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	f.Kept = "Nothing was stored. Type the value again: it is not sent back."
	return p.showSecrets(c, status, f)
}

// confirmDeleteSecret asks before a secret is forgotten.
func (p *Pages) confirmDeleteSecret(c echo.Context) error {
	name := c.Param("name")
	all, err := p.Secrets.List(c.Request().Context())
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(s assent.SecretName) bool { return s.Name == name }) {
		return assent.NotFound("secret")
	}
	title := "Delete the secret “" + name + "”?"
	page := views.ConfirmPage{Title: title, Facts: []string{"What uses secret:" + name + " fails from now on.", "It cannot be brought back."},
		Crumbs: []views.Link{{URL: views.AdminSecretsURL, Label: "Secrets"}},
		Form:   views.Form{ID: "f", Action: views.SecretDeleteURL(name), CSRF: csrf(c), Submit: "Delete secret", Danger: true, Cancel: views.AdminSecretsURL}}
	return p.show(c, http.StatusOK, title, views.NavAdmin, func(s views.Shell) templ.Component { return views.ConfirmView(s, page) })
}

// deleteSecret forgets a secret.
func (p *Pages) deleteSecret(c echo.Context) error {
	if err := p.Secrets.Delete(c.Request().Context(), person(c).Person.ID, c.Param("name")); err != nil {
		return err
	}
	return done(c, views.AdminSecretsURL, "The secret is deleted.")
}
