package plan

import (
	"context"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// Revise stores a checked document as the next version of a waiting plan and
// asks again; a draft that nobody was asked about stays one. from is the version
// that the change was made on.
func (s *Service) Revise(ctx context.Context, scope assent.Scope, planID string, from int64, doc assent.PlanDocument, by string) (assent.Plan, error) {
	var p assent.Plan
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		var v assent.Version
		var err error
		if p, v, err = s.ReviseIn(tx, scope.TurnID, planID, from, doc, by); err != nil {
			return err
		}
		if p.Status == assent.PlanPendingReview {
			if err := s.ready(tx, p, v, p.Status, ""); err != nil {
				return err
			}
		}
		p, err = tx.FindPlan(context.Background(), planID)
		return err
	})
	return p, err
}

// ReviseIn stores the next version of a waiting plan in tx without asking; the
// one before is superseded. The caller asks with ReadyIn, or has the word.
func (s *Service) ReviseIn(tx *store.Tx, turnID, planID string, from int64, doc assent.PlanDocument, by string) (assent.Plan, assent.Version, error) {
	p, err := tx.FindPlan(context.Background(), planID)
	if err != nil {
		return p, assent.Version{}, err
	}
	if p.Version != from {
		return p, assent.Version{}, &assent.Error{Code: assent.CodeStale, Message: "A newer version of this plan exists.", Details: map[string]any{"version": p.Version}}
	}
	if p.Status != assent.PlanPendingReview && p.Status != assent.PlanDraft {
		return p, assent.Version{}, &assent.Error{Code: assent.CodeConflict, Message: "Only a plan that waits can be changed.", Details: map[string]any{"allowed": []string{}}}
	}
	if _, err := tx.UpdateVersionStatus(p.ID, p.Version, assent.VersionOpen, assent.VersionSuperseded); err != nil {
		return p, assent.Version{}, err
	}
	v, err := s.version(tx.Reads, p, p.Version+1, doc, by, tx.Now())
	if err != nil {
		return p, v, err
	}
	if ok, err := tx.UpdatePlanVersion(p.ID, p.Version, v, p.Status); err != nil || !ok {
		return p, v, orConflict(err)
	}
	p.TurnID, p.Version = turnID, v.Version
	return p, v, s.storeVersion(tx, p, v)
}

// ReadyIn asks for a person's word on the current version of a plan in tx, and
// says why; consent binds to the version from then on.
func (s *Service) ReadyIn(tx *store.Tx, planID, turnID, reason string) error {
	p, err := tx.FindPlan(context.Background(), planID)
	if err != nil {
		return err
	}
	v, err := tx.FindPlanVersion(context.Background(), planID, p.Version)
	if err != nil {
		return err
	}
	p.TurnID = turnID
	return s.ready(tx, p, v, p.Status, reason)
}

// ShowAgain asks anew about a plan whose tools have changed since its version
// was shown: the same steps with the tools as they are now are a new version. If
// they are no valid plan any more the plan waits as it is, and that is said.
func (s *Service) ShowAgain(tx *store.Tx, planID, turnID, reason string) error {
	p, err := tx.FindPlan(context.Background(), planID)
	if err != nil || p.Status != assent.PlanPendingReview && p.Status != assent.PlanDraft {
		return err
	}
	v, err := tx.FindPlanVersion(context.Background(), planID, p.Version)
	if err != nil {
		return err
	}
	doc := v.Document
	doc.Steps = written(doc.Steps)
	if rep := s.Check(doc, assent.ContextGeneral, p.Bindings, 0); len(rep.Errors) > 0 {
		_, err := tx.Append(p.SessionID, turnID, assent.PlanState{PlanID: p.ID, Version: p.Version, Status: p.Status, Reason: reason + " It cannot run as it is: " + rep.Errors[0].Message})
		return err
	}
	if _, _, err := s.ReviseIn(tx, turnID, planID, p.Version, doc, v.CreatedBy); err != nil {
		return err
	}
	return s.ReadyIn(tx, planID, turnID, reason)
}

// changed lists what differs in a version from the one before it.
func (s *Service) changed(tx *store.Tx, v assent.Version) ([]assent.StepChange, error) {
	if v.Version < 2 {
		return nil, nil
	}
	before, err := tx.FindPlanVersion(context.Background(), v.PlanID, v.Version-1)
	if err != nil {
		return nil, err
	}
	return Changes(before, v), nil
}

// Changes lists what differs between two versions, as people are shown it.
func Changes(before, after assent.Version) []assent.StepChange {
	kinds := map[lang.Op]string{lang.OpAdd: "added", lang.OpRemove: "removed", lang.OpChange: "changed"}
	var out []assent.StepChange
	for _, d := range lang.DiffCanonical(lang.Canonical(before.Document, before.Digests), lang.Canonical(after.Document, after.Digests)) {
		out = append(out, assent.StepChange{Step: d.Path, Kind: kinds[d.Op], Field: d.Field, From: d.Old, To: d.New})
	}
	return out
}
