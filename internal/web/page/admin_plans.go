package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// reviewsPerPage is how many reviews a page shows.
const reviewsPerPage = 40

// planReviews lists everyone's plan reviews: what came of them, not what the
// plans say.
func (p *Pages) planReviews(c echo.Context) error {
	rows, next, err := p.Store.ListReviews(c.Request().Context(), store.Page{Cursor: c.QueryParam("cursor"), Limit: reviewsPerPage})
	if err != nil {
		return err
	}
	v := views.Reviews{Pager: cursorPager(c, next)}
	people := p.names(c)
	for _, row := range rows {
		l := views.ReviewLine{PlanID: row.PlanID, At: row.At, Mode: row.Mode, Status: row.Status, Version: row.Version, Reviewer: row.Reviewer, Verdict: row.Verdict, Findings: map[string]int64{}}
		for _, f := range row.Findings {
			l.Findings[f.Severity]++
		}
		if l.Person, err = people.of(row.UserID); err != nil {
			return err
		}
		if l.Overruled, err = p.overruled(c, row); err != nil {
			return err
		}
		v.Lines = append(v.Lines, l)
	}
	if v.Head, err = p.adminHead(c, views.AdminPlansURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "Plans and reviews", views.NavAdmin, func(s views.Shell) templ.Component { return views.ReviewsPage(s, v) })
}

// overruled reports whether the reviewed version was approved although this
// review did not agree.
func (p *Pages) overruled(c echo.Context, row store.PlanReviewRow) (bool, error) {
	if row.Verdict == assent.VerdictApproved {
		return false, nil
	}
	x, err := p.Store.FindPlanWhole(c.Request().Context(), row.PlanID)
	if err != nil {
		return false, err
	}
	for _, a := range x.Approvals {
		if a.Version == row.Version && a.Step == "" && plan.Objected(x.Reviews, a) {
			return true, nil
		}
	}
	return false, nil
}
