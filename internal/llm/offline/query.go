package offline

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// question is a wish to see things: which call answers it, and how to tell it.
type question struct {
	call    call
	kind    assent.Kind
	about   string    // "overdue tasks in “Office move”"
	from    time.Time // only what is due in this time
	until   time.Time
	byDate  bool // the soonest first
	howMany bool
	filter  func(entity) bool
}

// list answers a wish for a list.
func (s *situation) list(a *ask) answer {
	m, t := s.takeProject(a.text)
	if e := s.state.Entity; e != nil && e.Kind == assent.KindTask && !m.named() && a.text.Len() <= 6 && a.has(pointsHere) {
		return s.showOne(*e)
	}
	if !m.named() && !asksForProjects(a) {
		if e, ok := s.homeProject(); ok {
			m = mention{known: e}
		} else if e, ok := s.partProject(t); ok {
			m = mention{known: e}
		}
	}
	var in entity
	if m.named() && !asksForTemplates(a) {
		f := s.project(m)
		if f.next != nil {
			return *f.next
		}
		in = f.entity
	}
	if a.has(dependsOn) {
		return s.dependencies(t, in)
	}
	q := s.question(a, t, in)
	return s.tellQuestion(q)
}

// tellQuestion makes the call of a question, or tells its answer.
func (s *situation) tellQuestion(q question) answer {
	if !s.tried(q.call) {
		return answer{calls: []call{q.call}}
	}
	o := s.resultOf(q.call)
	if !o.env.Success {
		return explainError(o)
	}
	return say(s.tellList(q, o))
}

var (
	asksBlocked = groups.Compile(`(?:{blocked}|blocks|holding up|holds up|holding back|waiting for something|can not go on|not moving)`)
	asksOverdue = groups.Compile(`(?:{overdue}|missed|(?:i|we) miss)`)
	asksDone    = groups.Compile(`(?:done|finished|completed|complete|closed|did we do|have we done|did we finish|got done|ticked off)`)
	asksActive  = groups.Compile(`(?:in progress|being worked on|working on|started|under way|underway|ongoing|going on|happening)`)
	asksNext    = groups.Compile(`(?:what (?:is|are) (?:up )?next|work on|tackle|focus on|start with|my plate|my list|my next|the next|up next|coming up|upcoming|most urgent|first thing|pick up|look at first|ahead of)`)
	asksOpen    = groups.Compile(`(?:open|left|still|remaining|remains|outstanding|unfinished|pending|not done|not finished|to do|to be done|missing|to go|todo|todos|incomplete)`)
	asksDue     = groups.Compile(`(?:due|deadline|deadlines|expiring|due dates|agenda|scheduled|planned|coming up|upcoming|happening)`)
	asksDecided = groups.Compile(`(?:decided|decide|agreed|agree on|choose|chose|chosen|decision|decisions|conclude)`)
	pointsHere  = groups.Compile(`(?:this|it)(?: {task})?(?: \?)?$`)
	asksCount   = groups.Compile(`(?:how many|number of|count)`)
	asksNot     = groups.Compile(`(?:not|unfinished|isn't|never)`)
	dependsOn   = groups.Compile(`(?:depend|depends|dependencies|dependency|waits for|wait for|waiting for|waiting on|dependent|done first|in (?:which|what) order|comes first)`)
	asksWaits   = groups.Compile(`(?:waits for|wait for|waiting for|waiting on)`)
	projectNoun = groups.Compile(`(?:projects|all my projects|all projects)`)
)

func asksForProjects(a *ask) bool  { return a.has(projectNoun) }
func asksForTemplates(a *ask) bool { return a.has(templateNoun) }

var templateNoun = groups.Compile(`{template}`)

// question decides which call answers, most special first.
func (s *situation) question(a *ask, t english.Text, in entity) question {
	q := question{kind: assent.KindTask, howMany: a.has(asksCount)}
	arguments := args{}
	if in.ID != "" {
		arguments["project_id"] = in.ID
	}
	noun, named := firstNoun(t)
	switch {
	case a.has(asksBlocked) && (!named || noun == assent.KindTask || noun == assent.KindProject) && !(a.has(onHold) && noun == assent.KindProject):
		q.call, q.about = call{"blocked_tasks", arguments}, "blocked tasks"
	case a.has(asksOverdue) && (!named || noun == assent.KindTask || noun == assent.KindProject):
		q.call, q.about = call{"overdue_tasks", arguments}, "overdue tasks"
	case named && noun != assent.KindTask && (noun != assent.KindProject || dueProjects.In(t.Canon()) || in.ID == "" && !(a.has(asksDue) && len(a.dates) > 0)):
		s.askKind(&q, a, t, noun, arguments)
	case !named && a.has(asksDecided):
		q.kind, q.call, q.about = assent.KindDecision, call{"list_decisions", arguments}, "decisions"
	default:
		s.askTasks(&q, a, arguments)
		if a.has(undated) {
			q.about, q.filter = q.about+" without a due date", func(e entity) bool { return e.DueDate == "" }
		}
	}
	if in.ID != "" {
		q.about += " in " + quoted(in.label())
	}
	return q
}

