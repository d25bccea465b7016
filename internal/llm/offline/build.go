package offline

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// maxSteps is how many steps a plan may have.
const maxSteps = 12

// builder collects the steps of a plan.
type builder struct{ steps []assent.Step }

// add appends a tool step and gives its index.
func (b *builder) add(id, label, tool string, a args, key string) int {
	b.steps = append(b.steps, assent.Step{ID: id, Type: assent.StepTool, Label: label, Tool: tool, Arguments: encode(within(a)), ResultKey: key})
	return len(b.steps) - 1
}

// createPlan turns an outline into the steps that create it: look for a
// template, create the project, fill it, publish its context document.
func createPlan(o outline) assent.PlanDocument {
	b := &builder{}
	b.add("find", "Look for a template that fits", "list_templates", args{"query": literal(o.topic())}, "templates")
	if o.keep {
		b.add("template", "Keep the shape as a template", "create_template", o.templateArgs(), "template")
	}
	at := b.add("project", o.projectLabel(), "create_project", o.projectArgs(), "project")
	project := "$" + itoa(at) + ".output.artifact_id"
	if len(o.milestones) > 0 && o.template == nil {
		b.add("milestones", "Add "+english.Plural(len(o.milestones), "milestone")+titles(o.milestones), "create_milestones",
			args{"project_id": project, "milestones": escaped(o.milestones)}, "milestones")
	}
	if len(o.tasks.items) > 0 {
		b.add("tasks", "Add "+english.Plural(len(o.tasks.items), "task"), "create_tasks", args{"project_id": project, "tasks": o.taskArgs()}, "tasks")
	}
	o.addRisks(b, project)
	b.add("document", "Publish the context document", "publish_document",
		args{"project_id": project, "title": "Context", "type": "context", "body": o.document()}, "document")
	return assent.PlanDocument{Objective: "Set up the project “" + o.name + "”", Reasoning: o.reasoning(), Steps: b.steps,
		RequestedOutputs: []string{"project", "context document"}}
}

func (o outline) projectLabel() string {
	label := "Create the project “" + o.name + "”"
	if o.template != nil {
		label += " from “" + o.template.Name + "”"
	}
	return label
}

func (o outline) projectArgs() args {
	a := args{"name": literal(o.name)}
	set := func(key, v string) {
		if v != "" {
			a[key] = literal(v)
		}
	}
	set("description", o.summary())
	set("due_date", o.deadline())
	if !o.start.IsZero() {
		set("start_date", o.start.Format(time.DateOnly))
	}
	if o.template != nil {
		set("template_id", o.template.ID)
		if len(o.milestones) > 0 {
			a["milestones"] = escaped(o.milestones)
		}
	}
	if goals := o.goals.titles(); len(goals) > 0 {
		a["goals"] = goals
	}
	if risks := o.risks.titles(); len(risks) > maxRiskSteps {
		a["risks"] = risks
	}
	return a
}

// maxRiskSteps is up to how many risks have a step of their own each.
const maxRiskSteps = 3

func (o outline) addRisks(b *builder, project string) {
	risks := o.risks.items
	if len(risks) == 0 && o.risks.asked && !o.risks.none && o.template == nil {
		risks = []item{{title: o.kind.risk}}
	}
	if len(risks) > maxRiskSteps {
		return
	}
	for i, r := range risks {
		id := "risk"
		if i > 0 {
			id += itoa(i + 1)
		}
		b.add(id, "Record the risk “"+r.title+"”", "create_risk", args{"project_id": project, "title": literal(r.title)}, "")
	}
}

func (o outline) taskArgs() []args {
	days := o.taskDays()
	var out []args
	for i, it := range o.tasks.items {
		t := args{"title": literal(it.title)}
		switch {
		case !it.due.IsZero():
			t["due_date"] = it.due.Format(time.DateOnly)
		case i < len(days):
			t["due_date"] = days[i].Format(time.DateOnly)
		}
		if o.priority != "" {
			t["priority"] = o.priority
		}
		out = append(out, t)
	}
	return out
}

func (o outline) taskDays() []time.Time {
	if o.due.IsZero() || !o.due.After(o.begin()) {
		return nil
	}
	return english.Spread(o.begin(), o.due, len(o.tasks.items))
}

func (o outline) templateArgs() args {
	a := args{"name": literal(o.name), "description": literal("Made from: " + english.Clip(o.words, 40))}
	var ms []args
	for i, m := range o.milestones {
		t := args{"title": literal(m.Title), "at": round2(float64(i+1) / float64(len(o.milestones)))}
		if len(m.Tasks) > 0 {
			t["tasks"] = literals(m.Tasks)
		}
		ms = append(ms, t)
	}
	if len(ms) > 0 {
		a["milestones"] = ms
	}
	return a
}

func round2(f float64) float64 { return float64(int(f*100+0.5)) / 100 }

func (s section) titles() []string {
	var out []string
	for _, it := range s.items {
		out = append(out, literal(it.title))
	}
	return out
}

// topic are the words to look for a template with.
func (o outline) topic() string {
	if o.brief.template != "" {
		return o.brief.template
	}
	return topicOf(o.brief)
}

// summary is the project's description: what it is about in the person's words.
func (o outline) summary() string {
	if o.description != "" {
		return o.description
	}
	about := strings.TrimRight(english.Squeeze(o.about), " .,;:")
	if about == "" || strings.EqualFold(about, o.name) || english.Likeness(about, o.name) > 0.95 && len(about) <= len(o.name)+4 {
		return ""
	}
	return english.Sentence(about)
}

func (o outline) reasoning() string {
	var parts []string
	if o.ownList {
		parts = append(parts, "Only what you listed is in it; no template adds to it.")
	} else if o.template != nil {
		parts = append(parts, "The template “"+o.template.Name+"” fits.")
	} else {
		parts = append(parts, "No template fits, so the milestones are listed in the plan itself.")
	}
	if !o.due.IsZero() && o.dueWords != "" {
		parts = append(parts, "“"+o.dueWords+"” is read as "+english.LongDate(o.due)+".")
	}
	return strings.Join(parts, " ")
}

func titles(ms []milestone) string {
	if len(ms) > 4 {
		return ""
	}
	var names []string
	for _, m := range ms {
		names = append(names, english.Lower(m.Title))
	}
	return ": " + english.Join(names)
}

func escaped(ms []milestone) []milestone {
	out := make([]milestone, len(ms))
	for i, m := range ms {
		out[i] = milestone{Title: literal(m.Title), DueDate: m.DueDate, Tasks: literals(m.Tasks)}
	}
	return out
}

func literals(all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, literal(s))
	}
	return out
}

var looksLikeReference = regexp.MustCompile(`^\$[-+]?\w*\.[A-Za-z_]`)

// literal writes a person's words so that the plan language takes them for
// nothing else.
func literal(s string) string {
	s = strings.ReplaceAll(s, "{{", "{{{{")
	if looksLikeReference.MatchString(s) || strings.HasPrefix(s, "$$") {
		s = "$" + s
	}
	return s
}

// plain undoes literal, for showing.
func plain(s string) string {
	if strings.HasPrefix(s, "$$") {
		s = s[1:]
	}
	return strings.ReplaceAll(s, "{{{{", "{{")
}

func itoa(n int) string { return strconv.Itoa(n) }

// argsOf reads a step's arguments.
func argsOf(raw json.RawMessage) args {
	a := args{}
	if json.Unmarshal(raw, &a) != nil || a == nil {
		return args{}
	}
	return a
}

// text is an argument that is a string.
func (a args) text(key string) string {
	s, _ := a[key].(string)
	return s
}
