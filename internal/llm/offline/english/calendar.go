package english

import (
	"sort"
	"time"
)

var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var weekdays = map[string]time.Weekday{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0, "mon": 1, "tue": 2,
	"tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6, "sun": 0,
}

// units maps the word for a span to days or months.
var units = map[string]Shift{
	"day": {Days: 1}, "days": {Days: 1}, "week": {Days: 7}, "weeks": {Days: 7}, "wk": {Days: 7}, "wks": {Days: 7},
	"fortnight": {Days: 14}, "fortnights": {Days: 14}, "month": {Months: 1}, "months": {Months: 1}, "quarter": {Months: 3},
	"quarters": {Months: 3}, "year": {Months: 12}, "years": {Months: 12}, "yr": {Months: 12}, "yrs": {Months: 12},
}

// Shift moves a day: months first, then days, then working days.
type Shift struct{ Months, Days, Workdays int }

// Zero reports whether s moves nothing.
func (s Shift) Zero() bool { return s == Shift{} }

// times gives n such shifts.
func (s Shift) times(n int) Shift {
	return Shift{Months: s.Months * n, Days: s.Days * n, Workdays: s.Workdays * n}
}

// Apply moves day. A month later than 31 January is the last of February.
func (s Shift) Apply(day time.Time) time.Time {
	if s.Months != 0 {
		last := monthEnd(day.Year(), day.Month()+time.Month(s.Months))
		target := time.Date(day.Year(), day.Month()+time.Month(s.Months), 1, 0, 0, 0, 0, time.UTC)
		d := min(day.Day(), last.Day())
		if day.Equal(monthEnd(day.Year(), day.Month())) {
			d = last.Day()
		}
		day = target.AddDate(0, 0, d-1)
	}
	day = day.AddDate(0, 0, s.Days)
	step := 1
	if s.Workdays < 0 {
		step = -1
	}
	for left := s.Workdays * step; left > 0; {
		day = day.AddDate(0, 0, step)
		if !weekend(day) {
			left--
		}
	}
	return day
}

func weekend(d time.Time) bool { return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday }

// Date makes a day.
func Date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// validDate makes a day and refuses 31 February.
func validDate(y int, m time.Month, d int) (time.Time, bool) {
	t := Date(y, m, d)
	return t, y >= 1900 && y < 2200 && t.Month() == m && t.Day() == d
}

func monthEnd(y int, m time.Month) time.Time { return Date(y, m+1, 0) }

// weekStart is the Monday of d's week.
func weekStart(d time.Time) time.Time {
	return d.AddDate(0, 0, -((int(d.Weekday()) + 6) % 7))
}

func quarterOf(d time.Time) int { return (int(d.Month()) + 2) / 3 }

func quarterPeriod(year, q int) period {
	return period{Date(year, time.Month(3*q-2), 1), monthEnd(year, time.Month(3*q)), grainQuarter}
}

// easter is Easter Sunday (Anonymous Gregorian algorithm).
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return Date(y, time.Month(month), day)
}

// feasts maps a name to the day in a year.
var feasts = map[string]func(y int) time.Time{
	"christmas":    func(y int) time.Time { return Date(y, 12, 25) },
	"xmas":         func(y int) time.Time { return Date(y, 12, 25) },
	"halloween":    func(y int) time.Time { return Date(y, 10, 31) },
	"easter":       easter,
	"valentines":   func(y int) time.Time { return Date(y, 2, 14) },
	"thanksgiving": thanksgiving,
}

func thanksgiving(y int) time.Time {
	first := Date(y, 11, 1)
	return first.AddDate(0, 0, (11-int(first.Weekday()))%7+21)
}

// seasons of the north, as whole months; winter begins in the year it is named.
var seasons = map[string][2]time.Month{"spring": {3, 5}, "summer": {6, 8}, "autumn": {9, 11}, "winter": {12, 14}}

// calendarWords are the words that the date reader knows.
func calendarWords() []string {
	var out []string
	for w := range months {
		out = append(out, w)
	}
	for w := range weekdays {
		out = append(out, w)
	}
	for w := range units {
		out = append(out, w)
	}
	for w := range feasts {
		out = append(out, w)
	}
	for w := range seasons {
		out = append(out, w)
	}
	out = append(out, "today", "tomorrow", "yesterday", "tonight", "weekend", "before", "until", "deadline", "quarter", "next",
		"beginning", "middle", "early", "late", "after", "within", "starting", "between")
	sort.Strings(out)
	return out
}

// LongDate writes "31 March 2027".
func LongDate(d time.Time) string { return d.Format("2 January 2006") }

// ParseDay reads "2027-03-31".
func ParseDay(s string) (time.Time, bool) {
	d, err := time.Parse(time.DateOnly, s)
	return d, err == nil
}

// Spread gives n days that divide the time from start to end evenly; the last is
// end. The others avoid weekends by moving back, but never before start.
func Spread(start, end time.Time, n int) []time.Time {
	out := make([]time.Time, n)
	days := int(end.Sub(start).Hours() / 24)
	for i := range out {
		out[i] = Between(start, end, days*(i+1)/n)
	}
	return out
}

// Between is the day "after" days after start, moved back from a weekend unless
// it is end or would fall before start.
func Between(start, end time.Time, after int) time.Time {
	d := start.AddDate(0, 0, after)
	if d.Equal(end) || !weekend(d) {
		return d
	}
	friday := weekStart(d).AddDate(0, 0, 4)
	if friday.Before(start) {
		return d
	}
	return friday
}
