package offline

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var renamings = []english.Pattern{
	groups.Compile(`^(?:call|name) (?P<target>it|that|this|the project|the (?:first|second|third|fourth|fifth|last) (?:milestone|task|step)|step \d+) (?P<value>.+)$`),
	groups.Compile(`^(?:rename|retitle|change the name of|change the title of|change the name|change the title)(?: (?P<target>.+?))? (?:to|as|into) (?P<value>.+)$`),
	groups.Compile(`^(?:rename|retitle) (?P<target>it|that|this|the project|the (?:first|second|third|fourth|fifth|last) (?:milestone|task|step)|step \d+) (?P<value>.+)$`),
	groups.Compile(`^(?P<target>.+?) (?:should|must|needs to|has to|is to|shall) be (?:called|named|titled) (?P<value>.+)$`),
	groups.Compile(`^(?:the )?(?P<target>project|name|title|project name) (?:should|must|is|:|will be)(?: be)? (?P<value>.+)$`),
	groups.Compile(`^(?:change|replace|swap|set|turn|update) (?P<target>.+?) (?:to|with|by|into|for) (?P<value>.+)$`),
}

// renameTo is the place in renamings of "rename A to B".
const renameTo = 1

// rename gives the project, a milestone, a task or a step another name.
func (r *revision) rename(t english.Text) bool {
	c := t.Canon()
	for n, p := range renamings {
		m, ok := p.Find(c)
		if !ok {
			continue
		}
		value, about := t.Part(m.Groups["value"]), t.Part(m.Groups["target"])
		outright := n < len(renamings)-2
		if n == len(renamings)-1 && (len(r.s.reader.Dates(value)) > 0 || changedPriority(value) != "" || isCountOf(value) || fieldNoun.In(about.Canon()) && !nameNoun.In(about.Canon())) {
			return false
		}
		if n == len(renamings)-2 && (!nameNoun.In(about.Canon()) || len(r.s.reader.Dates(value)) > 0) {
			return false
		}
		if n == renameTo && m.Groups["target"].To > m.Groups["target"].From {
			split, ok := chooseSplit(splits(t, m.Groups["target"].From), r.likeness)
			if !ok {
				return r.fail(bothReadings(split))
			}
			if len(split) == 1 {
				about, value = split[0].target, split[0].value
			}
		}
		return r.renameAs(about, value.Name(english.Range{From: 0, To: value.Len()}), outright)
	}
	return false
}

// likeness is how well words name something that the plan makes.
func (r *revision) likeness(t english.Text) float64 {
	name := target(t, "name", "title", "of")
	if _, ok := stepNamed(t, r.doc.Steps); ok || isPronoun(name) {
		return 1
	}
	if _, ok := ordinalMilestone(t); ok {
		return 1
	}
	top := english.Likeness(name, r.projectName())
	for _, title := range planTitles(r.doc.Steps) {
		top = max(top, english.Likeness(name, title))
	}
	return top
}

var (
	fieldNoun = groups.Compile(`(?:deadline|date|due date|priority|start|start date|end|end date|description|status|order|due|template)`)
	nameNoun  = groups.Compile(`(?:name|title|project)`)
)

func isCountOf(t english.Text) bool {
	_, next, ok := t.Count(0)
	return ok && t.Is(next, "milestones", "milestone", "tasks", "task", "steps", "risks")
}

func (r *revision) renameAs(about english.Text, value string, outright bool) bool {
	name := target(about, "name", "title", "of")
	if name == "" || isPronoun(name) || strings.EqualFold(name, "project name") || strings.EqualFold(name, "name") || strings.EqualFold(name, "title") {
		return r.renameProject(value)
	}
	if n, ok := ordinalMilestone(about); ok {
		return r.renameNth(n, value)
	}
	if i, ok := stepNamed(about, r.doc.Steps); ok {
		return r.renameStep(i, value)
	}
	if i, k, ok := r.milestoneLike(name); ok {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		ms[k].Title = literal(value)
		r.setMilestones(i, ms)
		return true
	}
	if r.renameTask(name, value) {
		return true
	}
	if i, ok := r.titled(name); ok {
		return r.renameStep(i, value)
	}
	if i := r.projectStep(); i >= 0 && english.Likeness(name, plain(argsOf(r.doc.Steps[i].Arguments).text("name"))) >= fits {
		return r.renameProject(value)
	}
	if outright {
		return r.fail("I found nothing called " + quoted(name) + " in the plan.")
	}
	return false
}

