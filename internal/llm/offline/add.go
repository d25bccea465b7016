package offline

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// addition is what a wish to add one thing says.
type addition struct {
	kind     assent.Kind
	titles   []item
	priority string
	due      time.Time
	under    string // the milestone it belongs to
	why      string // rationale, mitigation or description
	body     string
	level    map[string]string // likelihood, impact
}

var (
	addHead = []english.Pattern{
		groups.Compile(`^(?:remind me|reminder|do not let me forget|do not forget|make sure (?:we|i|to)|remember|todo|to do)(?: (?:to|:|about|that|we|i|of|-))*`),
		groups.Compile(`^(?:the )?(?:biggest |main |new |another |one |a )*risk (?:is|could be|:)(?: that)?`),
		groups.Compile(`^(?:there is|we have|we see|i see|i spotted|we face)(?: (?:a|an|the|another|new|big|serious|real|major|high|small|some))* (?:risk|danger|chance)(?: (?:that|of|:|with|is))?`),
		groups.Compile(`^(?:{we}) (?:have |just |finally |already )*(?:decided|agreed|chose|settled)(?: (?:to|that|on|in favour of))?`),
		groups.Compile(`^(?:(?:{we}|it) (?:also |still |really |should also )*)?(?:{add}|needs|have|another|one more)(?: me| us| down| up| in)?(?: (?:{det}|new|another|quick|small|urgent|high|low|medium|priority|top|big|major|minor|following|more|extra|additional|further|key|follow-up|meeting|\d+|one|two|three|four|five|six|seven|eight|some|few|couple of|these|those|context|action|published|draft|work))* (?:{task}|{milestone}|{risk}|{decision}|{goal}|{document}|{template})(?: (?:called|named|titled|:|-|–|—|saying|that says|which says|with the title|with title|for|to|that|about|of|on|is|called|labelled|namely|regarding))*`),
		groups.Compile(`^(?:{task}|{milestone}|{risk}|{decision}|{goal}|{document})(?: (?::|-|–|—))+`),
		groups.Compile(`^(?:{we}|someone|somebody) (?:need to|have to|must|should|needs to|has to|ought to|have got to)`),
		groups.Compile(`^(?:add|put|create|log|record|note|capture|track|stick|throw|need to|jot down|write down)`),
	}
	addTail = []english.Pattern{
		groups.Compile(`(?:(?:,|;|-|–|—|\.|and|so|please) )*(?:add|put|note|log|record|track|make|save) (?:it|that|this|them|those|these)(?: down)?(?: as (?:{det} )?(?:new |high |low |urgent |big |major )*(?:{task}|{milestone}|{document}|{risk}|{decision}|{goal}))?(?: [.!])*$`),
		groups.Compile(`(?:to|on|onto|in|into) (?:{det} )?(?:[^ .]+ )??(?:todo list|to do list|task list|list|todos|tasks|backlog|plate|milestones|risk register|risks|decision log|decisions|goals|register|log)(?: [.!])*$`),
		groups.Compile(`as (?:{det} )?(?:new |high |low |urgent |big |major )*(?:{task}|{milestone}|{document}|{risk}|{decision}|{goal})(?: [.!])*$`),
	}
	underColon     = groups.Compile(`(?:under|below|within) (?:the )?(?P<name>«»|[^.,;?!¶:]+?) (?::|-|–|—)`)
	underMilestone = groups.Compile(`(?:under|in|to|for|within|below|at) (?:the )?(?:milestone|phase|stage) (?P<name>«»|[^.,;?!¶:]+?)(?: (?:with|due|by|called|priority|:)|$)`)
	milestoneAfter = groups.Compile(`(?:under|in|to|for|within|below) (?:the )?(?P<name>«»|[^ .,;?!¶:]+(?: [^ .,;?!¶:]+){0,3}?) (?:milestone|phase|stage)`)
	reason         = groups.Compile(`(?:,? ?(?:because|since|as we|the reason is|reason :|rationale :|so that|due to|on account of))(?: of| that)? (?P<why>.+)$`)
	mitigation     = groups.Compile(`(?:, |; |\. |with )?(?:the )?(?:mitigation|mitigate(?: it)?|mitigated|countermeasure)(?: (?:is|:|by|would be|to))* (?P<why>.+)$`)
	bodyAfter      = groups.Compile(`(?:saying|that says|which says|with the text|with text|with the content|with content|containing|reading :|stating|: |with the following(?: text| content)?(?: :)?|about the fact that) ?(?P<body>.+)$`)
	riskLevel      = groups.Compile(`(?:with |a |, |and )*(?P<level>high|medium|low|big|small) (?P<what>likelihood|probability|impact|risk)`)
	riskVerb       = groups.Compile(`(?:with )?(?P<what>likelihood|probability|impact)(?: (?:is|of|:|=))? (?P<level>high|medium|low)`)
)

