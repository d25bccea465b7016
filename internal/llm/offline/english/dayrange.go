package english

import (
	"strings"
	"time"
)

// days reads the days from one to another of a month: "from 12 to 14 May 2027",
// "12-14 May", "May 12 to 14".
func (r Reader) days(t Text, i int) ([]Span, bool) {
	j := i
	for t.Is(j, "from", "between", "on", "the") {
		j++
	}
	if j < t.Len() {
		if _, month := months[t.Tokens[j].Word]; month {
			return r.daysAfterMonth(t, i, j)
		}
	}
	if first, last, ok := strings.Cut(strings.ReplaceAll(wordOf(t, j), "–", "-"), "-"); ok && t.Tokens[j].Kind == Number {
		end, found := r.dayAndMonth(t.replaced(j, last), j, true)
		start, valid := dayNumber(t.replaced(j, first), j)
		return r.between(i, j+1, start, end, valid && found, t.Is(i, "from", "between"))
	}
	start, ok := dayNumber(t, j)
	k := skipThe(t, j+2)
	if !ok || !t.Is(j+1, "to", "-", "–", "and", "until", "till", "through") {
		return nil, false
	}
	end, found := r.dayAndMonth(t, k, true)
	return r.between(i, j+1, start, end, found, t.Is(i, "from", "between"))
}

// daysAfterMonth reads "May 12 to 14", the month being at j.
func (r Reader) daysAfterMonth(t Text, i, j int) ([]Span, bool) {
	if first, last, ok := strings.Cut(strings.ReplaceAll(wordOf(t, j+1), "–", "-"), "-"); ok && t.Tokens[j+1].Kind == Number {
		start, valid := dayNumber(t.replaced(j+1, first), j+1)
		end, found := r.dayAndMonth(t.replaced(j+1, last), j, true)
		return r.between(i, j+1, start, end, valid && found, t.Is(i, "from", "between"))
	}
	start, ok := dayNumber(t, j+1)
	last, found := dayNumber(t, skipThe(t, j+3))
	if !ok || !found || !t.Is(j+2, "to", "-", "–", "until", "till", "through") {
		return nil, false
	}
	end, valid := r.dated(t, last, months[t.Tokens[j].Word], skipThe(t, j+3)+1)
	return r.between(i, j+2, start, end, valid, t.Is(i, "from", "between"))
}

// nthWeekday reads "the second Saturday in May", "the last weekend of June 2027".
func (r Reader) nthWeekday(t Text, i int, _ bool) (node, bool) {
	n, ok := t.Ordinal(i)
	day, known := weekdays[wordOf(t, i+1)]
	if t.Is(i+1, "weekend") {
		day, known = time.Saturday, true
	}
	month, named := months[wordOf(t, i+3)]
	if !ok || !known || !named || !t.Is(i+2, "of", "in") || n > 4 && n != Last {
		return node{}, false
	}
	first, found := r.dated(t, 1, month, i+4)
	if !found {
		return node{}, false
	}
	year := first.last.Year()
	if !first.given {
		year = r.Today.Year()
	}
	for {
		d := nthOf(year, month, day, n)
		if first.given || !d.Before(r.Today) {
			return node{period: oneDay(d), next: first.next, given: first.given}, true
		}
		year++
	}
}

// nthOf is the n-th such weekday of a month, or its last.
func nthOf(year int, month time.Month, day time.Weekday, n int) time.Time {
	if n == Last {
		end := monthEnd(year, month)
		return end.AddDate(0, 0, -((int(end.Weekday()) - int(day) + 7) % 7))
	}
	start := Date(year, month, 1)
	return start.AddDate(0, 0, (int(day)-int(start.Weekday())+7)%7+7*(n-1))
}

func skipThe(t Text, i int) int { return i + bit(t.Is(i, "the")) }

func wordOf(t Text, i int) string {
	if i >= t.Len() {
		return ""
	}
	return t.Tokens[i].Word
}

// replaced is t with another word at i.
func (t Text) replaced(i int, word string) Text {
	tokens := append([]Token(nil), t.Tokens...)
	tokens[i].Word = word
	return Text{Raw: t.Raw, Tokens: tokens, spelled: t.spelled}
}

// between makes the two spans of a start day and the end that was read.
func (r Reader) between(from, middle, day int, end node, ok, worked bool) ([]Span, bool) {
	if !ok || end.grain != grainDay || day >= end.last.Day() {
		return nil, false
	}
	start := Date(end.last.Year(), end.last.Month(), day)
	role := Plain // the days of something, and no time to work in
	if worked {
		role = Start
	}
	return []Span{
		{From: from, To: middle, Day: start, First: start, Role: role, Exact: true, Given: end.given},
		{From: middle, To: end.next, Day: end.last, First: end.last, Role: Due, Exact: true, Given: end.given},
	}, true
}
