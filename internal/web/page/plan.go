package page

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// findPlan gives a plan of the one who asks, whole; anything else is not found.
func (p *Pages) findPlan(c echo.Context, id string) (assent.Plan, error) {
	x, err := p.Store.FindPlan(c.Request().Context(), id)
	if err != nil || x.UserID != person(c).Person.ID {
		return assent.Plan{}, errOrNotFound(err, "plan")
	}
	return p.Store.FindPlanWhole(c.Request().Context(), id)
}

// plan is the page of a plan.
func (p *Pages) plan(c echo.Context) error {
	return p.showPlan(c, http.StatusOK, c.Param("id"), "")
}

func (p *Pages) showPlan(c echo.Context, status int, id, problem string) error {
	x, err := p.findPlan(c, id)
	if err != nil {
		return err
	}
	session, err := p.Store.FindSession(c.Request().Context(), x.SessionID)
	if err != nil {
		return err
	}
	props := views.PlanPage{Plan: x, Conversation: views.SessionTitle(session), Problem: problem}
	props.From, props.To = versionsAsked(c, x)
	if props.Costs, err = p.costs(c, x, ""); err != nil {
		return err
	}
	people := p.names(c)
	for _, a := range x.Approvals {
		line := views.ApprovalLine{Approval: a, OverObjection: plan.Objected(x.Reviews, a)}
		if line.Person, err = people.of(a.UserID); err != nil {
			return err
		}
		props.Approvals = append(props.Approvals, line)
	}
	props = views.NewPlanPage(props)
	return p.show(c, status, x.Objective, views.NavPlans, func(s views.Shell) templ.Component { return views.PlanView(s, props) })
}

// versionsAsked are the versions to compare: those that were asked for, else the
// current one with the one before.
func versionsAsked(c echo.Context, x assent.Plan) (from, to int64) {
	from, to = max(x.Version-1, 1), x.Version
	if n, err := strconv.ParseInt(c.QueryParam("from"), 10, 64); err == nil && n > 0 && n <= x.Version {
		from = n
	}
	if n, err := strconv.ParseInt(c.QueryParam("to"), 10, 64); err == nil && n > 0 && n <= x.Version {
		to = n
	}
	return from, to
}

// receipt gives the receipt of a run of the one who asks.
func (p *Pages) receipt(c echo.Context) (x assent.Plan, run assent.Run, r plan.Receipt, err error) {
	if x, err = p.findPlan(c, c.Param("id")); err != nil {
		return x, run, r, err
	}
	for _, run = range x.Runs {
		if run.ID == c.Param("run") {
			if run.Usage, err = p.Store.RunUsage(c.Request().Context(), run.ID); err != nil {
				return x, run, r, err
			}
			return x, run, plan.ReceiptOf(x, run), nil
		}
	}
	return x, run, r, assent.NotFound("run")
}

// run is the page of a run: its receipt.
func (p *Pages) run(c echo.Context) error {
	return p.showRun(c, http.StatusOK, "")
}

func (p *Pages) showRun(c echo.Context, status int, problem string) error {
	x, run, r, err := p.receipt(c)
	if err != nil {
		return err
	}
	props := views.RunPage{Plan: x, Run: run, Deviations: r.Deviations, Undone: r.Undone, Estimate: r.Estimate, Usage: r.Usage, DurationMS: r.DurationMS, Problem: problem}
	if props.Costs, err = p.costs(c, x, run.ID); err != nil {
		return err
	}
	people := p.names(c)
	for _, a := range r.Approvals {
		line := views.ApprovalLine{Approval: a.Approval, OverObjection: a.OverObjection}
		if line.Person, err = people.of(a.UserID); err != nil {
			return err
		}
		props.Approvals = append(props.Approvals, line)
	}
	props = views.NewRunPage(props)
	return p.show(c, status, "Receipt: "+r.Objective, views.NavPlans, func(s views.Shell) templ.Component { return views.RunView(s, props) })
}

// costs are what a plan, or one run of it, took of models, step by step.
func (p *Pages) costs(c echo.Context, x assent.Plan, run string) ([]views.CostLine, error) {
	calls, err := p.Store.ListPlanUsage(c.Request().Context(), x.ID)
	if run != "" {
		calls = slices.DeleteFunc(calls, func(u assent.CallUsage) bool { return u.RunID != run })
	}
	return views.CostsOf(calls, views.StepLabels(x.Steps)), err
}

// receiptJSON downloads a receipt.
func (p *Pages) receiptJSON(c echo.Context) error {
	_, run, r, err := p.receipt(c)
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return attach(c, "receipt-"+run.ID+".json", echo.MIMEApplicationJSON, b)
}