// dueProjects asks for the projects themselves, not for what is due in them.
var dueProjects = groups.Compile(`^(?:[^ ]+ ){1,5}?projects (?:are |is |that |which |will |be |to |have |has |with |a |their )*(?:due|ending|end|ends|finishing|finish|finished|done|ready|deadline|deadlines)`)

var onHold = groups.Compile(`on hold`)

// firstNoun is the first kind that is named.
func firstNoun(t english.Text) (assent.Kind, bool) {
	for i := range t.Tokens {
		if k, ok := kindNouns[t.Tokens[i].Word]; ok && t.Tokens[i].Kind == english.Word {
			return k, true
		}
		if t.Is(i, "dependency", "dependencies", "relations", "links") {
			return assent.KindRelation, true
		}
		if t.Is(i, "danger", "dangers") {
			return assent.KindRisk, true
		}
		if t.Is(i, "files", "pages", "docs", "file") {
			return assent.KindDocument, true
		}
		if t.Is(i, "phases", "stages") {
			return assent.KindMilestone, true
		}
	}
	return "", false
}

// askKind asks for a list of another kind than tasks.
func (s *situation) askKind(q *question, a *ask, t english.Text, kind assent.Kind, arguments args) {
	q.kind, q.about = kind, english.Plural(2, string(kind))[2:]
	if kind == assent.KindProject || kind == assent.KindTemplate {
		delete(arguments, "project_id")
	}
	if status := statusIn(kind, a.canon); status != "" {
		arguments["status"] = status
		q.about = strings.ReplaceAll(status, "_", " ") + " " + q.about
	}
	if kind == assent.KindTemplate {
		if words := subject(t); words != "" {
			arguments["query"] = words
			q.about += " for " + quoted(words)
		} else {
			arguments["limit"] = 20
		}
	}
	if kind == assent.KindMilestone || kind == assent.KindProject {
		q.window(a, s.today())
	}
	q.call = call{listTools[kind], arguments}
}

// subject is what templates are looked for about: the words after "for".
func subject(t english.Text) string {
	for i := range t.Tokens {
		if t.Is(i, "for", "about", "fit", "fits", "matching", "suit", "suits") && i+1 < t.Len() {
			rest := target(t.Part(english.Range{From: i + 1, To: t.Len()}))
			if !isPronoun(rest) && !english.Stop(rest) && !strings.EqualFold(rest, "me") {
				return strings.ToLower(rest)
			}
		}
	}
	return ""
}

// askTasks asks for tasks by status and due date.
func (s *situation) askTasks(q *question, a *ask, arguments args) {
	q.about = "tasks"
	switch {
	case a.has(asksDone) && !a.has(asksNot):
		arguments["status"], q.about = "done", "finished tasks"
	case a.has(asksActive):
		arguments["status"], q.about = "in_progress", "tasks in progress"
	case a.has(asksNext), a.has(asksOpen), a.has(asksDue), len(a.dates) > 0, !a.has(allTasks):
		arguments["status"], q.about, q.byDate = "open", "open tasks", true
	}
	if arguments["status"] != "done" { // a date there is when it was finished, which no list tells
		q.window(a, s.today())
	}
	if !q.until.IsZero() {
		arguments["due_before"] = q.until.AddDate(0, 0, 1).Format(time.DateOnly)
		q.about += " due " + q.span()
	}
	if p := readPriority(a.text); p != "" {
		q.filter = func(e entity) bool { return e.Priority == p || p == "high" && e.Priority == "urgent" }
		q.about = p + "-priority " + q.about
		arguments["limit"] = 200
	} else if m, ok := bareUrgent.Find(a.canon); ok && m.To > 0 {
		q.filter = func(e entity) bool { return e.Priority == "urgent" || e.Priority == "high" }
		q.about = "urgent " + q.about
		arguments["limit"] = 200
	}
	q.call = call{"list_tasks", arguments}
}

var (
	undated    = groups.Compile(`(?:no|without|missing|lack|lacking|not have|have not|not got)(?: (?:a|an|any|got))* (?:due date|due dates|deadline|deadlines|date|dates)`)
	allTasks   = groups.Compile(`(?:all|every|{task})`)
	bareUrgent = groups.Compile(`(?:urgent|most important|critical|high-priority|top priority|most urgent)`)
)

