package budget

import (
	"context"
	"fmt"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/store"
)

// answerTokens bounds an answer where a limit counts its cost and nobody else
// has bounded it: what has no end has no worst case.
const answerTokens = 8192

// Guard is an llm.Ledger that lets a call through only within its budgets.
type Guard struct {
	llm.Ledger
	store *store.Store
	set   *Settings
}

// New puts budgets before a ledger.
func New(s *store.Store, set *Settings, books llm.Ledger) *Guard {
	return &Guard{Ledger: books, store: s, set: set}
}

// Bound implements llm.GatewayConfig's: the most tokens that an answer may have
// where a limit counts its cost; 0 where none does.
func (g *Guard) Bound(ctx context.Context, m llm.Meta) (int64, error) {
	limit, err := g.runLimit(ctx, m.RunID)
	if err != nil {
		return 0, err
	}
	if b := g.set.of(m.UserID); limit == nil && b.CostMicrosPerDay == nil {
		return 0, nil
	}
	return answerTokens, nil
}

func (g *Guard) runLimit(ctx context.Context, runID string) (*int64, error) {
	if runID == "" {
		return nil, nil
	}
	return g.store.RunCostLimit(ctx, runID)
}

// Open implements llm.Ledger; an error is an *assent.Error where a budget is
// used up.
func (g *Guard) Open(ctx context.Context, u assent.CallUsage) error {
	b := g.set.of(u.UserID)
	if u.Provider == llm.CannedProvider || u.RunID == "" && b.Unlimited() {
		return g.Ledger.Open(ctx, u)
	}
	return g.store.Write(ctx, func(tx *store.Tx) error {
		limited, err := g.admitRun(ctx, tx, u)
		if err != nil {
			return err
		}
		if err := g.admitPerson(ctx, tx, u, b); err != nil {
			return err
		}
		if u.WorstMicros != nil && (limited || b.CostMicrosPerDay != nil) {
			if err := tx.Reserve(u, *u.WorstMicros); err != nil {
				return err
			}
		}
		return tx.OpenUsage(u)
	})
}

// Close implements llm.Ledger. What was set aside is given back behind the row's
// end, so that at no time less is counted than was used.
func (g *Guard) Close(ctx context.Context, u assent.CallUsage) error {
	err := g.Ledger.Close(ctx, u)
	if u.WorstMicros != nil && (u.CostMicros != nil || u.Status != assent.CallOK && u.TTFTMS == 0 && u.TokensIn == 0) {
		g.store.WriteAsync(func(tx *store.Tx) error { return tx.Release(u.ID) }, nil)
	}
	return err
}

// admitRun checks the limit of cost of a run; limited tells that there is one.
func (g *Guard) admitRun(ctx context.Context, tx *store.Tx, u assent.CallUsage) (limited bool, err error) {
	if u.RunID == "" {
		return false, nil
	}
	limit, err := tx.RunCostLimit(ctx, u.RunID)
	if err != nil || limit == nil {
		return false, err
	}
	spent, reserved, err := tx.RunCost(ctx, u.RunID)
	if err != nil {
		return true, err
	}
	if u.WorstMicros == nil {
		return true, exceeded("run", *limit, spent, nil, fmt.Sprintf("This run may cost at most %s, but the model %s has no price, so the limit cannot be held.", g.money(*limit), u.Model))
	}
	if spent+reserved+*u.WorstMicros > *limit {
		return true, exceeded("run", *limit, spent, u.WorstMicros, fmt.Sprintf("This run may cost at most %s. It has cost %s so far, and the next call of a model could cost up to %s.",
			g.money(*limit), g.money(spent+reserved), g.money(*u.WorstMicros)))
	}
	return true, nil
}

// admitPerson checks the budget of a person's day.
func (g *Guard) admitPerson(ctx context.Context, tx *store.Tx, u assent.CallUsage, b assent.Budget) error {
	if b.Unlimited() {
		return nil
	}
	p, err := tx.FindPerson(ctx, u.UserID)
	if err != nil {
		return err
	}
	day, err := tx.UserSince(ctx, u.UserID, dayOf(u.At, p.Zone()), llm.CannedProvider)
	if err != nil {
		return err
	}
	if b.CallsPerDay != nil && day.Calls >= *b.CallsPerDay {
		return exceeded("day_calls", *b.CallsPerDay, day.Calls, nil, fmt.Sprintf("Your %d calls of a model for today are used up. They start anew at midnight; an admin can raise the budget.", *b.CallsPerDay))
	}
	if b.CostMicrosPerDay == nil {
		return nil
	}
	worst := int64(0) // a model without a price has no cost to count; design 05 §1
	if u.WorstMicros != nil {
		worst = *u.WorstMicros
	}
	if used := day.Spent + day.Reserved; used+worst > *b.CostMicrosPerDay || used >= *b.CostMicrosPerDay {
		return exceeded("day_cost", *b.CostMicrosPerDay, day.Spent, u.WorstMicros, fmt.Sprintf("Your budget of %s for today does not suffice for another call of a model. It starts anew at midnight; an admin can raise it.", g.money(*b.CostMicrosPerDay)))
	}
	return nil
}

// dayOf is when the day of a moment began.
func dayOf(at assent.Time, zone *time.Location) assent.Time {
	y, m, d := at.Std().In(zone).Date()
	return assent.At(time.Date(y, m, d, 0, 0, 0, 0, zone))
}

func exceeded(which string, limit, used int64, worst *int64, message string) *assent.Error {
	details := map[string]any{"budget": which, "limit": limit, "used": used}
	if worst != nil {
		details["worst"] = *worst
	}
	return &assent.Error{Code: assent.CodeBudgetExceeded, Message: message, Details: details, Hint: "Go on with what you have, or ask the person."}
}

func (g *Guard) money(micros int64) string { return g.set.Currency().Amount(micros) }
