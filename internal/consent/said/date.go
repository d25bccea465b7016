package said

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Today is what a date in words is counted from.
type Today struct {
	Date       time.Time // the person's day
	MonthFirst bool      // "3/4/2027" is the fourth of March
	Was        string    // the date that a change is made to, "" for none
}

// span is a stretch of days, both ends included.
type span struct{ from, to time.Time }

// Date reports whether a date ("2027-03-31", with or without a time of day)
// stands in the words: as itself, in a month or quarter that they name ("April"),
// as the end of one, or as the date that was, moved ("two weeks later").
func Date(text, value string, t Today) bool {
	at, ok := dateOf(value)
	if !ok {
		return false
	}
	d := dates{text: stepName.ReplaceAllString(fold(text), " "), today: day(t.Date), t: t}
	if was, ok := dateOf(t.Was); ok {
		d.was = was
		if d.shift(at, was) {
			return true
		}
	}
	for _, s := range d.find() {
		if !at.Before(s.from) && !at.After(s.to) {
			return true
		}
	}
	return false
}

// IsDate reports a value that is a date.
func IsDate(value string) bool {
	_, ok := dateOf(value)
	return ok
}

func dateOf(value string) (time.Time, bool) {
	if t, err := time.Parse(time.DateOnly, value); err == nil {
		return t, true
	}
	t, err := time.Parse(time.RFC3339, value)
	return day(t), err == nil
}

func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// dates finds the dates of a text; what was understood is taken out of it, so
// that "end of March" does not mean all of March as well.
type dates struct {
	text  string
	today time.Time
	was   time.Time
	t     Today
	out   []span
}

func (d *dates) find() []span {
	d.take(isoDate, func(g []string) { d.exact(number(g[1]), number(g[2]), number(g[3])) })
	d.take(numericDate, d.numeric)
	d.take(hanDate, d.han)
	d.take(endOf, func(g []string) { d.inMonth(g[1], g[2], 0) })
	d.take(startOf, func(g []string) { d.inMonth(g[1], g[2], 1) })
	d.take(midOf, func(g []string) { d.inMonth(g[1], g[2], 15) })
	d.take(dayMonth, func(g []string) { d.inMonth(g[2], g[3], number(g[1])) })
	d.take(monthDay, func(g []string) { d.inMonth(g[1], g[3], number(g[2])) })
	d.take(wholeMonth, d.month)
	d.take(quarter, func(g []string) {
		from := 3*number(g[1]) - 2
		d.months(g[2], from, from+2)
	})
	d.take(endOfThis, d.endOf)
	d.take(relative, d.relative)
	d.take(within, d.within)
	d.take(weekday, d.weekday)
	return d.out
}

// take calls f with the groups of each match and takes the match out.
func (d *dates) take(re *regexp.Regexp, f func(groups []string)) {
	d.text = re.ReplaceAllStringFunc(d.text, func(m string) string {
		f(re.FindStringSubmatch(m))
		return " | "
	})
}

// number reads a number of a match; 0 where it has none.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func (d *dates) add(from, to time.Time) { d.out = append(d.out, span{from, to}) }

// exact adds one day of a year, if there is such a day.
func (d *dates) exact(y, m, n int) {
	at := time.Date(y, time.Month(m), n, 0, 0, 0, 0, time.UTC)
	if at.Day() == n && int(at.Month()) == m {
		d.add(at, at)
	}
}

func (d *dates) numeric(g []string) {
	n, m := number(g[1]), number(g[3])
	if g[2] != "." && d.t.MonthFirst {
		n, m = m, n
	}
	d.exact(number(g[4]), m, n)
}

func (d *dates) han(g []string) {
	m := number(g[2])
	switch {
	case m < 1 || m > 12:
	case g[3] != "":
		d.years(g[1], m, func(y int) { d.exact(y, m, number(g[3])) })
	case g[4] != "":
		d.years(g[1], m, func(y int) { d.exact(y, m, 1) })
	case g[5] != "":
		d.years(g[1], m, func(y int) { d.exact(y, m, 15) })
	case g[6] != "":
		d.years(g[1], m, func(y int) { d.last(y, m) })
	default:
		d.months(g[1], m, m)
	}
}

// inMonth adds a day of a month; 0 is its last one.
func (d *dates) inMonth(name, y string, n int) {
	m := monthOf(name)
	d.years(y, m, func(y int) {
		if n == 0 {
			d.last(y, m)
		} else {
			d.exact(y, m, n)
		}
	})
}

func monthOf(name string) int { return int(months[strings.TrimSuffix(name, ".")]) }

