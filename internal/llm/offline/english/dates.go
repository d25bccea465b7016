package english

import (
	"slices"
	"time"
)

// Role is what a date is for, as its preposition says.
type Role uint8

// Roles of dates.
const (
	Plain Role = iota // no preposition, or "on", "in", "for"
	Due               // by, until, before, due, deadline, to (after from)
	Start             // from, starting, beginning
)

// Span is a date found in a text: tokens From up to To, prepositions included.
type Span struct {
	From, To int
	Day      time.Time
	First    time.Time // of the period that the words name; the day itself else
	Role     Role
	// Exact is false where the words name a period ("March", "Q1") of which
	// Day is the end, or the start for a Start.
	Exact bool
	// Given is false where the year was not said and is the next to come.
	Given bool
}

// Reader says against which day and in which order dates are read.
type Reader struct {
	Today      time.Time
	MonthFirst bool // 3/4 is 4 March
}

type grain uint8

const (
	grainDay grain = iota
	grainWeek
	grainMonth
	grainQuarter
	grainYear
	grainFeast
)

// period is what date words name, from its first to its last day.
type period struct {
	first, last time.Time
	grain       grain
}

func oneDay(d time.Time) period { return period{d, d, grainDay} }

// node is a period that was read, and the token after it.
type node struct {
	period
	next  int
	given bool // the year was said, or follows from today
	bare  bool // a name that may be an adjective as well ("Christmas party")
}

// Dates finds the dates of t, left to right, without overlaps. Words that may
// be something else ("march", "may", "second") count only where their
// neighbours say that they are dates. Without a Today nothing is found.
func (r Reader) Dates(t Text) []Span {
	if r.Today.IsZero() {
		return nil
	}
	var out []Span
	for i := 0; i < t.Len(); {
		if pair, ok := r.days(t, i); ok {
			out = append(out, pair...)
			i = pair[1].To
			continue
		}
		s, ok := r.span(t, i)
		if !ok {
			i++
			continue
		}
		out = append(out, s)
		i = s.To
	}
	return pairRanges(t, out)
}

// pairRanges makes "from A to B" and "between A and B" a start and a due date.
func pairRanges(t Text, spans []Span) []Span {
	for i := range spans {
		if i == 0 {
			continue
		}
		prev := &spans[i-1]
		joint := prev.To == spans[i].From && t.Is(spans[i].From, "to", "till", "until", "-", "–", "and", "through")
		if prev.Role == Start && joint || joint && t.Is(spans[i].From, "-", "–", "to", "through") {
			prev.Role, spans[i].Role = Start, Due
		}
	}
	return spans
}

// lead are the words that may stand before a date and belong to it.
type lead struct {
	next   int
	role   Role
	before bool
	after  bool
	prep   bool // there was a preposition: what follows is surely a date
	the    bool
}

var dueWords = []string{"by", "until", "till", "til", "due", "before", "deadline", "latest"}
var startWords = []string{"from", "starting", "start", "starts", "beginning", "begin", "begins", "between", "since"}
var plainWords = []string{"on", "in", "for", "at", "during", "around", "about", "of", "sometime", "this", "end", "ends", "ending",
	"over", "within", "to", "through", "-", "–", "and", "towards", "after", "come", "(", "is", "be", "approximately", "roughly", "@", "it", "only", "just", "not"}

// readLead reads prepositions from i on: "due by", "no later than", "starting on".
func readLead(t Text, i int) lead {
	l := lead{next: i}
	for {
		switch {
		case t.IsPhrase(l.next, "no later than"), t.IsPhrase(l.next, "not later than"), t.IsPhrase(l.next, "at the latest"):
			l.role, l.prep, l.next = Due, true, l.next+3
		case t.IsPhrase(l.next, "the deadline is"), t.IsPhrase(l.next, "the deadline of"), t.IsPhrase(l.next, "with a deadline"):
			l.role, l.prep, l.next = Due, true, l.next+3
		case t.IsPhrase(l.next, "end date"), t.IsPhrase(l.next, "due date"):
			l.role, l.prep, l.next = Due, true, l.next+2
		case t.IsPhrase(l.next, "as of"), t.IsPhrase(l.next, "start date"):
			l.role, l.prep, l.next = Start, true, l.next+2
		case t.Is(l.next, "start", "end", "beginning") && t.Is(l.next+1, "of"):
			return l // part of a period, read by parts
		case t.Is(l.next, dueWords...):
			l.role, l.prep, l.before, l.next = Due, true, l.before || t.Is(l.next, "before"), l.next+1
		case t.Is(l.next, startWords...):
			l.role, l.prep, l.next = Start, true, l.next+1
		case t.Is(l.next, ":") && l.prep:
			l.next++
		case t.Is(l.next, "over") && (t.Is(l.next+1, dueWords...) || t.Is(l.next+1, "on", "in", "at", "to")):
			return l // "keys handed over by Friday"
		case t.Is(l.next, plainWords...) && !relative(t, l.next):
			l.after = l.after || t.Is(l.next, "after")
			l.prep, l.next = true, l.next+1
		default:
			return l
		}
		if l.next-i > 6 {
			return l
		}
	}
}

