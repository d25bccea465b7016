package workspace

import (
	"context"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// keepBrief is how much of long texts views keep that show many things at once,
// maxBrief how many things they show.
const (
	keepBrief = 300
	maxBrief  = 100
)

// blockedTask is a task that cannot go on, with what it waits for. Its blocker,
// if somebody wrote one, stands in the task.
type blockedTask struct {
	assent.Task
	WaitsFor []linked `json:"waits_for"`
}

type blockedList struct {
	Tasks []blockedTask `json:"tasks"`
	Total int           `json:"total"`
}

func (b builtin) blockedTasks() *tool.Tool {
	return tool.New(tool.Def{Name: "blocked_tasks", Title: "List blocked tasks", Effect: assent.EffectRead,
		Description: "Lists tasks that cannot go on: marked as blocked, or waiting for something unfinished. Returns tasks with their blocker in words and what they wait for.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a inProjectArgs) (tool.Result[blockedList], error) {
		tasks, g, err := b.work(ctx, c, a.ProjectID)
		if err != nil {
			return tool.Result[blockedList]{}, err
		}
		found := blockedOf(tasks, g)
		return tool.Result[blockedList]{Artifact: blockedList{Tasks: found[:min(maxBrief, len(found))], Total: len(found)},
			Summary: "Found " + count(len(found), "blocked task")}, nil
	})
}

// work loads the tasks of the project named, the conversation's or all, with
// what they depend on.
func (b builtin) work(ctx context.Context, c tool.Call, projectID string) ([]assent.Task, *graph, error) {
	project, err := projectOf(ctx, b.reads, c, projectID)
	if err != nil {
		return nil, nil, err
	}
	tasks, err := inProjects[assent.Task](ctx, b.reads, c, project)
	if err != nil {
		return nil, nil, err
	}
	rels, err := inProjects[assent.Relation](ctx, b.reads, c, project)
	if err != nil {
		return nil, nil, err
	}
	known := make([]store.Noun, len(tasks))
	for i := range tasks {
		known[i] = &tasks[i]
	}
	g, err := newGraph(ctx, b.reads, c, known, rels)
	return tasks, g, err
}

// blockedOf gives the unfinished tasks that are marked as blocked or wait for
// something unfinished.
func blockedOf(tasks []assent.Task, g *graph) []blockedTask {
	out := []blockedTask{}
	for _, t := range tasks {
		waits := g.waitsFor(t.ID)
		if finished(&t) || t.Status != "blocked" && len(waits) == 0 {
			continue
		}
		cut(&t, keepBrief)
		out = append(out, blockedTask{Task: t, WaitsFor: g.linked(waits)})
	}
	return out
}

func (b builtin) overdueTasks() *tool.Tool {
	return tool.New(tool.Def{Name: "overdue_tasks", Title: "List overdue tasks", Effect: assent.EffectRead,
		Description: "Lists tasks whose due date has passed and that are neither done nor cancelled, the longest overdue first. Returns tasks.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a inProjectArgs) (tool.Result[taskList], error) {
		tasks, err := within[assent.Task](ctx, b.reads, c, a.ProjectID)
		if err != nil {
			return tool.Result[taskList]{}, err
		}
		found := overdueOf(tasks, today(c))
		total := len(found)
		return tool.Result[taskList]{Artifact: taskList{Tasks: first(found, 200), Total: total}, Summary: "Found " + count(total, "overdue task")}, nil
	})
}

// today is the day of the call in the person's zone.
func today(c tool.Call) assent.Date { return assent.Date(c.Now.Format(time.DateOnly)) }
