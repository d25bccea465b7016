package workspace

import (
	"context"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// create stores a new entity in a project that the caller may see.
func create[T any, P entity[T]](tx *store.Tx, c tool.Call, n T) (tool.Result[T], error) {
	if err := tx.CreateEntity(store.OriginOf(c.Scope, c.Tool), P(&n)); err != nil {
		return tool.Result[T]{}, err
	}
	e := P(&n).Base()
	return tool.Result[T]{ArtifactID: e.ID, Artifact: n, Summary: fmt.Sprintf("Created the %s %s", e.Kind, quoted(P(&n)))}, nil
}

// remove deletes one entity with the relations from and to it. Its artifact is
// the entity as it was.
func remove[T any, P entity[T]](ctx context.Context, tx *store.Tx, c tool.Call, id string, revision *int64) (tool.Result[T], error) {
	n, err := current[T, P](ctx, tx, c, id, revision)
	if err != nil {
		return tool.Result[T]{}, err
	}
	gone := n
	links, err := unlink(ctx, tx, c, id)
	if err != nil {
		return tool.Result[T]{}, err
	}
	if err := tx.DeleteEntity(store.OriginOf(c.Scope, c.Tool), P(&gone)); err != nil {
		return tool.Result[T]{}, err
	}
	e := P(&n).Base()
	summary := fmt.Sprintf("Deleted the %s %s", e.Kind, quoted(P(&n)))
	if links > 0 {
		summary += " and " + count(links, "relation") + " of it"
	}
	return tool.Result[T]{ArtifactID: e.ID, Artifact: n, Summary: summary}, nil
}

// unlink deletes the relations from and to an entity and says how many.
func unlink(ctx context.Context, tx *store.Tx, c tool.Call, id string) (int, error) {
	rels, err := tx.ListRelationsOf(ctx, id)
	if err != nil {
		return 0, err
	}
	for i := range rels {
		if err := tx.DeleteEntity(store.OriginOf(c.Scope, c.Tool), &rels[i]); err != nil {
			return 0, err
		}
	}
	return len(rels), nil
}

// base is the shared part of a new entity of a project.
func base(k assent.Kind, projectID string) assent.Entity {
	return assent.Entity{Kind: k, ProjectID: projectID}
}

// milestoneIn refuses a milestone of another project, and gives its id.
func milestoneIn(ctx context.Context, r store.Reads, c tool.Call, projectID, milestoneID string) (string, error) {
	if milestoneID == "" {
		return "", nil
	}
	m, err := find[assent.Milestone](ctx, r, c, milestoneID)
	if err != nil {
		return "", err
	}
	if m.ProjectID != projectID {
		return "", assent.Invalid("/milestone_id", "invalid_arguments", fmt.Sprintf("The milestone %s belongs to another project.", quoted(&m)))
	}
	return m.ID, nil
}

// assignee gives the id of a person who may be given a task: its owner or a
// member of the project, by id or address, or "me".
func assignee(ctx context.Context, r store.Reads, c tool.Call, p assent.Project, who string) (string, error) {
	switch who {
	case "":
		return "", nil
	case "me", c.Scope.Person.ID:
		return c.Scope.Person.ID, nil
	case p.OwnerID:
		return p.OwnerID, nil
	}
	members, err := r.ListMembers(ctx, p.ID)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(members, func(m assent.Member) bool { return m.UserID == who || m.Email == who })
	if i < 0 {
		return "", assent.Invalid("/assignee_id", "invalid_arguments", "Only the owner and the members of the project can be given its tasks.")
	}
	return members[i].UserID, nil
}
