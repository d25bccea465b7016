package budget

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
)

// Use is a person's budget beside what they used of it today, their day.
type Use struct {
	Person assent.Person
	Budget assent.Budget // what holds for them
	Own    bool          // it is their own, not everybody's
	Calls  int64
	// CostMicros is what the calls cost; nil while none of them had a price.
	CostMicros *int64
	// ReservedMicros counts too: what calls may cost whose cost is not known.
	ReservedMicros int64
}

// CallsLeft is how many calls are left of the budget; nil without a limit.
func (u Use) CallsLeft() *int64 { return left(u.Budget.CallsPerDay, u.Calls) }

// CostLeft is how much cost is left of the budget; nil without a limit.
func (u Use) CostLeft() *int64 {
	used := u.ReservedMicros
	if u.CostMicros != nil {
		used += *u.CostMicros
	}
	return left(u.Budget.CostMicrosPerDay, used)
}

func left(limit *int64, used int64) *int64 {
	if limit == nil {
		return nil
	}
	n := max(0, *limit-used)
	return &n
}

// Today lists everybody who has a budget of their own or has used something
// today, by e-mail.
func (s *Settings) Today(ctx context.Context) ([]Use, error) {
	// No day began longer ago, wherever somebody is.
	active, err := s.store.UsersSince(ctx, assent.At(s.store.Now().Std().Add(-26*time.Hour)), llm.CannedProvider)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, id := range active {
		ids[id] = true
	}
	for id := range s.All() {
		ids[id] = true
	}
	delete(ids, "") // everybody's
	var out []Use
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		u, err := s.Use(ctx, id)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			continue // nobody with an account
		}
		if err != nil {
			return nil, err
		}
		if u.Own || u.Calls > 0 {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b Use) int { return cmp.Compare(a.Person.Email, b.Person.Email) })
	return out, nil
}

// Use gives one person's budget and what they used of it today.
func (s *Settings) Use(ctx context.Context, userID string) (Use, error) {
	p, err := s.store.FindPerson(ctx, userID)
	if err != nil {
		return Use{}, err
	}
	_, own := s.All()[userID]
	u := Use{Person: p, Budget: s.of(userID), Own: own}
	day, err := s.store.UserSince(ctx, userID, dayOf(s.store.Now(), p.Zone()), llm.CannedProvider)
	u.Calls, u.ReservedMicros = day.Calls, day.Reserved
	if day.Calls == 0 || day.Priced > 0 {
		u.CostMicros = &day.Spent
	}
	return u, err
}
