package offline

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// mention is a project as words name it.
type mention struct {
	known entity // from the state; ID is empty if it is not among them
	name  string // as written, if not known
	here  bool   // "this project": the conversation's own
}

// named reports whether the words name any project.
func (m mention) named() bool { return m.known.ID != "" || m.name != "" || m.here }

var (
	thisProject  = groups.Compile(`(?:(?:in|to|for|on|of|from|within|under|into|about|with) )?(?:this|the current|the present|our current) project`)
	theProject   = groups.Compile(`(?:in|to|for|on|of|from|within|into) (?:the|our|my) project$`)
	namedProject = []english.Pattern{
		groups.Compile(`(?:in|to|for|on|of|from|within|under|into|about|at) (?:{det} )?{project} (?:called |named )?(?P<name>«»)`),
		groups.Compile(`(?:in|to|for|on|of|from|within|under|into|about|at) (?:{det} )?(?P<name>«») {project}`),
		groups.Compile(`(?:(?:in|to|for|on|of|from|within|under|into|about|at) )(?:{det} )?(?P<name>[^ .,;?!¶:]+(?: [^ .,;?!¶:]+){0,4}?) project`),
		groups.Compile(`^(?:{add}) (?:{det} |new |another |urgent |high |low |\d+ |two |three )*(?:{task}|{risk}|{decision}|{goal}|{document}|milestones?) (?:in|to|for|on|into) (?:{det} )?(?P<name>«»|[^ .,;?!¶:]+(?: [^ .,;?!¶:]+){1,5}?) (?::|-|–|—)`),
		groups.Compile(`(?:in|to|for|on|of|from|within|under|into|about|at) (?:{det} )?project (?P<name>[^.,;?!¶:]+?)(?: (?:with|due|by|called|named|until|as|because)|$)`),
	}
)

// takeProject finds the project that words name and removes the mention. A name
// that the state knows is found wherever it stands, slips included.
func (s *situation) takeProject(t english.Text) (mention, english.Text) {
	if e, r, ok := s.knownProject(t); ok {
		return mention{known: e}, t.Drop(r)
	}
	c := t.Canon()
	for _, p := range []english.Pattern{thisProject, theProject} {
		if m, ok := p.Find(c); ok {
			return mention{here: true}, t.Drop(m.Range)
		}
	}
	for _, p := range namedProject {
		if m, ok := p.Find(c); ok {
			if t.Is(m.Groups["name"].From, "milestone", "phase", "stage") {
				continue
			}
			name := t.Name(trimMention(t, m.Groups["name"]))
			if name != "" && !emptyName[strings.ToLower(name)] {
				return mention{name: name}, t.Drop(mentionRange(t, m))
			}
		}
	}
	return mention{}, t
}

// partProject finds a project by one telling word of its name behind an article
// ("the website" is “Website relaunch”), if only one has it. It is for questions
// alone: in a wish such a word may be part of a title.
func (s *situation) partProject(t english.Text) (entity, bool) {
	for i := 1; i < t.Len(); i++ {
		if !t.Is(i-1, "the", "our", "my") || t.Tokens[i].Kind != english.Word || english.Stop(t.Tokens[i].Word) {
			continue
		}
		var hits []entity
		for _, p := range s.projects() {
			if slices.Contains(english.Terms(p.Name), english.Stem(t.Tokens[i].Word)) {
				hits = append(hits, p)
			}
		}
		if len(hits) == 1 {
			return hits[0], true
		}
	}
	return entity{}, false
}

// trimMention keeps what stands behind the last preposition inside a name that
// was read too wide ("task to the office move").
func trimMention(t english.Text, r english.Range) english.Range {
	for i := r.To - 1; i > r.From; i-- {
		if t.Is(i, "in", "to", "for", "on", "from", "the", "my", "our", "of") && i+1 < r.To {
			return english.Range{From: i + 1, To: r.To}
		}
	}
	return r
}

// mentionRange is the mention with its preposition.
func mentionRange(t english.Text, m english.Match) english.Range {
	from := trimMention(t, m.Groups["name"]).From
	for from > m.From && (t.Is(from-1, "the", "my", "our", "a", "this", "that", "project", "called", "named") || isPreposition(t.Tokens[from-1].Word) || t.Is(from-1, "under", "about")) {
		from--
		if isPreposition(t.Tokens[from].Word) || t.Is(from, "under", "about") {
			break
		}
	}
	return english.Range{From: from, To: m.To}
}

// sameName is how like a name words must be to mean a project of the state.
const sameName = 0.85

// knownProject finds the name of a project of the state in t, with the words
// around it that belong to the mention. The longest name wins.
func (s *situation) knownProject(t english.Text) (entity, english.Range, bool) {
	var best entity
	var at english.Range
	top := 0.0
	stems := stemsOf(t)
	for _, p := range s.projects() {
		terms := english.Terms(p.Name)
		last := lastOf(stems, terms)                              // the last word at or before each place that the name may have
		size, fewest := len(strings.Fields(p.Name)), len(terms)-1 // "Office move" is “Office move to Leith”
		for width := max(1, min(fewest, size-1)); width <= size+1; width++ {
			for i := 0; i+width <= t.Len(); i++ {
				r := english.Range{From: i, To: i + width}
				if last[r.To-1] < i {
					continue
				}
				like := s.mentionLike(t, r, p.Name)
				if like > top && like >= sameName || like == top && like >= sameName && r.To-r.From < at.To-at.From {
					best, at, top = p, r, like
				}
			}
		}
	}
	if top == 0 {
		return best, at, false
	}
	return best, widen(t, at), true
}

