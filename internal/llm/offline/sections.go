package offline

import (
	"strings"
	"time"

	"assent/internal/llm/offline/english"
)

// head is where a section of a message begins: "three milestones:", "with tasks
// to", "and two risks".
type head struct {
	noun  string // milestones, tasks, goals, risks
	at    english.Range
	list  int // first token of its list, or -1
	count int
	none  bool
}

var sectionNouns = map[string]string{
	"milestone": "milestones", "milestones": "milestones", "phase": "milestones", "phases": "milestones", "stages": "milestones", "stage": "milestones",
	"deliverables": "milestones", "task": "tasks", "tasks": "tasks", "todos": "tasks", "todo": "tasks", "subtasks": "tasks",
	"goal": "goals", "goals": "goals", "objectives": "goals", "objective": "goals", "risk": "risks", "risks": "risks",
}

// takeSections reads and removes the lists of a message.
func (b *brief) takeSections(t english.Text, r english.Reader) english.Text {
	t = b.takeLabelled(t, r)
	heads := findHeads(t)
	dates := r.Dates(t)
	var drop []english.Range
	for i, h := range heads {
		limit := t.Len()
		if i+1 < len(heads) {
			limit = heads[i+1].at.From
		}
		end := h.at.To
		s := b.section(h.noun)
		s.asked, s.none = true, h.none
		if h.count > 0 {
			s.count = h.count
		}
		if h.list >= 0 {
			end = listEnd(t, h.list, limit)
			items := readItems(t, english.Range{From: h.list, To: end}, dates)
			b.trailingDate(t, items, dates, &end)
			s.items = append(s.items, asGoals(h.noun, items)...)
		}
		drop = append(drop, english.Range{From: h.at.From, To: end})
	}
	if len(heads) == 0 || len(b.milestones.items)+len(b.tasks.items)+len(b.goals.items)+len(b.risks.items) == 0 {
		drop = append(drop, b.bareBullets(t, dates)...)
	}
	t = t.Drop(drop...)
	if !b.ownList() && !b.milestones.asked && !b.tasks.asked {
		t = b.takeColonList(t, r)
	}
	return t
}

// asGoals takes the "to" off goals: "the goal is to sell more" is "Sell more".
func asGoals(noun string, items []item) []item {
	for i, it := range items {
		if rest, ok := strings.CutPrefix(it.title, "To "); ok && noun == "goals" {
			items[i].title = english.Sentence(rest)
		}
	}
	return items
}

func (b *brief) section(noun string) *section {
	switch noun {
	case "tasks":
		return &b.tasks
	case "goals":
		return &b.goals
	case "risks":
		return &b.risks
	}
	return &b.milestones
}

// trailingDate gives the date at the very end of a list, where the other items
// have none, to the whole project: "a, b and c by the end of March".
func (b *brief) trailingDate(t english.Text, items []item, dates []english.Span, end *int) {
	if len(items) < 2 || items[len(items)-1].due.IsZero() {
		return
	}
	for _, it := range items[:len(items)-1] {
		if !it.due.IsZero() {
			return
		}
	}
	for _, d := range dates {
		if d.To == *end || d.To == *end-1 {
			items[len(items)-1].due = time.Time{}
			*end = d.From
		}
	}
}

