package page

import (
	"time"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// admins lets admins through; anybody else is told that it is not for them.
func admins(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !person(c).May(assent.ScopeAdmin) {
			return assent.Errorf(assent.CodeForbidden, "This page is for admins.")
		}
		return h(c)
	}
}

// adminHead is what every page of the administration shows on top.
func (p *Pages) adminHead(c echo.Context, current string) (views.AdminHead, error) {
	n, err := p.Store.CountErrorsSince(c.Request().Context(), assent.At(p.Clock().Add(-24*time.Hour)))
	return views.AdminHead{Current: current, Errors: n}, err
}
