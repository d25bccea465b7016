package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type createProjectArgs struct {
	Name        string         `json:"name" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What the project is called."`
	Description string         `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"What it is about."`
	Status      string         `json:"status,omitempty" jsonschema:"enum=planning,enum=active,enum=on_hold,enum=done,enum=archived" jsonschema_description:"Status; planning if left out."`
	TemplateID  string         `json:"template_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Id or slug of a template, whose goals, milestones, tasks and risks are created too."`
	StartDate   assent.Date    `json:"start_date,omitempty" jsonschema_description:"First day, YYYY-MM-DD; a template is dated from today if left out."`
	DueDate     assent.Date    `json:"due_date,omitempty" jsonschema_description:"Day by which it is to be done, YYYY-MM-DD; without it the milestones of a template stay undated."`
	Goals       []string       `json:"goals,omitempty" jsonschema:"maxItems=20,maxLength=200" jsonschema_description:"Titles of goals, beside those of a template."`
	Milestones  []milestoneArg `json:"milestones,omitempty" jsonschema:"maxItems=30" jsonschema_description:"Milestones in their order, with their tasks; they replace those of a template."`
	Tasks       []string       `json:"tasks,omitempty" jsonschema:"maxItems=100,maxLength=200" jsonschema_description:"Titles of tasks that belong to no milestone."`
	Risks       []string       `json:"risks,omitempty" jsonschema:"maxItems=30,maxLength=200" jsonschema_description:"Titles of risks, beside those of a template."`
}

type milestoneArg struct {
	Title       string      `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What is reached."`
	Description string      `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"What it takes."`
	DueDate     assent.Date `json:"due_date,omitempty" jsonschema_description:"Day by which it is reached, YYYY-MM-DD; its tasks are due with it."`
	Tasks       []string    `json:"tasks,omitempty" jsonschema:"maxItems=30,maxLength=200" jsonschema_description:"Titles of the tasks that lead to it."`
}

// createdProject is a project with everything that was created with it.
type createdProject struct {
	assent.Project
	Milestones []assent.Milestone `json:"milestones"`
	Tasks      []assent.Task      `json:"tasks"`
	Goals      []assent.Goal      `json:"goals"`
	Risks      []assent.Risk      `json:"risks"`
}

func (b builtin) createProject() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_project", Title: "Create a project", Effect: assent.EffectWrite, Aliases: []string{"create_onto_project"},
		Description: "Creates a project, from a template if one is named, with goals, milestones, tasks and risks in one go; a title that comes twice is created once. " +
			"Returns the project with the milestones, tasks, goals and risks as created.",
		Preview: b.previewProject, Target: namedIn("name"), Contents: contentsOfProject,
		Example: `{"name": "Office move", "due_date": "2027-03-31", "milestones": [{"title": "Lease signed", "due_date": "2027-01-15", "tasks": ["View three offices", "Have the lease checked"]}], "goals": ["Nobody loses a working day"], "risks": ["The fit-out is late"]}`,
	}, b.makeProject)
}

func (b builtin) makeProject(ctx context.Context, tx *store.Tx, c tool.Call, a createProjectArgs) (tool.Result[createdProject], error) {
	var none tool.Result[createdProject]
	name, err := named("/name", a.Name)
	if err != nil {
		return none, err
	}
	if err := inOrder(a.StartDate, a.DueDate); err != nil {
		return none, err
	}
	var tpl *assent.Template
	if a.TemplateID != "" {
		t, err := findTemplate(ctx, tx.Reads, c.Scope.Person, a.TemplateID)
		if err != nil {
			return none, err
		}
		tpl = &t
	}
	o := outlineOf(a.Goals, a.Milestones, a.Tasks, a.Risks, tpl)
	if err := o.bounded(); err != nil {
		return none, err
	}
	o.date(startOf(a.StartDate, c.Today()), a.DueDate)
	p := assent.Project{Entity: base(assent.KindProject, ""), Name: name, Description: a.Description, Status: or(a.Status, "planning"),
		OwnerID: c.Scope.Person.ID, StartDate: a.StartDate, DueDate: a.DueDate}
	if tpl != nil {
		p.TemplateID = tpl.ID
	}
	made, err := o.create(tx, store.OriginOf(c.Scope, c.Tool), p)
	if err != nil {
		return none, err
	}
	made.Milestones = squeezed(made.Milestones, maxList/2)
	summary := "Created project " + quoted(&made.Project)
	if with := counted(o.counts()); with != "" {
		summary += " with " + with
	}
	return tool.Result[createdProject]{ArtifactID: made.ID, Artifact: made, Summary: summary}, nil
}

func startOf(start assent.Date, now time.Time) assent.Date {
	return assent.Date(or(string(start), now.Format(time.DateOnly)))
}

// previewProject counts what create_project would create. A template that is a
// reference, or that nobody knows yet, is left open.
func (b builtin) previewProject(by string, args json.RawMessage) assent.Preview {
	l := literalsOf(args)
	var tpl *assent.Template
	whole := true
	if l.has("template_id") {
		id, known := l.text("template_id")
		if t, err := findTemplate(context.Background(), b.reads, assent.Person{ID: by}, id); known && err == nil {
			tpl = &t
		} else {
			whole = false
		}
	}
	goals, ok1 := l.strings("goals")
	milestones, ok2 := l.milestones("milestones")
	tasks, ok3 := l.strings("tasks")
	risks, ok4 := l.strings("risks")
	counts := outlineOf(goals, milestones, tasks, risks, tpl).counts()
	counts[string(assent.KindProject)] = 1
	p := previewOf(counts, nil, nil)
	if !whole || !ok1 || !ok2 || !ok3 || !ok4 {
		return open(p)
	}
	return p
}

// milestones gives a list of milestones with their tasks; known is false if it
// or the tasks of one are a reference.
func (l literals) milestones(key string) (out []milestoneArg, known bool) {
	raw, ok := l[key]
	if !ok {
		return nil, true
	}
	var items []literals
	if json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	known = true
	for i, it := range items {
		m := milestoneArg{}
		if json.Unmarshal(it["title"], &m.Title) != nil {
			m.Title = fmt.Sprintf("\x00%d", i) // counts as one of its own
		}
		due, _ := it.text("due_date")
		m.DueDate = assent.Date(due)
		tasks, ok := it.strings("tasks")
		m.Tasks, known = tasks, known && ok
		out = append(out, m)
	}
	return out, known
}
