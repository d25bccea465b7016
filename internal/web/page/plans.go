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

// plans lists the plans of the one who asks.
func (p *Pages) plans(c echo.Context) error {
	ctx, status := c.Request().Context(), c.QueryParam("status")
	found, next, err := p.Store.ListPlans(ctx, person(c).Person.ID, status, "", store.Page{Cursor: c.QueryParam("cursor"), Limit: plansPerPage})
	if err != nil {
		return err
	}
	props := views.Plans{Status: status, Filters: planFilters(status), Pager: cursorPager(c, next)}
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

// plan leads to where a plan stands in its conversation.
func (p *Pages) plan(c echo.Context) error {
	x, err := p.Store.FindPlan(c.Request().Context(), c.Param("id"))
	if err != nil || x.UserID != person(c).Person.ID {
		return errOrNotFound(err, "plan")
	}
	return c.Redirect(http.StatusSeeOther, views.PlanInChatURL(x.SessionID, x.ID))
}

// errOrNotFound gives a failure, or says that what was found is not for the one
// who asks.
func errOrNotFound(err error, what string) error {
	if err != nil {
		return err
	}
	return assent.NotFound(what)
}

func planFilters(status string) []views.Link {
	out := []views.Link{{URL: views.PlansURL, Label: "All", Current: status == ""}}
	for _, st := range []assent.PlanStatus{assent.PlanPendingReview, assent.PlanRunning, assent.PlanPaused, assent.PlanWaitingHuman,
		assent.PlanCompleted, assent.PlanFailed, assent.PlanRejected, assent.PlanCancelled, assent.PlanUndone} {
		out = append(out, views.Link{URL: views.WithQuery(views.PlansURL, "status", string(st)), Label: views.StatusWords(string(st)), Current: status == string(st)})
	}
	return out
}