// stemsOf are the terms of each token; a quotation has those of its inside.
func stemsOf(t english.Text) [][]string {
	out := make([][]string, t.Len())
	for i, tok := range t.Tokens {
		if tok.Kind != english.Punct && tok.Kind != english.Break {
			out[i] = english.Terms(t.Slice(i, i+1))
		}
	}
	return out
}

// lastOf gives for each place the last one up to it whose stems are among those
// of a name, -1 before the first.
func lastOf(stems [][]string, name []string) []int {
	out, at := make([]int, len(stems)), -1
	for i, s := range stems {
		if english.Alike(s, name) {
			at = i
		}
		out[i] = at
	}
	return out
}

// mentionLike compares a window of words with a name. Windows that begin or end
// with a word of no meaning are left to a smaller window.
func (s *situation) mentionLike(t english.Text, r english.Range, name string) float64 {
	first, last := t.Tokens[r.From], t.Tokens[r.To-1]
	if first.Kind == english.Quote && r.To-r.From == 1 {
		return english.Likeness(first.Inside, name)
	}
	if first.Kind == english.Punct || last.Kind == english.Punct || english.Stop(first.Word) && r.To-r.From > 1 || english.Stop(last.Word) {
		return 0
	}
	window := t.Slice(r.From, r.To)
	like := english.Likeness(window, name)
	around := t.Is(r.To, "project") || t.Is(r.From-1, "project") || r.From > 0 && (isPreposition(t.Tokens[r.From-1].Word) || t.Is(r.From-1, "the", "our", "my", "is", "about", "project", "delete", "rename", "archive", "close", "audit", "under", "check"))
	if len(english.Terms(window)) < len(english.Terms(name)) && !around {
		return 0
	}
	if len(english.Terms(name)) == 1 && !around && !first.Capital && r.From > 0 {
		return 0
	}
	return like
}

// projects are those that the state names, the conversation's own first.
func (s *situation) projects() []entity {
	out := s.state.Projects
	if e := s.state.Entity; e != nil && e.Kind == assent.KindProject {
		out = append([]entity{{ID: e.ID, Kind: e.Kind, Name: e.label()}}, out...)
	}
	return out
}

// widen takes the preposition, article and "project" around a name in.
func widen(t english.Text, r english.Range) english.Range {
	if t.Is(r.To, "project") {
		r.To++
	}
	if t.Is(r.To, "tasks", "list", "backlog", "todos") && t.Ends(r.To+1) && r.From > 2 {
		r.To++ // "to the office move tasks"
	}
	for t.Is(r.From-1, "project", "the", "our", "my", "this", "called", "named") {
		r.From--
	}
	if t.Is(r.From-1, "in", "to", "for", "on", "of", "from", "within", "under", "into", "about", "at", "with") {
		r.From--
	}
	return r
}

// target is what is left of words that name a thing: without article, noun and
// marks.
func target(t english.Text, nouns ...string) string {
	for changed := true; changed && t.Len() > 0; {
		changed = false
		if t.Is(0, "the", "a", "an", "my", "our", "that", "this", "task", "tasks", "both", "milestone", "risk", "document", "decision", "goal", "called", "named", "titled", "for", "to", "of", "on",
			":", "-", "–", "with", "about", "item", "todo", "one", "please", "template", "project", "it's") && t.Len() > 1 || t.Is(0, nouns...) && t.Len() > 1 {
			t = t.Drop(english.Range{From: 0, To: 1})
			changed = true
		}
		n := t.Len() - 1
		if n > 0 && (t.Is(n, "task", "milestone", "risk", "document", "decision", "goal", ".", "!", "?", ",", "in", "to", "for", "on", "from", "of", "please", "as", "now", "by", "with", "and", "template", "again", "back", "too", "yet", "the", "so", ":", "already", "until") || t.Is(n, nouns...)) {
			t = t.Drop(english.Range{From: n, To: n + 1})
			changed = true
		}
	}
	if t.Len() == 1 && t.Tokens[0].Kind == english.Quote {
		return t.Tokens[0].Inside
	}
	return strings.Trim(english.Squeeze(t.String()), " .,;:!?\"“”'")
}

// isPronoun reports words that point at what was talked about last.
func isPronoun(s string) bool {
	switch strings.ToLower(s) {
	case "", "it", "that", "this", "them", "that one", "this one", "the last one", "last one", "that task", "this task", "those", "one", "the same", "him", "task", "milestone", "risk", "document", "project", "the project", "the task", "all of it", "decision", "goal":
		return true
	}
	return false
}
