package api

import (
	"net/http"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/usage"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// span reads ?from= and ?to= (RFC 3339 or a day); the default is the last 30 days.
func span(c echo.Context, now time.Time) (from, to assent.Time, err error) {
	read := func(name string, d time.Time) (assent.Time, error) {
		s := c.QueryParam(name)
		if s == "" {
			return assent.At(d), nil
		}
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			if t, err := time.Parse(layout, s); err == nil {
				return assent.At(t), nil
			}
		}
		return 0, assent.Invalid("/"+name, "invalid", "Must be a day such as 2026-11-21, or a time by RFC 3339.")
	}
	if from, err = read("from", now.AddDate(0, 0, -30)); err != nil {
		return 0, 0, err
	}
	to, err = read("to", now.Add(time.Minute))
	return from, to, err
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
	rows, err := r.Store.ListUsage(c.Request().Context(), from, to)
	if err != nil {
		return err
	}
	out, err := usage.Report(rows, groups, time.UTC)
	if err != nil {
		return err
	}
	return web.List(c, out, "")
}

func (r *Resources) errors(c echo.Context) error {
	page, err := web.Page(c)
	if err != nil {
		return err
	}
	items, next, err := r.Store.ListErrors(c.Request().Context(), c.QueryParam("class"), page)
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

func (r *Resources) models(c echo.Context) error { return c.JSON(http.StatusOK, r.Models()) }
