package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var (
	openWords = groups.Compile(`^(?:(?:how|what) about|how (?:long|many days|many weeks|many months|much time)(?: (?:is|it|there|are|left|have|we|got|do))* (?:until|till|before|to|for)|(?:can you |could you )?(?:open|read|show|view|display|pull up|bring up|see|get|give|fetch|tell|go to|look at|details|print|info|information|summarise|summarize|recap)(?: me| us| up)?|details|what is in|what do we know|when (?:is|are|was|does|do|will|must|should)|what is (?:the )?(?:due date|deadline|priority|start date|status|description|blocker|owner)|what does|why is|why are|what is|who (?:owns|is responsible for|works on|is doing|does|is assigned to)|what is the status)(?: (?:the |more |everything |full )?(?:details|about|of|on|for|info|in|more|everything|contents?|text|information))*`)
	openTail  = groups.Compile(`(?:(?:,|;) (?:what|how|who|when|where) .+|due|end|start|finish|happen|done|finished|be due|ready|over|complete|needed|have to be done|say|contain|about|blocked|stuck|late|overdue|held up|please|look like|status)(?: [?.!])*$`)
)

// open answers a wish to see one thing.
func (s *situation) open(a *ask) answer {
	m, rest := s.takeProject(a.text)
	kind, named := firstNoun(rest)
	t := rest
	for _, p := range []english.Pattern{openWords, openTail} {
		if hit, ok := p.Find(t.Canon()); ok {
			t = t.Drop(hit.Range)
		}
	}
	name := target(t, "details", "?")
	switch {
	case m.named() && (onlyStop(name) || name == "how" || name == "what" || kind == assent.KindProject || name == ""):
		return s.openProject(m)
	case !named && s.state.Entity != nil && isPronoun(name):
		return s.showOne(*s.state.Entity)
	case !named && isPronoun(name):
		return s.openProject(m)
	case kind == assent.KindProject:
		return s.openProject(mentionOf(s, name))
	case !named:
		return s.openAnything(m, name)
	}
	in, next := s.inMention(m)
	if next != nil {
		return *next
	}
	f := s.thing(kind, name, in)
	if f.next != nil {
		return *f.next
	}
	return s.showOne(f.entity)
}

// inMention is the project of a mention if there is one; no project is no error.
func (s *situation) inMention(m mention) (entity, *answer) {
	if !m.named() {
		e, _ := s.homeProject()
		return e, nil
	}
	f := s.project(m)
	return f.entity, f.next
}

func (s *situation) openProject(m mention) answer {
	f := s.project(m)
	if f.next != nil {
		return *f.next
	}
	f.Kind = assent.KindProject
	return s.showOne(f.entity)
}

// openAnything looks a name up over all kinds and shows what fits best.
func (s *situation) openAnything(m mention, name string) answer {
	o, looked := s.latest("search")
	if !looked {
		return use("search", args{"query": name})
	}
	var hits struct {
		Hits []entity `json:"hits"`
	}
	if !o.env.Success || !o.artifact(&hits) {
		return explainFailure(o)
	}
	var bestHit entity
	top := 0.0
	for _, h := range hits.Hits {
		if like := english.Likeness(name, h.label()); like > top && listTools[h.Kind] != "" {
			bestHit, top = h, like
		}
	}
	if top < fits {
		return s.tellSearch(name, o)
	}
	return s.showOne(bestHit)
}

var getTools = map[assent.Kind]struct{ tool, key string }{
	assent.KindProject: {"get_project", "project_id"}, assent.KindTask: {"get_task", "task_id"}, assent.KindDocument: {"get_document", "document_id"},
	assent.KindTemplate: {"get_template", "template_id"},
}

