package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// milestone is a milestone as a plan creates it.
type milestone struct {
	Title   string   `json:"title"`
	DueDate string   `json:"due_date,omitempty"`
	Tasks   []string `json:"tasks,omitempty"`
}

// outline is what a plan will create, decided from the brief and the template.
type outline struct {
	brief
	kind       archetype
	template   *template
	milestones []milestone
	fromTpl    bool // the milestones come from the template, as they are
	ownList    bool // only what the person listed
	today      time.Time
}

// planOutline decides the milestones: those that the person names, else the
// template's, else those of the kind of project; as many as asked for.
func planOutline(b brief, tpl *template, today time.Time) outline {
	o := outline{brief: b, template: tpl, today: today}
	kind, known := archetypeOf(b.name + " " + b.about)
	o.kind = kind
	switch {
	case b.milestones.none:
	case len(b.milestones.items) > 0:
		o.milestones = o.named()
	case tpl != nil && len(tpl.milestones) > 0 && (b.milestones.count == 0 || b.milestones.count == len(tpl.milestones)):
		o.fromTpl = true
		return o
	case tpl != nil && len(tpl.milestones) > 0 && b.milestones.count < len(tpl.milestones):
		o.milestones = fromTemplate(tpl.milestones, b.milestones.count)
	case (!known || len(b.tasks.items) > 0) && b.tasks.asked && !b.milestones.asked && tpl == nil:
		// Tasks alone were asked for; invented milestones would be noise.
	default:
		o.milestones = fromPhases(kind.pick(b.milestones.count), b.milestones.count)
	}
	o.spread()
	o.limitTasks()
	return o
}

// named are the milestones that the person named; where tasks or a template were
// asked for as well, with the tasks that belong to one of that name.
func (o outline) named() []milestone {
	var out []milestone
	for _, it := range o.brief.milestones.items {
		m := milestone{Title: it.title, Tasks: it.tasks}
		if !it.due.IsZero() {
			m.DueDate = it.due.Format(time.DateOnly)
		}
		if len(m.Tasks) == 0 && len(o.tasks.items) == 0 && (o.tasks.asked || o.template != nil) {
			m.Tasks = o.tasksFor(it.title)
		}
		out = append(out, m)
	}
	return out
}

const sameMilestone = 0.62

func (o outline) tasksFor(title string) []string {
	if o.template != nil {
		for _, m := range o.template.milestones {
			if english.Likeness(title, m.Title) >= sameMilestone {
				return m.Tasks
			}
		}
	}
	for _, p := range o.kind.phases {
		if english.Likeness(title, p.title) >= sameMilestone {
			return p.taskList()
		}
	}
	return []string{english.Doing(title)}
}

func fromTemplate(all []assent.TemplateMilestone, n int) []milestone {
	var out []milestone
	for i := range n {
		m := all[(i+1)*len(all)/n-1]
		out = append(out, milestone{Title: m.Title, Tasks: m.Tasks})
	}
	return out
}

// fromPhases makes milestones of phases; more are asked for than there are, the
// further ones are numbered.
func fromPhases(phases []phase, n int) []milestone {
	var out []milestone
	for _, p := range phases {
		out = append(out, milestone{Title: p.title, Tasks: p.taskList()})
	}
	for i := len(out); i < min(n, 20); i++ {
		out = append(out, milestone{Title: english.Sentence("follow-up ") + itoa(i-len(phases)+1)})
	}
	return out
}

// begin is the day from which dates are spread.
func (o outline) begin() time.Time {
	if o.start.After(o.today) {
		return o.start
	}
	return o.today
}

// spread dates the milestones without a date between start and deadline.
func (o *outline) spread() {
	if o.due.IsZero() || !o.due.After(o.begin()) {
		return
	}
	for i, d := range english.Spread(o.begin(), o.due, len(o.milestones)) {
		if o.milestones[i].DueDate == "" {
			o.milestones[i].DueDate = d.Format(time.DateOnly)
		}
	}
}

// limitTasks keeps as many tasks as were asked for ("five tasks"), taken from the
// milestones in turn, and none where tasks are named or not wanted.
func (o *outline) limitTasks() {
	switch {
	case o.tasks.none || len(o.tasks.items) > 0:
		for i := range o.milestones {
			o.milestones[i].Tasks = nil
		}
	case o.tasks.count > 0:
		o.keepTasks(o.tasks.count)
	}
}

func (o *outline) keepTasks(n int) {
	kept := make([][]string, len(o.milestones))
	for round := 0; n > 0 && round < 10; round++ {
		for i, m := range o.milestones {
			if n > 0 && round < len(m.Tasks) {
				kept[i] = append(kept[i], m.Tasks[round])
				n--
			}
		}
	}
	for i := range o.milestones {
		o.milestones[i].Tasks = kept[i]
	}
}

// deadline is the due date as tools take it, empty if there is none.
func (o outline) deadline() string {
	if o.due.IsZero() {
		return ""
	}
	return o.due.Format(time.DateOnly)
}
