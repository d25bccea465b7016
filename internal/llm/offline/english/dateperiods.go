package english

import (
	"strings"
	"time"
)

// weekday reads "Friday", "this Friday", "next Friday", "Friday week", "Friday
// next week", "Friday 15 January". "Next" means the week after this one; a bare
// name is the next such day after today.
func (r Reader) weekday(t Text, i int, sure bool) (node, bool) {
	which, j := "", i
	if t.Is(i, "this", "next", "coming", "last") {
		which, j = t.Tokens[i].Word, i+1
	}
	if t.Is(j, "coming") {
		j++
	}
	if j >= t.Len() {
		return node{}, false
	}
	day, known := weekdays[t.Tokens[j].Word]
	if !known || len(t.Tokens[j].Word) <= 3 && !(sure || which != "" || t.Tokens[j].Capital) {
		return node{}, false
	}
	k := j + 1
	if t.Is(k, ",", "the") {
		k++
	}
	if n, ok := r.dayAndMonth(t, k, true); ok {
		return n, true
	}
	n := node{period: oneDay(r.onWeekday(day, which)), next: j + 1, given: true}
	switch {
	case t.Is(n.next, "week") && which == "":
		n.period, n.next = oneDay(n.first.AddDate(0, 0, 7)), n.next+1
	case t.IsPhrase(n.next, "next week"), t.IsPhrase(n.next, "of next week"):
		n.period, n.next = oneDay(r.onWeekday(day, "next")), n.next+2+bit(t.Is(n.next, "of"))
	case t.Is(n.next, "morning", "afternoon", "evening", "night"):
		n.next++
	}
	return n, true
}

func (r Reader) onWeekday(day time.Weekday, which string) time.Time {
	inWeek := weekStart(r.Today).AddDate(0, 0, (int(day)+6)%7)
	switch which {
	case "next":
		return inWeek.AddDate(0, 0, 7)
	case "last":
		if inWeek.Before(r.Today) {
			return inWeek
		}
		return inWeek.AddDate(0, 0, -7)
	case "this":
		if !inWeek.Before(r.Today) {
			return inWeek
		}
	}
	if inWeek.After(r.Today) {
		return inWeek
	}
	return inWeek.AddDate(0, 0, 7)
}

// relativePeriod reads "next week", "this month", "the coming quarter", "next
// weekend", "next March".
func (r Reader) relativePeriod(t Text, i int, _ bool) (node, bool) {
	if !t.Is(i, "this", "next", "coming", "last", "following") || i+1 >= t.Len() {
		return node{}, false
	}
	offset, unit := 1, t.Tokens[i+1].Word
	switch t.Tokens[i].Word {
	case "this":
		offset = 0
	case "last":
		offset = -1
	}
	switch unit {
	case "week", "month", "quarter", "year":
		return node{period: r.unitPeriod(unit, offset), next: i + 2, given: true}, true
	case "weekend":
		sunday := weekStart(r.Today).AddDate(0, 0, 7*offset+6)
		return node{period: period{sunday.AddDate(0, 0, -1), sunday, grainWeek}, next: i + 2, given: true}, true
	}
	if n, ok := r.season(t, i+1, true); ok {
		n.bare = false
		return n, true
	}
	if m, ok := months[unit]; ok {
		y := r.Today.Year()
		if offset > 0 && m <= r.Today.Month() {
			y++
		} else if offset < 0 && m >= r.Today.Month() {
			y--
		}
		return node{period: period{Date(y, m, 1), monthEnd(y, m), grainMonth}, next: i + 2, given: true}, true
	}
	return node{}, false
}

