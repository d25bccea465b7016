package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// plansPerPage is how many plans a page of the list shows.
const plansPerPage = 30

// plans lists the plans of the one who asks, those that wait first.
func (p *Pages) plans(c echo.Context) error {
	ctx, who, status := c.Request().Context(), person(c).Person.ID, c.QueryParam("status")
	found, next, err := p.Store.ListPlansByUrgency(ctx, who, status, store.Page{Cursor: c.QueryParam("cursor"), Limit: plansPerPage})
	if err != nil {
		return err
	}
	counts, err := p.Store.CountPlansByStatus(ctx, who)
	if err != nil {
		return err
	}
	props := views.Plans{Status: status, Filters: planFilters(status, counts), Pager: cursorPager(c, next)}
	titles := map[string]string{}
	for _, x := range found {
		if _, ok := titles[x.SessionID]; !ok {
			session, err := p.Store.FindSession(ctx, x.SessionID)
			if err != nil {
				return err
			}
			titles[x.SessionID] = views.SessionTitle(session)
		}
		props.Lines = append(props.Lines, views.PlanLine{Plan: x, Conversation: titles[x.SessionID]})
	}
	return p.show(c, http.StatusOK, "Plans", views.NavPlans, func(s views.Shell) templ.Component { return views.PlansPage(s, props) })
}

// errOrNotFound gives a failure, or says that what was found is not for the one
// who asks.
func errOrNotFound(err error, what string) error {
	if err != nil {
		return err
	}
	return assent.NotFound(what)
}

// planFilters are the statuses with how many plans each has; what waits first.
func planFilters(status string, counts map[assent.PlanStatus]int64) []views.Link {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	out := []views.Link{{URL: views.PlansURL, Label: "All", Current: status == "", Count: total}}
	for _, st := range []assent.PlanStatus{assent.PlanPendingReview, assent.PlanWaitingHuman, assent.PlanRunning, assent.PlanPaused,
		assent.PlanCompleted, assent.PlanFailed, assent.PlanRejected, assent.PlanCancelled, assent.PlanUndone} {
		out = append(out, views.Link{URL: views.WithQuery(views.PlansURL, "status", string(st)), Label: views.StatusWords(string(st)), Current: status == string(st), Count: counts[st]})
	}
	return out
}
