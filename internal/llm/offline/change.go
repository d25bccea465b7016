package offline

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// form is a way in which things are changed.
type form struct {
	name  string
	shape english.Pattern // recognises it; the groups target, value and why cut it
}

// forms are tried in order.
var forms = []form{
	{"rename", groups.Compile(`^(?:rename|retitle|relabel)(?: (?P<target>.+?))? (?:to|as|into|->|:) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?:change|set|update|edit|correct|fix) (?:the )?(?:name|title)(?: of| for)?(?: (?P<target>.+?))? (?:to|as|into) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?P<target>.+?) (?:should|must|needs to|has to|is to|shall) (?:now )?be (?:called|named|titled|renamed(?: to)?) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?:call|name|rename|retitle) (?P<target>(?:{det} )?(?:{project}|{task}|{milestone}|it|this|that)) (?P<value>.+)$`)},
	{"describe", groups.Compile(`^(?:describe)(?: (?P<target>.+?))? (?:as|:) (?P<value>.+)$`)},
	{"describe", groups.Compile(`^(?:change|set|update|add|edit|give) (?:{det} )?(?:description|details)(?: of| to| for| on)?(?: (?P<target>.+?))? (?:to|as|:|saying|that) (?P<value>.+)$`)},
	{"assign", groups.Compile(`^(?:assign|reassign|give|hand)(?: (?P<target>.+?))? to (?P<value>.+)$`)},
	{"mine", groups.Compile(`^(?:i|me) (?:will|am going to|can|want to|would like to)? ?(?:do|take|take on|take over|handle|take care of|look after) (?P<target>.+)$`)},
	{"unassign", groups.Compile(`^(?:unassign) (?P<target>.+)$`)},
	{"unblock", groups.Compile(`^(?:unblock|remove the blocker (?:of|from)|clear the blocker (?:of|from|on)) (?P<target>.+)$`)},
	{"unblock", groups.Compile(`^(?P<target>.+?) (?:is|are|got) (?:now |finally )?(?:no longer|not) (?:blocked|stuck|on hold)(?: any ?more)?(?: .*)?$`)},
	{"unblock", groups.Compile(`^(?P<target>.+?) (?:is|has been|was|got|are) (?:now |finally )?unblocked`)},
	{"block", groups.Compile(`^(?:block|mark|set|flag|put)(?: (?P<target>.+?))?(?: (?:as|to))? blocked(?: ?[,:-]?)(?: (?:because|since|by|as|due to|until|on|with|the reason is|reason)(?: of| that| :)?)?(?: (?P<why>.+))?$`)},
	{"block", groups.Compile(`^(?:block)(?: (?P<target>.+?))? (?:because|since|as|due to|until|with|:|on|for)(?: of| that)? (?P<why>.+)$`)},
	{"block", groups.Compile(`^(?:block) (?P<target>.+)$`)},
	{"block", groups.Compile(`^(?P<target>.+?) (?:is|are|got|has been|was) (?:now |currently )?(?:blocked|stuck|held up|stalled)(?: ?[,:-]?)(?: (?:because|since|by|as|due to|until|on|with|waiting for|at)(?: of| that)?)?(?: (?P<why>.+))?$`)},
	{"reopen", groups.Compile(`^(?:reopen|re-open|restart|unarchive|reactivate|resume|undo|uncheck|untick)(?: work on)? (?P<target>.+)$`)},
	{"reopen", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? (?:not done|undone|open|todo|to do|not finished|incomplete|unfinished)(?: again)?$`)},
	{"reopen", groups.Compile(`^(?P<target>.+?) (?:is|are|was) (?:not done|not finished|not complete|not ready|open again|undone)(?: .*)?$`)},
	{"hold", groups.Compile(`^(?:put|set|place|mark|pause|park|shelve)(?: (?P<target>.+?))?(?: as)? on (?:hold|ice|pause)$`)},
	{"hold", groups.Compile(`^(?:pause|park|shelve) (?P<target>.+)$`)},
	{"archive", groups.Compile(`^(?:archive) (?P<target>.+)$`)},
	{"cancel", groups.Compile(`^(?:cancel|drop) (?P<target>.+)$`)},
	{"cancel", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as| to)? (?:canceled|cancelled|not needed|dropped)$`)},
	{"cancel", groups.Compile(`^(?P<target>.+?) (?:is|was|has been) (?:canceled|cancelled|no longer needed|not needed)(?: .*)?$`)},
	{"publish", groups.Compile(`^(?:publish|release) (?P<target>.+)$`)},
	{"start", groups.Compile(`^(?:mark|set|move|put|flag)(?: (?P<target>.+?))?(?: as| to| into)? (?:in progress|in-progress|started|underway|under way|doing|active|ongoing)$`)},
	{"start", groups.Compile(`^(?:start|begin|started|pick up|working|work|i am working|i started|activate|we started|starting)(?: (?:on|working on|work on|with))? (?P<target>.+)$`)},
	{"start", groups.Compile(`^(?P<target>.+?) (?:is|are|has|was) (?:now |already )?(?:in progress|started|underway|under way|active|being worked on)(?: .*)?$`)},
	{"happened", groups.Compile(`^(?:{det} )?risk (?P<target>.+?) (?:has )?(?:happened|materialised|occurred|come true|came true)$`)},
	{"happened", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? (?:happened|occurred|materialised)$`)},
	{"happened", groups.Compile(`^(?P<target>.+?) (?:risk )?(?:has )?(?:happened|materialised|occurred|came true)$`)},
	{"mitigated", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? mitigated$`)},
	{"mitigated", groups.Compile(`^(?P<target>.+?) (?:is|was|has been) (?:now )?mitigated$`)},
	{"missed", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as| to)? missed$`)},
	{"missed", groups.Compile(`^(?:we |i )?(?:have )?missed (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?:mark|set|flag|tick|check|move|put|update|change)(?: (?:the )?status of)?(?: (?P<target>.+?))?(?: off)?(?: as| to| into)? (?:{done}|reached|met|achieved|hit)$`)},
	{"done", groups.Compile(`^(?P<target>[^:]+) : (?:done|finished|complete|completed)$`)},
	{"done", groups.Compile(`^(?:all )?(?:done|finished|completed|complete)(?: with (?P<target>.+))?$`)},
	{"done", groups.Compile(`^(?:tick off|check off|cross off|close off|close out|close|complete|finish|finished|finish off|resolve|resolved|completed|done|tick|wrap up|done with|finished with|i am done with|we are done with|get rid of) (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?:{we}) (?:have |just |finally |already |all )*(?:finished|done|completed|closed|reached|wrapped up|sorted|hit|met|resolved|handled|ticked off|shipped|delivered|made)(?: (?:with|off|out))* (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?P<target>.+?) (?:is|are|was|were|has been|have been|got) (?:now |finally |all |already |just |completely |officially |fully |also )*(?:{done}|reached|met|achieved|hit|signed off|shipped|delivered)(?: (?:now|already|today|yesterday|finally|too|as well))*$`)},
	{"done", groups.Compile(`^(?:tick|check|mark)(?: (?P<target>.+?)) (?:off|done)$`)},
	{"done", groups.Compile(`^(?:{we}) (?:have |just |finally |already )+(?P<target>(?:[a-z]+ed|bought|sent|written|paid|chosen|found|sold|made|built) .+)$`)},
}

// statusOf is the status that a form gives to a kind; "" where it has none.
var statusOf = map[string]map[assent.Kind]string{
	"done":      {assent.KindMilestone: "reached", assent.KindProject: "done", assent.KindGoal: "met", assent.KindRisk: "closed", assent.KindDecision: "decided", assent.KindTask: "done"},
	"reopen":    {assent.KindTask: "todo", assent.KindMilestone: "open", assent.KindProject: "active", assent.KindGoal: "open", assent.KindRisk: "open"},
	"start":     {assent.KindTask: "in_progress", assent.KindProject: "active"},
	"hold":      {assent.KindProject: "on_hold"},
	"archive":   {assent.KindProject: "archived"},
	"cancel":    {assent.KindTask: "cancelled", assent.KindGoal: "dropped", assent.KindDecision: "superseded"},
	"happened":  {assent.KindRisk: "happened"},
	"mitigated": {assent.KindRisk: "mitigated"},
	"missed":    {assent.KindMilestone: "missed"},
}

// naturalKind is the kind that a form is about when no noun says so.
var naturalKind = map[string]assent.Kind{"hold": assent.KindProject, "archive": assent.KindProject, "happened": assent.KindRisk, "mitigated": assent.KindRisk,
	"missed": assent.KindMilestone, "publish": assent.KindDocument}

// change changes one thing.
func (s *situation) change(a *ask) (write, *answer) {
	text := withoutEnd(a.text)
	if m, t, ok := matchForm(text); ok {
		m, next := s.splitRename(m, t)
		if next != nil {
			return write{}, next
		}
		return s.changeBy(m, t, a)
	}
	return s.changeFields(a, text)
}

// formMatch is a form with what it cut out of the words.
type formMatch struct {
	form
	target, value, why english.Text
}

func matchForm(t english.Text) (formMatch, english.Text, bool) {
	c := t.Canon()
	for _, f := range forms {
		m, ok := f.shape.Find(c)
		if !ok {
			continue
		}
		part := func(name string) english.Text { return t.Part(m.Groups[name]) }
		return formMatch{f, part("target"), part("value"), part("why")}, t, true
	}
	return formMatch{}, t, false
}

func withoutEnd(t english.Text) english.Text {
	for t.Len() > 1 && (t.Is(t.Len()-1, ".", "!", "?", "please", "now", ",", "today") && !t.Is(t.Len()-2, "due", "by", "for", "to", "until") || t.Tokens[t.Len()-1].Kind == english.Break) {
		t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
	}
	return t
}

// changeBy makes the change of a form.
func (s *situation) changeBy(m formMatch, whole english.Text, a *ask) (write, *answer) {
	if (m.name == "done" || m.name == "start") && m.target.Len() > 0 && len(s.reader.Dates(m.target)) > 0 && !s.nameHolds(m.target) {
		return s.changeFields(a, whole)
	}
	kind, e, next := s.changed(m.target, naturalKind[m.name])
	if next != nil {
		return write{}, next
	}
	switch m.name {
	case "rename":
		return s.rename(kind, e, m.value), nil
	case "describe":
		return update(kind, e, args{"description": english.Sentence(m.value.String())}, "described anew"), nil
	case "mine":
		return assign(kind, e, "me")
	case "assign", "unassign":
		return assign(kind, e, m.value.String())
	case "block", "unblock":
		return block(kind, e, m)
	case "publish":
		return write{call: call{"publish_document", args{"document_id": e.ID}}, label: "Publish the document " + quoted(e.label()),
			done: "Published the document " + quoted(e.label()) + "."}, nil
	}
	if m.name == "done" && kind == assent.KindTask {
		e.Kind = kind
		return write{on: e, call: call{"complete_task", args{"task_id": e.ID}}, label: "Complete the task " + quoted(e.label()), done: "Done: the task " + quoted(e.label()) + " is complete."}, nil
	}
	status := statusOf[m.name][kind]
	if status == "" {
		a := sayf("A %s cannot be set to that. I can rename it, describe it or change its date, for example.", kind)
		return write{}, &a
	}
	return update(kind, e, args{"status": status}, spokenStatus(status)), nil
}

// nameHolds reports whether a date in words is part of a name rather than a date.
func (s *situation) nameHolds(t english.Text) bool {
	_, _, ok := s.knownProject(t)
	return ok
}

// changed finds the thing that is changed.
func (s *situation) changed(t english.Text, natural assent.Kind) (assent.Kind, entity, *answer) {
	kind, named := nounOf(t)
	m, rest := s.takeProject(t)
	name := target(rest)
	if kind == assent.KindProject && named || !named && (m.named() && (isPronoun(name) || onlyStop(name))) || natural == assent.KindProject && !named {
		if !m.named() && !isPronoun(name) {
			m = mentionOf(s, name)
		}
		f := s.project(m)
		return assent.KindProject, f.entity, f.next
	}
	if !named && natural != "" {
		kind, named = natural, true
	}
	if !named {
		kind = s.kindOfPronoun(name)
	}
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return kind, entity{}, next
	}
	if english.All(name) {
		n := say("I change one thing at a time, so that nothing is touched by mistake. Which one do you mean? Tell me its name.")
		return kind, entity{}, &n
	}
	f := s.thing(kind, name, in)
	if !named && kind == assent.KindTask && !isPronoun(name) {
		return s.taskOrMilestone(name, in, f)
	}
	return kind, f.entity, f.next
}

// sureName is how like its name words must be to mean a thing whatever else has
// a name like that.
const sureName = 0.97

// taskOrMilestone prefers a milestone of exactly that name to a task of a name
// only like it.
func (s *situation) taskOrMilestone(name string, in entity, task found) (assent.Kind, entity, *answer) {
	looking := task.next != nil && len(task.next.calls) > 0
	if looking || task.next == nil && english.Likeness(name, task.label()) == 1 {
		return assent.KindTask, task.entity, task.next
	}
	if _, listed := s.nthListed(assent.KindTask, name); listed {
		return assent.KindTask, task.entity, task.next
	}
	look := call{listTools[assent.KindMilestone], lists(in, assent.KindMilestone)}
	if !s.tried(look) {
		return assent.KindMilestone, entity{}, &answer{calls: []call{look}}
	}
	wanted := max(sureName, english.Likeness(name, task.label()))
	if task.next != nil {
		wanted = sameName
	}
	for _, m := range s.listed(assent.KindMilestone) {
		if like := english.Likeness(name, m.label()); like == 1 || like > wanted {
			return assent.KindMilestone, m, nil
		}
	}
	return assent.KindTask, task.entity, task.next
}

// kindOfPronoun is the kind of what "it" means; of a name it is a task.
func (s *situation) kindOfPronoun(name string) assent.Kind {
	if !isPronoun(name) {
		return assent.KindTask
	}
	for _, k := range []assent.Kind{assent.KindTask, assent.KindMilestone, assent.KindRisk, assent.KindDocument, assent.KindGoal, assent.KindDecision} {
		if _, ok := s.pointedAt(k); ok {
			return k
		}
	}
	if s.state.Entity != nil && s.state.Entity.Kind == assent.KindProject {
		return assent.KindProject
	}
	return assent.KindTask
}

// update is a call of the kind's update tool.
func update(kind assent.Kind, e entity, fields args, become string) write {
	a := args{string(kind) + "_id": e.ID}
	for k, v := range fields {
		a[k] = v
	}
	text := "the " + string(kind) + " " + quoted(e.label())
	e.Kind = kind
	now := "now "
	if strings.HasPrefix(become, "no longer") {
		now = ""
	}
	return write{on: e, call: call{"update_" + string(kind), a}, label: "Change " + text + ": " + become, done: english.Sentence(text) + " is " + now + become + "."}
}

func (s *situation) rename(kind assent.Kind, e entity, value english.Text) write {
	key := "title"
	if kind == assent.KindProject {
		key = "name"
	}
	name := value.Name(english.Range{From: 0, To: value.Len()})
	return update(kind, e, args{key: name}, "called "+quoted(name))
}

func assign(kind assent.Kind, e entity, to string) (write, *answer) {
	if kind != assent.KindTask {
		a := say("Only tasks can be assigned to someone.")
		return write{}, &a
	}
	to = strings.ToLower(strings.Trim(to, " .,!"))
	switch {
	case to == "me" || to == "myself":
		return update(kind, e, args{"assignee_id": "me"}, "assigned to you"), nil
	case to == "" || to == "nobody" || to == "no one":
		return update(kind, e, args{"assignee_id": ""}, "assigned to nobody"), nil
	case strings.Contains(to, "@"):
		return update(kind, e, args{"assignee_id": to}, "assigned to "+to), nil
	}
	a := say("I can assign a task to you (“assign it to me”) or to a member by e-mail address; I cannot look people up by name.")
	return write{}, &a
}

func block(kind assent.Kind, e entity, m formMatch) (write, *answer) {
	if kind != assent.KindTask {
		a := say("Only tasks can be blocked. A project can be put on hold.")
		return write{}, &a
	}
	if m.name == "unblock" {
		return update(kind, e, args{"blocker": ""}, "no longer blocked"), nil
	}
	why := strings.Trim(m.why.String(), " .,")
	if why == "" {
		a := sayf("What should I note as the reason that %s is blocked? One sentence is enough.", quoted(e.label()))
		return write{}, &a
	}
	return update(kind, e, args{"blocker": english.Sentence(why)}, "blocked: "+english.Lower(why)), nil
}

var (
	fieldWords = groups.Compile(`(?:due date|due|deadline|end date|start date|start|priority|date|dates|prioritise|reprioritise|deprioritise|postpone|reschedule|delay|defer|extend|bring forward|push back|push|move|shift|bump|bring|forward|back|set|change|make|give|update|put|raise|lower|increase|decrease|edit|adjust|modify|amend|escalate|downgrade|upgrade|snooze|turn|switch|mark|flag)`)
	noDate     = groups.Compile(`(?:remove|clear|drop|delete|no|without) (?:{det} )?(?:due date|deadline|date)`)
	toGoUp     = groups.Compile(`^(?:prioritise|reprioritise|escalate|raise|increase|bump up|upgrade)`)
	toGoDown   = groups.Compile(`^(?:deprioritise|lower|decrease|downgrade)`)
	barePrio   = groups.Compile(`(?:to|as|is|are|be|a|now|make .+|it) (?P<level>urgent|critical|high|low|normal|important|top|highest|lowest)(?: priority)?(?: [.!])*$`)
	toPlace    = groups.Compile(`^(?:move|put|shift|assign|add) (?P<target>.+?) (?:to|under|into|in) (?:{det} )?(?:(?:milestone|phase|stage) (?P<place>.+)|(?P<before>[^.,;]+?) (?:milestone|phase|stage))$`)
	startDate  = groups.Compile(`(?:start date|starts|start)`)
)

// changeFields changes dates, priority or milestone: what is not such a word is
// the name of the thing.
func (s *situation) changeFields(a *ask, t english.Text) (write, *answer) {
	if m, ok := toPlace.Find(t.Canon()); ok {
		return s.moveTask(t, m)
	}
	fields, become, rest := args{}, []string{}, t
	shift, shiftRange, shifted := english.Shift{}, english.Range{}, false
	if sh, from, to, ok := english.FindShift(t); ok {
		shift, shiftRange, shifted = sh, english.Range{From: from, To: to}, true
	}
	var drop []english.Range
	if shifted {
		drop = append(drop, shiftRange)
	} else {
		for _, d := range s.reader.Dates(t) {
			key := "due_date"
			if d.Role == english.Start || startDate.In(t.Canon()) {
				key = "start_date"
			}
			fields[key] = d.Day.Format(time.DateOnly)
			become = append(become, map[string]string{"due_date": "due ", "start_date": "starting "}[key]+english.LongDate(d.Day))
			drop = append(drop, english.Range{From: d.From, To: d.To})
		}
	}
	if noDate.In(t.Canon()) && len(fields) == 0 {
		fields["due_date"], become = "", []string{"without a due date"}
	}
	rest = trimEdges(t.Drop(drop...))
	if p := changedPriority(rest); p != "" && fields["start_date"] == nil {
		fields["priority"], become = p, append(become, p+" priority")
	}
	if in, ok := s.wholeProject(rest); ok && shifted {
		return write{}, s.shiftProject(a, in, shift)
	}
	kind, e, next := s.changedFields(rest)
	switch {
	case len(fields) == 0 && !shifted && narration(t):
		n := s.lost()
		return write{}, &n
	case len(fields) == 0 && !shifted:
		n := say("How should what change? You can rename things, set their date, priority or status, or mark them done; for example “move the due date of “Book venue” to next Friday”.")
		return write{}, &n
	case next != nil:
		return write{}, next
	case shifted:
		return s.shifted(kind, e, shift)
	}
	return finishFields(kind, e, fields, become)
}

// changedFields finds the thing whose fields are changed; a project that the
// state knows is taken out first, since "move" and "start" may be parts of names.
func (s *situation) changedFields(t english.Text) (assent.Kind, entity, *answer) {
	e, r, ok := s.knownProject(t)
	if !ok {
		return s.changed(withoutFields(t), "")
	}
	left := withoutFields(t.Drop(r))
	name := target(left, "project")
	if isPronoun(name) || onlyStop(name) {
		return assent.KindProject, e, nil
	}
	kind, named := nounOf(left)
	if !named || kind == assent.KindProject {
		kind = assent.KindTask
	}
	f := s.thing(kind, name, e)
	return kind, f.entity, f.next
}

// finishFields drops fields that the kind does not have.
func finishFields(kind assent.Kind, e entity, fields args, become []string) (write, *answer) {
	if kind != assent.KindTask {
		delete(fields, "priority")
	}
	if kind != assent.KindProject {
		if v, ok := fields["start_date"]; ok {
			delete(fields, "start_date")
			fields["due_date"] = v
		}
	}
	if kind == assent.KindRisk || kind == assent.KindGoal || kind == assent.KindDocument || len(fields) == 0 {
		a := sayf("A %s has no such field. Tasks have a date and a priority; milestones and projects have a date.", kind)
		return write{}, &a
	}
	return update(kind, e, fields, english.Join(become)), nil
}

// withoutFields drops the words that say what is changed, so that the name of
// the thing is left.
func withoutFields(t english.Text) english.Text {
	var drop []english.Range
	for i := range t.Tokens {
		if t.Is(i, "due", "deadline", "date", "dates", "priority", "prioritise", "reprioritise", "deprioritise", "postpone", "reschedule", "delay", "defer", "extend", "push", "move", "shift", "bump",
			"bring", "forward", "back", "set", "change", "make", "give", "update", "put", "raise", "lower", "increase", "decrease", "edit", "adjust", "modify", "amend", "escalate", "downgrade", "snooze", "urgent", "critical",
			"high", "low", "normal", "important", "top", "highest", "lowest", "remove", "clear", "should", "must", "be", "is", "are", "now", "to", "of", "by", "for", "on", "until", "high-priority", "mark", "flag", "as", "a", "an", "out", "up", "down", "has", "have", "needs", "start", "starts", "end", "turn", "switch", "more", "will", "no", "longer", "any", "anymore", "and", "also", "into", "from", "need", "we", "i", "later", "earlier", "slips", "slipped", "slides", "moves", "moved", "postponed", "delayed", "pull") && t.Tokens[i].Kind == english.Word && !t.Tokens[i].Capital || t.Tokens[i].Kind == english.Word && i == 0 && fieldWords.In(t.Part(english.Range{From: 0, To: 1}).Canon()) {
			drop = append(drop, english.Range{From: i, To: i + 1})
		}
	}
	return keepInside(t, drop)
}

// keepInside gives the longest run of words that is left, so that "of" and "to"
// inside a name survive.
func keepInside(t english.Text, drop []english.Range) english.Text {
	gone := map[int]bool{}
	for _, d := range drop {
		gone[d.From] = true
	}
	first, last := -1, -1
	for i := range t.Tokens {
		if !gone[i] && t.Tokens[i].Kind != english.Punct && t.Tokens[i].Kind != english.Break && !t.Is(i, "the", "my", "our", "this", "that") {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return english.Text{Raw: t.Raw}
	}
	for first > 0 && t.Is(first-1, "the", "my", "our", "this", "that") {
		first--
	}
	return t.Part(english.Range{From: first, To: last + 1})
}

// changedPriority is the priority that words set.
func changedPriority(t english.Text) string {
	c := t.Canon()
	if p := readPriority(t); p != "" {
		return p
	}
	if m, ok := barePrio.Find(c); ok {
		return priorityOf(t.Part(m.Groups["level"]).Canon().Line)
	}
	switch {
	case toGoUp.In(c):
		return "high"
	case toGoDown.In(c):
		return "low"
	}
	return ""
}

// shifted moves the date that a thing has now.
func (s *situation) shifted(kind assent.Kind, e entity, shift english.Shift) (write, *answer) {
	due, ok := english.ParseDay(e.DueDate)
	if !ok {
		if get, known := getTools[kind]; known {
			if c := (call{get.tool, args{get.key: e.ID}}); !s.tried(c) {
				a := answer{calls: []call{c}}
				return write{}, &a
			}
			if o, found := s.latest(get.tool); found {
				if read, fine := o.one(); fine {
					due, ok = english.ParseDay(read.DueDate)
				}
			}
		}
	}
	if !ok {
		a := sayf("%s has no due date yet, so there is nothing to move. Tell me a date, for example “due next Friday”.", quoted(e.label()))
		return write{}, &a
	}
	day := shift.Apply(due)
	return update(kind, e, args{"due_date": day.Format(time.DateOnly)}, "due "+english.LongDate(day)+" (it was "+english.LongDate(due)+")"), nil
}

// moveTask puts a task under a milestone.
func (s *situation) moveTask(t english.Text, m english.Match) (write, *answer) {
	r, ok := m.Groups["place"]
	if !ok {
		r = m.Groups["before"]
	}
	mention, rest := s.takeProject(t.Part(m.Groups["target"]))
	in, next := s.inMention(mention)
	if next != nil && mention.named() {
		return write{}, next
	}
	task := s.thing(assent.KindTask, target(rest), in)
	if task.next != nil {
		return write{}, task.next
	}
	if in.ID == "" {
		in = entity{ID: task.ProjectID}
	}
	place := s.thing(assent.KindMilestone, target(t.Part(r)), in)
	if place.next != nil {
		return write{}, place.next
	}
	return update(assent.KindTask, task.entity, args{"milestone_id": place.ID}, "under the milestone "+quoted(place.label())), nil
}