// addition adds tasks, milestones, risks, decisions, goals and documents.
func (s *situation) addition(a *ask) (write, *answer) {
	m, t := s.takeProject(a.text)
	ad := readAddition(t, s.reader)
	if ad.kind == assent.KindProject {
		next := s.createProject(a)
		return write{}, &next
	}
	f := s.projectFor(m, ad)
	if f.next != nil {
		return write{}, f.next
	}
	if len(ad.titles) == 0 {
		next := sayf("What should the %s be called? Give me its title in a sentence.", ad.kind)
		return write{}, &next
	}
	var under entity
	if ad.under != "" {
		mf := s.thing(assent.KindMilestone, ad.under, f.entity)
		if mf.next != nil {
			return write{}, mf.next
		}
		under = mf.entity
	}
	return ad.write(f.entity, under, s.today()), nil
}

// projectFor is the project that something is added to: the one that is named or
// meant, else that of the milestone it belongs to.
func (s *situation) projectFor(m mention, ad addition) found {
	if _, home := s.homeProject(); m.named() || home || ad.under == "" {
		return s.project(m)
	}
	under := s.thing(assent.KindMilestone, ad.under, entity{})
	if under.next != nil {
		return under
	}
	return found{entity: s.projectByID(under.ProjectID)}
}

// readAddition reads what to add; the project is gone from t already.
func readAddition(t english.Text, r english.Reader) addition {
	ad := addition{kind: addedKind(t), level: map[string]string{}}
	ad.priority = readPriority(t)
	t = ad.takeDetails(t)
	many := ad.many(t)
	t = ad.takeDates(t, r)
	for _, p := range addHead {
		if m, ok := p.Find(t.Canon()); ok {
			t = t.Drop(m.Range)
			break
		}
	}
	for _, p := range addTail {
		if m, ok := p.Find(t.Canon()); ok && m.From > 0 {
			t = t.Drop(m.Range)
		}
	}
	t = trimJoints(withoutEmptyBrackets(t))
	if t.Len() == 0 {
		ad.titleFromBody()
		return ad
	}
	whole := english.Range{From: 0, To: t.Len()}
	if many {
		ad.titles = readItems(t, whole, r.Dates(t))
		return ad
	}
	if title := t.Name(whole); title != "" {
		ad.titles = []item{{title: quoteInside(t, title)}}
	}
	return ad
}

// titleFromBody names a document after its text where that is all there is.
func (ad *addition) titleFromBody() {
	if ad.kind != assent.KindDocument || ad.body == "" {
		return
	}
	title := english.Clip(ad.body, titleWords)
	ad.titles = []item{{title: strings.TrimRight(title, " .,;:")}}
	if title == english.Squeeze(ad.body) {
		ad.body = ""
	}
}

// withoutEmptyBrackets drops the brackets around what was taken out of them.
func withoutEmptyBrackets(t english.Text) english.Text {
	for i := range t.Tokens {
		if !t.Is(i, "(") {
			continue
		}
		j := i + 1
		for t.Is(j, ",", ";", ".", ":", "-", "and") {
			j++
		}
		if t.Is(j, ")") {
			return withoutEmptyBrackets(t.Drop(english.Range{From: i, To: j + 1}))
		}
	}
	return t
}

// quoteInside prefers a quoted title where one stands among other words.
func quoteInside(t english.Text, title string) string {
	for i, tok := range t.Tokens {
		if tok.Kind == english.Quote && (i == 0 || t.Is(i-1, "called", "named", "titled", "task", "milestone", "risk", "title", ":")) {
			return english.Sentence(tok.Inside)
		}
	}
	return title
}

