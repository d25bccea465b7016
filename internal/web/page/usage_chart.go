package page

import (
	"cmp"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/internal/usage"
	"assent/views"
)

// chartSeries is how many operations the chart tells apart; the rest is one series.
const chartSeries = 5

// chartOf sums by day and operation: cost, or calls where nothing has a price.
func chartOf(s span, rows []assent.UsageLine, money bool) (views.UsageChart, error) {
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
