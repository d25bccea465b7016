package views

import (
	"strconv"

	"assent/internal/assent"
)

// UsageChart is a bar a day, stacked by operation: cost in micro-dollars or,
// where nothing has a price, calls.
type UsageChart struct {
	Money  bool
	Series []string   // names, the largest first
	Days   []ChartDay // in order, empty ones too
}

// ChartDay is the values of one day, one for each series.
type ChartDay struct {
	Day    assent.Date
	Values []int64
}

// Size of the drawing; it is stretched to the width of its place.
const (
	chartWidth  = 1000
	chartHeight = 200
)

// chartRect is one piece of a bar.
type chartRect struct {
	X, Y, W, H string
	Class      string
	Title      string
}

func (d ChartDay) sum() (n int64) {
	for _, v := range d.Values {
		n += v
	}
	return n
}

// top is the upper end of the axis: the largest day, rounded up to a number
// that people like.
func (c UsageChart) top() int64 {
	var largest int64
	for _, d := range c.Days {
		largest = max(largest, d.sum())
	}
	if largest <= 10 {
		return largest + largest%2 // so that half of it is a whole number too
	}
	for unit := int64(1); ; unit *= 10 {
		for _, m := range []int64{10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80} {
			if n := m * unit; n >= largest {
				return n
			}
		}
	}
}

// empty reports whether there is nothing to draw.
func (c UsageChart) empty() bool { return len(c.Series) == 0 }

// amount is a value in the chart's unit.
func (c UsageChart) amount(r Reader, n int64) string {
	if c.Money {
		return r.Money(&n)
	}
	return r.Number(n)
}

// rects lays the bars out.
func (c UsageChart) rects(r Reader) []chartRect {
	var out []chartRect
	slot, top := float64(chartWidth)/float64(max(len(c.Days), 1)), float64(c.top())
	width := min(slot*0.7, 40)
	for i, d := range c.Days {
		y := float64(chartHeight)
		for s, v := range d.Values {
			if v == 0 {
				continue
			}
			h := float64(v) / top * chartHeight
			y -= h
			out = append(out, chartRect{X: coordinate(float64(i)*slot + (slot-width)/2), Y: coordinate(y), W: coordinate(width), H: coordinate(h),
				Class: seriesClass(s), Title: r.ShortDate(d.Day) + ", " + c.Series[s] + ": " + c.amount(r, v)})
		}
	}
	return out
}

func coordinate(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// seriesClass is the colour of a series.
func seriesClass(i int) string { return "s" + strconv.Itoa(min(i, 5)) }

// title is the heading of the chart.
func (c UsageChart) title() string {
	if c.Money {
		return "Cost by day and operation"
	}
	return "Calls by day and operation"
}

// ticks are the days written under the axis: the first, the middle, the last.
func (c UsageChart) ticks() []assent.Date {
	switch n := len(c.Days); {
	case n == 0:
		return nil
	case n < 3:
		return []assent.Date{c.Days[0].Day}
	default:
		return []assent.Date{c.Days[0].Day, c.Days[n/2].Day, c.Days[n-1].Day}
	}
}
