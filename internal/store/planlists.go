package store

import (
	"context"
	"strings"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// waits reports a status in which a plan waits for its person.
func waits(st assent.PlanStatus) bool {
	return st == assent.PlanPendingReview || st == assent.PlanWaitingHuman
}

// ListPlansByUrgency gives a person's plans, those that wait for them first,
// then the newest, optionally of one status, with the cursor of the next page.
func (r Reads) ListPlansByUrgency(ctx context.Context, userID, status string, pg Page) ([]assent.Plan, string, error) {
	waiting, before := int64(1), last
	if kind, id, ok := strings.Cut(pg.Cursor, ":"); ok {
		before = id
		if kind != "w" {
			waiting = 0
		}
	}
	rows, err := r.q.ListPlansByUrgency(plain(ctx), sqlc.ListPlansByUrgencyParams{UserID: userID, Status: status, Waiting: waiting, BeforeID: before, RowLimit: pg.limit()})
	out, err := each(rows, err, func(row sqlc.Plan) (assent.Plan, error) { return r.withVersion(ctx, planOf(row)) })
	return out, nextCursor(out, pg, func(p assent.Plan) string {
		if waits(p.Status) {
			return "w:" + p.ID
		}
		return "o:" + p.ID
	}), err
}

// CountPlansByStatus is how many plans a person has in each status.
func (r Reads) CountPlansByStatus(ctx context.Context, userID string) (map[assent.PlanStatus]int64, error) {
	rows, err := r.q.CountPlansByStatus(plain(ctx), userID)
	out := map[assent.PlanStatus]int64{}
	for _, row := range rows {
		out[assent.PlanStatus(row.Status)] = row.N
	}
	return out, err
}

// RunUsage is what a run took of models.
func (r Reads) RunUsage(ctx context.Context, runID string) (assent.Usage, error) {
	row, err := r.q.SumRunUsage(plain(ctx), runID)
	u := assent.Usage{Calls: row.Calls, LLMCalls: row.Calls, Unpriced: row.Calls - row.Priced, TokensIn: row.TokensIn, TokensOut: row.TokensOut, TokensCached: row.TokensCached}
	if row.Priced > 0 {
		u.CostMicros = &row.CostMicros
	}
	return u, err
}

// StepUsage is what one step of an earlier run took of models.
type StepUsage struct {
	RunID, Tool, Agent string
	Taken              Taken
}

// Taken is a number of model calls with their size and price.
type Taken struct {
	Calls, Tokens int64
	CostMicros    *int64 // nil: no price is known
}

// ListStepUsage gives what the steps of the last runs took of models, and what
// the last answers took; both are bounded.
func (r Reads) ListStepUsage(ctx context.Context, runs, answers int) (steps []StepUsage, told []Taken, err error) {
	rows, err := r.q.ListStepUsage(plain(ctx), int64(runs))
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		t := Taken{Calls: row.Calls, Tokens: row.Tokens}
		if row.Priced > 0 || row.Calls == 0 {
			t.CostMicros = &row.CostMicros
		}
		steps = append(steps, StepUsage{RunID: row.RunID, Tool: row.Tool, Agent: row.Agent, Taken: t})
	}
	if len(rows) == 0 {
		return steps, nil, nil
	}
	last, err := r.q.ListReportUsage(plain(ctx), int64(answers))
	for _, row := range last {
		told = append(told, Taken{Calls: 1, Tokens: row.Tokens, CostMicros: row.CostMicros})
	}
	return steps, told, err
}

// SettleRunUsage writes what a run has taken of models into its row.
func (tx *Tx) SettleRunUsage(runID string) error {
	u, err := tx.RunUsage(context.Background(), runID)
	if err != nil {
		return err
	}
	usage, err := encode(u)
	if err != nil {
		return err
	}
	return tx.q.UpdateRunUsage(context.Background(), sqlc.UpdateRunUsageParams{Usage: usage, ID: runID})
}
