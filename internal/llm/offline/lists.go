package offline

import (
	"time"

	"assent/internal/llm/offline/english"
)

var (
	labelled = groups.Compile(`(?:with|using|use|take|have) (?P<list>[^.;?!¶:]+?) as (?:the |our |my |its |main |key )*(?P<noun>milestones|phases|stages|tasks|todos|goals|risks)`)
	perUnit  = groups.Compile(`(?:one|a) (?P<noun>milestone|phase|task) (?:per|for each|for every|each|every) (?P<unit>[a-z]+)`)
)

// takeLabelled reads lists whose kind is said behind them ("with speakers, venue
// and catering as milestones") and those that are counted ("six chapters, one
// milestone per chapter").
func (b *brief) takeLabelled(t english.Text, r english.Reader) english.Text {
	if m, ok := labelled.Find(t.Canon()); ok {
		s := b.section(sectionNouns[t.Tokens[m.Groups["noun"].From].Word])
		if items := readItems(t, m.Groups["list"], r.Dates(t)); len(items) > 1 {
			s.asked, s.items = true, append(s.items, items...)
			return t.Drop(m.Range)
		}
	}
	m, ok := perUnit.Find(t.Canon())
	if !ok {
		return t
	}
	unit := t.Tokens[m.Groups["unit"].From].Word
	for i := range t.Tokens {
		n, next, found := t.Count(i)
		if !found || n < 2 || n > mostOutline || !t.Is(next, unit, unit+"s") {
			continue
		}
		s := b.section(sectionNouns[t.Tokens[m.Groups["noun"].From].Word])
		s.asked = true
		for k := range n {
			s.items = append(s.items, item{title: english.Sentence(unit) + " " + itoa(k+1)})
		}
		return t.Drop(english.Range{From: i, To: next + 1}, m.Range)
	}
	return t
}

const (
	fewestListed   = 2 // of a bare list behind a colon
	longestInList  = 6 // words of each
	mostInBareList = 30
)

// takeColonList reads what follows "plan the party:" as tasks, if it is a list of
// short items.
func (b *brief) takeColonList(t english.Text, r english.Reader) english.Text {
	for i := 2; i+1 < t.Len(); i++ {
		if !t.Is(i, ":") || t.Is(i-1, "name", "title", "project", "deadline", "date", "due", "called") {
			continue
		}
		end := listEnd(t, i+1, t.Len())
		list := english.Range{From: i + 1, To: end}
		parts := t.Items(list.From, list.To, nil)
		if len(parts) < fewestListed || len(parts) > mostInBareList || t.Tokens[i+1].Kind == english.Break {
			return t
		}
		for _, p := range parts {
			if p.To-p.From > longestInList || t.Is(p.From, "start", "starting", "end", "ending", "due", "by", "from", "until", "deadline", "budget", "starts", "ends") {
				return t
			}
		}
		b.tasks.asked, b.tasks.items = true, readItems(t, list, r.Dates(t))
		return t.Drop(english.Range{From: i, To: end})
	}
	return t
}

var isDated = groups.Compile(`(?:must|should|has to|have to|needs to|need to|will|is|are|is to)(?: (?:be|happen|take place|start|done|finished|ready|held|due))*$`)

// datedClauses gives listed things the dates that are said of them behind the
// list: "cutover must be on Sunday 10 January".
func (b *brief) datedClauses(t english.Text, r english.Reader) english.Text {
	var drop []english.Range
	for _, d := range r.Dates(t) {
		from := d.From
		for from > 0 && !t.Ends(from-1) && !t.Is(from-1, ",") {
			from--
		}
		said := t.Part(english.Range{From: from, To: d.From})
		m, ok := isDated.Find(said.Canon())
		if !ok || m.From == 0 {
			continue
		}
		if b.dateItem(target(said.Part(english.Range{From: 0, To: m.From})), d.Day) {
			drop = append(drop, english.Range{From: from, To: d.To})
		}
	}
	return t.Drop(drop...)
}

// dateItem dates the listed thing of a name.
func (b *brief) dateItem(name string, day time.Time) bool {
	for _, items := range [][]item{b.milestones.items, b.tasks.items} {
		for i := range items {
			if english.Likeness(name, items[i].title) >= sameName {
				items[i].due = day
				return true
			}
		}
	}
	return false
}
