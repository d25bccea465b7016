package carry

import (
	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// graph is which steps of a document refer to which.
type graph struct {
	steps  map[string]assent.Step
	parent map[string]string   // of children of a parallel step
	refs   map[string][]string // of a parallel step, those of its children too
}

func graphOf(doc assent.PlanDocument) graph {
	g := graph{steps: map[string]assent.Step{}, parent: map[string]string{}, refs: map[string][]string{}}
	keys := map[string]string{}
	places := lang.Paths(doc)
	for _, p := range places {
		g.steps[p.Step.ID] = p.Step
		if p.Parent != "" {
			g.parent[p.Step.ID] = p.Parent
		}
		if p.Step.ResultKey != "" {
			keys[p.Step.ResultKey] = p.Step.ID
		}
	}
	for _, p := range places {
		for _, l := range lang.StepReferences(p.Step) {
			to := g.target(doc, keys, l)
			g.refs[p.Step.ID] = append(g.refs[p.Step.ID], to)
			if p.Parent != "" {
				g.refs[p.Parent] = append(g.refs[p.Parent], to)
			}
		}
	}
	return g
}

// target is the id of the step that a reference means; something that is no step
// has a name that no step can have.
func (g graph) target(doc assent.PlanDocument, keys map[string]string, l lang.Located) string {
	switch {
	case l.Err == nil && l.Ref.Root == lang.RootOutput && l.Ref.Index >= 0 && l.Ref.Index < len(doc.Steps):
		return doc.Steps[l.Ref.Index].ID
	case l.Err == nil && l.Ref.Root == lang.RootResult && keys[l.Ref.Key] != "":
		return keys[l.Ref.Key]
	}
	return "{{}}"
}

// drop marks a step and its children as removed.
func (g graph) drop(id string, gone map[string]bool) {
	gone[id] = true
	for _, c := range g.steps[id].Steps {
		gone[c.ID] = true
	}
}

// onlyOn reports a step that refers to removed steps and to nothing else. A
// question to the person goes with nothing.
func (g graph) onlyOn(id string, gone map[string]bool) bool {
	if g.steps[id].Type == assent.StepCheckpoint || len(g.refs[id]) == 0 {
		return false
	}
	for _, to := range g.refs[id] {
		if !gone[to] {
			return false
		}
	}
	return true
}

// feeds gives a step and everything that it works with, near or far.
func (g graph) feeds(id string) map[string]bool {
	out := map[string]bool{}
	todo := []string{id}
	for len(todo) > 0 {
		id, todo = todo[0], todo[1:]
		if out[id] {
			continue
		}
		out[id] = true
		todo = append(todo, g.refs[id]...)
		if p := g.parent[id]; p != "" {
			out[p] = true
		}
		for _, c := range g.steps[id].Steps {
			todo = append(todo, c.ID)
		}
	}
	return out
}
