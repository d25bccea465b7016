package views

import (
	"testing"

	"assent/internal/assent"
)

func TestTheChartsAxisEndsAtANumberPeopleLike(t *testing.T) {
	t.Parallel()
	for largest, want := range map[int64]int64{0: 0, 1: 2, 7: 8, 10: 10, 11: 12, 101: 120, 1_070_000: 1_200_000, 8_100: 10_000} {
		c := UsageChart{Days: []ChartDay{{Values: []int64{largest}}}}
		if got := c.top(); got != want {
			t.Errorf("for %d the axis ends at %d, want %d", largest, got, want)
		}
	}
}

func TestTheChartStacksFromTheGroundUp(t *testing.T) {
	t.Parallel()
	c := UsageChart{Money: true, Series: []string{"planner_stream", "title"}, Days: []ChartDay{
		{Day: "2026-11-20", Values: []int64{500_000, 250_000}}, {Day: "2026-11-21", Values: []int64{0, 1_000_000}}}}
	rects := c.rects(ReaderOf(assent.Person{TimeZone: "UTC", Locale: "en-GB"}))
	if len(rects) != 3 {
		t.Fatalf("there are %d pieces, want 3: nothing is drawn for nothing", len(rects))
	}
	first, second := rects[0], rects[1]
	if first.Y != "100.00" || first.H != "100.00" || second.Y != "50.00" || second.H != "50.00" || first.X != second.X {
		t.Errorf("stacked as %+v and %+v", first, second)
	}
	if rects[2].Class != "s1" || rects[2].Title != "21 Nov 2026, title: $1.00" {
		t.Errorf("the last piece is %+v", rects[2])
	}
}

func TestCostIsComparedWithTheDaysBefore(t *testing.T) {
	t.Parallel()
	r := ReaderOf(assent.Person{TimeZone: "UTC", Locale: "en-GB"})
	money := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		now, before *int64
		want        string
	}{
		{money(880), money(1000), "−12\u00a0% on the 30 days before"},
		{money(1500), money(1000), "+50\u00a0% on the 30 days before"},
		{money(1500), money(0), ""},
		{money(1500), nil, ""},
		{nil, money(10), ""},
	} {
		u := Usage{Days: 30, Before: c.before, Total: UsageLine{CostMicros: c.now}}
		if got := u.change(r); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestAFormTiesEachFieldToItsExplanations(t *testing.T) {
	t.Parallel()
	x := Field{Name: "title", Value: "mine", Current: "theirs", Hint: "hint", Error: "wrong"}
	f := Form{ID: "f", Stale: true, Fields: []Field{x}}
	if got := f.describedBy(x); got != "f-title-hint f-title-error f-title-now" {
		t.Errorf("described by %q", got)
	}
	f.Stale = false
	if got := f.describedBy(Field{Name: "title"}); got != "" {
		t.Errorf("described by %q", got)
	}
}
