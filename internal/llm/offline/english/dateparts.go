package english

import (
	"strconv"
	"strings"
	"time"
)

// node reads what names a day or a period at token i. sure says that a
// preposition stood before it, so that "may" is no verb.
func (r Reader) node(t Text, i int, sure bool) (node, bool) {
	for _, read := range []func(Text, int, bool) (node, bool){
		r.numeric, r.namedDay, r.nthWeekday, r.part, r.fromNow, r.dayAndMonth, r.weekday, r.relativePeriod, r.quarter,
		r.feast, r.season, r.monthAlone, r.dayAlone, r.yearAlone,
	} {
		if n, ok := read(t, i, sure); ok {
			return n, true
		}
	}
	return node{}, false
}

// numeric reads 2027-01-15, 15/01/2027, 15.1., 1/15.
func (r Reader) numeric(t Text, i int, sure bool) (node, bool) {
	if i >= t.Len() || t.Tokens[i].Kind != Number {
		return node{}, false
	}
	fields := strings.FieldsFunc(t.Tokens[i].Word, func(c rune) bool { return strings.ContainsRune("-/.", c) })
	var v []int
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return node{}, false
		}
		v = append(v, n)
	}
	if len(v) < 2 || len(v) > 3 || len(v) == 2 && (!sure || !strings.ContainsAny(t.Tokens[i].Word, "/")) {
		return node{}, false
	}
	return r.ofFields(v, fields, i)
}

func (r Reader) ofFields(v []int, fields []string, i int) (node, bool) {
	day, month, year := v[0], v[1], 0
	switch {
	case len(v) == 3 && len(fields[0]) == 4:
		year, month, day = v[0], v[1], v[2]
	case len(v) == 3:
		year = fullYear(v[2])
		fallthrough
	default:
		if (r.MonthFirst || month > 12) && day <= 12 {
			day, month = month, day
		}
	}
	if month < 1 || month > 12 {
		return node{}, false
	}
	if year == 0 {
		return r.nextDay(time.Month(month), day, i+1)
	}
	d, ok := validDate(year, time.Month(month), day)
	return node{period: oneDay(d), next: i + 1, given: true}, ok
}

func fullYear(y int) int {
	if y < 100 {
		return 2000 + y
	}
	return y
}

// nextDay is the next such day, today included.
func (r Reader) nextDay(m time.Month, day, next int) (node, bool) {
	for y := r.Today.Year(); y < r.Today.Year()+5; y++ {
		if d, ok := validDate(y, m, day); ok && !d.Before(r.Today) {
			return node{period: oneDay(d), next: next}, true
		}
	}
	return node{}, false
}

// namedDay reads today, tomorrow, the day after tomorrow, yesterday.
func (r Reader) namedDay(t Text, i int, _ bool) (node, bool) {
	for _, c := range []struct {
		words string
		days  int
	}{{"day after tomorrow", 2}, {"day before yesterday", -2}, {"today", 0}, {"tonight", 0}, {"tomorrow", 1}, {"yesterday", -1},
		{"eod", 0}, {"end of day", 0}, {"end of the day", 0}, {"cob", 0}, {"asap today", 0}} {
		if t.IsPhrase(i, c.words) {
			n := node{period: oneDay(r.Today.AddDate(0, 0, c.days)), next: i + len(strings.Fields(c.words)), given: true}
			if t.Is(n.next, "morning", "afternoon", "evening", "night") {
				n.next++
			}
			return n, true
		}
	}
	for _, words := range []string{"eom", "month end", "eow", "eoy", "year end", "the year end"} {
		if t.IsPhrase(i, words) {
			return node{period: oneDay(r.endOf(words)), next: i + len(strings.Fields(words)), given: true}, true
		}
	}
	return node{}, false
}

// endOf is the last day of the present month, week or year, as words name it.
func (r Reader) endOf(words string) time.Time {
	switch words {
	case "eom", "month end":
		return monthEnd(r.Today.Year(), r.Today.Month())
	case "eow":
		return r.friday(0)
	}
	return Date(r.Today.Year(), 12, 31)
}

