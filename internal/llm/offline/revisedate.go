package offline

import (
	"slices"
	"strings"
	"time"

	"assent/internal/llm/offline/english"
)

// shift moves the deadline, or one milestone, by a span: "push it back two
// weeks".
func (r *revision) shift(t english.Text) bool {
	s, from, to, ok := english.FindShift(t)
	if !ok {
		return false
	}
	rest := withoutFields(t.Drop(english.Range{From: from, To: to}))
	name := target(rest)
	if r.just != "" && isPronoun(name) {
		return r.fail(quoted(r.just) + " has no date yet that could be moved.")
	}
	if everythingWords.In(read(name).Canon()) {
		return r.shiftAll(s)
	}
	if i, k, found := r.milestoneLike(name); found && !isPronoun(name) {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		d, dated := english.ParseDay(ms[k].DueDate)
		if !dated {
			return r.fail("That milestone has no date yet.")
		}
		ms[k].DueDate = s.Apply(d).Format(time.DateOnly)
		r.setMilestones(i, ms)
		return true
	}
	_, due := r.deadline()
	if due.IsZero() {
		return r.fail("The plan has no deadline that could be moved. Tell me a date.")
	}
	return r.setDeadline(s.Apply(due))
}

// shiftAll moves every date of the plan by the same span.
func (r *revision) shiftAll(by english.Shift) bool {
	had := false
	moved := func(date string) string {
		d, ok := english.ParseDay(date)
		if had = had || ok; !ok {
			return date
		}
		return r.notPast(by.Apply(d)).Format(time.DateOnly)
	}
	for i := range r.doc.Steps {
		a := argsOf(r.doc.Steps[i].Arguments)
		for _, key := range []string{"start_date", "due_date"} {
			if a.text(key) != "" {
				a[key] = moved(a.text(key))
			}
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok && args(m).text("due_date") != "" {
				m["due_date"] = moved(args(m).text("due_date"))
			}
		}
		if ms := milestonesOf(a); len(ms) > 0 {
			for k := range ms {
				ms[k].DueDate = moved(ms[k].DueDate)
			}
			a["milestones"] = ms
		}
		if len(a) > 0 {
			r.set(i, a)
		}
	}
	return had || r.fail("There is no date in the plan that could be moved.")
}

// notPast is the day, or today where it has gone by.
func (r *revision) notPast(day time.Time) time.Time {
	if day.Before(r.s.today()) {
		return r.s.today()
	}
	return day
}

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
	var drop []english.Range
	for _, sp := range spans {
		drop = append(drop, english.Range{From: sp.From, To: sp.To})
	}
	rest := t.Drop(drop...)
	if d.Role == english.Start || startDate.In(rest.Canon()) {
		return r.setStart(d.Day)
	}
	if n, ok := ordinalMilestone(rest); ok {
		if i, k, found := r.nthMilestone(n); found {
			return r.setMilestoneDate(i, k, d.Day)
		}
	}
	name := target(withoutFields(rest), "project", "finish", "finished", "done", "ready", "everything", "whole", "thing", "end", "ends", "all", "it", "milestone", "hit", "reached", "instead")
	if i, k, ok := r.milestoneLike(name); ok && !isPronoun(name) && !onlyStop(name) && english.Likeness(name, r.projectName()) < sameName {
		return r.setMilestoneDate(i, k, d.Day)
	}
	if r.just != "" && isPronoun(name) {
		name = r.just
		if i, ok := r.titled(name); ok {
			return r.setStepDate(i, d.Day)
		}
		return r.setTaskDate(name, d.Day) || r.fail(quoted(name)+" stands in a milestone’s list of tasks, which have no dates of their own; add it outside of the milestone to date it.")
	}
	if everythingWords.In(read(name).Canon()) {
		return r.setDeadline(d.Day)
	}
	if isPronoun(name) || onlyStop(name) || english.Likeness(name, r.projectName()) >= fits || strings.EqualFold(name, "everything") || strings.EqualFold(name, "all") {
		return r.setDeadline(d.Day)
	}
	if i, ok := stepNamed(rest, r.doc.Steps); ok {
		return r.setStepDate(i, d.Day)
	}
	if i, k, ok := r.milestoneLike(name); ok {
		return r.setMilestoneDate(i, k, d.Day)
	}
	if i, ok := r.titled(name); ok {
		return r.setStepDate(i, d.Day)
	}
	return r.setTaskDate(name, d.Day) || r.fail("I found nothing called "+quoted(name)+" in the plan to give a date to.")
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

