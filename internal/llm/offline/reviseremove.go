package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var dropVerb = groups.Compile(`^(?:(?:i |we |you |can |could |please |just |also )*(?:{drop}|no|minus|do without|do not|not)(?: (?:out|away|off))?)(?: (?:{det}|need|want|any|of))*`)

// remove leaves out steps, milestones, tasks, risks, dates.
func (r *revision) remove(t english.Text) bool {
	m, ok := dropVerb.Find(t.Canon())
	if !ok {
		if t.Is(t.Len()-1, "out", "away") && t.Is(0, "leave", "take", "cut", "keep") {
			t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
			m, ok = english.Match{Range: english.Range{From: 0, To: 1}}, true
		}
		if !ok {
			return false
		}
	}
	rest := t.Drop(m.Range)
	if t.Is(0, "no", "not") && rest.Is(0, "more", "need", "only") {
		return false
	}
	numbered := stepsNumbered(t, len(r.doc.Steps))
	if len(numbered) > 0 && !rest.Is(0, "milestone", "task", "phase") && !rest.Is(1, "milestone", "task", "phase") {
		return r.removeSteps(numbered)
	}
	for _, part := range rest.Items(0, rest.Len(), nil) {
		if !r.removeOne(rest.Part(part)) {
			return false
		}
	}
	return rest.Len() > 0
}

// removeOne leaves out one thing that words name.
func (r *revision) removeOne(t english.Text) bool {
	if m, ok := tasksOf.Find(t.Canon()); ok {
		if i, k, found := r.milestoneLike(target(t.Part(m.Groups["under"]))); found {
			return r.clearMilestone(i, k)
		}
	}
	if kind, ok := onlyNoun(t); ok {
		return r.removeOnly(kind)
	}
	name := target(t, "step", "all", "any", "of", "both", "every", "whole", "entire", "completely")
	switch strings.ToLower(name) {
	case "milestones", "the milestones", "phases":
		return r.removeMilestones()
	case "tasks", "the tasks", "all tasks":
		return r.removeTasks()
	case "risks", "the risks":
		return r.removeTools("create_risk", "risks")
	case "goals", "the goals":
		return r.removeTools("create_goal", "goals")
	case "document", "context", "context document", "documents", "doc":
		return r.removeTool("publish_document", "create_document")
	case "template":
		return r.template(read("no template"))
	case "deadline", "due date", "date", "dates", "due dates", "end date", "deadlines":
		return r.removeDates()
	case "description":
		return r.dropArgument("description")
	case "start date", "start":
		return r.dropArgument("start_date")
	case "priority", "priorities":
		return r.setPriority("")
	}
	if n, ok := ordinalMilestone(t); ok {
		return r.removeNth(n)
	}
	if i, k, ok := r.milestoneLike(name); ok {
		return r.removeMilestone(i, k)
	}
	if r.removeTask(name) {
		return true
	}
	if i, ok := r.titled(name); ok {
		return r.removeSteps([]int{i})
	}
	if i, ok := stepLike(name, r.doc.Steps); ok {
		return r.removeSteps([]int{i})
	}
	return r.fail("I found nothing called " + quoted(name) + " in the plan.")
}

var tasksOf = groups.Compile(`^(?:{det} |all |its |of |any )*tasks (?:from|in|of|under|for|within) (?:the )?(?:milestone |phase )?(?P<under>.+)$`)

// clearMilestone takes a milestone's tasks out and leaves it itself.
func (r *revision) clearMilestone(i, k int) bool {
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	if len(ms[k].Tasks) == 0 {
		return r.fail(quoted(plain(ms[k].Title)) + " has no tasks in the plan.")
	}
	ms[k].Tasks = nil
	r.setMilestones(i, ms)
	return true
}

