package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// settings is the profile of the one who asks.
func (p *Pages) settings(c echo.Context) error {
	who, err := p.Accounts.Find(c.Request().Context(), person(c).Person.ID)
	if err != nil {
		return err
	}
	return p.showSettings(c, http.StatusOK, profileForm(c, who))
}

func profileForm(c echo.Context, who assent.Person) views.Form {
	modes := []views.Option{{Value: string(assent.ModeAutoExecute), Label: "Run plans at once, unless they delete or leave Assent"},
		{Value: string(assent.ModeAgentReview), Label: "Let a reviewer look first"}, {Value: string(assent.ModeDraftOnly), Label: "Always show me first"}}
	f := views.Form{ID: "profile", Action: views.SettingsURL, CSRF: csrf(c), Submit: "Save", Grid: true, Fields: []views.Field{
		nameField(who.Name), emailField(who.Email), zoneField(who.TimeZone, false),
		{Name: "locale", Label: "Dates and numbers as in", Kind: views.FieldSelect, Value: who.Locale, Options: localeOptions(who.Locale)},
		{Name: "theme", Label: "Theme", Kind: views.FieldSelect, Value: who.Theme, Options: []views.Option{{Value: "auto", Label: "As the system"}, {Value: "light", Label: "Light"}, {Value: "dark", Label: "Dark"}}},
		{Name: "default_mode", Label: "Plans", Kind: views.FieldSelect, Value: string(who.DefaultMode), Options: modes, Wide: true,
			Hint: "How far a plan may go without your word. Each message can ask for more care, never for less."}}}
	f.Fields[1].Autocomplete = "email"
	return f
}

func (p *Pages) showSettings(c echo.Context, status int, f views.Form) error {
	return p.show(c, status, "Settings", views.NavSettings, func(s views.Shell) templ.Component { return views.SettingsPage(s, views.Settings{Form: f}) })
}

// saveSettings changes the profile.
func (p *Pages) saveSettings(c echo.Context) error {
	change := func(who *assent.Person) {
		who.Name, who.Email, who.TimeZone, who.Locale = c.FormValue("name"), c.FormValue("email"), c.FormValue("time_zone"), c.FormValue("locale")
		who.Theme, who.DefaultMode = c.FormValue("theme"), assent.Mode(c.FormValue("default_mode"))
	}
	_, err := p.Accounts.UpdateProfile(c.Request().Context(), person(c).Person.ID, change)
	if err == nil {
		return done(c, views.SettingsURL, "Saved.")
	}
	typed := person(c).Person
	change(&typed)
	f := profileForm(c, typed)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showSettings(c, status, f)
}

// security shows password and sign-ins.
func (p *Pages) security(c echo.Context) error {
	return p.showSecurity(c, http.StatusOK, passwordForm(c, views.SettingsPasswordURL, "Present password"))
}

func (p *Pages) showSecurity(c echo.Context, status int, f views.Form) error {
	pr := person(c)
	tokens, err := p.Store.ListTokens(c.Request().Context(), pr.Person.ID, store.TokenBrowser)
	if err != nil {
		return err
	}
	props := views.Security{Form: f}
	for _, t := range tokens {
		props.SignIns = append(props.SignIns, views.SignIn{Token: t, Here: t.ID == pr.SessionID})
	}
	return p.show(c, status, "Password and sign-ins", views.NavSettings, func(s views.Shell) templ.Component { return views.SecurityPage(s, props) })
}

// savePassword changes the password; other browsers are signed out.
func (p *Pages) savePassword(c echo.Context) error {
	err := p.Accounts.ChangePassword(c.Request().Context(), person(c), c.FormValue("old_password"), c.FormValue("password"))
	if err == nil {
		return done(c, views.SettingsSecurityURL, "Your password is changed. Other browsers were signed out.")
	}
	f := passwordForm(c, views.SettingsPasswordURL, "Present password")
	status, rerr := refuse(&f, err)
	if rerr != nil {
		return rerr
	}
	f.Kept = "Your password was not changed."
	waiting(c, &f, err)
	return p.showSecurity(c, status, f)
}

// signOutEverywhere ends the other browser sessions.
func (p *Pages) signOutEverywhere(c echo.Context) error {
	if err := p.Accounts.SignOutEverywhere(c.Request().Context(), person(c)); err != nil {
		return err
	}
	return done(c, views.SettingsSecurityURL, "You are signed out everywhere else.")
}
