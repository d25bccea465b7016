package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// graph is what depends on what. An edge leads from a thing to what it waits
// for; "a blocks b" is the edge from b to a.
type graph struct {
	nodes  map[string]store.Noun // what the caller may see
	hidden map[string]bool       // ends that exist but are not the caller's to see
	deps   map[string][]string
	blocks map[string][]string
}

// dependencyOf gives the edge of a relation; ok is false for other relations.
func dependencyOf(r assent.Relation) (dependent, on string, ok bool) {
	switch r.Type {
	case "depends_on":
		return r.FromID, r.ToID, true
	case "blocks":
		return r.ToID, r.FromID, true
	}
	return "", "", false
}

// finished reports whether nothing needs to wait for n any more.
func finished(n store.Noun) bool {
	switch e := n.(type) {
	case *assent.Task:
		return e.Status == "done" || e.Status == "cancelled"
	case *assent.Milestone:
		return e.Status == "reached"
	case *assent.Project:
		return e.Status == "done" || e.Status == "archived"
	case *assent.Goal:
		return e.Status != "open"
	case *assent.Document:
		return e.Status == "published"
	case *assent.Risk:
		return e.Status == "mitigated" || e.Status == "closed"
	case *assent.Decision:
		return e.Status == "decided" || e.Status == "superseded"
	}
	return true
}

// newGraph makes the graph of relations; ends beyond known are looked up. A
// relation whose end is gone makes no edge.
func newGraph(ctx context.Context, r store.Reads, c tool.Call, known []store.Noun, rels []assent.Relation) (*graph, error) {
	g := &graph{nodes: map[string]store.Noun{}, hidden: map[string]bool{}, deps: map[string][]string{}, blocks: map[string][]string{}}
	for _, n := range known {
		g.nodes[n.Base().ID] = n
	}
	for _, rel := range rels {
		from, to, ok := dependencyOf(rel)
		if !ok || slices.Contains(g.deps[from], to) {
			continue
		}
		there, err := g.lookUp(ctx, r, c, from, to)
		if err != nil {
			return nil, err
		}
		if there {
			g.deps[from] = append(g.deps[from], to)
			g.blocks[to] = append(g.blocks[to], from)
		}
	}
	return g, nil
}

// lookUp sees to it that ids are known; false if one does not exist.
func (g *graph) lookUp(ctx context.Context, r store.Reads, c tool.Call, ids ...string) (bool, error) {
	for _, id := range ids {
		if g.nodes[id] != nil || g.hidden[id] {
			continue
		}
		n, err := r.FindAny(ctx, id)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch err := visible(ctx, r, c, n); {
		case err == nil:
			g.nodes[id] = n
		case assent.ErrorCode(err) == assent.CodeNotFound:
			g.hidden[id] = !finished(n)
			if finished(n) {
				return false, nil // nobody waits for it
			}
		default:
			return false, err
		}
	}
	return true, nil
}

// waitsFor are the unfinished things that id depends on.
func (g *graph) waitsFor(id string) []string {
	out := []string{}
	for _, d := range g.deps[id] {
		if g.hidden[d] || g.nodes[d] != nil && !finished(g.nodes[d]) {
			out = append(out, d)
		}
	}
	return out
}

// title names a node; what the caller may not see has no name.
func (g *graph) title(id string) string {
	if n := g.nodes[id]; n != nil {
		return store.Title(n)
	}
	return "something in another project"
}

// components gives the strongly connected components of ids, each after all that
// it depends on (Tarjan). A component of more than one is a cycle.
func (g *graph) components(ids []string) [][]string {
	t := &tarjan{g: g, index: map[string]int{}, low: map[string]int{}, onStack: map[string]bool{}, within: map[string]bool{}}
	for _, id := range ids {
		t.within[id] = true
	}
	for _, id := range ids {
		if t.index[id] == 0 {
			t.visit(id)
		}
	}
	return t.out
}

type tarjan struct {
	g               *graph
	index, low      map[string]int
	onStack, within map[string]bool
	stack           []string
	out             [][]string
}

func (t *tarjan) visit(id string) {
	t.index[id] = len(t.index) + 1
	t.low[id] = t.index[id]
	t.stack, t.onStack[id] = append(t.stack, id), true
	for _, d := range t.g.deps[id] {
		switch {
		case !t.within[d]:
		case t.index[d] == 0:
			t.visit(d)
			t.low[id] = min(t.low[id], t.low[d])
		case t.onStack[d]:
			t.low[id] = min(t.low[id], t.index[d])
		}
	}
	if t.low[id] != t.index[id] {
		return
	}
	at := slices.Index(t.stack, id)
	part := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, p := range part {
		t.onStack[p] = false
	}
	t.out = append(t.out, part)
}
