package offline

import (
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

// answerTold answers toldRules.
func (s *situation) answerTold(w want, a *ask) (answer, bool) {
	switch w {
	case wantRemind:
		return s.noReminder(a), true
	case wantOwner:
		return say("I cannot say who owns or leads a project: that is set by hand on the project’s page. What I can do is assign a task, to you (“assign it to me”) or to a member by e-mail address."), true
	case wantPlans:
		return say(s.waitingPlans()), true
	case wantDid:
		return say(s.lastDone()), true
	case wantAsked:
		return say(s.asked(a)), true
	case wantHistory:
		return say("I cannot list changes by time or by person. What was changed, when and by whom stands on the History page of each project."), true
	case wantUndoOne:
		return say("I take back runs one at a time, the last one first: say “undo”. A single change can be undone on the History page of its project."), true
	}
	return answer{}, false
}

var reminding = groups.Compile(`^(?:(?:remind|notify|alert|ping|nudge|wake) (?:me|us|him|her|them|everyone|everybody|the team|[^ ]+)|(?:set|create|add|make|schedule|i need|give me)(?: me)? (?:{det} |new )*(?:reminder|reminders|alarm|notification))(?: (?:to|about|that|for|of|:))*`)

// atHour is an hour of the day, which no task has.
var atHour = groups.Compile(`at (?:\d[^ ]*|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:o'clock|am|pm|a\.m|p\.m|in the (?:morning|afternoon|evening)))*`)

// noReminder says that nothing reminds here, and how the same becomes a task.
func (s *situation) noReminder(a *ask) answer {
	t := a.text
	if m, ok := atHour.Find(t.Canon()); ok {
		t = t.Drop(m.Range)
	}
	due := ""
	if spans := s.reader.Dates(t); len(spans) > 0 {
		due = ", due " + english.LongDate(spans[0].Day)
		t = t.Drop(english.Range{From: spans[0].From, To: spans[0].To})
	}
	if m, ok := reminding.Find(t.Canon()); ok {
		t = t.Drop(m.Range)
	}
	what := trimJoints(t)
	text := "I cannot remind anybody: I send no messages and know no hours. "
	if what.Len() == 0 {
		return say(text + "A task with a due date shows up under “what is due this week?”; say “add a task: …, due …”.")
	}
	in := ""
	if e, ok := s.homeProject(); ok {
		in = " to " + e.label()
	} else if ps := s.projects(); len(ps) > 0 {
		in = " to " + ps[0].label()
	}
	return say(text + "I can note it as a task, if you say “add a task" + in + ": " + english.Lower(what.Name(english.Range{From: 0, To: what.Len()})) + due + "”.")
}

// waitingPlans names the plans that await a word.
func (s *situation) waitingPlans() string {
	var lines []string
	for _, p := range s.state.Plans {
		if p.waits() {
			lines = append(lines, "- "+quoted(p.Objective)+", version "+itoa(int(p.Version))+", "+english.Plural(len(p.Steps), "step"))
		}
	}
	switch len(lines) {
	case 0:
		return "No plan waits in this conversation."
	case 1:
		return "One plan waits for your word:\n\n" + lines[0]
	}
	return english.Sentence(english.Plural(len(lines), "plan")) + " wait for your word:\n\n" + strings.Join(lines, "\n")
}

// lastDone tells what was done last in the conversation, as far as it can be seen.
func (s *situation) lastDone() string {
	all := outcomes(s.past)
	for i := len(all) - 1; i >= 0; i-- {
		o := all[i]
		if p, ok := readPlanOutput(o); ok && strings.HasPrefix(o.tool, "agent_") {
			if run, ran := p.run(s); ran {
				return narrateRun(run)
			}
			continue
		}
		if e, ok := o.one(); ok && o.env.Success {
			if text := told(o.tool, e); text != "" {
				return text + "."
			}
		}
	}
	if p, ok := s.waiting(); ok {
		return "I have drafted " + planName(p) + ", and nothing else: it waits for your word, and none of it was done."
	}
	return "I see nothing in this conversation that I have changed."
}

// asked quotes what the person said first, or before.
func (s *situation) asked(a *ask) string {
	first := a.has(askedFirst)
	which := ""
	for _, m := range s.past {
		if m.Role == llm.RoleUser && !isNote(m.Content) && (which == "" || !first) {
			which = m.Content
		}
	}
	switch {
	case which == "":
		return "I see no earlier message of yours in this conversation."
	case first:
		return "The first message of yours that I see here is: “" + english.Clip(english.Squeeze(which), 60) + "”."
	}
	return "Before this you said: “" + english.Clip(english.Squeeze(which), 60) + "”."
}

var (
	askedFirst = groups.Compile(`(?:first|original|originally|at the (?:start|beginning))`)
	daysUntil  = groups.Compile(`^(?:how (?:many|much|long)|number of) (?:[^ ]+ ){0,4}?(?:until|till|til|to|before|left|remain|remaining|from now)(?: .*)?$`)
	onlyIf     = groups.Compile(`^(?:(?:(?:yes|yep|okay|sure|fine|alright|agreed|good|well) (?:, |\. )?)+(?:but |and )?(?:only )?(?:if|as long as|provided|unless|on condition) .+|(?:but )?only if .+)`)
)

// countsDays answers "how many days until 30 June?".
func (s *situation) countsDays(a *ask) (answer, bool) {
	if !a.has(daysUntil) || s.today().IsZero() {
		return answer{}, false
	}
	if len(a.dates) != 1 || !a.dates[0].Exact {
		return answer{}, false
	}
	day := a.dates[0].Day
	if a.text.Is(a.dates[0].From, "before") {
		day = day.AddDate(0, 0, 1)
	}
	days := int(day.Sub(s.today()).Hours() / 24)
	name := day.Weekday().String() + ", " + english.LongDate(day)
	switch {
	case days < 0:
		return say(name + " was " + english.Plural(-days, "day") + " ago."), true
	case days == 0:
		return say(name + " is today."), true
	}
	text := name + ": " + english.Plural(days, "day") + " from today"
	if days >= 14 {
		text += ", or " + english.Plural(days/7, "week")
		if days%7 > 0 {
			text += " and " + english.Plural(days%7, "day")
		}
	}
	return say(text + "."), true
}
