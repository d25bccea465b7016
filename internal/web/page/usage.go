package page

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/usage"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// maxUsageDays bounds the days that one report covers.
const maxUsageDays = 400

// span is the days that a report of usage covers, both included, where the
// reader is.
type span struct {
	from, to time.Time // starts of days
	context  string
}

// days counts the days.
func (s span) days() int { return int(s.to.Sub(s.from).Hours()/24+0.5) + 1 }

// end is the instant after the last day.
func (s span) end() time.Time { return s.to.AddDate(0, 0, 1) }

// spanOf reads ?from=, ?to= and ?context=; without them it is the last 30 days.
func (p *Pages) spanOf(c echo.Context) (span, error) {
	zone := reader(c).Zone()
	now := p.Clock().In(zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, zone)
	s := span{from: today.AddDate(0, 0, -29), to: today, context: c.QueryParam("context")}
	for name, t := range map[string]*time.Time{"from": &s.from, "to": &s.to} {
		v := c.QueryParam(name)
		if v == "" {
			continue
		}
		d, err := time.ParseInLocation(time.DateOnly, v, zone)
		if err != nil {
			return s, assent.Invalid("/"+name, "invalid", fmt.Sprintf("%q is not a day such as %s.", v, today.Format(time.DateOnly)))
		}
		*t = d
	}
	if s.to.Before(s.from) {
		s.from, s.to = s.to, s.from
	}
	if s.days() > maxUsageDays {
		return s, assent.Invalid("/from", "invalid", fmt.Sprintf("A report covers at most %d days.", maxUsageDays))
	}
	return s, nil
}

// calls gives the model calls of some days by some keys, of one context if asked for.
func (p *Pages) calls(c echo.Context, from, to time.Time, context string, keys ...string) ([]assent.UsageLine, error) {
	if context != "" {
		keys = append(keys, "context_type")
	}
	lines, err := p.Store.UsageLines(c.Request().Context(), store.UsageQuery{From: assent.At(from), To: assent.At(to), Keys: keys, Zone: from.Location()})
	if context != "" {
		lines = slices.DeleteFunc(lines, func(u assent.UsageLine) bool { return string(u.ContextType) != context })
	}
	return lines, err
}

// usage shows what models were used for and what it cost.
func (p *Pages) usage(c echo.Context) error {
	s, err := p.spanOf(c)
	if err != nil {
		return err
	}
	u, err := p.usageProps(c, s)
	if err != nil {
		return err
	}
	before, err := p.calls(c, s.from.AddDate(0, 0, -s.days()), s.from, s.context)
	if err != nil {
		return err
	}
	last, err := usage.Report(before, nil, nil)
	if err != nil {
		return err
	}
	u.Before = last[0].CostMicros
	return p.show(c, http.StatusOK, "Usage", views.NavAdmin, func(sh views.Shell) templ.Component { return views.UsagePage(sh, u) })
}

func (p *Pages) usageProps(c echo.Context, s span) (views.Usage, error) {
	from, to := s.from.Format(time.DateOnly), s.to.Format(time.DateOnly)
	u := views.Usage{From: assent.Date(from), To: assent.Date(to), Context: s.context, Days: int64(s.days()), Contexts: contextOptions(),
		Ranges: p.ranges(c, s), CSV: views.WithQuery(views.AdminUsageCSVURL, "from", from, "to", to, "context", s.context)}
	var err error
	if u.Head, err = p.adminHead(c, views.AdminUsageURL); err != nil {
		return u, err
	}
	lines, err := p.calls(c, s.from, s.end(), s.context, "day", "operation_type")
	if err != nil {
		return u, err
	}
	total, err := usage.Report(lines, nil, nil)
	if err != nil {
		return u, err
	}
	u.Total, u.TTFTP95 = usageLine(total[0]), total[0].TTFTP95
	if u.Chart, err = chartOf(s, lines, total[0].CostMicros != nil && *total[0].CostMicros > 0); err != nil {
		return u, err
	}
	u.Tables, err = p.usageTables(c, s, lines)
	return u, err
}

func contextOptions() []views.Option {
	out := []views.Option{{Label: "All contexts"}}
	for _, ct := range []assent.ContextType{assent.ContextGeneral, assent.ContextProjectCreate, assent.ContextProject, assent.ContextTask, assent.ContextProjectAudit} {
		out = append(out, views.Option{Value: string(ct), Label: views.Words(string(ct))})
	}
	return out
}

// ranges are the usual choices of days.
func (p *Pages) ranges(c echo.Context, s span) []views.Link {
	zone := reader(c).Zone()
	now := p.Clock().In(zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, zone)
	var out []views.Link
	for _, n := range []int{7, 30, 90} {
		from := today.AddDate(0, 0, 1-n)
		out = append(out, views.Link{Label: fmt.Sprintf("Last %d days", n), Current: s.from.Equal(from) && s.to.Equal(today),
			URL: views.WithQuery(views.AdminUsageURL, "from", from.Format(time.DateOnly), "to", today.Format(time.DateOnly), "context", s.context)})
	}
	return out
}
