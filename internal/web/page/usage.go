package page

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/internal/usage"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// usageLines is how many lines a table shows.
const usageLines = 20

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

// calls gives the model calls of some days, of one context if asked for.
func (p *Pages) calls(c echo.Context, from, to time.Time, context string) ([]assent.CallUsage, error) {
	rows, err := p.Store.ListUsage(c.Request().Context(), assent.At(from), assent.At(to))
	if context != "" {
		rows = slices.DeleteFunc(rows, func(u assent.CallUsage) bool { return string(u.ContextType) != context })
	}
	return rows, err
}

// usage shows what models were used for and what it cost.
func (p *Pages) usage(c echo.Context) error {
	s, err := p.spanOf(c)
	if err != nil {
		return err
	}
	rows, err := p.calls(c, s.from, s.end(), s.context)
	if err != nil {
		return err
	}
	before, err := p.calls(c, s.from.AddDate(0, 0, -s.days()), s.from, s.context)
	if err != nil {
		return err
	}
	u, err := p.usageProps(c, s, rows)
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

func (p *Pages) usageProps(c echo.Context, s span, rows []assent.CallUsage) (views.Usage, error) {
	from, to := s.from.Format(time.DateOnly), s.to.Format(time.DateOnly)
	u := views.Usage{From: assent.Date(from), To: assent.Date(to), Context: s.context, Days: int64(s.days()), Contexts: contextOptions(),
		Ranges: p.ranges(c, s), CSV: views.WithQuery(views.AdminUsageCSVURL, "from", from, "to", to, "context", s.context)}
	var err error
	if u.Head, err = p.adminHead(c, views.AdminUsageURL); err != nil {
		return u, err
	}
	total, err := usage.Report(rows, nil, nil)
	if err != nil {
		return u, err
	}
	u.Total, u.TTFTP95 = usageLine(total[0]), total[0].TTFTP95
	if u.Chart, err = chartOf(s, rows, total[0].CostMicros != nil && *total[0].CostMicros > 0); err != nil {
		return u, err
	}
	u.Tables, err = p.usageTables(c, s, rows)
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

func usageLine(r usage.Row, names ...string) views.UsageLine {
	return views.UsageLine{Names: names, Calls: r.Calls, Failures: r.Failures, Unpriced: r.Unpriced, TokensIn: r.TokensIn,
		TokensOut: r.TokensOut, LatencyP95: r.LatencyP95, CostMicros: r.CostMicros}
}

// tableOf says how one table of the page is grouped. The first key is the row's name.
type tableOf struct {
	id, title string
	keys      []string
	columns   []string
	byDay     bool // newest first; else the most expensive first
}

// usageTables are the page's tables; a long one shows its first lines, the file
// has them all.
func (p *Pages) usageTables(c echo.Context, s span, rows []assent.CallUsage) ([]views.UsageTable, error) {
	var out []views.UsageTable
	people, r := p.names(c), reader(c)
	for _, t := range []tableOf{
		{"by-operation", "By operation", []string{"operation_type", "execution_mode", "profile"}, []string{"Operation", "Mode", "Profile"}, false},
		{"by-model", "By model", []string{"model", "provider"}, []string{"Model", "Provider"}, false},
		{"by-person", "By person", []string{"user"}, []string{"Person"}, false},
		{"by-day", "By day", []string{"day"}, []string{"Day"}, true},
	} {
		report, err := usage.Report(rows, t.keys, s.from.Location())
		if err != nil {
			return nil, err
		}
		if t.byDay {
			slices.Reverse(report)
		} else {
			slices.SortStableFunc(report, func(a, b usage.Row) int {
				return cmp.Or(cmp.Compare(micros(b.CostMicros), micros(a.CostMicros)), cmp.Compare(b.Calls, a.Calls))
			})
		}
		table := views.UsageTable{ID: t.id, Title: t.title, Columns: t.columns}
		if extra := len(report) - usageLines; extra > 0 && !t.byDay {
			table.More, report = int64(extra), report[:usageLines]
		}
		for _, row := range report {
			names, err := rowNames(row, people, r)
			if err != nil {
				return nil, err
			}
			table.Lines = append(table.Lines, usageLine(row, names...))
		}
		out = append(out, table)
	}
	return out, nil
}

func micros(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// rowNames are a row's values as people read them.
func rowNames(row usage.Row, people *names, r views.Reader) ([]string, error) {
	var out []string
	for _, g := range row.Groups {
		v := g.Value
		switch {
		case g.Key == "user":
			name, err := people.of(v)
			if err != nil {
				return nil, err
			}
			v = name
		case g.Key == "day":
			v = r.ShortDate(assent.Date(v))
		}
		if v == "" {
			v = "–"
		}
		out = append(out, v)
	}
	return out, nil
}

// chartSeries is how many operations the chart tells apart; the rest is one series.
const chartSeries = 5

// chartOf sums by day and operation: cost, or calls where nothing has a price.
func chartOf(s span, rows []assent.CallUsage, money bool) (views.UsageChart, error) {
	chart := views.UsageChart{Money: money}
	value := func(r usage.Row) int64 {
		if money {
			return micros(r.CostMicros)
		}
		return r.Calls
	}
	operations, err := usage.Report(rows, []string{"operation_type"}, nil)
	if err != nil {
		return chart, err
	}
	slices.SortStableFunc(operations, func(a, b usage.Row) int { return cmp.Compare(value(b), value(a)) })
	series := map[string]int{}
	for i, o := range operations {
		series[o.Value("operation_type")] = min(i, chartSeries)
		if i < chartSeries {
			chart.Series = append(chart.Series, o.Value("operation_type"))
		} else if i == chartSeries {
			chart.Series = append(chart.Series, "others")
		}
	}
	byDay, err := usage.Report(rows, []string{"day", "operation_type"}, s.from.Location())
	if err != nil {
		return chart, err
	}
	at := map[string]int{}
	for d := s.from; d.Before(s.end()); d = d.AddDate(0, 0, 1) {
		day := d.Format(time.DateOnly)
		at[day] = len(chart.Days)
		chart.Days = append(chart.Days, views.ChartDay{Day: assent.Date(day), Values: make([]int64, len(chart.Series))})
	}
	for _, r := range byDay {
		if i, ok := at[r.Value("day")]; ok {
			chart.Days[i].Values[series[r.Value("operation_type")]] += value(r)
		}
	}
	return chart, nil
}

// usageCSV gives the figures as a file, one line for each day, operation, model
// and person.
func (p *Pages) usageCSV(c echo.Context) error {
	s, err := p.spanOf(c)
	if err != nil {
		return err
	}
	rows, err := p.calls(c, s.from, s.end(), s.context)
	if err != nil {
		return err
	}
	groups := []string{"day", "operation_type", "provider", "model", "profile", "context_type", "execution_mode", "user", "status"}
	report, err := usage.Report(rows, groups, s.from.Location())
	if err != nil {
		return err
	}
	if err := p.nameUsers(c, report); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="assent-usage-%s-to-%s.csv"`, s.from.Format(time.DateOnly), s.to.Format(time.DateOnly)))
	h.Set("Cache-Control", "no-store")
	c.Response().WriteHeader(http.StatusOK)
	return usage.WriteCSV(c.Response(), report, groups)
}

// nameUsers puts names in the place of ids, for those who read the file.
func (p *Pages) nameUsers(c echo.Context, report []usage.Row) error {
	people := p.names(c)
	for _, row := range report {
		for i, g := range row.Groups {
			if g.Key != "user" {
				continue
			}
			name, err := people.of(g.Value)
			if err != nil {
				return err
			}
			row.Groups[i].Value = name
		}
	}
	return nil
}
