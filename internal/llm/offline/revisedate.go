package offline

import (
	"strings"
	"time"

	"assent/internal/llm/offline/english"
)

// date sets the deadline, the start, or the date of a milestone, task or step.
func (r *revision) date(t english.Text) bool {
	spans := r.s.reader.Dates(t)
	if len(spans) == 0 {
		return false
	}
	if done, several := r.severalDates(t, spans); several {
		return done
	}
	d := spans[len(spans)-1] // "from March to April": the last one counts
	if d.Day.Before(r.s.today()) {
		return r.fail(english.LongDate(d.Day) + " has gone by.")
	}
	rest := withoutSpans(t, spans)
	if d.Role == english.Start || startDate.In(rest.Canon()) {
		return r.setStart(d.Day)
	}
	if n, ok := ordinalMilestone(rest); ok {
		if i, k, found := r.nthMilestone(n); found {
			return r.setMilestoneDate(i, k, d.Day)
		}
	}
	return r.dateOf(rest, d.Day)
}

func withoutSpans(t english.Text, spans []english.Span) english.Text {
	var drop []english.Range
	for _, sp := range spans {
		drop = append(drop, english.Range{From: sp.From, To: sp.To})
	}
	return t.Drop(drop...)
}

// dateOf dates what words name: a milestone, the whole plan, a step, a task.
func (r *revision) dateOf(t english.Text, day time.Time) bool {
	name := datedName(t)
	step, index, isMilestone := r.milestoneLike(name)
	own := english.Likeness(name, r.projectName())
	switch {
	case isMilestone && !isPronoun(name) && !onlyStop(name) && own < sameName:
		return r.setMilestoneDate(step, index, day)
	case r.just != "" && isPronoun(name):
		return r.dateJust(day)
	case isPronoun(name), onlyStop(name), own >= fits, everythingWords.In(read(name).Canon()):
		return r.setDeadline(day)
	}
	if i, ok := stepNamed(t, r.doc.Steps); ok {
		return r.setStepDate(i, day)
	}
	if isMilestone {
		return r.setMilestoneDate(step, index, day)
	}
	if i, ok := r.titled(name); ok {
		return r.setStepDate(i, day)
	}
	return r.setTaskDate(name, day) || r.fail("I found nothing called "+quoted(name)+" in the plan to give a date to.")
}

// datedName is the name of what gets a date; "it" where the words only say how it moves.
func datedName(t english.Text) string {
	name := target(withoutFields(t), "project", "finish", "finished", "done", "ready", "everything", "whole", "thing", "end", "ends", "all", "it", "milestone", "hit", "reached", "instead",
		"bit", "little", "later", "earlier", "sooner", "say", "maybe", "perhaps", "please", "can", "could", "we", "have", "a")
	switch strings.ToLower(name) {
	case "later", "earlier", "sooner":
		return "it"
	}
	return name
}

// dateJust dates what the change before this one added.
func (r *revision) dateJust(day time.Time) bool {
	if i, ok := r.titled(r.just); ok {
		return r.setStepDate(i, day)
	}
	return r.setTaskDate(r.just, day) || r.fail(quoted(r.just)+" stands in a milestone’s list of tasks, which have no dates of their own; add it outside of the milestone to date it.")
}

// severalDates gives each of several things its own date: "make the venue due 1
// May and the fair 2 May". several is false where the words hold but one change.
func (r *revision) severalDates(t english.Text, spans []english.Span) (done, several bool) {
	if len(spans) < 2 {
		return false, false
	}
	var parts []english.Text
	from := 0
	for k, sp := range spans {
		part := t.Part(english.Range{From: from, To: sp.To})
		name := target(withoutFields(part.Drop(english.Range{From: sp.From - from, To: sp.To - from})))
		if isPronoun(name) || onlyStop(name) || r.likeness(read(name)) < fits || k > 0 && !t.Is(from, "and", ",") {
			return false, false
		}
		parts, from = append(parts, part), sp.To
	}
	if from < t.Len() {
		return false, false
	}
	for _, p := range parts {
		if !r.date(trimEdges(p)) {
			return false, true
		}
	}
	return true, true
}

func (r *revision) projectName() string {
	if i := r.projectStep(); i >= 0 {
		return plain(argsOf(r.doc.Steps[i].Arguments).text("name"))
	}
	return ""
}

func (r *revision) setMilestoneDate(step, index int, day time.Time) bool {
	ms := milestonesOf(argsOf(r.doc.Steps[step].Arguments))
	ms[index].DueDate = day.Format(time.DateOnly)
	r.setMilestones(step, ms)
	return true
}

func (r *revision) setStepDate(i int, day time.Time) bool {
	if i == r.projectStep() {
		return r.setDeadline(day)
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	a["due_date"] = day.Format(time.DateOnly)
	r.set(i, a)
	return true
}

func (r *revision) setTaskDate(name string, day time.Time) bool {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok && english.Likeness(name, plain(args(m).text("title"))) >= fits {
				m["due_date"] = day.Format(time.DateOnly)
				r.set(i, a)
				return true
			}
		}
	}
	return false
}