// window reads "due this week", "until Friday", "in March", "today".
func (q *question) window(a *ask, today time.Time) {
	for _, d := range a.dates {
		q.until = d.Day
		if !boundedBy.In(a.text.Part(english.Range{From: d.From, To: d.To}).Canon()) && (d.Exact || d.First.After(today)) {
			q.from = d.First
		}
		if part := a.text.Slice(d.From, d.To); strings.Contains(strings.ToLower(part), "next") && !d.Exact {
			q.from = today.AddDate(0, 0, 1)
		}
	}
}

// boundedBy says that a date is the last that counts, and no day or month of its own.
var boundedBy = groups.Compile(`(?:by|until|till|til|before|latest|later|end|up to|within|from|since|after)`)

func (q *question) span() string {
	switch {
	case !q.from.IsZero() && q.from.Equal(q.until):
		return "on " + english.LongDate(q.until)
	case !q.from.IsZero():
		return "from " + english.LongDate(q.from) + " to " + english.LongDate(q.until)
	}
	return "by " + english.LongDate(q.until)
}

// statusIn reads a status out of words, as the kind has it.
func statusIn(kind assent.Kind, c english.Canon) string {
	for _, st := range statusWords[kind] {
		if st.pattern.In(c) {
			return st.status
		}
	}
	return ""
}

type statusWord struct {
	status  string
	pattern english.Pattern
}

var statusWords = map[assent.Kind][]statusWord{
	assent.KindProject: {{"active", groups.Compile(`(?:active|running|current|ongoing|live)`)}, {"on_hold", groups.Compile(`(?:on hold|paused|parked|on ice|shelved)`)},
		{"done", groups.Compile(`(?:done|finished|completed|closed|past)`)}, {"archived", groups.Compile(`(?:archived|old)`)}, {"planning", groups.Compile(`(?:in planning|planned|being planned|still planning)`)}},
	assent.KindMilestone: {{"open", groups.Compile(`(?:open|left|still|remaining|outstanding|next|upcoming|coming|ahead)`)}, {"reached", groups.Compile(`(?:reached|done|finished|completed|hit|met|behind us)`)}, {"missed", groups.Compile(`(?:missed|overdue|late)`)}},
	assent.KindRisk:      {{"open", groups.Compile(`(?:open|current|active|unresolved)`)}, {"mitigated", groups.Compile(`mitigated`)}, {"happened", groups.Compile(`(?:happened|occurred|materialised)`)}, {"closed", groups.Compile(`closed`)}},
}

// dependencies answers what depends on what: of one task, or of the project.
func (s *situation) dependencies(t english.Text, in entity) answer {
	waits := asksWaits.In(t.Canon())
	name := target(t.Drop(questionWords(t)...), "what", "which")
	if len(english.Terms(name)) > 0 && !isPronoun(name) && !onlyStop(name) {
		f := s.thing(assent.KindTask, name, in)
		if f.next != nil {
			return *f.next
		}
		return s.showOne(f.entity)
	}
	q := call{"task_dependencies", args{}}
	if in.ID != "" {
		q.args["project_id"] = in.ID
	}
	if waits && in.ID != "" { // what the whole project waits for is what blocks it
		q.tool = "blocked_tasks"
		return s.tellQuestion(question{call: q, kind: assent.KindTask, about: "blocked tasks in " + quoted(in.label())})
	}
	if !s.tried(q) {
		return answer{calls: []call{q}}
	}
	o, _ := s.latest(q.tool)
	if !o.env.Success {
		return explainError(o)
	}
	return say(tellGraph(o))
}

func onlyStop(name string) bool {
	for _, w := range strings.Fields(name) {
		if !english.Stop(w) {
			return false
		}
	}
	return true
}

// questionWords are the tokens of a question about dependencies that name nothing.
func questionWords(t english.Text) []english.Range {
	var out []english.Range
	for i := range t.Tokens {
		if t.Is(i, "what", "which", "task", "tasks", "does", "do", "depend", "depends", "on", "is", "are", "waiting", "wait", "waits", "for", "show", "list", "me", "has", "be", "done", "first", "comes", "dependencies", "dependency", "dependent",
			"?", "who", "other", "things", "the", "of", "all", "order", "how", "each", "blocks", "in", "between", "any", "has", "have", "there", "upon", "to", "it", "this", "that", "give", "see", "view", "graph", "chart") {
			out = append(out, english.Range{From: i, To: i + 1})
		}
	}
	return out
}
