package workspace

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type updateTaskArgs struct {
	taskArgs
	Title       *string        `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Description *string        `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New description."`
	Status      string         `json:"status,omitempty" jsonschema:"enum=todo,enum=in_progress,enum=blocked,enum=done,enum=cancelled" jsonschema_description:"New status; blocked needs a blocker, any other takes the blocker away."`
	Priority    string         `json:"priority,omitempty" jsonschema:"enum=low,enum=normal,enum=high,enum=urgent" jsonschema_description:"New priority."`
	MilestoneID *string        `json:"milestone_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Id of its new milestone; empty takes it out of its milestone."`
	AssigneeID  *string        `json:"assignee_id,omitempty" jsonschema:"maxLength=254" jsonschema_description:"Id or e-mail address of the member who does it now, or me; empty for nobody."`
	DueDate     *clearableDate `json:"due_date,omitempty" jsonschema_description:"New due date, YYYY-MM-DD; empty removes it."`
	Blocker     *string        `json:"blocker,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"What blocks it, in words; makes it blocked. Empty unblocks it."`
	revisionArg
}

func (b builtin) updateTask() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_task", Title: "Change a task", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a task: title, status, priority, milestone, assignee, due date or blocker. Returns the task.",
		Preview:     updates(assent.KindTask), Target: b.titled("task_id"),
		Example: `{"task_id": "0192f000-0000-7000-8000-000000000004", "status": "blocked", "blocker": "The landlord has not answered"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateTaskArgs) (tool.Result[assent.Task], error) {
		t, err := current[assent.Task](ctx, tx, c, a.TaskID, a.Revision)
		if err != nil {
			return tool.Result[assent.Task]{}, err
		}
		var change patch
		change.title("title", &t.Title, a.Title)
		change.text("description", &t.Description, a.Description)
		change.choice("priority", &t.Priority, a.Priority)
		change.day("due_date", &t.DueDate, a.DueDate)
		change.progress(&t, a)
		if err := change.place(ctx, tx, c, &t, a); err != nil {
			return tool.Result[assent.Task]{}, err
		}
		return save(tx, c, &change, &t)
	})
}

// progress changes status and blocker together: a blocker blocks, and whatever
// unblocks a task takes the blocker away.
func (p *patch) progress(t *assent.Task, a updateTaskArgs) {
	status := a.Status
	if a.Blocker != nil {
		why := oneLine(*a.Blocker)
		p.text("blocker", &t.Blocker, &why)
		switch {
		case status != "":
		case why != "":
			status = "blocked"
		case t.Status == "blocked":
			status = "todo"
		}
	}
	if status != "" && status != "blocked" && a.Blocker == nil {
		t.Blocker = ""
	}
	p.choice("status", &t.Status, status)
	if err := blockerFits(*t); err != nil && (a.Blocker != nil || status != "") {
		p.fail(err)
	}
}

// place changes milestone and assignee, both of which must belong to the project.
func (p *patch) place(ctx context.Context, tx *store.Tx, c tool.Call, t *assent.Task, a updateTaskArgs) error {
	if a.MilestoneID != nil {
		id, err := milestoneIn(ctx, tx.Reads, c, t.ProjectID, *a.MilestoneID)
		if err != nil {
			return err
		}
		p.text("milestone", &t.MilestoneID, &id)
	}
	if a.AssigneeID == nil {
		return nil
	}
	project, err := find[assent.Project](ctx, tx.Reads, c, t.ProjectID)
	if err != nil {
		return err
	}
	id, err := assignee(ctx, tx.Reads, c, project, *a.AssigneeID)
	if err != nil {
		return err
	}
	p.text("assignee", &t.AssigneeID, &id)
	return nil
}

type completeTaskArgs struct {
	taskArgs
	revisionArg
}

func (b builtin) completeTask() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "complete_task", Title: "Complete a task", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Marks a task as done and takes its blocker away; completing a done task changes nothing. Returns the task, and says which tasks can go on now.",
		Preview:     updates(assent.KindTask), Target: b.titled("task_id"),
		Example: `{"task_id": "0192f000-0000-7000-8000-000000000004"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a completeTaskArgs) (tool.Result[assent.Task], error) {
		t, err := current[assent.Task](ctx, tx, c, a.TaskID, a.Revision)
		if err != nil {
			return tool.Result[assent.Task]{}, err
		}
		r := tool.Result[assent.Task]{ArtifactID: t.ID, Artifact: t, Summary: "The task " + quoted(&t) + " was done already"}
		if t.Status == "done" {
			return r, nil
		}
		t.Status, t.Blocker = "done", ""
		if err := tx.UpdateEntity(store.OriginOf(c.Scope, c.Tool), &t); err != nil {
			return r, err
		}
		freed, err := freedBy(ctx, tx, c, &t)
		r.Artifact, r.Summary = t, "Completed the task "+quoted(&t)
		if len(freed) > 0 {
			r.Summary += "; " + examples(freed, 3) + " can go on now"
		}
		return r, err
	})
}

// freedBy names the tasks that waited for t alone.
func freedBy(ctx context.Context, tx *store.Tx, c tool.Call, t *assent.Task) ([]string, error) {
	g, err := around(ctx, tx.Reads, c, t)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, id := range g.blocks[t.ID] {
		other, ok := g.nodes[id].(*assent.Task)
		if !ok || finished(other) {
			continue
		}
		theirs, err := around(ctx, tx.Reads, c, other)
		if err != nil {
			return nil, err
		}
		if len(theirs.waitsFor(id)) == 0 && other.Status != "blocked" {
			out = append(out, quoted(other))
		}
	}
	return out, nil
}
