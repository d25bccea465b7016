package page

import (
	"net/http"

	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// adminPlan shows how somebody's plan went and what it took, without what it says.
func (p *Pages) adminPlan(c echo.Context) error {
	x, err := p.Store.FindPlanWhole(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	v := views.AdminPlan{Plan: x, Own: x.UserID == person(c).Person.ID}
	if v.Person, err = p.names(c).of(x.UserID); err != nil {
		return err
	}
	calls, err := p.Store.ListPlanUsage(c.Request().Context(), x.ID)
	if err != nil {
		return err
	}
	v.Costs = views.CostsOf(calls, func(string) string { return "" })
	if v.Errors, err = p.countErrors(c, store.ErrorFilter{PlanID: x.ID}); err != nil {
		return err
	}
	if v.Head, err = p.adminHead(c, views.AdminPlansURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "A plan", views.NavAdmin, func(s views.Shell) templ.Component { return views.AdminPlanPage(s, v) })
}