// relative reports whether the word at i begins a date by itself ("in two
// weeks", "this Friday", "end of March").
func relative(t Text, i int) bool {
	switch {
	case t.Is(i, "this"):
		return true
	case t.Is(i, "in", "within", "over"):
		j := i + 1
		if t.Is(j, "the", "another") {
			j++
		}
		if t.Is(j, "next", "coming", "about", "around", "roughly") {
			j++
		}
		_, _, ok := readShift(t, j)
		return ok
	case t.Is(i, "end"):
		return t.Is(i+1, "of")
	}
	return false
}

// span reads a date with its prepositions at token i.
func (r Reader) span(t Text, i int) (Span, bool) {
	if t.Is(i-1, "every", "each") || t.Is(i, "every", "each") {
		return Span{}, false // a habit, and no day
	}
	l := readLead(t, i)
	n, ok := r.node(t, l.next, l.prep)
	if !ok && t.Is(l.next, "the") {
		l.the = true
		n, ok = r.node(t, l.next+1, l.prep)
	}
	if !ok || adjective(t, l, n) {
		return Span{}, false
	}
	s := Span{From: i, To: n.next, Role: l.role, Exact: n.grain == grainDay, Given: n.given, Day: n.last, First: n.first}
	switch {
	case l.role == Start:
		s.Day = n.first
	case l.before && n.grain == grainDay || l.before && n.grain == grainFeast:
		s.Day = n.first.AddDate(0, 0, -1)
	case l.before:
		s.Day = n.first.AddDate(0, 0, -1)
	case l.after:
		s.Day = n.last.AddDate(0, 0, 1)
	}
	if l.next > i && t.Is(i, loose...) && !keepLead(t, i) {
		s.From = firstKept(t, i, l.next)
	}
	if t.Is(s.From, "(") && t.Is(s.To, ")") {
		s.To++
	}
	if t.IsPhrase(s.To, "at the latest") {
		s.To, s.Role = s.To+3, Due
	} else if t.Is(s.To, "latest") {
		s.To, s.Role = s.To+1, Due
	} else if t.Is(s.To, "deadline") && s.Role == Plain {
		s.To, s.Role = s.To+1, Due
	}
	return s, true
}

// keepLead reports whether the joint at i is part of the date: the "and" of
// "between A and B" is, that of "milestones and by March" is not.
func keepLead(t Text, i int) bool {
	return t.Is(i, "-", "–", "(") || t.Is(i, "and") && rangeBefore(t, i)
}

func rangeBefore(t Text, i int) bool {
	for j := max(0, i-6); j < i; j++ {
		if t.Is(j, "between") {
			return true
		}
	}
	return false
}

func firstKept(t Text, i, end int) int {
	for i < end && t.Is(i, loose...) && !t.Is(i, "(", "-", "–", "this", "about") {
		i++
	}
	return i
}

// loose are leading words that a date does not take along.
var loose = []string{"and", "is", "be", "about", "of", "this", "(", "-", "–", "it", "only", "just", "not"}

// adjective reports whether a bare name of a period only describes what follows
// it: "the Q3 campaign", "Christmas party".
func adjective(t Text, l lead, n node) bool {
	if !n.bare || (l.prep && !l.the) {
		return false
	}
	if n.next >= t.Len() || t.Tokens[n.next].Kind != Word {
		return false
	}
	return !slices.Contains(afterDates, t.Tokens[n.next].Word)
}

// afterDates are words that follow a date and are no noun that it describes.
var afterDates = []string{"and", "with", "but", "please", "for", "to", "in", "is", "so", "then", "or", "on", "at", "because", "as", "we", "i",
	"it", "if", "when", "that", "the", "a", "an", "of", "using", "including", "by", "from", "until", "before", "after", "instead",
	"not", "latest", "deadline", "let", "just", "show", "there", "our", "my", "thanks", "are", "was", "should", "would", "could", "can", "will",
	"has", "have", "which", "who", "where", "at", "also", "too", "this", "next", "unless", "since", "should", "do", "does"}