// unitPeriod is the present week, month, quarter or year, or one so many later.
// A week is a working week: it ends on Friday.
func (r Reader) unitPeriod(unit string, offset int) period {
	y, m := r.Today.Year(), r.Today.Month()
	switch unit {
	case "week":
		monday := weekStart(r.Today).AddDate(0, 0, 7*offset)
		last := monday.AddDate(0, 0, 4)
		if offset == 0 {
			last = r.friday(0)
		}
		return period{monday, last, grainWeek}
	case "month":
		first := Date(y, m+time.Month(offset), 1)
		return period{first, monthEnd(first.Year(), first.Month()), grainMonth}
	case "quarter":
		q := quarterOf(r.Today) - 1 + offset
		return quarterPeriod(y+floorDiv(q, 4), q-4*floorDiv(q, 4)+1)
	}
	return period{Date(y+offset, 1, 1), Date(y+offset, 12, 31), grainYear}
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// quarter reads "Q1", "Q1 2027", "first quarter of 2027", "H1".
func (r Reader) quarter(t Text, i int, _ bool) (node, bool) {
	if i >= t.Len() {
		return node{}, false
	}
	q, next, half := 0, i+1, false
	if w := t.Tokens[i].Word; len(w) == 2 && (w[0] == 'q' && w[1] >= '1' && w[1] <= '4' || w[0] == 'h' && w[1] >= '1' && w[1] <= '2') {
		q, half = int(w[1]-'0'), w[0] == 'h'
	} else if n, ok := t.Ordinal(i); ok && n <= 4 && t.Is(i+1, "quarter") {
		q, next = n, i+2
		if n == Last {
			q = 4
		}
	}
	if q == 0 {
		return node{}, false
	}
	if half {
		q *= 2
	}
	p, given := quarterPeriod(r.Today.Year(), q), false
	if y, after, ok := yearAt(t, next); ok {
		p, next, given = quarterPeriod(y, q), after, true
	} else if p.last.Before(r.Today) {
		p = quarterPeriod(r.Today.Year()+1, q)
	}
	if half {
		p.first = p.first.AddDate(0, -3, 0)
	}
	return node{period: p, next: next, given: given, bare: !given}, true
}

// feast reads "Christmas", "New Year", "Easter", "the new year".
func (r Reader) feast(t Text, i int, _ bool) (node, bool) {
	if t.IsPhrase(i, "new year") || t.IsPhrase(i, "new years") {
		next := i + 2
		if t.Is(next, "eve", "day") {
			next++
		}
		first := Date(r.Today.Year()+1, 1, 1)
		return node{period: period{first, first, grainFeast}, next: next, bare: true}, true
	}
	if i >= t.Len() {
		return node{}, false
	}
	of, known := feasts[t.Tokens[i].Word]
	if !known {
		return node{}, false
	}
	next := i + 1
	if t.Is(next, "day", "eve", "sunday") {
		next++
	}
	y, after, given := yearAt(t, next)
	if given {
		next = after
	} else if y = r.Today.Year(); of(y).Before(r.Today) {
		y++
	}
	return node{period: period{of(y), of(y), grainFeast}, next: next, given: given, bare: true}, true
}

// season reads "spring", "summer 2027", "the autumn", "fall".
func (r Reader) season(t Text, i int, sure bool) (node, bool) {
	if i >= t.Len() {
		return node{}, false
	}
	w := t.Tokens[i].Word
	if w == "fall" && sure {
		w = "autumn"
	}
	m, known := seasons[w]
	if !known {
		return node{}, false
	}
	y, next, given := yearAt(t, i+1)
	if !given {
		y, next = r.Today.Year(), i+1
		soon := Date(y, m[0], 1).Before(r.Today.AddDate(0, 1, 0)) // "next autumn", said in October
		if monthEnd(y, m[1]).Before(r.Today) || soon && t.Is(i-1, "next") {
			y++
		}
	}
	return node{period: period{Date(y, m[0], 1), monthEnd(y, m[1]), grainQuarter}, next: next, given: given, bare: true}, true
}

// monthAlone reads "March" and "March 2027". "march", "may", "mar" and "sun" are
// other words too and need a preposition, a year or, for March, a capital.
func (r Reader) monthAlone(t Text, i int, sure bool) (node, bool) {
	if i >= t.Len() {
		return node{}, false
	}
	tok := t.Tokens[i]
	m, known := months[tok.Word]
	if _, impossible := dayNumber(t, i-1); !known || impossible {
		return node{}, false
	}
	if y, next, ok := yearAt(t, i+1); ok {
		return node{period: period{Date(y, m, 1), monthEnd(y, m), grainMonth}, next: next, given: true}, true
	}
	doubtful := strings.Contains(" march may mar ", " "+tok.Word+" ")
	if doubtful && !sure && !(tok.Capital && i > 0 && !t.Ends(i-1)) {
		return node{}, false
	}
	y, next, given := r.Today.Year(), i+1, false
	switch {
	case t.IsPhrase(next, "next year"):
		y, next, given = y+1, next+2, true
	case t.IsPhrase(next, "this year"):
		next, given = next+2, true
	case monthEnd(y, m).Before(r.Today):
		y++
	}
	return node{period: period{Date(y, m, 1), monthEnd(y, m), grainMonth}, next: next, given: given, bare: true}, true
}

// dayAlone reads "the 15th" after a preposition: the next such day.
func (r Reader) dayAlone(t Text, i int, sure bool) (node, bool) {
	if !sure || i >= t.Len() || t.Tokens[i].Kind != Number || !t.Is(i-1, "the", "on", "by", "until", "till", "before") {
		return node{}, false
	}
	day, ok := t.Ordinal(i)
	if !ok || day < 1 || day > 31 || i+1 < t.Len() && t.Tokens[i+1].Kind == Word && strings.HasPrefix(t.Tokens[i+1].Word, "step") {
		return node{}, false
	}
	for k := 0; k < 13; k++ {
		first := Date(r.Today.Year(), r.Today.Month()+time.Month(k), 1)
		if d, valid := validDate(first.Year(), first.Month(), day); valid && d.After(r.Today) {
			return node{period: oneDay(d), next: i + 1}, true
		}
	}
	return node{}, false
}

// yearAlone reads "2027" after a preposition.
func (r Reader) yearAlone(t Text, i int, sure bool) (node, bool) {
	if !sure || i >= t.Len() || t.Tokens[i].Kind != Number || len(t.Tokens[i].Word) != 4 {
		return node{}, false
	}
	y, next, ok := yearAt(t, i)
	if !ok || y < r.Today.Year() || y > r.Today.Year()+30 {
		return node{}, false
	}
	return node{period: period{Date(y, 1, 1), Date(y, 12, 31), grainYear}, next: next, given: true, bare: true}, true
}
