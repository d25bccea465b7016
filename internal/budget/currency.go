package budget

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
)

// currencySetting is the name of the setting that holds the currency.
const currencySetting = "currency"

// Currency is what all money is counted in.
func (s *Settings) Currency() assent.Currency { return *s.currency.Load() }

// SetCurrency sets what money is counted in. No amount is converted: prices,
// budgets and costs on record keep their numbers.
func (s *Settings) SetCurrency(ctx context.Context, c assent.Currency, by string) error {
	if err := assent.CheckCurrency("/currency", c); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveSetting(currencySetting, string(c)); err != nil {
			return err
		}
		return tx.Audit(store.Origin{UserID: by, Caller: assent.CallerPerson}, "currency", string(c), "")
	})
	if err != nil {
		return err
	}
	return s.reloadCurrency(ctx)
}

func (s *Settings) reloadCurrency(ctx context.Context) error {
	set, err := s.store.FindSetting(ctx, currencySetting)
	if err != nil {
		return err
	}
	c := assent.DefaultCurrency
	if set != "" {
		c = assent.Currency(set)
	}
	s.currency.Store(&c)
	return nil
}
