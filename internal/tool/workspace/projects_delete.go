package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type deleteProjectArgs struct {
	projectArgs
	revisionArg
}

// deletedProject is a project as it was, with how much went with it, by kind.
type deletedProject struct {
	assent.Project
	Deleted map[string]int `json:"deleted"`
}

func (b builtin) deleteProject() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_project", Title: "Delete a project", Effect: assent.EffectDestructive,
		Description: "Deletes a project with everything in it: milestones, tasks, documents, goals, risks, decisions and the relations to them. Only its owner may. " +
			"Returns the project as it was and how much went with it.",
		Preview: b.deletes(assent.KindProject), Target: b.titled("project_id"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteProjectArgs) (tool.Result[deletedProject], error) {
		var none tool.Result[deletedProject]
		p, err := current[assent.Project](ctx, tx, c, a.ProjectID, a.Revision)
		if err != nil {
			return none, err
		}
		if p.OwnerID != c.Scope.Person.ID {
			return none, assent.Errorf(assent.CodeForbidden, "Only the owner of %s can delete it.", quoted(&p))
		}
		out := deletedProject{Project: p}
		if out.Deleted, err = empty(ctx, tx, c, p); err != nil {
			return none, err
		}
		if err := tx.DeleteEntity(store.OriginOf(c.Scope, c.Tool), &p); err != nil {
			return none, err
		}
		summary := "Deleted the project " + quoted(&p)
		if with := counted(out.Deleted); with != "" {
			summary += " with " + with
		}
		return tool.Result[deletedProject]{ArtifactID: p.ID, Artifact: out, Summary: summary}, nil
	})
}

// empty deletes everything in a project, what refers to a thing before the thing
// itself, so that an undo, which goes backwards, restores the thing first.
func empty(ctx context.Context, tx *store.Tx, c tool.Call, p assent.Project) (map[string]int, error) {
	within, err := tx.ListProjectEntities(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	doomed, seen := []store.Noun{}, map[string]bool{}
	for _, n := range append(within, &p) {
		rels, err := tx.ListRelationsOf(ctx, n.Base().ID)
		if err != nil {
			return nil, err
		}
		for _, r := range rels {
			if !seen[r.ID] {
				seen[r.ID] = true
				doomed = append(doomed, &r)
			}
		}
	}
	for _, n := range within {
		if !seen[n.Base().ID] {
			doomed = append(doomed, n)
		}
	}
	order := assent.Kinds()
	slices.SortStableFunc(doomed, func(a, b store.Noun) int {
		return slices.Index(order, b.Base().Kind) - slices.Index(order, a.Base().Kind)
	})
	gone := map[string]int{}
	for _, n := range doomed {
		if err := tx.DeleteEntity(store.OriginOf(c.Scope, c.Tool), n); err != nil {
			return nil, err
		}
		gone[string(n.Base().Kind)]++
	}
	return gone, nil
}
