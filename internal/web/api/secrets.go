package api

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// listSecrets gives names only; no call gives a value.
func (r *Resources) listSecrets(c echo.Context) error {
	names, err := r.Secrets.List(c.Request().Context())
	if err != nil {
		return err
	}
	return web.ListWhole(c, names)
}

func (r *Resources) putSecret(c echo.Context) error {
	var in struct {
		Value string `json:"value"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	name, err := nameParam(c)
	if err != nil {
		return assent.NotFound("secret")
	}
	if err := r.Secrets.Set(c.Request().Context(), web.Principal(c).Person.ID, name, in.Value); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, assent.SecretName{Name: name, UpdatedAt: r.Store.Now()})
}

func (r *Resources) deleteSecret(c echo.Context) error {
	name, err := nameParam(c)
	if err != nil {
		return assent.NotFound("secret")
	}
	if err := r.Secrets.Delete(c.Request().Context(), web.Principal(c).Person.ID, name); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
