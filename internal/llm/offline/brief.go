package offline

import (
	"strings"
	"time"

	"assent/internal/llm/offline/english"
)

// brief is what a person wants of a new project.
type brief struct {
	words       string // verbatim
	name        string
	about       string // what the project is for, without dates and sections
	description string
	start, due  time.Time
	dueWords    string // as written, "by the end of March"
	milestones  section
	tasks       section
	goals       section
	risks       section
	template    string // as named in the words
	noTemplate  bool
	anyTemplate bool // "from a template that fits"
	keep        bool // make a template of it, too
	noDocument  bool
	priority    string
}

// ownList reports whether the person lists milestones or tasks.
func (b brief) ownList() bool { return len(b.milestones.items)+len(b.tasks.items) > 0 }

// section is what the words say about milestones, tasks, goals or risks.
type section struct {
	items []item
	count int  // as said: "three milestones"; 0 if not
	asked bool // mentioned at all
	none  bool // "no milestones"
}

// item is a thing to make, as named by the person.
type item struct {
	title string
	due   time.Time
	tasks []string
}

// readBrief reads a new project out of an ask.
func readBrief(a *ask, r english.Reader) brief {
	b := brief{words: a.raw}
	text := quoteName(a.text, r)
	text = b.takeTemplate(text)
	text = b.takeSections(text, r)
	text = b.datedClauses(text, r)
	text = b.takeDates(text, r)
	b.priority = readPriority(text)
	b.name, b.about = projectName(text)
	if b.name == "" {
		b.name = nameFromTemplate(b.template)
	}
	return b
}

var namedOutright = groups.Compile(`(?:{project}|one) (?:called|named|titled|entitled) (?P<name>[^ ].*)$`)

// quoteName puts a name that begins with a capital into quotation marks, so that
// nothing in it is read as a number, a date or a kind: "called Phase two".
func quoteName(t english.Text, r english.Reader) english.Text {
	m, ok := namedOutright.Find(t.Canon())
	if !ok || !t.Tokens[m.Groups["name"].From].Capital {
		return t
	}
	from := m.Groups["name"].From
	to := from + 1
	for to < t.Len() && inName(t, to) {
		to++
	}
	for _, d := range r.Dates(t) {
		if d.From > from && d.From < to && !t.Tokens[d.From].Capital {
			to = d.From
		}
	}
	return t.Quoted(english.Range{From: from, To: to})
}

// inName reports whether the word at i goes on with a name.
func inName(t english.Text, i int) bool {
	tok := t.Tokens[i]
	if t.Is(i, "and") && endsAfterAnd(t, i+1) {
		return false
	}
	word := tok.Kind == english.Word || tok.Kind == english.Number || t.Slice(i, i+1) == "&"
	return word && (tok.Capital || !nameEnds[tok.Word] && !t.Is(i, "by", "from", "before", "on", "in", "for", "that", "to", "at", "without", "ending", "starts", "deadline") || t.Is(i, "for", "in", "to", "on", "at") && i+1 < t.Len() && t.Tokens[i+1].Capital)
}

// goneBy reports a deadline that was named and lies in the past.
func (b brief) goneBy(today time.Time) bool { return !b.due.IsZero() && b.due.Before(today) }

func nameFromTemplate(t string) string {
	if t == "" {
		return ""
	}
	return english.Sentence(t)
}