// onlyNoun reads "the risk": a kind in the singular and no name.
func onlyNoun(t english.Text) (assent.Kind, bool) {
	for t.Len() > 1 && t.Is(0, "the", "that", "this", "a", "our", "my") {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	if t.Len() != 1 {
		return "", false
	}
	switch t.Tokens[0].Word {
	case "risk", "goal", "task", "milestone", "decision":
		return assent.Kind(t.Tokens[0].Word), true
	}
	return "", false
}

// removeOnly leaves out the one thing of a kind that the plan makes.
func (r *revision) removeOnly(kind assent.Kind) bool {
	var titles []string
	for _, th := range planContent(r.doc.Steps).of(kind) {
		titles = append(titles, th.title)
	}
	switch len(titles) {
	case 0:
		return r.fail("The plan makes no " + string(kind) + " of its own.")
	case 1:
		if kind == assent.KindRisk || kind == assent.KindGoal {
			return r.removeTools("create_"+string(kind), string(kind)+"s")
		}
		return r.removeOne(read("“" + titles[0] + "”"))
	}
	return r.fail("Which " + string(kind) + " do you mean: " + strings.Join(quotedAll(titles[:min(len(titles), 6)]), ", ") + "?")
}

// planContent is what the steps of a plan make.
func planContent(steps []assent.Step) content {
	var raws []json.RawMessage
	var tools []string
	for _, st := range steps {
		raws, tools = append(raws, st.Arguments), append(tools, st.Tool)
	}
	return contentOf(raws, tools)
}

// ordinalMilestone reads "the second milestone", "milestone 2".
func ordinalMilestone(t english.Text) (int, bool) {
	for i := range t.Tokens {
		if !t.Is(i, "milestone", "phase") {
			continue
		}
		if n, ok := t.Ordinal(i - 1); ok {
			return n, true
		}
		n, _, ok := t.Count(i + 1)
		return n, ok
	}
	return 0, false
}

// nthMilestone is the place of the n-th milestone that the plan lists.
func (r *revision) nthMilestone(n int) (step, index int, ok bool) {
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		if n == english.Last {
			n = len(ms)
		}
		if n >= 1 && n <= len(ms) {
			return i, n - 1, true
		}
	}
	return 0, 0, false
}

func (r *revision) removeNth(n int) bool {
	if i, k, ok := r.nthMilestone(n); ok {
		return r.removeMilestone(i, k)
	}
	return r.fail("The plan has no such milestone.")
}

func (r *revision) removeMilestone(i, k int) bool {
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	if len(ms) == 1 && r.doc.Steps[i].Tool == "create_milestones" {
		return r.removeSteps([]int{i})
	}
	r.setMilestones(i, append(ms[:k:k], ms[k+1:]...))
	return true
}

func (r *revision) removeSteps(which []int) bool {
	gone := map[int]bool{}
	for _, i := range which {
		gone[i] = true
	}
	var from []int
	for i := range r.doc.Steps {
		if !gone[i] {
			from = append(from, i)
		}
	}
	if len(from) == 0 {
		return r.fail("Then nothing would be left. Say “discard it” to drop the whole plan.")
	}
	return r.rearranged(from)
}

func (r *revision) removeTool(tools ...string) bool {
	var which []int
	for i, st := range r.doc.Steps {
		for _, tool := range tools {
			if st.Tool == tool {
				which = append(which, i)
			}
		}
	}
	if len(which) == 0 {
		return r.fail("There is no such step in the plan.")
	}
	return r.removeSteps(which)
}

// removeTools removes the steps of a tool and the argument that does the same.
func (r *revision) removeTools(tool, argument string) bool {
	had := r.hasArgument(argument)
	if had {
		r.dropArgument(argument)
	}
	for _, st := range r.doc.Steps {
		if st.Tool == tool {
			return r.removeTool(tool)
		}
	}
	if !had {
		return r.fail("There are no " + argument + " of its own in the plan.")
	}
	return true
}

func (r *revision) removeMilestones() bool {
	had := false
	if i := r.projectStep(); i >= 0 && len(milestonesOf(argsOf(r.doc.Steps[i].Arguments))) > 0 {
		r.setMilestones(i, nil)
		had = true
	}
	for _, st := range r.doc.Steps {
		if st.Tool == "create_milestones" || st.Tool == "create_milestone" {
			return r.removeTool("create_milestones", "create_milestone")
		}
	}
	if !had {
		return r.fail("The plan lists no milestones of its own; if they come from the template, say “without the template”.")
	}
	return true
}

func (r *revision) removeTasks() bool {
	had := false
	for _, i := range r.lists() {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		for k := range ms {
			had = had || len(ms[k].Tasks) > 0
			ms[k].Tasks = nil
		}
		r.setMilestones(i, ms)
	}
	if i := r.projectStep(); i >= 0 && r.hasArgument("tasks") {
		had = r.dropArgument("tasks")
	}
	for _, st := range r.doc.Steps {
		if st.Tool == "create_tasks" || st.Tool == "create_task" {
			return r.removeTool("create_tasks", "create_task")
		}
	}
	if !had {
		return r.fail("The plan lists no tasks of its own.")
	}
	return true
}

