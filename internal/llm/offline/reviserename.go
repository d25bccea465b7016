package offline

import (
	"strings"

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
				if one, other, both := r.secondRenaming(value); both {
					return r.renameAs(about, nameOf(one), true) && r.rename(read("rename "+other.String()))
				}
			}
		}
		return r.renameAs(about, value.Name(english.Range{From: 0, To: value.Len()}), outright)
	}
	return false
}

// secondRenaming splits "Flyers and B as C" where the plan makes a B.
func (r *revision) secondRenaming(value english.Text) (one, other english.Text, ok bool) {
	for k := 1; k < min(value.Len()-1, longestOrder); k++ {
		if !value.Is(k, "and", ",") {
			continue
		}
		rest := value.Part(english.Range{From: k + 1, To: value.Len()})
		for _, s := range splits(rest, 0) {
			if r.likeness(s.target) >= sureName {
				return value.Part(english.Range{From: 0, To: k}), rest, true
			}
		}
	}
	return value, value, false
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
	if kind, ok := onlyNoun(about); ok {
		return r.renameOnly(kind, value)
	}
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
