package api

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// listGoverned lists every tool with what admins say about it.
func (r *Resources) listGoverned(c echo.Context) error { return web.ListWhole(c, r.Governance.List()) }

// putPolicy sets policy, effect and cap of a tool; what is left out is as
// defined.
func (r *Resources) putPolicy(c echo.Context) error {
	var in struct {
		Policy assent.ToolPolicy `json:"policy"`
		Effect assent.Effect     `json:"effect"`
		Cap    *int64            `json:"cap"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	name, err := nameParam(c)
	if err != nil {
		return assent.NotFound("tool")
	}
	t, err := r.Governance.Set(c.Request().Context(), web.Principal(c).Person.ID, name, assent.ToolSetting{Policy: in.Policy, Effect: in.Effect, Cap: in.Cap})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, t)
}