// years calls f with the year that is meant: the one said, else that in which
// the month comes next, or that of the date which is changed.
func (d *dates) years(said string, m int, f func(y int)) {
	if m == 0 {
		return
	}
	if said != "" {
		f(number(said))
		return
	}
	y := d.today.Year()
	if m < int(d.today.Month()) {
		y++
	}
	f(y)
	if !d.was.IsZero() && d.was.Year() != y {
		f(d.was.Year())
	}
}

func (d *dates) last(y, m int) {
	at := time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC)
	d.add(at, at)
}

// asMonth are words before "may" that make it the month.
var asMonth = regexp.MustCompile(`\b(?:in|by|to|until|till|of|for|before|during|early|late)\s+may\b`)

func (d *dates) month(g []string) {
	if m := monthOf(g[1]); g[1] != "may" || g[2] != "" || asMonth.MatchString(d.text) {
		d.months(g[2], m, m)
	}
}

// months adds whole months.
func (d *dates) months(y string, from, to int) {
	d.years(y, from, func(y int) {
		d.add(time.Date(y, time.Month(from), 1, 0, 0, 0, 0, time.UTC), time.Date(y, time.Month(to)+1, 0, 0, 0, 0, 0, time.UTC))
	})
}

func (d *dates) endOf(g []string) {
	next := 0
	if strings.Contains(g[0], "next") {
		next = 1
	}
	var at time.Time
	switch g[1] {
	case "week":
		sunday := d.today.AddDate(0, 0, (7-int(d.today.Weekday()))%7+7*next)
		d.add(sunday.AddDate(0, 0, -2), sunday)
		return
	case "month":
		at = time.Date(d.today.Year(), d.today.Month()+time.Month(1+next), 0, 0, 0, 0, 0, time.UTC)
	case "year":
		at = time.Date(d.today.Year()+next, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	d.add(at, at)
}

func (d *dates) relative(g []string) {
	switch g[1] {
	case "today", "heute":
		d.add(d.today, d.today)
	case "the day after tomorrow":
		at := d.today.AddDate(0, 0, 2)
		d.add(at, at)
	case "next week":
		monday := d.today.AddDate(0, 0, (8-int(d.today.Weekday()))%7)
		if monday.Equal(d.today) {
			monday = monday.AddDate(0, 0, 7)
		}
		d.add(monday, monday.AddDate(0, 0, 6))
	case "next month":
		first := time.Date(d.today.Year(), d.today.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		d.add(first, first.AddDate(0, 1, -1))
	case "next year":
		y := d.today.Year() + 1
		d.add(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC))
	default:
		at := d.today.AddDate(0, 0, 1)
		d.add(at, at)
	}
}

func (d *dates) within(g []string) {
	if n, ok := count(g[1]); ok {
		at := move(d.today, n, g[2])
		d.add(at, at)
	}
}

// weekday adds the next day of that name; "next Friday" may be a week later.
func (d *dates) weekday(g []string) {
	at := d.today.AddDate(0, 0, (int(weekdays[g[2]])-int(d.today.Weekday())+6)%7+1)
	d.add(at, at)
	if g[1] != "" {
		at = at.AddDate(0, 0, 7)
		d.add(at, at)
	}
}

// count reads a small number before a unit: "two weeks", "a week".
func count(s string) (int, bool) {
	if s == "a" || s == "an" {
		return 1, true
	}
	for _, n := range numbers(s) {
		if n.IsInt() && n.Cmp(big.NewRat(1000, 1)) < 0 {
			return int(n.Num().Int64()), true
		}
	}
	return 0, false
}

func move(t time.Time, n int, unit string) time.Time {
	switch unit {
	case "day":
		return t.AddDate(0, 0, n)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return t.AddDate(0, n, 0)
	}
	return t.AddDate(n, 0, 0)
}

var (
	byUnits = regexp.MustCompile(`\b(\p{L}+|\d+) (day|week|month|year)s?\b`)
	later   = regexp.MustCompile(`\b(?:later|postpone|delay|back|extend)`)
	earlier = regexp.MustCompile(`\b(?:earlier|sooner|forward)`)
)

// shift reports whether the words move what was to what is now.
func (d *dates) shift(at, was time.Time) bool {
	sign := 1
	switch late, early := later.MatchString(d.text), earlier.MatchString(d.text); {
	case late == early:
		return false
	case early:
		sign = -1
	}
	for _, g := range byUnits.FindAllStringSubmatch(d.text, -1) {
		if n, ok := count(g[1]); ok && move(was, sign*n, g[2]).Equal(at) {
			return true
		}
	}
	return false
}
