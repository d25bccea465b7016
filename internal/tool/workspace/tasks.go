package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listTasksArgs struct {
	inProjectArgs
	Status      string      `json:"status,omitempty" jsonschema:"enum=open,enum=todo,enum=in_progress,enum=blocked,enum=done,enum=cancelled" jsonschema_description:"Only tasks in this status; open means neither done nor cancelled."`
	MilestoneID string      `json:"milestone_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Only tasks of this milestone."`
	Query       string      `json:"query,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Words in the title or description."`
	DueBefore   assent.Date `json:"due_before,omitempty" jsonschema_description:"Only tasks due before this day, YYYY-MM-DD."`
	limitArg
}

type taskList struct {
	Tasks []assent.Task `json:"tasks"`
	Total int           `json:"total"`
}

func (b builtin) listTasks() *tool.Tool {
	return tool.New(tool.Def{Name: "list_tasks", Title: "List tasks", Effect: assent.EffectRead,
		Description: "Lists tasks by project, status, milestone, words or due date, in the order of the project, with a query the best match first. Returns tasks and how many there are in total.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001", "status": "open", "limit": 20}`,
	}, func(ctx context.Context, c tool.Call, a listTasksArgs) (tool.Result[taskList], error) {
		found, err := b.tasks(ctx, c, a)
		if err != nil {
			return tool.Result[taskList]{}, err
		}
		total := len(found)
		return tool.Result[taskList]{Artifact: taskList{Tasks: first(found, a.or(defaultLimit)), Total: total}, Summary: "Found " + count(total, "task")}, nil
	})
}

func (b builtin) tasks(ctx context.Context, c tool.Call, a listTasksArgs) ([]assent.Task, error) {
	project, err := projectOf(ctx, b.reads, c, a.ProjectID)
	if err != nil {
		return nil, err
	}
	if a.MilestoneID != "" {
		m, err := find[assent.Milestone](ctx, b.reads, c, a.MilestoneID)
		if err != nil {
			return nil, err
		}
		if a.ProjectID == "" {
			project = m.ProjectID // the conversation's project is a default only
		}
	}
	found, err := inProjects[assent.Task](ctx, b.reads, c, project)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(t assent.Task) bool { return !a.fits(t) })
	return matching(found, a.Query, func(t assent.Task) []field {
		return []field{in(t.Title, 3), in(t.Description, 1), in(t.Blocker, 1)}
	}), nil
}

// fits reports whether a task is among those asked for, words aside.
func (a listTasksArgs) fits(t assent.Task) bool {
	switch {
	case a.MilestoneID != "" && t.MilestoneID != a.MilestoneID:
		return false
	case a.DueBefore != "" && (t.DueDate == "" || t.DueDate >= a.DueBefore):
		return false
	case a.Status == "open":
		return !finished(&t)
	}
	return a.Status == "" || t.Status == a.Status
}

type taskArgs struct {
	TaskID string `json:"task_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the task."`
}

// linked names what a task depends on or blocks.
type linked struct {
	ID     string      `json:"id"`
	Kind   assent.Kind `json:"kind"`
	Title  string      `json:"title"`
	Status string      `json:"status"`
}

// taskView is a task with its dependencies in both directions.
type taskView struct {
	assent.Task
	DependsOn []linked `json:"depends_on"`
	Blocks    []linked `json:"blocks"`
}

func (b builtin) getTask() *tool.Tool {
	return tool.New(tool.Def{Name: "get_task", Title: "Read a task", Effect: assent.EffectRead,
		Description: "Reads one task. Returns the task with its blocker, what it depends on (depends_on) and what waits for it (blocks), each with title and status.",
		Example:     `{"task_id": "0192f000-0000-7000-8000-000000000004"}`,
	}, func(ctx context.Context, c tool.Call, a taskArgs) (tool.Result[taskView], error) {
		t, err := find[assent.Task](ctx, b.reads, c, a.TaskID)
		if err != nil {
			return tool.Result[taskView]{}, err
		}
		g, err := around(ctx, b.reads, c, &t)
		if err != nil {
			return tool.Result[taskView]{}, err
		}
		v := taskView{Task: t, DependsOn: g.linked(g.deps[t.ID]), Blocks: g.linked(g.blocks[t.ID])}
		return tool.Result[taskView]{ArtifactID: t.ID, Artifact: v, Summary: "Read the task " + quoted(&t)}, nil
	})
}

// around is the graph of what one thing depends on and blocks.
func around(ctx context.Context, r store.Reads, c tool.Call, n store.Noun) (*graph, error) {
	rels, err := r.ListRelationsOf(ctx, n.Base().ID)
	if err != nil {
		return nil, err
	}
	return newGraph(ctx, r, c, []store.Noun{n}, rels)
}

// linked names nodes of the graph.
func (g *graph) linked(ids []string) []linked {
	out := []linked{}
	for _, id := range ids {
		l := linked{ID: id, Title: g.title(id)}
		if n := g.nodes[id]; n != nil {
			l.Kind, l.Status = n.Base().Kind, statusOf(n)
		}
		out = append(out, l)
	}
	return out
}

// statusOf is the status of what can be depended on.
func statusOf(n store.Noun) string {
	switch e := n.(type) {
	case *assent.Project:
		return e.Status
	case *assent.Goal:
		return e.Status
	case *assent.Milestone:
		return e.Status
	case *assent.Task:
		return e.Status
	case *assent.Document:
		return e.Status
	case *assent.Risk:
		return e.Status
	case *assent.Decision:
		return e.Status
	}
	return ""
}
