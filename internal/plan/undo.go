package plan

import (
	"context"
	"fmt"

	"assent/internal/assent"
	"assent/internal/store"
)

// undoer walks a run's revisions backwards, those that were taken back already
// left out. What somebody else changed since is a conflict: said, never
// overwritten.
type undoer struct {
	tx     *store.Tx
	origin store.Origin
	made   map[string]bool // entities that the run created
}

// undoSteps undoes what the given steps wrote, newest first, in tx.
func (s *Service) undoSteps(tx *store.Tx, run assent.Run, steps []assent.StepRun, by assent.Person) error {
	revs, err := tx.ListRunRevisions(context.Background(), run.ID)
	if err != nil {
		return err
	}
	paths := map[string]bool{}
	for _, sr := range steps {
		paths[sr.Path] = true
	}
	u := undoer{tx: tx, made: map[string]bool{}, origin: store.Origin{UserID: by.ID, Caller: assent.CallerPerson, Tool: "undo", SessionID: run.SessionID}}
	for _, r := range revs {
		if r.Op == "create" || r.Op == "restore" {
			u.made[r.EntityID] = true
		}
	}
	for _, r := range revs {
		if !paths[r.StepPath] {
			continue
		}
		u.origin.Undoes = r.ID
		if err := u.revert(r); err != nil {
			return err
		}
	}
	return nil
}

// revert takes one revision back.
func (u undoer) revert(r assent.Revision) error {
	n, err := u.tx.FindAny(context.Background(), r.EntityID)
	gone := assent.ErrorCode(err) == assent.CodeNotFound
	if err != nil && !gone {
		return err
	}
	changed, err := u.tx.ChangedSince(context.Background(), r.EntityID, r.Revision)
	switch {
	case err != nil:
		return err
	case gone && r.Op == "create":
		return nil // somebody deleted it already
	case gone && r.Op != "delete":
		return conflict(r, "was deleted since")
	case !gone && r.Op == "delete":
		return conflict(r, "exists again")
	case changed:
		return conflict(r, "was changed by someone else since")
	case r.Op == "create" || r.Op == "restore":
		return u.remove(r, n)
	}
	_, err = u.tx.RestoreEntity(u.origin, r.Kind, r.Before)
	return err
}

// remove deletes what the run created, unless something it did not make refers to it.
func (u undoer) remove(r assent.Revision, n store.Noun) error {
	others, err := u.referrers(n)
	if err != nil {
		return err
	}
	if others != "" {
		return conflict(r, "is used by "+others+", which this run did not make")
	}
	return u.tx.DeleteEntity(u.origin, n)
}

// referrers names something not made by this run that refers to n; "" if nothing does.
func (u undoer) referrers(n store.Noun) (string, error) {
	e := n.Base()
	rels, err := u.tx.ListRelationsOf(context.Background(), e.ID)
	if err != nil {
		return "", err
	}
	for _, r := range rels {
		if !u.made[r.ID] && r.ID != e.ID {
			return "a relation", nil
		}
	}
	switch e.Kind {
	case assent.KindTemplate:
		return u.madeFrom(e.ID)
	case assent.KindProject, assent.KindMilestone:
		return u.within(e)
	}
	return "", nil
}

// madeFrom names a project made from a template.
func (u undoer) madeFrom(templateID string) (string, error) {
	f := store.Filter{UserID: u.origin.UserID}
	for {
		projects, next, err := store.List[assent.Project](context.Background(), u.tx.Reads, f)
		if err != nil {
			return "", err
		}
		for _, p := range projects {
			if p.TemplateID == templateID && !u.made[p.ID] {
				return fmt.Sprintf("the project “%s”", p.Name), nil
			}
		}
		if f.Cursor = next; next == "" {
			return "", nil
		}
	}
}

// within names something in a project or under a milestone.
func (u undoer) within(e *assent.Entity) (string, error) {
	all, err := u.tx.ListProjectEntities(context.Background(), e.ProjectID)
	if err != nil {
		return "", err
	}
	for _, o := range all {
		if u.made[o.Base().ID] {
			continue
		}
		if t, ok := o.(*assent.Task); e.Kind == assent.KindProject || ok && t.MilestoneID == e.ID {
			return fmt.Sprintf("the %s “%s”", o.Base().Kind, store.Title(o)), nil
		}
	}
	return "", nil
}

func conflict(r assent.Revision, why string) error {
	return &assent.Error{Code: assent.CodeConflict, Message: fmt.Sprintf("The %s “%s” %s, so this was not taken back. Nothing was changed.", r.Kind, r.Title, why),
		Details: map[string]any{"entity_id": r.EntityID, "kind": r.Kind}}
}