// friday is the Friday of this week (0), next week (1) and so on; this week's
// Sunday where that Friday is over.
func (r Reader) friday(weeks int) time.Time {
	d := weekStart(r.Today).AddDate(0, 0, 7*weeks+4)
	if d.Before(r.Today) {
		return d.AddDate(0, 0, 2)
	}
	return d
}

// part reads "end of March", "mid-March", "early 2027", "beginning of next month",
// "the first week of April".
func (r Reader) part(t Text, i int, sure bool) (node, bool) {
	which, j := "", i
	for _, c := range []struct{ words, part string }{
		{"very end of", "end"}, {"end of", "end"}, {"close of", "end"}, {"last day of", "end"}, {"end", "end"}, {"late in", "end"}, {"late", "end"},
		{"start of", "start"}, {"beginning of", "start"}, {"first day of", "start"}, {"first of", "start"}, {"early in", "early"}, {"early", "early"},
		{"middle of", "middle"}, {"mid", "middle"}, {"first week of", "week1"}, {"second week of", "week2"}, {"third week of", "week3"},
		{"last week of", "week4"}, {"first half of", "middle"}, {"second half of", "end"}, {"beginning", "start"}} {
		if t.IsPhrase(i, c.words) {
			which, j = c.part, i+len(strings.Fields(c.words))
			break
		}
	}
	if which == "" {
		return node{}, false
	}
	if t.Is(j, "the") {
		j++
	}
	n, ok := r.whole(t, j)
	if !ok || n.grain == grainDay {
		return node{}, false
	}
	n.period, n.bare = oneDay(partOf(n.period, which)), false
	return n, true
}

// whole reads a period that can have parts; "week", "month" and "year" alone are
// the present ones.
func (r Reader) whole(t Text, i int) (node, bool) {
	for _, unit := range []string{"week", "month", "quarter", "year"} {
		if t.Is(i, unit) {
			return node{period: r.unitPeriod(unit, 0), next: i + 1, given: true}, true
		}
	}
	for _, read := range []func(Text, int, bool) (node, bool){r.relativePeriod, r.quarter, r.season, r.monthAlone, r.yearAlone} {
		if n, ok := read(t, i, true); ok {
			return n, true
		}
	}
	return node{}, false
}

func partOf(p period, which string) time.Time {
	days := int(p.last.Sub(p.first).Hours() / 24)
	switch which {
	case "start":
		return p.first
	case "early":
		return p.first.AddDate(0, 0, days/3)
	case "middle":
		if p.grain == grainMonth {
			return p.first.AddDate(0, 0, 14)
		}
		return p.first.AddDate(0, 0, days/2)
	case "week1", "week2", "week3":
		return p.first.AddDate(0, 0, min(days, 7*int(which[4]-'0')-1))
	}
	return p.last
}

// fromNow reads "in two weeks", "3 days from now", "within a month", "the next
// ten days", "a week from Friday", "in 5 working days".
func (r Reader) fromNow(t Text, i int, _ bool) (node, bool) {
	j, lead := i, false
	if t.Is(j, "in", "within", "over") {
		j, lead = j+1, true
	}
	if t.Is(j, "the", "another") {
		j++
	}
	if t.Is(j, "next", "coming", "about", "around", "roughly") {
		if _, _, ok := t.Count(j + 1); !ok && !t.Is(j+1, "fortnight") {
			return node{}, false
		}
		j, lead = j+1, true
	}
	shift, next, ok := readShift(t, j)
	if !ok {
		return node{}, false
	}
	base := r.Today
	switch {
	case t.IsPhrase(next, "from now"), t.IsPhrase(next, "from today"), t.Is(next, "time") && lead:
		next += 1 + bit(!t.Is(next, "time"))
	case t.Is(next, "from", "on", "after") && !lead:
		n, found := r.weekdayOrDay(t, next+1)
		if !found {
			return node{}, false
		}
		base, next = n.last, n.next
	case !lead:
		return node{}, false
	}
	d := shift.Apply(base)
	if d.Year() >= 2200 {
		return node{}, false
	}
	return node{period: oneDay(d), next: next, given: true}, true
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r Reader) weekdayOrDay(t Text, i int) (node, bool) {
	for _, read := range []func(Text, int, bool) (node, bool){r.namedDay, r.dayAndMonth, r.weekday, r.numeric} {
		if n, ok := read(t, i, true); ok {
			return n, true
		}
	}
	return node{}, false
}

