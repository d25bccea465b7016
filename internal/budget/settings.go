package budget

import (
	"context"
	"encoding/json"
	"maps"
	"sync/atomic"

	"assent/internal/assent"
	"assent/internal/store"
)

// Settings are the budgets in force. They are read from the store once and
// exchanged with each change, so that a call without a budget costs no query.
type Settings struct {
	store    *store.Store
	now      atomic.Pointer[map[string]assent.Budget]
	currency atomic.Pointer[assent.Currency]
}

// Load reads the budgets.
func Load(ctx context.Context, s *store.Store) (*Settings, error) {
	set := &Settings{store: s}
	return set, set.reload(ctx)
}

func (s *Settings) reload(ctx context.Context) error {
	list, err := s.store.ListBudgets(ctx)
	if err != nil {
		return err
	}
	by := make(map[string]assent.Budget, len(list))
	for _, b := range list {
		by[b.UserID] = b
	}
	s.now.Store(&by)
	return s.reloadCurrency(ctx)
}

// of is the budget that holds for a person: their own, else everybody's.
func (s *Settings) of(userID string) assent.Budget {
	by := *s.now.Load()
	if b, ok := by[userID]; ok {
		return b
	}
	return by[""]
}

// All gives the budgets by person; "" is everybody's.
func (s *Settings) All() map[string]assent.Budget { return maps.Clone(*s.now.Load()) }

// Save sets a budget for the calls that begin from now on.
func (s *Settings) Save(ctx context.Context, b assent.Budget) error {
	if err := check(b); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		if b.UserID != "" {
			if _, err := tx.FindPerson(ctx, b.UserID); err != nil {
				return err
			}
		}
		if err := tx.SaveBudget(b); err != nil {
			return err
		}
		return audit(tx, b.UpdatedBy, b)
	})
	if err != nil {
		return err
	}
	return s.reload(ctx)
}

// Delete takes a person's own budget away; everybody's holds for them again.
func (s *Settings) Delete(ctx context.Context, userID, by string) error {
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		if ok, err := tx.DeleteBudget(userID); err != nil || !ok {
			if err == nil {
				err = assent.NotFound("budget")
			}
			return err
		}
		return audit(tx, by, assent.Budget{UserID: userID})
	})
	if err != nil {
		return err
	}
	return s.reload(ctx)
}

func audit(tx *store.Tx, by string, b assent.Budget) error {
	details, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return tx.Audit(store.Origin{UserID: by, Caller: assent.CallerPerson}, "budget", b.UserID, string(details))
}

// check refuses what is no budget, each field with its pointer.
func check(b assent.Budget) error {
	var wrong []assent.FieldError
	for _, f := range []struct {
		pointer string
		value   *int64
	}{{"/calls_per_day", b.CallsPerDay}, {"/cost_micros_per_day", b.CostMicrosPerDay}} {
		if f.value != nil && (*f.value < 0 || *f.value > 1_000_000_000_000) {
			wrong = append(wrong, assent.FieldError{Pointer: f.pointer, Code: "invalid", Message: "Must be null or a number from 0 to 1,000,000,000,000."})
		}
	}
	return assent.InvalidFields(wrong)
}