// showListed tells a thing of a kind without a tool of its own from its project's
// list, since a search shows neither dates nor status.
func (s *situation) showListed(e entity) answer {
	c := call{listTools[e.Kind], args{}}
	if e.ProjectID != "" {
		c.args["project_id"] = e.ProjectID
	}
	if !s.tried(c) {
		return answer{calls: []call{c}}
	}
	for _, o := range s.outcomesOf(c.tool) {
		for _, l := range o.list(e.Kind) {
			if l.ID == e.ID {
				return say(s.detail(l))
			}
		}
	}
	return say(s.detail(e))
}

// showOne reads a thing and tells it; a kind without a tool of its own is told
// from the list it was found in.
func (s *situation) showOne(e entity) answer {
	get, ok := getTools[e.Kind]
	if !ok {
		return s.showListed(e)
	}
	c := call{get.tool, args{get.key: e.ID}}
	if !s.tried(c) {
		return answer{calls: []call{c}}
	}
	o, _ := s.latest(get.tool)
	if !o.env.Success {
		return explainError(o)
	}
	if read, ok := o.one(); ok {
		if read.Kind == "" {
			read.Kind = e.Kind
		}
		return say(s.detail(read) + s.further(read, o))
	}
	return say("I read it, but could not make sense of the answer.")
}

// detail tells one thing.
func (s *situation) detail(e entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**", e.label())
	line := func(label, v string) {
		if v != "" {
			fmt.Fprintf(&b, "\n- %s: %s", label, v)
		}
	}
	line("Status", spokenStatus(e.Status))
	line("Priority", e.Priority)
	line("Start", long(e.StartDate))
	if e.DueDate != "" {
		line("Due", long(e.DueDate)+s.lateness(e))
	} else if e.Kind == assent.KindTask || e.Kind == assent.KindProject || e.Kind == assent.KindMilestone {
		line("Due", "no date set")
	}
	line("Blocked", e.Blocker)
	line("Likelihood", e.Likelihood)
	line("Impact", e.Impact)
	line("Mitigation", e.Mitigation)
	line("Decided", long(e.DecidedOn))
	line("Why", e.Rationale)
	if e.Description != "" {
		b.WriteString("\n\n" + e.Description)
	}
	if e.Body != "" {
		b.WriteString("\n\n" + excerpt(e.Body))
	}
	return b.String()
}

// excerpt is the start of a long text.
func excerpt(body string) string {
	const most = 2500
	if len(body) <= most {
		return body
	}
	cut := strings.LastIndex(body[:most], "\n")
	if cut < most/2 {
		cut = strings.LastIndexByte(body[:most], ' ')
	}
	return body[:max(cut, 0)] + "\n\n… (the document goes on)"
}

// further tells what belongs to a thing: a project's milestones, a task's
// dependencies, a template's milestones.
func (s *situation) further(e entity, o outcome) string {
	var v struct {
		OpenTasks  *int     `json:"open_tasks"`
		TotalTasks int      `json:"total_tasks"`
		DependsOn  []entity `json:"depends_on"`
		Blocks     []entity `json:"blocks"`
	}
	if !o.artifact(&v) {
		return ""
	}
	var b strings.Builder
	if v.OpenTasks != nil {
		fmt.Fprintf(&b, "\n- Open tasks: %d of %d", *v.OpenTasks, v.TotalTasks)
	}
	if ms := entities(e.Milestones); len(ms) > 0 {
		b.WriteString("\n\nMilestones:\n")
		for _, m := range ms[:min(len(ms), maxTold)] {
			m.Kind = assent.KindMilestone
			b.WriteString("- " + s.line(m, o) + "\n")
		}
	}
	for _, group := range []struct {
		label string
		all   []entity
	}{{"Depends on", v.DependsOn}, {"Blocks", v.Blocks}} {
		if len(group.all) == 0 {
			continue
		}
		var titles []string
		for _, t := range group.all {
			titles = append(titles, quoted(t.Title)+" ("+spokenStatus(t.Status)+")")
		}
		fmt.Fprintf(&b, "\n- %s: %s", group.label, english.Join(titles))
	}
	return strings.TrimRight(b.String(), "\n")
}
