package workspace

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// inProjectArgs narrow a list to a project.
type inProjectArgs struct {
	ProjectID string `json:"project_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Only in this project; if left out, in the project that the conversation is about, else in all."`
}

type goalList struct {
	Goals []assent.Goal `json:"goals"`
	Total int           `json:"total"`
}

func (b builtin) listGoals() *tool.Tool {
	return tool.New(tool.Def{Name: "list_goals", Title: "List goals", Effect: assent.EffectRead,
		Description: "Lists the goals of a project. Returns goals with their status: open, met or dropped.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a inProjectArgs) (tool.Result[goalList], error) {
		found, err := within[assent.Goal](ctx, b.reads, c, a.ProjectID)
		return tool.Result[goalList]{Artifact: goalList{Goals: first(found, 200), Total: len(found)}, Summary: "Found " + count(len(found), "goal")}, err
	})
}

// within lists one kind in the project named, else in the conversation's, else
// in all that the caller may see.
func within[T any, P entity[T]](ctx context.Context, r store.Reads, c tool.Call, projectID string) ([]T, error) {
	projectID, err := projectOf(ctx, r, c, projectID)
	if err != nil {
		return nil, err
	}
	return inProjects[T, P](ctx, r, c, projectID)
}

type createGoalArgs struct {
	projectArgs
	Title       string `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"The outcome that is wanted."`
	Description string `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"How one can tell that it is met."`
}

func (b builtin) createGoal() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_goal", Title: "Add a goal", Effect: assent.EffectWrite,
		Description: "Adds a goal, an outcome that the project is for, to a project. Returns the goal.",
		Preview:     creates(assent.KindGoal), Target: namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "Nobody loses a working day"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createGoalArgs) (tool.Result[assent.Goal], error) {
		title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
		if err != nil {
			return tool.Result[assent.Goal]{}, err
		}
		return create(tx, c, assent.Goal{Entity: base(assent.KindGoal, p.ID), Title: title, Description: a.Description, Status: "open"})
	})
}

// newIn checks where something new goes and what it is called.
func newIn(ctx context.Context, tx *store.Tx, c tool.Call, projectID, title string) (string, assent.Project, error) {
	p, err := find[assent.Project](ctx, tx.Reads, c, projectID)
	if err != nil {
		return "", p, err
	}
	title, err = named("/title", title)
	return title, p, err
}

type goalArgs struct {
	GoalID string `json:"goal_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the goal."`
}

type updateGoalArgs struct {
	goalArgs
	Title       *string `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Description *string `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New description."`
	Status      string  `json:"status,omitempty" jsonschema:"enum=open,enum=met,enum=dropped" jsonschema_description:"New status."`
	revisionArg
}

func (b builtin) updateGoal() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_goal", Title: "Change a goal", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a goal, for instance its status to met. Returns the goal.",
		Preview:     updates(assent.KindGoal), Target: b.titled("goal_id"),
		Example: `{"goal_id": "0192f000-0000-7000-8000-000000000002", "status": "met"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateGoalArgs) (tool.Result[assent.Goal], error) {
		g, err := current[assent.Goal](ctx, tx, c, a.GoalID, a.Revision)
		if err != nil {
			return tool.Result[assent.Goal]{}, err
		}
		var change patch
		change.title("title", &g.Title, a.Title)
		change.text("description", &g.Description, a.Description)
		change.choice("status", &g.Status, a.Status)
		return save(tx, c, &change, &g)
	})
}

type deleteGoalArgs struct {
	goalArgs
	revisionArg
}

func (b builtin) deleteGoal() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_goal", Title: "Delete a goal", Effect: assent.EffectDestructive,
		Description: "Deletes a goal with the relations to it. Returns the goal as it was.",
		Preview:     b.deletes(assent.KindGoal), Target: b.titled("goal_id"),
		Example: `{"goal_id": "0192f000-0000-7000-8000-000000000002"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteGoalArgs) (tool.Result[assent.Goal], error) {
		return remove[assent.Goal](ctx, tx, c, a.GoalID, a.Revision)
	})
}
