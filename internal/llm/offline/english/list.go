package english

import (
	"strconv"
	"strings"
)

// Range is a run of tokens, From up to To.
type Range struct{ From, To int }

// Items cuts the tokens from i up to j into the items of a list: bullets, lines,
// "a; b", "a, b and c", "a and b", "a then b". glued says of a token that it
// belongs to something that is no joint of the list, such as the comma inside a
// date; it may be nil. Empty items are left out.
func (t Text) Items(i, j int, glued func(int) bool) []Range {
	j = min(j, t.Len())
	if i < 0 || i >= j {
		return nil
	}
	l := listing{t, glued}
	var out []Range
	for _, r := range l.parts(Range{i, j}) {
		if r = l.trim(r); r.From < r.To {
			out = append(out, r)
		}
	}
	return out
}

type listing struct {
	t     Text
	glued func(int) bool
}

func (l listing) is(i int, words ...string) bool {
	return (l.glued == nil || !l.glued(i)) && l.t.Is(i, words...)
}

func (l listing) parts(r Range) []Range {
	if rows := l.cut(r, func(i int) bool { return l.t.Tokens[i].Kind == Bullet }); len(rows) > 1 || l.t.Tokens[r.From].Kind == Bullet {
		return l.each(rows, func(row Range) []Range { return []Range{l.line(row)} })
	}
	if rows := l.cut(r, func(i int) bool { return l.t.Tokens[i].Kind == Break }); len(rows) > 1 {
		return l.each(rows, l.inline)
	}
	return l.inline(r)
}

// line is a bullet's text up to the end of its line.
func (l listing) line(r Range) Range {
	for i := r.From; i < r.To; i++ {
		if l.t.Tokens[i].Kind == Break {
			return Range{r.From, i}
		}
	}
	return r
}

func (l listing) each(rows []Range, f func(Range) []Range) []Range {
	var out []Range
	for _, row := range rows {
		if row.From < row.To {
			out = append(out, f(row)...)
		}
	}
	return out
}

// inline cuts one line: at semicolons, else at commas and the last "and", else at
// every "and" or "then".
func (l listing) inline(r Range) []Range {
	if rows := l.numbered(r); len(rows) > 1 {
		return rows
	}
	if rows := l.cut(r, func(i int) bool { return l.is(i, ";") }); len(rows) > 1 {
		return rows
	}
	rows := l.cut(r, func(i int) bool { return l.is(i, ",") && !l.inBrackets(r.From, i) })
	if len(rows) == 1 {
		return l.cut(r, func(i int) bool { return l.is(i, "and", "plus", "then", "+") && l.joint(r, i) })
	}
	last := rows[len(rows)-1]
	if l.is(last.From, "and", "or", "plus", "then", "finally") {
		return rows
	}
	for i := last.To - 2; i > last.From; i-- {
		if l.is(i, "and", "plus", "then") && l.joint(last, i) {
			return append(rows[:len(rows)-1], Range{last.From, i}, Range{i + 1, last.To})
		}
	}
	return rows
}

// numbered cuts "1. one 2. two" within a line at its numbers.
func (l listing) numbered(r Range) []Range {
	var out []Range
	for i := r.From; i+1 < r.To; i++ {
		if l.t.Tokens[i].Kind == Number && l.t.Is(i, strconv.Itoa(len(out)+1)) && l.t.Is(i+1, ".", ")") && (i == r.From || len(out) > 0) {
			if n := len(out); n > 0 {
				out[n-1].To = i
			}
			out = append(out, Range{i + 2, r.To})
		}
	}
	return out
}

// joint reports whether the word at i joins two items and not two words of one
// ("between a and b").
func (l listing) joint(r Range, i int) bool {
	for k := r.From; k < i; k++ {
		if l.t.Is(k, "between", "both") {
			return false
		}
	}
	return i > r.From && i+1 < r.To
}

func (l listing) inBrackets(from, i int) bool {
	depth := 0
	for k := from; k < i; k++ {
		switch {
		case l.t.Is(k, "("):
			depth++
		case l.t.Is(k, ")"):
			depth--
		}
	}
	return depth > 0
}

// cut splits r at the tokens that at names, leaving those out.
func (l listing) cut(r Range, at func(int) bool) []Range {
	var out []Range
	from := r.From
	for i := r.From; i < r.To; i++ {
		if at(i) {
			if i > from {
				out = append(out, Range{from, i})
			}
			from = i + 1
		}
	}
	if from < r.To {
		out = append(out, Range{from, r.To})
	}
	return out
}

// trim takes joints and marks off both ends of an item.
func (l listing) trim(r Range) Range {
	for r.From < r.To && (l.is(r.From, "and", "or", "plus", "then", "finally", "also", ",", ";", ":", "-", "–", "•") || l.t.Tokens[r.From].Kind == Break) {
		r.From++
	}
	for r.To > r.From && (l.t.Is(r.To-1, ",", ";", ".", "!", "?", ":", "-", "–", "and") || l.t.Tokens[r.To-1].Kind == Break) {
		r.To--
	}
	return r
}

// Name is the text of r as a name: a single quotation gives its inside, articles
// in front go, blanks are single, the first letter is capital.
func (t Text) Name(r Range) string {
	if r.To-r.From == 1 && t.Tokens[r.From].Kind == Quote {
		return Sentence(t.Tokens[r.From].Inside)
	}
	for r.From < r.To-1 && t.Is(r.From, "the", "a", "an", "our", "my", "some", "your") {
		r.From++
	}
	return Sentence(strings.Trim(Squeeze(t.Slice(r.From, r.To)), " ,;:.!?-–\"“”"))
}
