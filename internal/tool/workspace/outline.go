package workspace

import (
	"math"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// maxAtOnce bounds what one call creates, so that its answer stays readable.
const maxAtOnce = 250

// outline is what is created in a project at once: the call's own lists merged
// with a template's. The preview counts it and the handler creates it, so both
// always agree.
type outline struct {
	goals, tasks, risks []string
	milestones          []outlined
}

// outlined is a milestone of an outline with its tasks.
type outlined struct {
	title, description string
	due                assent.Date
	at                 float64 // place between start and due date; negative: as given
	tasks              []string
}

// outlineOf merges a call's lists with a template's (nil: none). Milestones of
// the call replace those of the template; goals and risks join them. Titles that
// come twice are kept once.
func outlineOf(goals []string, milestones []milestoneArg, tasks, risks []string, tpl *assent.Template) outline {
	o := outline{}
	for _, m := range milestones {
		o.add(outlined{title: m.Title, description: m.Description, due: m.DueDate, at: -1, tasks: m.Tasks})
	}
	if tpl != nil {
		goals, risks = append(append([]string{}, goals...), tpl.Goals...), append(append([]string{}, risks...), tpl.Risks...)
		for _, m := range tpl.Milestones {
			if len(milestones) == 0 {
				o.add(outlined{title: m.Title, at: m.At, tasks: m.Tasks})
			}
		}
	}
	known := map[string]bool{}
	for _, m := range o.milestones {
		for _, t := range m.tasks {
			known[strings.ToLower(t)] = true
		}
	}
	for _, t := range titles(tasks) {
		if !known[strings.ToLower(t)] {
			o.tasks = append(o.tasks, t)
		}
	}
	o.goals, o.risks = titles(goals), titles(risks)
	return o
}

// add takes a milestone in; one of the same title gets the tasks instead.
func (o *outline) add(m outlined) {
	m.title = oneLine(m.title)
	if m.title == "" {
		return
	}
	for i := range o.milestones {
		if strings.EqualFold(o.milestones[i].title, m.title) {
			o.milestones[i].tasks = titles(append(append([]string{}, o.milestones[i].tasks...), m.tasks...))
			return
		}
	}
	m.tasks = titles(m.tasks)
	o.milestones = append(o.milestones, m)
}

// counts tells by kind what the outline holds.
func (o outline) counts() map[string]int {
	tasks := len(o.tasks)
	for _, m := range o.milestones {
		tasks += len(m.tasks)
	}
	return map[string]int{string(assent.KindGoal): len(o.goals), string(assent.KindMilestone): len(o.milestones),
		string(assent.KindTask): tasks, string(assent.KindRisk): len(o.risks)}
}

func (o outline) bounded() error {
	n := 0
	for _, k := range o.counts() {
		n += k
	}
	if n > maxAtOnce {
		return &assent.Error{Code: assent.CodeTooLarge, Message: "This would create " + counted(o.counts()) + " at once, which is too much for one call.",
			Hint: "Create the project first and add the rest in further calls."}
	}
	return nil
}

// date spreads the milestones of a template between start and due date; without
// a due date they stay undated.
func (o outline) date(start, due assent.Date) {
	from, err1 := time.Parse(time.DateOnly, string(start))
	to, err2 := time.Parse(time.DateOnly, string(due))
	if err1 != nil || err2 != nil {
		return
	}
	if from.After(to) {
		from = to
	}
	days := to.Sub(from).Hours() / 24
	for i, m := range o.milestones {
		if m.at >= 0 {
			o.milestones[i].due = assent.Date(from.AddDate(0, 0, int(math.Round(m.at*days))).Format(time.DateOnly))
		}
	}
}

// create stores the project and everything in the outline.
func (o outline) create(tx *store.Tx, origin store.Origin, p assent.Project) (createdProject, error) {
	out := createdProject{Goals: []assent.Goal{}, Risks: []assent.Risk{}}
	if err := tx.CreateEntity(origin, &p); err != nil {
		return out, err
	}
	out.Project = p
	for _, title := range o.goals {
		g := assent.Goal{Entity: base(assent.KindGoal, p.ID), Title: title, Status: "open"}
		if err := tx.CreateEntity(origin, &g); err != nil {
			return out, err
		}
		out.Goals = append(out.Goals, g)
	}
	var err error
	if out.Milestones, out.Tasks, err = o.createWork(tx, origin, p.ID); err != nil {
		return out, err
	}
	for _, title := range o.risks {
		r := assent.Risk{Entity: base(assent.KindRisk, p.ID), Title: title, Likelihood: "medium", Impact: "medium", Status: "open"}
		if err := tx.CreateEntity(origin, &r); err != nil {
			return out, err
		}
		out.Risks = append(out.Risks, r)
	}
	return out, nil
}

// createWork stores the milestones with their tasks, and the tasks without one,
// after what the project has already.
func (o outline) createWork(tx *store.Tx, origin store.Origin, projectID string) ([]assent.Milestone, []assent.Task, error) {
	milestones, tasks := []assent.Milestone{}, []assent.Task{}
	at, err := tx.NextPosition(projectID, assent.KindMilestone)
	if err != nil {
		return nil, nil, err
	}
	next, err := tx.NextPosition(projectID, assent.KindTask)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range append(o.milestones, outlined{tasks: o.tasks}) {
		milestone := assent.Milestone{Entity: base(assent.KindMilestone, projectID), Title: m.title, Description: m.description, Status: "open", DueDate: m.due, Position: at}
		if m.title != "" {
			if err := tx.CreateEntity(origin, &milestone); err != nil {
				return nil, nil, err
			}
			milestones, at = append(milestones, milestone), at+1
		}
		for _, title := range m.tasks {
			t := assent.Task{Entity: base(assent.KindTask, projectID), Title: title, Status: "todo", Priority: "normal", MilestoneID: milestone.ID, DueDate: m.due, Position: next}
			if err := tx.CreateEntity(origin, &t); err != nil {
				return nil, nil, err
			}
			tasks, next = append(tasks, t), next+1
		}
	}
	return milestones, tasks, nil
}