// readShift reads "two weeks", "a month", "a week and a half", "5 working days",
// "half a year".
func readShift(t Text, i int) (s Shift, next int, ok bool) {
	if t.IsPhrase(i, "half a year") {
		return Shift{Months: 6}, i + 3, true
	}
	if t.Is(i, "fortnight") {
		return Shift{Days: 14}, i + 1, true
	}
	n, j, found := t.Count(i)
	if !found && t.Is(i, "a", "an", "one", "another") {
		n, j, found = 1, i+1, true
	}
	if !found || n > 2000 {
		return s, i, false
	}
	if t.Is(j, "more", "full", "whole") {
		j++
	}
	if t.Is(j, "working", "business", "work") && t.Is(j+1, "day", "days") {
		return Shift{Workdays: n}, j + 2, true
	}
	if j >= t.Len() {
		return s, i, false
	}
	unit, known := units[t.Tokens[j].Word]
	return unit.times(n), j + 1, known
}

// dayAndMonth reads "15 Jan", "15th of January 2027", "January 15", "the 3rd of
// next month".
func (r Reader) dayAndMonth(t Text, i int, _ bool) (node, bool) {
	if day, ok := dayNumber(t, i); ok {
		j := i + 1
		if t.Is(j, "of") {
			j++
		}
		if j < t.Len() {
			if m, known := months[t.Tokens[j].Word]; known {
				return r.dated(t, day, m, j+1)
			}
		}
		if t.IsPhrase(i+1, "of next month") || t.IsPhrase(i+1, "of this month") || t.IsPhrase(i+1, "of the month") {
			first := Date(r.Today.Year(), r.Today.Month()+time.Month(bit(t.Is(i+2, "next"))), 1)
			d, valid := validDate(first.Year(), first.Month(), day)
			return node{period: oneDay(d), next: i + 4, given: true}, valid
		}
		return node{}, false
	}
	if i >= t.Len() {
		return node{}, false
	}
	m, known := months[t.Tokens[i].Word]
	if !known {
		return node{}, false
	}
	j := i + 1 + bit(t.Is(i+1, "the", "."))
	day, ok := dayNumber(t, j)
	if !ok || t.Is(j+1, "milestone", "milestones", "task", "tasks", "risk", "risks", "goals", "steps", "phases") {
		return node{}, false
	}
	return r.dated(t, day, m, j+1)
}

// dayNumber reads 1 to 31, also as 3rd or third.
func dayNumber(t Text, i int) (int, bool) {
	if i < 0 || i >= t.Len() {
		return 0, false
	}
	if t.Tokens[i].Kind == Number {
		if n, err := strconv.Atoi(t.Tokens[i].Word); err == nil {
			return n, n >= 1 && n <= 31
		}
	}
	n, ok := t.Ordinal(i)
	return n, ok && n >= 1 && n <= 31
}

// dated adds the year, said or next, to a day and month.
func (r Reader) dated(t Text, day int, m time.Month, next int) (node, bool) {
	if y, after, ok := yearAt(t, next); ok {
		d, valid := validDate(y, m, day)
		return node{period: oneDay(d), next: after, given: true}, valid
	}
	if t.IsPhrase(next, "next year") {
		d, valid := validDate(r.Today.Year()+1, m, day)
		return node{period: oneDay(d), next: next + 2, given: true}, valid
	}
	return r.nextDay(m, day, next)
}

// yearAt reads ", 2027", "2027", "'27", "of 2027".
func yearAt(t Text, i int) (year, next int, ok bool) {
	if t.Is(i, ",", "of", "in", "'", "’") {
		i++
	}
	if i >= t.Len() || t.Tokens[i].Kind != Number {
		return 0, i, false
	}
	y, err := strconv.Atoi(t.Tokens[i].Word)
	if err != nil || y < 2000 || y > 2099 {
		short := t.Is(i-1, "'", "’") && y >= 20 && y < 100
		return 2000 + y, i + 1, err == nil && short
	}
	return y, i + 1, true
}