func (r *revision) setStart(day time.Time) bool {
	i := r.projectStep()
	if i < 0 {
		return r.fail("The plan creates no project that could start then.")
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	if due, ok := english.ParseDay(a.text("due_date")); ok && due.Before(day) {
		return r.fail("That start lies after the deadline of " + english.LongDate(due) + ".")
	}
	a["start_date"] = day.Format(time.DateOnly)
	r.set(i, a)
	for _, k := range r.lists() {
		if ms := milestonesOf(argsOf(r.doc.Steps[k].Arguments)); anyBefore(ms, day) {
			r.respread(k, ms)
		}
	}
	return true
}

func anyBefore(ms []milestone, day time.Time) bool {
	return slices.ContainsFunc(ms, func(m milestone) bool {
		due, ok := english.ParseDay(m.DueDate)
		return ok && due.Before(day)
	})
}

// setDeadline moves the deadline and, in proportion, every date before it.
func (r *revision) setDeadline(day time.Time) bool {
	step, old := r.deadline()
	if step < 0 {
		return r.fail("There is nothing in the plan that has a deadline.")
	}
	if day.Before(r.s.today()) {
		return r.fail("That would be " + english.LongDate(day) + ", which has gone by.")
	}
	a := argsOf(r.doc.Steps[step].Arguments)
	a["due_date"] = day.Format(time.DateOnly)
	if start, ok := english.ParseDay(a.text("start_date")); ok && !start.Before(day) {
		r.moveStart(a, start, old, day)
	}
	r.set(step, a)
	if r.projectStep() < 0 {
		return true
	}
	for i := range r.doc.Steps {
		if i != step {
			r.rescaleStep(i, old, day)
		}
	}
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if old.IsZero() {
			r.respread(i, ms)
			continue
		}
		for k := range ms {
			ms[k].DueDate = r.rescaled(ms[k].DueDate, old, day)
		}
		r.setMilestones(i, ms)
	}
	return true
}

// moveStart keeps the start as long before the deadline as it was.
func (r *revision) moveStart(a args, start, old, day time.Time) {
	if old.IsZero() {
		delete(a, "start_date")
		return
	}
	a["start_date"] = r.notPast(start.Add(day.Sub(old))).Format(time.DateOnly)
}

func (r *revision) rescaleStep(i int, old, day time.Time) {
	a := argsOf(r.doc.Steps[i].Arguments)
	if due := a.text("due_date"); due != "" && !old.IsZero() {
		a["due_date"] = r.rescaled(due, old, day)
	}
	list, _ := a["tasks"].([]any)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok && args(m).text("due_date") != "" && !old.IsZero() {
			m["due_date"] = r.rescaled(args(m).text("due_date"), old, day)
		}
	}
	if len(a) > 0 {
		r.set(i, a)
	}
}

// rescaled keeps a date's share of the time between start and deadline.
func (r *revision) rescaled(date string, old, day time.Time) string {
	d, ok := english.ParseDay(date)
	begin := r.begin()
	span := old.Sub(begin).Hours() / 24
	if !ok || span <= 0 || d.Before(begin) {
		return date
	}
	if !d.Before(old) {
		return day.Format(time.DateOnly)
	}
	share := d.Sub(begin).Hours() / 24 / span
	days := int(share*day.Sub(begin).Hours()/24 + 0.5)
	return english.Between(begin, day, days).Format(time.DateOnly)
}

// syncDocument brings dates and milestones in the context document in line with
// the changed plan.
func (r *revision) syncDocument() {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		body := a.text("body")
		if st.Tool != "publish_document" || body == "" {
			continue
		}
		if p := r.projectStep(); p >= 0 {
			if due := argsOf(r.doc.Steps[p].Arguments).text("due_date"); due != "" {
				body = replaceLine(body, "- Due: ", "- Due: "+long(due))
			} else {
				body = replaceLine(body, "- Due: ", "- Due: no date was given")
			}
		}
		a["body"] = replaceSection(body, "## Milestones\n\n", r.milestoneLines())
		r.set(i, a)
	}
}

// milestoneLines lists the milestones of the plan; empty if it names none, since
// then they come from a template and the list there stays.
func (r *revision) milestoneLines() string {
	var b strings.Builder
	n := 0
	line := func(title, due string) {
		n++
		b.WriteString(itoa(n) + ". " + title + datedText(due) + "\n")
	}
	for _, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if st.Tool == "create_milestone" {
			line(a.text("title"), a.text("due_date"))
		}
		for _, m := range milestonesOf(a) {
			line(m.Title, m.DueDate)
		}
	}
	return b.String()
}

func replaceLine(body, start, with string) string {
	at := strings.Index(body, "\n"+start)
	if at < 0 {
		return body
	}
	end := strings.Index(body[at+1:], "\n")
	if end < 0 {
		return body[:at+1] + with
	}
	return body[:at+1] + with + body[at+1+end:]
}

// replaceSection puts lines behind a heading, up to the next one.
func replaceSection(body, heading, lines string) string {
	at := strings.Index(body, heading)
	if at < 0 || lines == "" || strings.HasPrefix(body[at+len(heading):], "From the template") && !strings.Contains(lines, "\n2.") {
		return body
	}
	rest := body[at+len(heading):]
	end := strings.Index(rest, "\n## ")
	if end < 0 {
		return body[:at+len(heading)] + lines
	}
	return body[:at+len(heading)] + lines + rest[end:]
}
