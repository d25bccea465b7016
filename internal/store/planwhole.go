package store

import (
	"context"

	"assent/internal/assent"
)

// ListPlansWhole is ListPlans with versions, reviews, approvals and runs of each.
func (r Reads) ListPlansWhole(ctx context.Context, userID, status, sessionID string, pg Page) ([]assent.Plan, string, error) {
	plans, next, err := r.ListPlans(ctx, userID, status, sessionID, pg)
	if err != nil {
		return nil, "", err
	}
	for i := range plans {
		if plans[i], err = r.fillPlan(ctx, plans[i]); err != nil {
			return nil, "", err
		}
	}
	return plans, next, nil
}
