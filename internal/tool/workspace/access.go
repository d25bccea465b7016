package workspace

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// entity is satisfied by *T for every workspace entity T.
type entity[T any] interface {
	*T
	store.Noun
}

// visible refuses what the caller may not see as if it did not exist. It is the
// one place where the tools decide who sees what. Templates are for everyone.
func visible(ctx context.Context, r store.Reads, c tool.Call, n store.Noun) error {
	e := n.Base()
	if e.Kind == assent.KindTemplate {
		return nil
	}
	ok, err := r.MaySee(ctx, c.Scope.Person.ID, e.ProjectID)
	if err != nil {
		return err
	}
	if !ok {
		return assent.NotFound(string(e.Kind))
	}
	return nil
}

// find gives an entity that the caller may see.
func find[T any, P entity[T]](ctx context.Context, r store.Reads, c tool.Call, id string) (T, error) {
	n, err := store.Find[T, P](ctx, r, id)
	if err != nil {
		return n, err
	}
	if err := visible(ctx, r, c, P(&n)); err != nil {
		var none T
		return none, err
	}
	return n, nil
}

// findAny gives an entity of whatever kind that the caller may see.
func findAny(ctx context.Context, r store.Reads, c tool.Call, id string) (store.Noun, error) {
	n, err := r.FindAny(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := visible(ctx, r, c, n); err != nil {
		return nil, assent.NotFound("thing in the workspace")
	}
	return n, nil
}

// current is find for a write that may name the revision it expects.
func current[T any, P entity[T]](ctx context.Context, tx *store.Tx, c tool.Call, id string, revision *int64) (T, error) {
	n, err := find[T, P](ctx, tx.Reads, c, id)
	if err != nil {
		return n, err
	}
	if e := P(&n).Base(); revision != nil && *revision != e.Revision {
		return n, store.StaleRevision(e.Kind, e.Revision)
	}
	return n, nil
}

// projectOf gives the project to list in: the one named, which the caller must
// see, else the one that the conversation is about; empty means all.
func projectOf(ctx context.Context, r store.Reads, c tool.Call, id string) (string, error) {
	if id != "" {
		p, err := find[assent.Project](ctx, r, c, id)
		return p.ID, err
	}
	switch c.Scope.ContextType {
	case assent.ContextProject, assent.ContextTask, assent.ContextProjectAudit:
	default:
		return "", nil
	}
	if c.Scope.EntityID == "" {
		return "", nil
	}
	n, err := findAny(ctx, r, c, c.Scope.EntityID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return "", nil // it was deleted since the conversation began
	}
	if err != nil {
		return "", err
	}
	return n.Base().ProjectID, nil
}

// mayAdminister reports whether the caller acts with an admin's powers. A token
// has them under the scope admin only.
func mayAdminister(s assent.Scope) bool {
	if s.Principal.TokenID != "" {
		return s.Principal.May(assent.ScopeAdmin)
	}
	return s.Person.Role == assent.RoleAdmin
}