var (
	withTemplate = []english.Pattern{
		groups.Compile(`(?:,? ?(?:using|use|based on|from|with|off|following|out of|via|by using)) (?:the|our|a|an|your) (?P<name>«»|[^ ]+(?: [^ ]+){0,3}?) {template}`),
		groups.Compile(`(?:using|use|based on|from|with|off|following) (?:the )?{template}(?: called| named| for)? (?P<name>«»|[^ ,.]+(?: [^ ,.]+)?)`),
	}
	anyTemplate   = groups.Compile(`(?:using|based on|from|with|use|pick|find|choose|off) (?:a|the|any|one of the|some|the best|the right|a good|a fitting|the most suitable|a suitable|your|our) (?:suitable |fitting |matching |best |good )?{template}(?: if there is one| if one fits| that fits| for (?:it|that))?`)
	noTemplate    = groups.Compile(`(?:without|no|do not use|skip|not from|without using) (?:a |any |the )?{template}s?|from scratch`)
	keepTemplate  = groups.Compile(`(?:and |also |then )*(?:save|keep|store|turn) (?:it|this|that) (?:as|into) (?:a |our )?(?:new )?{template}`)
	noDocument    = groups.Compile(`(?:without|no|skip|do not need) (?:a |any |the )?(?:context )?{document}`)
	priorityWords = groups.Compile(`(?:with )?(?:a )?(?P<level>{priority}) priority|priority(?: is| to| of| :| =)? (?P<after>{priority})|(?:is|it is|are|as|make (?:it|them)) (?:very |really )?(?P<bare>urgent|critical)|(?:,|-|–|—) (?:very )?(?P<tail>urgent|critical)(?: [.!])*$`)
)

func (b *brief) takeTemplate(t english.Text) english.Text {
	if m, ok := withTemplate[1].Find(t.Canon()); ok {
		if r := m.Groups["name"]; t.Tokens[r.From].Capital || t.Tokens[r.From].Kind == english.Quote {
			b.template = t.Name(r)
			t = t.Drop(m.Range)
		}
	}
	for _, f := range []struct {
		p   english.Pattern
		set func()
	}{{noTemplate, func() { b.noTemplate = true }}, {keepTemplate, func() { b.keep = true }}, {noDocument, func() { b.noDocument = true }},
		{anyTemplate, func() { b.anyTemplate = true }}} {
		if m, ok := f.p.Find(t.Canon()); ok {
			f.set()
			t = t.Drop(m.Range)
		}
	}
	for _, p := range withTemplate {
		if m, ok := p.Find(t.Canon()); ok && b.template == "" {
			b.template = t.Name(m.Groups["name"])
			return t.Drop(m.Range)
		}
	}
	return t
}

// eventDays is how many days a thing may last whose days are named, rather than
// the time in which it is worked on.
const eventDays = 5

// takeDates reads start and due date and removes all dates that are no part of a
// name.
func (b *brief) takeDates(t english.Text, r english.Reader) english.Text {
	var drop []english.Range
	for _, d := range r.Dates(t) {
		drop = append(drop, english.Range{From: d.From, To: d.To})
		switch {
		case d.Role == english.Start && b.start.IsZero():
			b.start = d.Day
		case d.Role == english.Start:
		case b.due.IsZero() || d.Role == english.Due || t.Is(d.From-1, "say", "ideally", "preferably", "namely", "meaning"):
			b.due, b.dueWords = d.Day, t.Slice(d.From, d.To)
		}
		if t.Is(d.From-1, "say", "ideally", "preferably", "namely") {
			drop = append(drop, english.Range{From: d.From - 1, To: d.From})
		}
	}
	if days := b.due.Sub(b.start).Hours() / 24; !b.start.IsZero() && days >= 0 && days < eventDays && b.start.Sub(r.Today).Hours()/24 >= eventDays {
		b.start = time.Time{} // the days of an event far off, and no time to work in
	}
	if b.due.Before(b.start) {
		b.start = time.Time{}
	}
	return t.Drop(drop...)
}

func readPriority(t english.Text) string {
	m, ok := priorityWords.Find(t.Canon())
	if !ok {
		return ""
	}
	for _, g := range []string{"level", "after", "bare", "tail"} {
		if r, found := m.Groups[g]; found {
			return priorityOf(t.Part(r).Canon().Line)
		}
	}
	return ""
}

// priorityOf maps a word to a priority of tasks.
func priorityOf(word string) string {
	switch strings.TrimSpace(word) {
	case "urgent", "critical", "top", "highest":
		return "urgent"
	case "high", "important":
		return "high"
	case "low", "lowest":
		return "low"
	case "normal", "medium":
		return "normal"
	}
	return ""
}
