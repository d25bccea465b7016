package workspace

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type createTaskArgs struct {
	projectArgs
	Title       string      `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What is to be done."`
	Description string      `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"Details."`
	Status      string      `json:"status,omitempty" jsonschema:"enum=todo,enum=in_progress,enum=blocked,enum=done,enum=cancelled" jsonschema_description:"Status; todo if left out. A blocked one needs a blocker."`
	Priority    string      `json:"priority,omitempty" jsonschema:"enum=low,enum=normal,enum=high,enum=urgent" jsonschema_description:"Priority; normal if left out."`
	MilestoneID string      `json:"milestone_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Id of the milestone that it belongs to, in the same project."`
	AssigneeID  string      `json:"assignee_id,omitempty" jsonschema:"maxLength=254" jsonschema_description:"Id or e-mail address of the member who does it, or me for the person asking."`
	DueDate     assent.Date `json:"due_date,omitempty" jsonschema_description:"Day by which it is done, YYYY-MM-DD."`
	Blocker     string      `json:"blocker,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Why it is blocked, in words."`
	DependsOn   []string    `json:"depends_on,omitempty" jsonschema:"maxItems=50,maxLength=100" jsonschema_description:"Ids of tasks that must be finished first."`
}

func (b builtin) createTask() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_task", Title: "Add a task", Effect: assent.EffectWrite,
		Description: "Adds a task to a project, if wanted under a milestone, with an assignee, a due date and what it depends on. Returns the task.",
		Preview: func(by string, args json.RawMessage) assent.Preview {
			n, known := literalsOf(args).length("depends_on")
			p := previewOf(map[string]int{string(assent.KindTask): 1, string(assent.KindRelation): n}, nil, nil)
			if !known {
				return open(p)
			}
			return p
		},
		Target:  namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "Visit three offices", "priority": "high", "due_date": "2026-12-10", "milestone_id": "0192f000-0000-7000-8000-000000000003"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createTaskArgs) (tool.Result[assent.Task], error) {
		t, err := newTask(ctx, tx, c, a)
		if err != nil {
			return tool.Result[assent.Task]{}, err
		}
		r, err := create(tx, c, t)
		if err != nil {
			return r, err
		}
		for _, on := range titles(a.DependsOn) {
			if _, err := relate(ctx, tx, c, "depends_on", r.ArtifactID, on, ""); err != nil {
				return r, err
			}
		}
		return r, nil
	})
}

// newTask checks the arguments and makes the task of them.
func newTask(ctx context.Context, tx *store.Tx, c tool.Call, a createTaskArgs) (assent.Task, error) {
	title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
	if err != nil {
		return assent.Task{}, err
	}
	t := assent.Task{Entity: base(assent.KindTask, p.ID), Title: title, Description: a.Description, Status: or(a.Status, "todo"),
		Priority: or(a.Priority, "normal"), DueDate: a.DueDate, Blocker: oneLine(a.Blocker)}
	if t.Blocker != "" && a.Status == "" {
		t.Status = "blocked"
	}
	if err := blockerFits(t); err != nil {
		return t, err
	}
	if t.MilestoneID, err = milestoneIn(ctx, tx.Reads, c, p.ID, a.MilestoneID); err != nil {
		return t, err
	}
	if t.AssigneeID, err = assignee(ctx, tx.Reads, c, p, a.AssigneeID); err != nil {
		return t, err
	}
	t.Position, err = tx.NextPosition(p.ID, assent.KindTask)
	return t, err
}

// blockerFits holds that a task says what blocks it exactly while it is blocked.
func blockerFits(t assent.Task) error {
	if t.Status == "blocked" && t.Blocker == "" {
		return assent.Invalid("/blocker", "missing_argument", "A blocked task needs a blocker: say in words what blocks it.")
	}
	if t.Status != "blocked" && t.Blocker != "" {
		return assent.Invalid("/blocker", "invalid_arguments", fmt.Sprintf("A task with a blocker is blocked, it cannot be %s.", t.Status))
	}
	return nil
}

type createTasksArgs struct {
	projectArgs
	MilestoneID string    `json:"milestone_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Id of the milestone that they all belong to."`
	Tasks       []taskArg `json:"tasks" jsonschema:"minItems=1,maxItems=100" jsonschema_description:"Tasks in their order."`
}

type taskArg struct {
	Title       string      `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What is to be done."`
	Description string      `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"Details."`
	Priority    string      `json:"priority,omitempty" jsonschema:"enum=low,enum=normal,enum=high,enum=urgent" jsonschema_description:"Priority; normal if left out."`
	DueDate     assent.Date `json:"due_date,omitempty" jsonschema_description:"Day by which it is done, YYYY-MM-DD."`
}

func (b builtin) createTasks() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_tasks", Title: "Add several tasks", Effect: assent.EffectWrite,
		Description: "Adds several tasks to a project in one go, if wanted all under one milestone. Returns the tasks as created, in order.",
		Preview: func(by string, args json.RawMessage) assent.Preview {
			n, known := literalsOf(args).length("tasks")
			p := previewOf(map[string]int{string(assent.KindTask): n}, nil, nil)
			if !known {
				return open(p)
			}
			return p
		},
		Target: titledAll("tasks"), Contents: contentsOfTasks,
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "tasks": [{"title": "Book the van", "due_date": "2027-03-01"}, {"title": "Label the boxes"}]}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createTasksArgs) (tool.Result[taskList], error) {
		p, err := find[assent.Project](ctx, tx.Reads, c, a.ProjectID)
		if err != nil {
			return tool.Result[taskList]{}, err
		}
		out := taskList{Tasks: []assent.Task{}, Total: len(a.Tasks)}
		for _, one := range a.Tasks {
			t, err := newTask(ctx, tx, c, createTaskArgs{projectArgs: a.projectArgs, Title: one.Title, Description: one.Description, Priority: one.Priority,
				DueDate: one.DueDate, MilestoneID: a.MilestoneID})
			if err != nil {
				return tool.Result[taskList]{}, err
			}
			r, err := create(tx, c, t)
			if err != nil {
				return tool.Result[taskList]{}, err
			}
			out.Tasks = append(out.Tasks, r.Artifact)
		}
		out.Tasks = first(out.Tasks, len(out.Tasks))
		return tool.Result[taskList]{Artifact: out, Summary: fmt.Sprintf("Added %s to %s", count(out.Total, "task"), quoted(&p))}, nil
	})
}