func (r *revision) renameProject(value string) bool {
	i := r.projectStep()
	if i < 0 {
		return r.fail("The plan creates no project that could be renamed.")
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	old := plain(a.text("name"))
	a["name"] = literal(value)
	r.set(i, a)
	for k := range r.doc.Steps {
		r.doc.Steps[k].Label = strings.ReplaceAll(r.doc.Steps[k].Label, quoted(old), quoted(value))
	}
	r.doc.Objective = strings.ReplaceAll(r.doc.Objective, quoted(old), quoted(value))
	return true
}

func (r *revision) renameNth(n int, value string) bool {
	if lists := r.lists(); len(lists) > 0 {
		i := lists[0]
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if n == english.Last {
			n = len(ms)
		}
		if n >= 1 && n <= len(ms) {
			ms[n-1].Title = literal(value)
			r.setMilestones(i, ms)
			return true
		}
	}
	return r.fail("The plan has no such milestone.")
}

func (r *revision) renameStep(i int, value string) bool {
	st := &r.doc.Steps[i]
	a := argsOf(st.Arguments)
	key := "title"
	if a.text("name") != "" {
		key = "name"
	}
	if old := a.text(key); old != "" {
		if st.Tool == "create_project" {
			return r.renameProject(value)
		}
		a[key] = literal(value)
		st.Label = strings.ReplaceAll(st.Label, quoted(plain(old)), quoted(value))
		r.set(i, a)
		return true
	}
	return r.fail("Step " + itoa(i+1) + " makes nothing that has a name of its own.")
}

func (r *revision) renameTask(name, value string) bool {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		ms := milestonesOf(a)
		for k := range ms {
			for n, title := range ms[k].Tasks {
				if english.Likeness(name, plain(title)) >= 0.7 {
					ms[k].Tasks[n] = literal(value)
					r.setMilestones(i, ms)
					return true
				}
			}
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok && english.Likeness(name, plain(args(m).text("title"))) >= 0.7 {
				m["title"] = literal(value)
				r.set(i, a)
				return true
			}
		}
	}
	return false
}

// count changes how many milestones or tasks there are.
func (r *revision) count(t english.Text) bool {
	for i := range t.Tokens {
		n, next, ok := t.Count(i)
		if !ok || n < 1 {
			continue
		}
		for t.Is(next, "of", "the", "first", "more", "milestones'") {
			next++
		}
		first := t.Is(0, "add", "include", "insert", "another") || t.Is(i+1, "more")
		switch {
		case first:
			return false
		case t.Is(next, "milestone", "milestones", "phases", "stages"):
			return r.keepMilestones(n, t.Is(i-1, "first") || t.Is(i+1, "first"))
		case t.Is(next, "task", "tasks"):
			return r.keepTasks(n, t)
		case t.Is(next, "step", "steps") && t.Is(0, "only", "just", "keep"):
			return r.fail("I cannot tell which steps should stay. Say which ones to leave out, by number.")
		}
	}
	return false
}

func (r *revision) keepMilestones(n int, firstOnes bool) bool {
	if lists := r.lists(); len(lists) > 0 {
		i := lists[0]
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		switch {
		case firstOnes && n < len(ms):
			ms = ms[:n]
		case n < len(ms):
			ms = evenly(ms, n)
		case n > len(ms):
			ms = r.moreMilestones(ms, n)
		}
		r.setMilestones(i, ms)
		r.respread(i, ms)
		return true
	}
	return r.templateMilestones(n)
}

// templateMilestones takes n of the template's milestones into the plan, where
// the conversation has shown the template.
func (r *revision) templateMilestones(n int) bool {
	i := r.projectStep()
	if i < 0 {
		return r.fail("The plan creates no milestones.")
	}
	id := argsOf(r.doc.Steps[i].Arguments).text("template_id")
	for _, o := range append(outcomes(r.s.past), r.s.results...) {
		for _, tpl := range templatesOf(o) {
			if o.tool == "list_templates" && tpl.ID == id && id != "" && len(tpl.milestones) >= n {
				ms := escaped(fromTemplate(tpl.milestones, n))
				r.setMilestones(i, ms)
				r.respread(i, ms)
				return true
			}
		}
	}
	return r.fail("The plan lists no milestones of its own; they come from the template when the project is made.")
}

func evenly(ms []milestone, n int) []milestone {
	out := make([]milestone, n)
	for i := range out {
		out[i] = ms[(i+1)*len(ms)/n-1]
	}
	return out
}

// moreMilestones fills up with milestones of the kind of project that are not
// there yet, before the last one.
func (r *revision) moreMilestones(ms []milestone, n int) []milestone {
	kind, _ := archetypeOf(r.doc.Objective)
	for _, p := range append(kind.phases, archetypes[len(archetypes)-1].phases...) {
		known := false
		for _, m := range ms {
			known = known || english.Likeness(p.title, plain(m.Title)) >= sameMilestone
		}
		if !known && len(ms) < n {
			at := max(0, len(ms)-1)
			ms = append(ms[:at:at], append([]milestone{{Title: p.title, Tasks: p.taskList()}}, ms[at:]...)...)
		}
	}
	return ms
}

