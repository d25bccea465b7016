package english

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// NoDay is what is written like a day or an hour and is none.
type NoDay struct {
	Range        // without its preposition
	Why   string // a clause: "February never has more than 29 days"
}

// NoDays finds the days and hours of t that do not exist: "31 February",
// "February 30th", "2027-02-29", "25:00". Nothing inside a quotation counts.
func (r Reader) NoDays(t Text) []NoDay {
	var out []NoDay
	for i := 0; i < t.Len(); i++ {
		for _, read := range []func(Text, int) (NoDay, bool){noHour, noNumeric, r.noNumericOrder, noDayOfMonth} {
			if n, ok := read(t, i); ok {
				out = append(out, n)
				i = n.To - 1
				break
			}
		}
	}
	return out
}

// noHour reads "25:00" and "12:75".
func noHour(t Text, i int) (NoDay, bool) {
	h, m, ok := strings.Cut(t.Tokens[i].Word, ":")
	if t.Tokens[i].Kind != Number || !ok || len(h) > 2 || len(m) != 2 {
		return NoDay{}, false
	}
	hour, err := strconv.Atoi(h)
	minute, err2 := strconv.Atoi(m)
	if err != nil || err2 != nil || hour < 24 && minute < 60 {
		return NoDay{}, false
	}
	return NoDay{Range{i, i + 1}, "a day ends at 23:59"}, true
}

// noNumeric reads "2027-02-29".
func noNumeric(t Text, i int) (NoDay, bool) {
	v, ok := dateFields(t.Tokens[i])
	if !ok || len(t.Tokens[i].Word) < 8 || v[0] < 1000 {
		return NoDay{}, false
	}
	return impossible(Range{i, i + 1}, v[0], v[1], v[2])
}

// noNumericOrder reads "31/02/2027" in the reader's order, or the other where
// only that one has a month.
func (r Reader) noNumericOrder(t Text, i int) (NoDay, bool) {
	v, ok := dateFields(t.Tokens[i])
	if !ok || v[0] >= 1000 || v[2] < 20 || v[2] > 99 && v[2] < 1000 {
		return NoDay{}, false
	}
	day, month := v[0], v[1]
	if (r.MonthFirst || month > 12) && day <= 12 {
		day, month = month, day
	}
	if strings.Contains(t.Tokens[i].Word, ".") && (month > 12 || day > 31) {
		return NoDay{}, false // the number of a version
	}
	return impossible(Range{i, i + 1}, fullYear(v[2]), month, day)
}

// dateFields are the three numbers of a numeric date.
func dateFields(tok Token) ([]int, bool) {
	if tok.Kind != Number || strings.Count(tok.Word, "-")+strings.Count(tok.Word, "/")+strings.Count(tok.Word, ".") != 2 {
		return nil, false
	}
	var v []int
	for _, f := range strings.FieldsFunc(tok.Word, func(c rune) bool { return strings.ContainsRune("-/.", c) }) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, false
		}
		v = append(v, n)
	}
	return v, len(v) == 3
}

// mostDays is the highest number read as the day of a month that has none such.
const mostDays = 99

// noDayOfMonth reads "31 February", "the 31st of April 2027" and "February 30th".
func noDayOfMonth(t Text, i int) (NoDay, bool) {
	if day, ok := anyDay(t, i); ok {
		j := i + 1 + bit(t.Is(i+1, "of"))
		if m, known := monthAt(t, j); known && (day <= 31 || !doubtfulMonth(t, j)) {
			return ofMonth(t, Range{i, j + 1}, m, day)
		}
		return NoDay{}, false
	}
	m, known := monthAt(t, i)
	if !known {
		return NoDay{}, false
	}
	j := i + 1 + bit(t.Is(i+1, "the", "."))
	day, ok := anyDay(t, j)
	if _, ordinal := t.Ordinal(j); !ok || !ordinal && (day > 31 || counts(t, j)) {
		return NoDay{}, false
	}
	return ofMonth(t, Range{i, j + 1}, m, day)
}

func monthAt(t Text, i int) (time.Month, bool) {
	if i >= t.Len() {
		return 0, false
	}
	m, known := months[t.Tokens[i].Word]
	return m, known
}

// doubtfulMonth reports a month whose name is another word too: "40 may come".
func doubtfulMonth(t Text, i int) bool { return t.Is(i, "march", "may", "mar") && !t.Tokens[i].Capital }

// counts reports whether the number at i counts what follows: "in February 30
// people come".
func counts(t Text, i int) bool {
	if i+1 >= t.Len() || t.Tokens[i+1].Kind != Word {
		return false
	}
	for _, w := range afterDates {
		if t.Is(i+1, w) {
			return false
		}
	}
	return true
}

func anyDay(t Text, i int) (int, bool) {
	if i >= t.Len() {
		return 0, false
	}
	if n, err := strconv.Atoi(t.Tokens[i].Word); err == nil && t.Tokens[i].Kind == Number {
		return n, n <= mostDays
	}
	n, ok := t.Ordinal(i)
	return n, ok && n >= 0 && n <= mostDays && t.Tokens[i].Kind == Number
}

// ofMonth takes the year along, if one follows.
func ofMonth(t Text, at Range, m time.Month, day int) (NoDay, bool) {
	if y, after, ok := yearAt(t, at.To); ok {
		return impossible(Range{at.From, after}, y, int(m), day)
	}
	const leap = 2028
	return impossible(at, leap, int(m), day)
}

// impossible says why there is no such day; ok is false where there is one.
func impossible(at Range, year, month, day int) (NoDay, bool) {
	if month < 1 || month > 12 {
		return NoDay{at, "a year has twelve months"}, true
	}
	m := time.Month(month)
	last := monthEnd(year, m).Day()
	switch {
	case day >= 1 && day <= last:
		return NoDay{}, false
	case day < 1:
		return NoDay{at, "months begin with the first"}, true
	case m == time.February && day == 29:
		return NoDay{at, fmt.Sprintf("%d is no leap year", year)}, true
	case m == time.February:
		return NoDay{at, "February never has more than 29 days"}, true
	}
	return NoDay{at, fmt.Sprintf("%s has %d days", m, last)}, true
}
