package planner

import (
	"context"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/store"
)

// spent sums what a turn's model calls used, from their usage rows, so that a
// turn says the same as the usage page: failed tries, plans and reviews are in
// it, and so is what was used before a crash. A text of our own is no call.
func spent(tx *store.Tx, turnID string) (assent.Usage, error) {
	var sum assent.Usage
	rows, err := tx.ListTurnUsage(context.Background(), turnID)
	for _, r := range rows {
		if r.Provider == llm.CannedProvider {
			continue
		}
		u := assent.Usage{Calls: 1, LLMCalls: 1, TokensIn: r.TokensIn, TokensOut: r.TokensOut, TokensCached: r.TokensCached, CostMicros: r.CostMicros}
		if r.CostMicros == nil {
			u.Unpriced = 1
		}
		sum.Add(u)
	}
	return sum, err
}