// removeTask takes one task out of the lists of tasks.
func (r *revision) removeTask(name string) bool {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		ms := milestonesOf(a)
		for k, m := range ms {
			for n, title := range m.Tasks {
				if english.Likeness(name, plain(title)) >= 0.7 {
					ms[k].Tasks = append(m.Tasks[:n:n], m.Tasks[n+1:]...)
					r.setMilestones(i, ms)
					return true
				}
			}
		}
		list, _ := a["tasks"].([]any)
		for n, item := range list {
			if english.Likeness(name, plain(titleOf(item))) >= 0.7 {
				a["tasks"] = append(list[:n:n], list[n+1:]...)
				r.set(i, a)
				if len(list) == 1 {
					return r.removeSteps([]int{i})
				}
				r.relabelTasks(i, len(list)-1)
				return true
			}
		}
	}
	return false
}

func titleOf(item any) string {
	switch v := item.(type) {
	case string:
		return v
	case map[string]any:
		return args(v).text("title")
	}
	return ""
}

func (r *revision) relabelTasks(i, n int) {
	if st := &r.doc.Steps[i]; st.Tool == "create_tasks" && strings.HasPrefix(st.Label, "Add ") {
		st.Label = "Add " + english.Plural(n, "task")
	}
}

func (r *revision) hasArgument(name string) bool {
	i := r.projectStep()
	return i >= 0 && argsOf(r.doc.Steps[i].Arguments)[name] != nil
}

func (r *revision) dropArgument(name string) bool {
	i := r.projectStep()
	if i < 0 || !r.hasArgument(name) {
		return r.fail("The plan has no " + strings.ReplaceAll(name, "_", " ") + ".")
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	delete(a, name)
	r.set(i, a)
	return true
}

func (r *revision) removeDates() bool {
	had := false
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if a.text("due_date") != "" {
			had = true
			delete(a, "due_date")
		}
		if list, ok := a["tasks"].([]any); ok {
			for _, item := range list {
				if m, isTask := item.(map[string]any); isTask {
					had = had || m["due_date"] != nil
					delete(m, "due_date")
				}
			}
		}
		r.set(i, a)
		if ms := milestonesOf(a); len(ms) > 0 {
			for k := range ms {
				had = had || ms[k].DueDate != ""
				ms[k].DueDate = ""
			}
			r.setMilestones(i, ms)
		}
	}
	if !had {
		return r.fail("There is no date in the plan.")
	}
	return true
}

// template takes the template out of the plan, or says that it cannot look
// another one up here.
func (r *revision) template(t english.Text) bool {
	c := t.Canon()
	i := r.projectStep()
	switch {
	case !templateNoun.In(c) && !scratch.In(c), i < 0:
		return false
	case without.In(c):
		a := argsOf(r.doc.Steps[i].Arguments)
		if a["template_id"] == nil {
			return r.fail("The plan uses no template.")
		}
		delete(a, "template_id")
		r.doc.Steps[i].Label = cutFrom(r.doc.Steps[i].Label)
		r.set(i, a)
		return true
	}
	return r.useTemplate(t, i)
}

var (
	without = groups.Compile(`(?:no|without|not|leave out|drop|skip|remove|scratch|do not)`)
	scratch = groups.Compile(`from scratch`)
)

func cutFrom(label string) string {
	head, _, _ := strings.Cut(label, " from “")
	return head
}

// useTemplate takes another template, if the conversation has shown it.
func (r *revision) useTemplate(t english.Text, project int) bool {
	name := target(t.Drop(templateWords(t)...))
	for _, o := range append(outcomes(r.s.past), r.s.results...) {
		for _, tpl := range templatesOf(o) {
			if o.tool == "list_templates" && english.Likeness(name, tpl.Name) >= fits {
				a := argsOf(r.doc.Steps[project].Arguments)
				a["template_id"] = tpl.ID
				delete(a, "milestones")
				r.set(project, a)
				r.doc.Steps[project].Label = cutFrom(r.doc.Steps[project].Label) + " from “" + tpl.Name + "”"
				return r.withoutOwnMilestones()
			}
		}
	}
	return r.fail("I cannot look up another template inside a change. Say “discard it” and then name the template, for example “set it up from the event template”.")
}

func (r *revision) withoutOwnMilestones() bool {
	for _, st := range r.doc.Steps {
		if st.Tool == "create_milestones" {
			return r.removeTool("create_milestones")
		}
	}
	return true
}

func templateWords(t english.Text) []english.Range {
	var out []english.Range
	for i := range t.Tokens {
		if t.Is(i, "use", "take", "pick", "template", "instead", "the", "a", "with", "go", "switch", "to", "change", "based", "on", "from", "another", "different") {
			out = append(out, english.Range{From: i, To: i + 1})
		}
	}
	return out
}
