package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// relate creates a relation between two things that the caller may see. It
// belongs to the project of the end that depends, else to that of from.
func relate(ctx context.Context, tx *store.Tx, c tool.Call, kind, fromID, toID, note string) (tool.Result[assent.Relation], error) {
	var none tool.Result[assent.Relation]
	from, err := end(ctx, tx, c, "from_id", fromID)
	if err != nil {
		return none, err
	}
	to, err := end(ctx, tx, c, "to_id", toID)
	if err != nil {
		return none, err
	}
	if fromID == toID {
		return none, assent.Invalid("/to_id", "invalid_arguments", "A thing cannot be related to itself.")
	}
	r := assent.Relation{Entity: base(assent.KindRelation, from.Base().ProjectID), Type: kind, FromKind: from.Base().Kind, FromID: fromID,
		ToKind: to.Base().Kind, ToID: toID, Note: note}
	if err := isNew(ctx, tx, r, from, to); err != nil {
		return none, err
	}
	if dependent, on, ok := dependencyOf(r); ok {
		if dependent == toID {
			r.ProjectID = to.Base().ProjectID
		}
		if err := noCircle(ctx, tx, c, dependent, on); err != nil {
			return none, err
		}
	}
	out, err := create(tx, c, r)
	out.Summary = fmt.Sprintf("Noted that %s %s %s", quoted(from), inWords(kind), quoted(to))
	return out, err
}

// end looks up one end of a relation.
func end(ctx context.Context, tx *store.Tx, c tool.Call, arg, id string) (store.Noun, error) {
	n, err := findAny(ctx, tx.Reads, c, id)
	if err != nil {
		return nil, err
	}
	if k := n.Base().Kind; k == assent.KindRelation || k == assent.KindTemplate {
		return nil, assent.Invalid("/"+arg, "invalid_arguments", fmt.Sprintf("A %s cannot be related to anything.", k))
	}
	return n, nil
}

// isNew refuses a relation that is there already, also one that says the same
// the other way round.
func isNew(ctx context.Context, tx *store.Tx, r assent.Relation, from, to store.Noun) error {
	rels, err := tx.ListRelationsOf(ctx, r.FromID)
	if err != nil {
		return err
	}
	for _, old := range rels {
		if sameRelation(old, r) {
			return &assent.Error{Code: assent.CodeConflict, Message: fmt.Sprintf("%s %s %s already.", quoted(from), inWords(r.Type), quoted(to)),
				Details: map[string]any{"relation_id": old.ID}}
		}
	}
	return nil
}

func sameRelation(a, b assent.Relation) bool {
	a1, a2, edge := dependencyOf(a)
	if b1, b2, ok := dependencyOf(b); ok && edge {
		return a1 == b1 && a2 == b2
	}
	if a.Type != b.Type {
		return false
	}
	same := a.FromID == b.FromID && a.ToID == b.ToID
	return same || a.Type == "relates_to" && a.FromID == b.ToID && a.ToID == b.FromID
}

// noCircle refuses a dependency on something that itself depends, near or far,
// on what is to depend on it, and names the circle.
func noCircle(ctx context.Context, tx *store.Tx, c tool.Call, dependent, on string) error {
	came := map[string]string{on: ""}
	queue := []string{on}
	var rels []assent.Relation
	for len(queue) > 0 && came[dependent] == "" {
		id := queue[0]
		queue = queue[1:]
		more, err := tx.ListRelationsOf(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range more {
			from, to, ok := dependencyOf(r)
			if _, known := came[to]; ok && from == id && !known {
				came[to], rels = id, append(rels, r)
				queue = append(queue, to)
			}
		}
	}
	if came[dependent] == "" {
		return nil
	}
	g, err := newGraph(ctx, tx.Reads, c, nil, rels)
	if err != nil {
		return err
	}
	path := []string{dependent}
	for id := dependent; came[id] != ""; id = came[id] {
		path = append(path, came[id])
	}
	slices.Reverse(path) // on, …, dependent: each depends on the next
	return circle(g, path)
}

func circle(g *graph, path []string) error {
	names := []string{"“" + g.title(path[len(path)-1]) + "”"}
	for _, id := range path {
		names = append(names, "“"+g.title(id)+"”")
	}
	return &assent.Error{Code: assent.CodeConflict, Message: "That would close a circle in which everything waits for the next: " + strings.Join(names, " → ") + ".",
		Hint: "Leave one of these dependencies out, or delete it first.", Details: map[string]any{"cycle": path}}
}
