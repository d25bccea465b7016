package workspace

import (
	"context"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type dependenciesArgs struct {
	inProjectArgs
	TaskID string `json:"task_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Only what this task depends on and what waits for it, near and far."`
}

// dependencyView says what depends on what. Order is one in which everything
// comes after what it depends on; the members of a cycle stand together in it.
type dependencyView struct {
	Tasks  []dependencyNode `json:"tasks"`
	Order  []string         `json:"order"`
	Cycles [][]string       `json:"cycles"`
}

type dependencyNode struct {
	ID        string      `json:"id"`
	Kind      assent.Kind `json:"kind"` // task, or what else a task depends on
	Title     string      `json:"title"`
	Status    string      `json:"status"`
	DependsOn []string    `json:"depends_on"`
	Blocks    []string    `json:"blocks"`
}

func (b builtin) taskDependencies() *tool.Tool {
	return tool.New(tool.Def{Name: "task_dependencies", Title: "Show dependencies", Effect: assent.EffectRead,
		Description: "Shows what depends on what in a project or around one task. Returns tasks with depends_on and blocks, an order in which they can be done, and cycles if there are any; in a very large project only tasks with dependencies.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a dependenciesArgs) (tool.Result[dependencyView], error) {
		ids, g, err := b.dependencies(ctx, c, a)
		if err != nil {
			return tool.Result[dependencyView]{}, err
		}
		if ids, err = g.bounded(ids); err != nil {
			return tool.Result[dependencyView]{}, err
		}
		v := g.view(ids)
		summary := count(len(v.Tasks), "task") + ", " + count(g.edges(ids), "dependency")
		if len(v.Cycles) > 0 {
			summary += ", " + count(len(v.Cycles), "cycle")
		}
		return tool.Result[dependencyView]{ArtifactID: a.TaskID, Artifact: v, Summary: summary}, nil
	})
}

// dependencies gives the graph asked for and its nodes in the order of the project.
func (b builtin) dependencies(ctx context.Context, c tool.Call, a dependenciesArgs) ([]string, *graph, error) {
	if a.TaskID != "" {
		t, err := find[assent.Task](ctx, b.reads, c, a.TaskID)
		if err != nil {
			return nil, nil, err
		}
		return b.reachable(ctx, c, &t)
	}
	tasks, g, err := b.work(ctx, c, a.ProjectID)
	if err != nil {
		return nil, nil, err
	}
	ids, known := make([]string, len(tasks)), map[string]bool{}
	for i, t := range tasks {
		ids[i], known[t.ID] = t.ID, true
	}
	for _, t := range tasks {
		for _, d := range slices.Concat(g.deps[t.ID], g.blocks[t.ID]) {
			if !known[d] {
				ids, known[d] = append(ids, d), true
			}
		}
	}
	return ids, g, nil
}

// maxView bounds how many things one view shows; maxReach how many around one
// task are looked at.
const (
	maxView  = 400
	maxReach = maxView
)

// bounded leaves out what has no dependencies where there is too much for one
// view; a view that would still be incomplete is refused.
func (g *graph) bounded(ids []string) ([]string, error) {
	if len(ids) <= maxView {
		return ids, nil
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return len(g.deps[id])+len(g.blocks[id]) == 0 })
	if len(ids) > maxView {
		return nil, &assent.Error{Code: assent.CodeTooLarge, Message: fmt.Sprintf("There are dependencies between %d things, which is too much to show at once.", len(ids)),
			Hint: "Name a project, or a task to see what is around it."}
	}
	return ids, nil
}

// reachable gives the graph of everything that depends on a thing or that it
// depends on, near and far.
func (b builtin) reachable(ctx context.Context, c tool.Call, n store.Noun) ([]string, *graph, error) {
	known, ids := map[string]bool{n.Base().ID: true}, []string{n.Base().ID}
	var rels []assent.Relation
	for i := 0; i < len(ids) && i < maxReach; i++ {
		more, err := b.reads.ListRelationsOf(ctx, ids[i])
		if err != nil {
			return nil, nil, err
		}
		for _, r := range more {
			from, to, ok := dependencyOf(r)
			if !ok {
				continue
			}
			rels = append(rels, r)
			for _, id := range []string{from, to} {
				if !known[id] {
					known[id] = true
					ids = append(ids, id)
				}
			}
		}
	}
	g, err := newGraph(ctx, b.reads, c, []store.Noun{n}, rels)
	if err != nil {
		return nil, nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool { return g.nodes[id] == nil }), g, nil
}

// view renders the part of the graph between ids.
func (g *graph) view(ids []string) dependencyView {
	v := dependencyView{Tasks: []dependencyNode{}, Order: []string{}, Cycles: [][]string{}}
	for _, l := range g.linked(ids) {
		v.Tasks = append(v.Tasks, dependencyNode{ID: l.ID, Kind: l.Kind, Title: l.Title, Status: l.Status,
			DependsOn: append([]string{}, g.deps[l.ID]...), Blocks: append([]string{}, g.blocks[l.ID]...)})
	}
	for _, part := range g.components(ids) {
		v.Order = append(v.Order, part...)
		if len(part) > 1 {
			v.Cycles = append(v.Cycles, part)
		}
	}
	return v
}

func (g *graph) edges(ids []string) int {
	n := 0
	for _, id := range ids {
		n += len(g.deps[id])
	}
	return n
}