// respread dates a step's milestones anew between start and deadline.
func (r *revision) respread(i int, ms []milestone) {
	step, due := r.deadline()
	if step < 0 || due.IsZero() {
		return
	}
	begin := r.begin()
	if !due.After(begin) {
		return
	}
	for k, d := range english.Spread(begin, due, len(ms)) {
		ms[k].DueDate = d.Format(time.DateOnly)
	}
	r.setMilestones(i, ms)
}

// begin is the day from which the plan's dates run.
func (r *revision) begin() time.Time {
	if i := r.projectStep(); i >= 0 {
		if d, ok := english.ParseDay(argsOf(r.doc.Steps[i].Arguments).text("start_date")); ok && d.After(r.s.today()) {
			return d
		}
	}
	return r.s.today()
}

func (r *revision) keepTasks(n int, t english.Text) bool {
	each := t.Is(t.Len()-1, "each", "milestone")
	o := outline{}
	if lists := r.lists(); len(lists) > 0 {
		i := lists[0]
		o.milestones = milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if each {
			for k := range o.milestones {
				o.milestones[k].Tasks = o.milestones[k].Tasks[:min(n, len(o.milestones[k].Tasks))]
			}
		} else {
			o.keepTasks(n)
		}
		r.setMilestones(i, o.milestones)
		return true
	}
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if list, ok := a["tasks"].([]any); ok && n < len(list) {
			a["tasks"] = list[:n]
			r.set(i, a)
			r.relabelTasks(i, n)
			return true
		}
	}
	return r.fail("The plan lists no tasks of its own that I could count down to that.")
}

// priority sets the priority of the tasks that the plan creates.
func (r *revision) priority(t english.Text) bool {
	p := changedPriority(t)
	if p == "" {
		return false
	}
	name := target(withoutFields(t), "priority", "all", "every", "everything", "tasks", "them", "them all")
	if i, ok := r.titled(name); ok && !isPronoun(name) && !onlyStop(name) {
		a := argsOf(r.doc.Steps[i].Arguments)
		a["priority"] = p
		r.set(i, a)
		return true
	}
	return r.setPriority(p)
}

func (r *revision) setPriority(p string) bool {
	had := false
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if st.Tool == "create_task" || st.Tool == "update_task" {
			a["priority"], had = p, true
			if p == "" {
				delete(a, "priority")
			}
			r.set(i, a)
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok {
				m["priority"], had = p, true
				if p == "" {
					delete(m, "priority")
				}
			}
		}
		if had && len(list) > 0 {
			r.set(i, a)
		}
	}
	if !had {
		return r.fail("The tasks of this plan come with their milestones, so they get the normal priority; change it after they are made.")
	}
	return true
}

var describing = groups.Compile(`^(?:describe (?:it|the project) as|(?:set|change|make|add|give it) (?:a |the )?description(?: of the project)?(?: to| as| :)?|description(?: :| should be| is)?|the description should (?:be|say)|describe :?) (?P<value>.+)$`)

func (r *revision) describe(t english.Text) bool {
	m, ok := describing.Find(t.Canon())
	i := r.projectStep()
	if !ok || i < 0 {
		return false
	}
	v := t.Part(m.Groups["value"])
	a := argsOf(r.doc.Steps[i].Arguments)
	a["description"] = literal(v.Name(english.Range{From: 0, To: v.Len()}))
	r.set(i, a)
	return true
}

var activating = groups.Compile(`(?:active|status active|status to active|running|live)(?: (?:right away|at once|immediately|now))*$`)

func (r *revision) status(t english.Text) bool {
	i := r.projectStep()
	if i < 0 || !activating.In(t.Canon()) {
		return false
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	a["status"] = "active"
	r.set(i, a)
	return true
}

// replace changes the words of a query or a text that the plan holds literally.
func (r *revision) replace(t english.Text) bool {
	m, ok := renamings[len(renamings)-1].Find(t.Canon())
	if !ok {
		return false
	}
	old, value := target(t.Part(m.Groups["target"])), target(t.Part(m.Groups["value"]))
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		for _, key := range []string{"query", "title", "mitigation", "rationale", "body", "description"} {
			if v := a.text(key); v != "" && strings.Contains(strings.ToLower(v), strings.ToLower(old)) && st.Type == assent.StepTool {
				at := strings.Index(strings.ToLower(v), strings.ToLower(old))
				a[key] = v[:at] + literal(value) + v[at+len(old):]
				r.set(i, a)
				return true
			}
		}
	}
	return false
}
