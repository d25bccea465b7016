package api

import (
	"net/http"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func (r *Resources) listPeople(c echo.Context) error {
	people, err := r.Accounts.List(c.Request().Context())
	if err != nil {
		return err
	}
	return web.ListWhole(c, people)
}

func (r *Resources) createPerson(c echo.Context) error {
	var in struct {
		Email    string `json:"email"`
		Name     string `json:"name"`
		Role     string `json:"role"`
		Password string `json:"password"`
		TimeZone string `json:"time_zone"`
		Locale   string `json:"locale"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	n := account.NewPerson{Email: in.Email, Name: in.Name, Role: assent.Role(in.Role), Password: in.Password, TimeZone: in.TimeZone, Locale: in.Locale}
	if n.Role == "" {
		n.Role = assent.RoleMember
	}
	oneTime := ""
	if n.Password == "" {
		oneTime = account.OneTimePassword()
		n.Password, n.MustChange = oneTime, true
	}
	p, err := r.Accounts.Create(c.Request().Context(), n, web.Principal(c).Person.ID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, struct {
		assent.Person
		OneTimePassword string `json:"one_time_password,omitempty"`
	}{p, oneTime})
}

func (r *Resources) patchPerson(c echo.Context) error {
	var in struct {
		Name     *string `json:"name"`
		Email    *string `json:"email"`
		Role     *string `json:"role"`
		Disabled *bool   `json:"disabled"`
		TimeZone *string `json:"time_zone"`
		Locale   *string `json:"locale"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	p, err := r.Accounts.Update(c.Request().Context(), web.Principal(c).Person.ID, c.Param("id"), func(p *assent.Person) {
		set(&p.Name, in.Name)
		set(&p.Email, in.Email)
		set((*string)(&p.Role), in.Role)
		set(&p.TimeZone, in.TimeZone)
		set(&p.Locale, in.Locale)
		if in.Disabled != nil {
			p.Disabled = *in.Disabled
		}
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, p)
}

func (r *Resources) listTokens(c echo.Context) error {
	tokens, err := r.Accounts.ListTokens(c.Request().Context(), web.Principal(c).Person.ID)
	if err != nil {
		return err
	}
	return web.ListWhole(c, tokens)
}

func (r *Resources) createToken(c echo.Context) error {
	var in struct {
		Name      string              `json:"name"`
		Scopes    []assent.TokenScope `json:"scopes"`
		ExpiresAt assent.Time         `json:"expires_at"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if len(in.Scopes) == 0 {
		in.Scopes = []assent.TokenScope{assent.ScopeRead, assent.ScopeChat}
	}
	t, secret, err := r.Accounts.CreateToken(c.Request().Context(), web.Principal(c), in.Name, in.Scopes, in.ExpiresAt)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, struct {
		assent.Token
		Secret string `json:"token"`
	}{t, secret})
}

func (r *Resources) deleteToken(c echo.Context) error {
	if err := r.Accounts.DeleteToken(c.Request().Context(), web.Principal(c).Person.ID, c.Param("id")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
