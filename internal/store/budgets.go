package store

import (
	"context"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// ListBudgets gives all budgets, that of everybody ("") first.
func (r Reads) ListBudgets(ctx context.Context) ([]assent.Budget, error) {
	rows, err := r.q.ListBudgets(plain(ctx))
	return each(rows, err, pure(func(b sqlc.Budget) assent.Budget {
		return assent.Budget{UserID: b.UserID, CallsPerDay: b.CallsPerDay, CostMicrosPerDay: b.CostPerDay, UpdatedBy: b.UpdatedBy, UpdatedAt: assent.Time(b.UpdatedAt)}
	}))
}

// SaveBudget sets the budget of a person, or of everybody.
func (tx *Tx) SaveBudget(b assent.Budget) error {
	return tx.q.SaveBudget(context.Background(), sqlc.SaveBudgetParams{UserID: b.UserID, CallsPerDay: b.CallsPerDay, CostPerDay: b.CostMicrosPerDay,
		UpdatedBy: b.UpdatedBy, UpdatedAt: int64(tx.Now())})
}

// DeleteBudget takes a budget away; false if there was none.
func (tx *Tx) DeleteBudget(userID string) (bool, error) {
	n, err := tx.q.DeleteBudget(context.Background(), userID)
	return n > 0, err
}

// OpenUsage records that a model call began.
func (tx *Tx) OpenUsage(u assent.CallUsage) error { return tx.openUsage(u) }

// Reserve sets aside what a call may cost at worst.
func (tx *Tx) Reserve(u assent.CallUsage, micros int64) error {
	return tx.q.CreateReservation(context.Background(), sqlc.CreateReservationParams{UsageID: u.ID, UserID: u.UserID, RunID: u.RunID, Micros: micros, At: int64(u.At)})
}

// Release gives back what was set aside for a call whose cost is known now.
func (tx *Tx) Release(usageID string) error {
	return tx.q.DeleteReservation(context.Background(), usageID)
}

// RunCostLimit is the limit in the newest word for a run; nil if there is none.
func (r Reads) RunCostLimit(ctx context.Context, runID string) (*int64, error) {
	limit, err := r.q.FindRunCostLimit(plain(ctx), runID)
	return limit, rowError(err, "run")
}

// RunCost is what a run's model calls cost so far, and what those under way may
// cost at worst.
func (r Reads) RunCost(ctx context.Context, runID string) (spent, reserved int64, err error) {
	sum, err := r.q.SumRunCost(plain(ctx), runID)
	return sum.Spent, sum.Reserved, rowError(err, "run")
}

// UserCalls sums the model calls of a person's doings.
type UserCalls struct {
	Calls, Priced int64 // Priced are those whose cost is known
	Spent         int64 // what these cost, in micros
	Reserved      int64 // what calls may cost at worst whose cost is not known
}

// UserSince sums a person's calls since a time; those of the provider own are
// not counted.
func (r Reads) UserSince(ctx context.Context, userID string, from assent.Time, own string) (UserCalls, error) {
	sum, err := r.q.SumUserSince(plain(ctx), sqlc.SumUserSinceParams{UserID: userID, FromAt: int64(from), OwnProvider: own})
	if err != nil {
		return UserCalls{}, err
	}
	reserved, err := r.q.SumReservedSince(plain(ctx), sqlc.SumReservedSinceParams{UserID: userID, FromAt: int64(from)})
	return UserCalls{Calls: sum.Calls, Priced: sum.Priced, Spent: sum.Spent, Reserved: reserved}, err
}

// UsersSince lists the ids of those whose doings made model calls since a time;
// those of the provider own are not counted.
func (r Reads) UsersSince(ctx context.Context, from assent.Time, own string) ([]string, error) {
	return r.q.ListUsersSince(plain(ctx), sqlc.ListUsersSinceParams{FromAt: int64(from), OwnProvider: own})
}
