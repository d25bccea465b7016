package page

import (
	"cmp"
	"slices"

	"assent/internal/assent"
	"assent/internal/usage"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// usageLines is how many lines a table shows.
const usageLines = 20

func usageLine(r usage.Row, names ...string) views.UsageLine {
	return views.UsageLine{Names: names, Calls: r.Calls, Failures: r.Failures, Unpriced: r.Unpriced, TokensIn: r.TokensIn,
		TokensOut: r.TokensOut, LatencyP95: r.LatencyP95, CostMicros: r.CostMicros}
}

// tableOf says how one table of the page is grouped. The first key is the row's name.
type tableOf struct {
	id, title string
	keys      []string
	columns   []string
	lines     []assent.UsageLine
	byDay     bool // newest first; else the most expensive first
}

// usageTables are the page's tables; a long one shows its first lines, the file
// has them all.
func (p *Pages) usageTables(c echo.Context, s span, byDay []assent.UsageLine) ([]views.UsageTable, error) {
	var out []views.UsageTable
	byModel, err := p.calls(c, s.from, s.end(), s.context, "operation_type", "execution_mode", "profile", "model", "provider")
	if err != nil {
		return nil, err
	}
	byPerson, err := p.calls(c, s.from, s.end(), s.context, "user")
	if err != nil {
		return nil, err
	}
	people, r := p.names(c), reader(c)
	for _, t := range []tableOf{
		{"by-operation", "By operation", []string{"operation_type", "execution_mode", "profile"}, []string{"Operation", "Mode", "Profile"}, byModel, false},
		{"by-model", "By model", []string{"model", "provider"}, []string{"Model", "Provider"}, byModel, false},
		{"by-person", "By person", []string{"user"}, []string{"Person"}, byPerson, false},
		{"by-day", "By day", []string{"day"}, []string{"Day"}, byDay, true},
	} {
		report, err := usage.Report(t.lines, t.keys, s.from.Location())
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
		if t.id == "by-person" {
			table.Link = &views.Link{URL: views.AdminBudgetsURL, Label: "Budgets"}
		}
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
