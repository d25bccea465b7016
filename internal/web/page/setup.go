package page

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// setup makes the first account. Once there is one, it leads to the sign-in.
func (p *Pages) setup(c echo.Context) error {
	ctx := c.Request().Context()
	if needed, err := p.Accounts.NeedsSetup(ctx); err != nil || !needed {
		if err == nil {
			err = c.Redirect(http.StatusSeeOther, views.LoginURL)
		}
		return err
	}
	code, err := p.Accounts.NeedsCode(ctx)
	if err != nil {
		return err
	}
	if !code && !ownHost(c.Request().Host, p.BaseURL) {
		return assent.Errorf(assent.CodeForbidden, "The first account is created at the address that the server printed, such as http://localhost:8080. Nothing was changed.")
	}
	g := setupGate(c, code)
	if c.Request().Method != http.MethodPost {
		return p.gate(c, http.StatusOK, g)
	}
	who, err := p.Accounts.SetUp(ctx, newcomer(c), c.FormValue("code"), c.RealIP())
	if err != nil {
		waiting(c, &g.Form, err)
		return p.refusedGate(c, g, err)
	}
	return p.inside(c, who)
}

// ownHost reports whether a request names this machine, or the address under
// which people reach the server. Without a code anything else is refused: a page
// elsewhere could let its own name lead here and create the account.
func ownHost(host, baseURL string) bool {
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" && strings.EqualFold(u.Host, host) {
		return true
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func setupGate(c echo.Context, code bool) views.Gate {
	f := views.Form{ID: "setup", Action: views.SetupURL, CSRF: csrf(c), Submit: "Create the first account"}
	if code {
		f.Fields = append(f.Fields, views.Field{Name: "code", Label: "One-time code", Value: c.FormValue("code"), Required: true, Max: 40, Mono: true,
			Autocomplete: "one-time-code", Hint: "The server printed it where it was started."})
	}
	f.Fields = append(f.Fields, nameField(c.FormValue("name")), emailField(c.FormValue("email")), newPasswordField("Password"),
		zoneField(zoneOr(c.FormValue("time_zone")), c.FormValue("time_zone") == ""))
	return views.Gate{Title: "Welcome to Assent", Form: f,
		Lead: "Assent drafts plans in a chat, asks for your assent and runs exactly what you approved. The first account is an admin."}
}