func trimJoints(t english.Text) english.Text {
	for t.Len() > 0 && (t.Is(0, ",", ":", "-", "–", "—", ".", "and", "to", "called", "named", "that", "titled", "is", ";") || t.Tokens[0].Kind == english.Break) {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	for t.Len() > 0 && (t.Is(t.Len()-1, ",", ":", "-", ".", "!", "and", "to", "for", "in", "with", "by", "on", "the", "please", "as", "it", ";", "priority", "due", "is", "a") || t.Tokens[t.Len()-1].Kind == english.Break) {
		t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
	}
	return t
}

// addedKind is the kind that words add.
func addedKind(t english.Text) assent.Kind {
	c := t.Canon()
	switch {
	case riskStart.In(c):
		return assent.KindRisk
	case decisionStart.In(c):
		return assent.KindDecision
	}
	if k, ok := createdKind(t); ok {
		return k
	}
	if k, ok := firstNoun(t); ok && t.Is(0, "put", "set") {
		return k
	}
	if m, ok := asKind.Find(c); ok {
		if k, found := firstNoun(t.Part(m.Range)); found {
			return k
		}
	}
	if k, ok := kindNouns[wordAt(t, 0)]; ok {
		return k
	}
	if k, ok := kindNouns[wordAt(t, 1)]; ok && t.Is(0, "new", "another", "one", "more") {
		return k
	}
	return assent.KindTask
}

func wordAt(t english.Text, i int) string {
	if i >= t.Len() {
		return ""
	}
	return t.Tokens[i].Word
}

var (
	riskStart     = groups.Compile(`^(?:(?:there is|we have|we see|i see|i spotted|we face) (?:a |an |the |another |new |big |serious |real |major |high |small |some )*(?:risk|danger|chance)|(?:the )?(?:biggest |main |new |another |one |a )*risk (?:is|could be|:))`)
	decisionStart = groups.Compile(`^(?:(?:{we}) (?:have |just |finally |already )*(?:decided|agreed|chose|settled)|decision :|decided :)`)
	asKind        = groups.Compile(`(?:as|to|on|onto|into) (?:{det} )?(?:new |high |low |urgent |big |major |our |my )*(?:{milestone}|{document}|{risk}|{decision}|{goal})(?: register| log| list)?(?: [.!])*$`)
)

// takeDetails reads and removes milestone, priority, reason, levels and body.
func (ad *addition) takeDetails(t english.Text) english.Text {
	if ad.kind == assent.KindTask {
		for _, p := range []english.Pattern{underMilestone, milestoneAfter, underColon} {
			if m, ok := p.Find(t.Canon()); ok && ad.under == "" {
				r := m.Groups["name"]
				ad.under = target(t.Part(r))
				t = t.Drop(english.Range{From: m.From, To: max(r.To, endOfNoun(t, r.To))})
			}
		}
	}
	if ad.kind == assent.KindDocument {
		if m, ok := bodyAfter.Find(t.Canon()); ok && m.From > 0 {
			r := m.Groups["body"]
			ad.body = english.Sentence(strings.TrimSpace(t.Slice(r.From, r.To)))
			t = t.Drop(english.Range{From: m.From, To: t.Len()})
		}
	}
	if ad.kind == assent.KindRisk {
		t = ad.takeLevels(t)
	}
	if p, ok := map[assent.Kind]english.Pattern{assent.KindRisk: mitigation, assent.KindDecision: reason}[ad.kind]; ok {
		if m, found := p.Find(t.Canon()); found && m.From > 0 {
			r := m.Groups["why"]
			ad.why = english.Sentence(strings.Trim(t.Slice(r.From, r.To), " .,"))
			t = t.Drop(english.Range{From: m.From, To: t.Len()})
		}
	}
	if ad.priority != "" && ad.kind == assent.KindTask {
		if m, ok := priorityWords.Find(t.Canon()); ok {
			t = t.Drop(m.Range)
		}
	} else if t.Is(2, "urgent") || t.Is(1, "urgent") {
		ad.priority = "urgent"
	}
	return t
}

func endOfNoun(t english.Text, i int) int {
	if t.Is(i, "milestone", "phase", "stage") {
		return i + 1
	}
	return i
}

func (ad *addition) takeLevels(t english.Text) english.Text {
	for _, p := range []english.Pattern{riskLevel, riskVerb, riskLevel, riskVerb} {
		m, ok := p.Find(t.Canon())
		if !ok {
			continue
		}
		key, level := t.Tokens[m.Groups["what"].From].Word, t.Tokens[m.Groups["level"].From].Word
		noun := key == "risk"
		if noun || key == "probability" {
			key = "likelihood"
		}
		ad.level[key] = map[string]string{"big": "high", "small": "low"}[level]
		if ad.level[key] == "" {
			ad.level[key] = level
		}
		if noun { // the noun stays, it says what is added
			m.Range = m.Groups["level"]
		}
		t = t.Drop(m.Range)
	}
	return t
}

func (ad *addition) takeDates(t english.Text, r english.Reader) english.Text {
	if ad.kind != assent.KindTask && ad.kind != assent.KindMilestone && ad.kind != assent.KindDecision || ad.many(t) {
		return t
	}
	var drop []english.Range
	for _, d := range r.Dates(t) {
		if d.From == 0 {
			continue
		}
		ad.due = d.Day
		drop = append(drop, english.Range{From: d.From, To: d.To})
	}
	return t.Drop(drop...)
}

// many reports whether several things are listed.
func (ad *addition) many(t english.Text) bool {
	for i := range t.Tokens {
		if t.Tokens[i].Kind == english.Bullet && i > 0 {
			return true
		}
	}
	if count(t, english.Quote) > 1 && ad.kind == assent.KindTask {
		return true
	}
	for i := range min(t.Len(), 6) {
		if t.Is(i, "tasks", "milestones", "risks", "goals", "todos", "decisions", "items", "documents", "objectives") {
			return true
		}
	}
	return false
}

// write is the call that adds it to a project.
func (ad addition) write(p, under entity, today time.Time) write {
	a := args{"project_id": p.ID}
	noun := string(ad.kind)
	if len(ad.titles) > 1 {
		return ad.several(a, p, under)
	}
	title := ad.titles[0].title
	a["title"] = title
	set := func(key, v string) {
		if v != "" {
			a[key] = v
		}
	}
	due := ad.due
	if due.IsZero() {
		due = ad.titles[0].due
	}
	text := "the " + noun + " " + quoted(title)
	tail := ""
	switch ad.kind {
	case assent.KindTask:
		set("priority", ad.priority)
		set("milestone_id", under.ID)
		tail = ad.dueArg(a, due)
	case assent.KindMilestone:
		tail = ad.dueArg(a, due)
	case assent.KindRisk:
		set("mitigation", ad.why)
		set("likelihood", ad.level["likelihood"])
		set("impact", ad.level["impact"])
	case assent.KindDecision:
		set("rationale", ad.why)
		if !due.IsZero() && !due.After(today) {
			set("decided_on", due.Format(time.DateOnly))
		}
	case assent.KindDocument:
		set("body", ad.body)
		set("type", documentType(title))
	}
	return write{call: call{"create_" + noun, a}, label: "Add " + text, done: "Added " + text + " to " + quoted(p.label()) + tail + "."}
}

func (ad addition) dueArg(a args, due time.Time) string {
	if due.IsZero() {
		return ""
	}
	a["due_date"] = due.Format(time.DateOnly)
	return ", due " + english.LongDate(due)
}

// several adds a list in one call where there is a tool for it; of other kinds
// the first one is added and the rest named in its description.
func (ad addition) several(a args, p, under entity) write {
	n := english.Plural(len(ad.titles), string(ad.kind))
	done := "Added " + n + " to " + quoted(p.label()) + "."
	var list []args
	for _, it := range ad.titles {
		e := args{"title": it.title}
		if due := later(it.due, ad.due); !due.IsZero() {
			e["due_date"] = due.Format(time.DateOnly)
		}
		if ad.priority != "" && ad.kind == assent.KindTask {
			e["priority"] = ad.priority
		}
		list = append(list, e)
	}
	switch ad.kind {
	case assent.KindMilestone:
		a["milestones"] = list
		return write{call: call{"create_milestones", a}, label: "Add " + n, done: done}
	case assent.KindTask:
		a["tasks"] = list
		if under.ID != "" {
			a["milestone_id"] = under.ID
		}
		return write{call: call{"create_tasks", a}, label: "Add " + n, done: done}
	}
	var all []string
	for _, it := range ad.titles {
		all = append(all, it.title)
	}
	one := addition{kind: ad.kind, titles: []item{{title: english.Join(all)}}, level: ad.level}
	return one.write(p, under, time.Time{})
}

func later(own, shared time.Time) time.Time {
	if own.IsZero() {
		return shared
	}
	return own
}

// documentType guesses the type of a document from its title.
func documentType(title string) string {
	t := strings.ToLower(title)
	for _, c := range []struct{ word, kind string }{{"minutes", "minutes"}, {"report", "report"}, {"brief", "brief"}, {"context", "context"}} {
		if strings.Contains(t, c.word) {
			return c.kind
		}
	}
	return "note"
}
