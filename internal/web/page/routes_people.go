package page

import (
	"net/http"

	"assent/views"

	"github.com/labstack/echo/v4"
)

// PublicRoutes is the table of the pages for people who are not signed in.
func (p *Pages) PublicRoutes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	return []Route{
		{get, views.SetupURL, p.setup},
		{post, views.SetupURL, p.setup},
		{get, views.LoginURL, p.signIn},
		{post, views.LoginURL, p.signIn},
		{get, views.SignUpURL, p.signUp},
		{post, views.SignUpURL, p.signUp},
	}
}

// RegisterPublic adds the pages for people who are not signed in.
func (p *Pages) RegisterPublic(g *echo.Group) {
	for _, r := range p.PublicRoutes() {
		g.Add(r.Method, r.Path, r.Handle)
	}
}

// ownRoutes are the pages about the one who asks.
func (p *Pages) ownRoutes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	return []Route{
		{post, views.LogoutURL, p.signOut},
		{get, views.ChangePasswordURL, p.newPassword},
		{post, views.ChangePasswordURL, p.newPassword},
		{get, views.SettingsURL, p.settings},
		{post, views.SettingsURL, p.saveSettings},
		{get, views.SettingsSecurityURL, p.security},
		{post, views.SettingsPasswordURL, p.savePassword},
		{post, views.SettingsEverywhere, p.signOutEverywhere},
		{get, views.SettingsTokensURL, p.tokens},
		{post, views.SettingsTokensURL, p.createToken},
		{get, "/settings/tokens/:id/delete", p.confirmDeleteToken},
		{post, "/settings/tokens/:id/delete", p.deleteToken},
	}
}

// passwordFirst leads somebody whose password was set by somebody else to the
// page where it is changed; only that page and the sign-out are open to them.
func passwordFirst(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		path := c.Request().URL.Path
		if person(c).Person.MustChange && path != views.ChangePasswordURL && path != views.LogoutURL {
			return c.Redirect(http.StatusSeeOther, views.ChangePasswordURL)
		}
		return h(c)
	}
}
