package api

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/usage"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// span reads ?from= and ?to= (RFC 3339, or a day, of which to means its end);
// the default is the last 30 days.
func span(c echo.Context, now time.Time) (from, to assent.Time, err error) {
	if from, err = instant(c, "from", now.AddDate(0, 0, -30), 0); err != nil {
		return 0, 0, err
	}
	to, err = instant(c, "to", now.Add(time.Minute), 1)
	return from, to, err
}

// instant reads a time from the query; to a day it adds days.
func instant(c echo.Context, name string, otherwise time.Time, days int) (assent.Time, error) {
	s := c.QueryParam(name)
	if s == "" {
		return assent.At(otherwise), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return assent.At(t), nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return assent.At(t.AddDate(0, 0, days)), nil
	}
	return 0, assent.Invalid("/"+name, "invalid", "Must be a day such as 2026-11-21, or a time by RFC 3339.")
}

func (r *Resources) usage(c echo.Context) error {
	from, to, err := span(c, r.Clock())
	if err != nil {
		return err
	}
	var groups []string
	for _, g := range strings.Split(strings.Join(c.QueryParams()["group_by"], ","), ",") {
		if g = strings.TrimSpace(g); g != "" {
			groups = append(groups, g)
		}
	}
	if err := usage.Check(groups); err != nil {
		return err
	}
	lines, err := r.Store.UsageLines(c.Request().Context(), store.UsageQuery{From: from, To: to, Keys: groups})
	if err != nil {
		return err
	}
	out, err := usage.Report(lines, groups, time.UTC)
	if err != nil {
		return err
	}
	return web.ListWhole(c, out)
}

func (r *Resources) errors(c echo.Context) error {
	page, err := web.Page(c)
	if err != nil {
		return err
	}
	items, next, err := r.Store.ListErrors(c.Request().Context(), store.ErrorFilter{Class: c.QueryParam("class"), TurnID: c.QueryParam("turn_id"), PlanID: c.QueryParam("plan_id")}, page)
	if err != nil {
		return err
	}
	return web.List(c, items, next)
}

func (r *Resources) planReviews(c echo.Context) error {
	page, err := web.Page(c)
	if err != nil {
		return err
	}
	items, next, err := r.Store.ListReviews(c.Request().Context(), page)
	if err != nil {
		return err
	}
	return web.List(c, items, next)
}
