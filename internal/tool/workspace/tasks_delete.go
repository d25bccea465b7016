package workspace

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type deleteTaskArgs struct {
	taskArgs
	revisionArg
}

func (b builtin) deleteTask() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_task", Title: "Delete a task", Effect: assent.EffectDestructive,
		Description: "Deletes a task with its dependencies and other relations. Returns the task as it was.",
		Preview:     b.deletes(assent.KindTask), Target: b.titled("task_id"),
		Example: `{"task_id": "0192f000-0000-7000-8000-000000000004"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteTaskArgs) (tool.Result[assent.Task], error) {
		return remove[assent.Task](ctx, tx, c, a.TaskID, a.Revision)
	})
}
