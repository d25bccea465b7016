package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

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
	shift, from, to, shifted := english.FindShift(t)
	fields, become, rest := args{}, []string{}, t
	if shifted {
		rest = t.Drop(english.Range{From: from, To: to})
	} else {
		fields, become, rest = s.dateFields(t)
	}
	rest = trimEdges(rest)
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

// dateFields are the dates that words set, how to say so, and the rest of the words.
func (s *situation) dateFields(t english.Text) (fields args, become []string, rest english.Text) {
	fields = args{}
	spans := s.reader.Dates(t)
	for _, d := range spans {
		key, says := "due_date", "due "
		if d.Role == english.Start || startDate.In(t.Canon()) {
			key, says = "start_date", "starting "
		}
		fields[key] = d.Day.Format(time.DateOnly)
		become = append(become, says+english.LongDate(d.Day))
	}
	if noDate.In(t.Canon()) && len(fields) == 0 {
		fields["due_date"], become = "", []string{"without a due date"}
	}
	return fields, become, withoutSpans(t, spans)
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
