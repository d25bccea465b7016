package api

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// everybody stands in a path for the budget of those who have none of their own.
const everybody = "default"

// limits is how much of a day a budget allows; null is no limit.
type limits struct {
	CallsPerDay      *int64 `json:"calls_per_day"`
	CostMicrosPerDay *int64 `json:"cost_micros_per_day"`
}

func limitsOf(b assent.Budget) limits {
	return limits{CallsPerDay: b.CallsPerDay, CostMicrosPerDay: b.CostMicrosPerDay}
}

// budgeted is a person with what bounds their day and what they used of it.
type budgeted struct {
	UserID string `json:"user_id"`
	Email  string `json:"email"`
	Name   string `json:"name"`
	limits
	// Own says that the limits are the person's own, not everybody's.
	Own             bool   `json:"own"`
	CallsToday      int64  `json:"calls_today"`
	CostMicrosToday *int64 `json:"cost_micros_today"` // null while no call had a price
	// ReservedMicrosToday counts too: what calls without a known cost may cost.
	ReservedMicrosToday int64 `json:"reserved_micros_today"`
}

func budgetedOf(u budget.Use) budgeted {
	return budgeted{UserID: u.Person.ID, Email: u.Person.Email, Name: u.Person.Name, limits: limitsOf(u.Budget), Own: u.Own,
		CallsToday: u.Calls, CostMicrosToday: u.CostMicros, ReservedMicrosToday: u.ReservedMicros}
}

// listBudgets gives everybody's budget, and each person who has their own or
// used something today.
func (r *Resources) listBudgets(c echo.Context) error {
	uses, err := r.Budgets.Today(c.Request().Context())
	if err != nil {
		return err
	}
	out := struct {
		Currency assent.Currency `json:"currency"`
		Default  limits          `json:"default"`
		People   []budgeted      `json:"people"`
	}{r.Budgets.Currency(), limitsOf(r.Budgets.All()[""]), []budgeted{}}
	for _, u := range uses {
		out.People = append(out.People, budgetedOf(u))
	}
	return c.JSON(http.StatusOK, out)
}

// putCurrency sets what all money is counted in; no amount is converted.
func (r *Resources) putCurrency(c echo.Context) error {
	var in struct {
		Currency assent.Currency `json:"currency" required:"true"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if err := r.Budgets.SetCurrency(c.Request().Context(), in.Currency, web.Principal(c).Person.ID); err != nil {
		return err
	}
	return r.listBudgets(c)
}

// putBudget sets everybody's budget or that of a person, for the calls that
// begin from now on.
func (r *Resources) putBudget(c echo.Context) error {
	ctx := c.Request().Context()
	var in limits
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	b := assent.Budget{UserID: budgetOf(c), CallsPerDay: in.CallsPerDay, CostMicrosPerDay: in.CostMicrosPerDay, UpdatedBy: web.Principal(c).Person.ID}
	if err := r.Budgets.Save(ctx, b); err != nil {
		return err
	}
	if b.UserID == "" {
		return c.JSON(http.StatusOK, in)
	}
	u, err := r.Budgets.Use(ctx, b.UserID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, budgetedOf(u))
}

// deleteBudget takes a budget away: everybody's holds for the person again.
func (r *Resources) deleteBudget(c echo.Context) error {
	if err := r.Budgets.Delete(c.Request().Context(), budgetOf(c), web.Principal(c).Person.ID); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// budgetOf is whose budget a path names; "" is everybody's.
func budgetOf(c echo.Context) string {
	if id := c.Param("id"); id != everybody {
		return id
	}
	return ""
}