// bareBullets reads a bulleted list without a heading as milestones, a long one
// as tasks.
func (b *brief) bareBullets(t english.Text, dates []english.Span) []english.Range {
	first, last := -1, -1
	for i, tok := range t.Tokens {
		if tok.Kind == english.Bullet {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || first == last {
		return nil
	}
	end := last + 1
	for end < t.Len() && t.Tokens[end].Kind != english.Break {
		end++
	}
	s := &b.milestones
	if last-first > 40 || (b.tasks.asked && !b.milestones.asked) {
		s = &b.tasks
	}
	s.asked = true
	s.items = readItems(t, english.Range{From: first, To: end}, dates)
	return []english.Range{{From: first, To: end}}
}

// findHeads finds the headings of sections, left to right.
func findHeads(t english.Text) []head {
	var out []head
	for i := range t.Tokens {
		noun, ok := sectionNouns[t.Tokens[i].Word]
		if !ok || t.Tokens[i].Kind != english.Word {
			continue
		}
		if h, ok := headAt(t, i, noun); ok && (len(out) == 0 || h.at.From >= out[len(out)-1].at.To) {
			out = append(out, h)
		}
	}
	return out
}

// headWords may stand before the noun of a heading.
var headWords = wordSet(`with and the following these key main a an its some add include including has have having plus also of as well like
	contains containing featuring split into initial important first major big small rough high-level few needs need us give it define set here are is
	use create make put in under broken down divided project milestones, my our for`)

// linkWords are head words that do not begin a heading.
var linkWords = wordSet("project my our for in under first put it is us use create make here")

func headAt(t english.Text, i int, noun string) (head, bool) {
	h := head{noun: noun, at: english.Range{From: i, To: i + 1}, list: -1}
	for h.at.From > 0 {
		p := h.at.From - 1
		if n, next, ok := t.Count(p); ok && next == p+1 && h.count == 0 {
			h.count = n
		} else if t.Is(p, "no", "without", "zero", "any") {
			h.none = h.none || !t.Is(p, "any")
		} else if !headWords[t.Tokens[p].Word] && !t.Is(p, ",") {
			break
		}
		h.at.From = p
	}
	for h.at.From < i && (linkWords[t.Tokens[h.at.From].Word] || t.Tokens[h.at.From].Kind == english.Bullet) {
		h.at.From++
	}
	if h.count == 0 && singular(t.Tokens[i].Word) {
		if t.Is(i-1, "and", ",", "or") && t.Ends(i+1) {
			return h, false // the last item of another list: "tickets and stage"
		}
		h.count = 1
	}
	if t.Is(i+1, "project", "board", "list", "force", "manager", "assessment", "register", "management") || t.Is(i-1, "of") && h.count == 0 && !t.Is(i-2, "couple") {
		return h, false
	}
	h.list, h.at.To = listStart(t, i+1)
	return h, true
}

func singular(w string) bool { return !strings.HasSuffix(w, "s") }

// listStart finds where the list after a heading begins; -1 if there is none,
// and where the heading ends.
func listStart(t english.Text, i int) (list, headEnd int) {
	j := i
	for _, phrase := range []string{"should be", "will be", "would be", "are as follows", "as follows", "such as", "are", "is", "like", "namely", "called", "named",
		"being", "including", "to", "for", "about", "that", "of", "which are", "titled", "in it"} {
		if t.IsPhrase(j, phrase) {
			j += len(strings.Fields(phrase))
			break
		}
	}
	marked := j > i
	for t.Is(j, ":", "-", "–", "—", "(", "=") {
		j, marked = j+1, true
	}
	if j < t.Len() && t.Tokens[j].Kind == english.Break && (marked || j+1 < t.Len() && t.Tokens[j+1].Kind == english.Bullet) {
		return j, j
	}
	switch {
	case j >= t.Len() || t.Ends(j) || t.Is(j, ","):
		return -1, i
	case marked, t.Tokens[j].Kind == english.Quote, t.Tokens[j].Kind == english.Bullet:
		return j, j
	case bareList(t, j), singular(t.Tokens[i-1].Word) && oneItem(t, j):
		return j, j
	}
	return -1, i
}

// bareList reports whether the words right behind "milestones" are their list:
// they go on with a comma or an "and" and do not begin like a new thought.
func bareList(t english.Text, j int) bool {
	if t.Is(j, "and", "by", "before", "in", "on", "at", "from", "until", "due", "with", "to", "but", "then", "so", "or", "spread", "over", "per", "each", "please",
		"using", "as", "i", "we", "based", "under", "within", "without", "first", "please", "show", "starting", "between", "which", "around", "across") {
		return false
	}
	for k := j; k < t.Len() && !t.Ends(k); k++ {
		if t.Is(k, ",") && k > j {
			return true
		}
		if t.Is(k, "and") && k > j && k+1 < t.Len() && sectionNoun(t, k+1) == "" {
			return true
		}
	}
	return false
}

// oneItem reports whether a few words up to the end of the sentence name the one
// thing that a heading is about: "with the risk frost".
func oneItem(t english.Text, j int) bool {
	k := j
	for k < t.Len() && !t.Ends(k) {
		if t.Is(k, "and", "by", "before", "in", "on", "at", "from", "until", "due", "with", "to", "but", "then", "for", "of", "is", "are", "please", "using", "as", "based", ",", "each", "per") {
			return false
		}
		k++
	}
	return k > j && k-j <= 5
}

// sectionNoun is the section whose heading may begin at i, "" if none.
func sectionNoun(t english.Text, i int) string {
	for k := i; k < min(i+4, t.Len()); k++ {
		if noun, ok := sectionNouns[t.Tokens[k].Word]; ok {
			return noun
		}
	}
	return ""
}

// listEnd finds where a list that begins at i ends: with its sentence, or, for
// bullets, with the last of them; at limit at the latest.
func listEnd(t english.Text, i, limit int) int {
	if t.Tokens[i].Kind == english.Break || t.Tokens[i].Kind == english.Bullet {
		return blockEnd(t, i, limit)
	}
	for k := i; k < limit; k++ {
		if t.Is(k, ".", "?", "!") && (k+1 >= t.Len() || t.Tokens[k+1].Kind == english.Break || t.Tokens[k+1].Capital || t.Tokens[k+1].Start > t.Tokens[k].End) {
			return k
		}
		if t.Tokens[k].Kind == english.Break || t.Is(k, ";") && clause(t, k+1, limit) {
			return k
		}
	}
	for limit > i && t.Is(limit-1, ",", "and", "with", "plus", ";", "then", "also") {
		limit--
	}
	return limit
}

// clause reports whether what begins at i is a sentence about the list rather
// than an item of it: "; cutover must be on Sunday".
func clause(t english.Text, i, limit int) bool {
	for k := i + 1; k < limit && !t.Ends(k); k++ {
		if t.Is(k, "must", "should", "has", "needs", "is", "are", "will", "shall") {
			return true
		}
	}
	return false
}

func blockEnd(t english.Text, i, limit int) int {
	bulleted := t.Tokens[i].Kind == english.Bullet || i+1 < t.Len() && t.Tokens[i+1].Kind == english.Bullet
	for k := i + 1; k < limit; k++ {
		if t.Tokens[k].Kind != english.Break {
			continue
		}
		blank := strings.Count(t.Raw[t.Tokens[k].Start:t.Tokens[k].End], "\n") > 1
		next := k+1 < t.Len() && t.Tokens[k+1].Kind == english.Bullet
		if bulleted && !next || !bulleted && blank {
			return k
		}
	}
	return limit
}

// readItems reads the items of a list with their dates.
func readItems(t english.Text, r english.Range, dates []english.Span) []item {
	inDate := func(i int) bool {
		for _, d := range dates {
			if i > d.From && i < d.To {
				return true
			}
		}
		return false
	}
	var out []item
	for _, part := range t.Items(r.From, r.To, inDate) {
		if it := readItem(t, part, dates); it.title != "" {
			out = append(out, it)
		}
	}
	return out
}

func readItem(t english.Text, part english.Range, dates []english.Span) item {
	var it item
	var drop []english.Range
	for _, d := range dates {
		if d.From >= part.From && d.To <= part.To && !(d.From == part.From && d.To == part.To) {
			it.due = d.Day
			drop = append(drop, english.Range{From: d.From - part.From, To: d.To - part.From})
		}
	}
	rest := t.Part(part).Drop(drop...)
	for rest.Len() > 1 && (rest.Is(rest.Len()-1, "(", ")", "-", "–", "—", ",", ":", ".") || len(drop) > 0 && rest.Is(rest.Len()-1, "by", "due", "on", "in", "for")) {
		if rest.Is(rest.Len()-1, ")") && rest.Len() > 2 && !rest.Is(rest.Len()-2, "(") && hasOpen(rest) {
			break
		}
		rest = rest.Drop(english.Range{From: rest.Len() - 1, To: rest.Len()})
	}
	it.title = rest.Name(english.Range{From: 0, To: rest.Len()})
	return it
}

func hasOpen(t english.Text) bool {
	for i := range t.Tokens {
		if t.Is(i, "(") {
			return true
		}
	}
	return false
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
