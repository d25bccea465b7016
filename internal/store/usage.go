package store

import (
	"context"
	"log/slog"
	"math"

	"assent/db/sqlc"
	"assent/internal/assent"
)

func usageOf(r sqlc.LlmUsage) assent.CallUsage {
	return assent.CallUsage{ID: r.ID, At: assent.Time(r.At), EndedAt: assent.Time(r.EndedAt), UserID: r.UserID, SessionID: r.SessionID,
		TurnID: r.TurnID, RunID: r.RunID, PlanID: r.PlanID, Step: r.Step, Tool: r.Tool, Operation: assent.Operation(r.OperationType),
		ContextType: assent.ContextType(r.ContextType), ExecutionMode: assent.Mode(r.ExecutionMode), Profile: r.Profile, Provider: r.Provider,
		Model: r.Model, Status: assent.CallStatus(r.Status), ErrorClass: r.ErrorClass, TokensIn: r.TokensIn, TokensOut: r.TokensOut,
		TokensCached: r.TokensCached, TokensReasoning: r.TokensReasoning, CostMicros: r.CostMicros, LatencyMS: r.LatencyMs, TTFTMS: r.TtftMs,
		ForcedJSONMode: r.ForcedJsonMode, StructuredOutputStrict: r.StructuredOutputStrict, ToolSchemaID: r.ToolSchemaID,
		FinalizeRetries: r.FinalizeRetries, FallbackFrom: r.FallbackFrom, FallbackReason: r.FallbackReason}
}

// Ledger keeps the accounts of model calls (llm.Ledger). Open does not wait for
// its commit, so that the first token never waits for the books; an open row
// whose process died is closed by CloseOpenUsage at the next start.
type Ledger struct{ store *Store }

// Ledger gives the accounts of this store.
func (s *Store) Ledger() Ledger { return Ledger{s} }

// Open records that a try began.
func (l Ledger) Open(_ context.Context, u assent.CallUsage) error {
	l.write(job{atomic: true, fn: func(tx *Tx) error { return tx.openUsage(u) }})
	return nil
}

// Close records how the try ended, and adds it to the sums.
func (l Ledger) Close(_ context.Context, u assent.CallUsage) error {
	l.write(job{atomic: true, fn: func(tx *Tx) error { return tx.closeUsage(u) }})
	return nil
}

// Failed puts a failure into the admins' error log.
func (l Ledger) Failed(e assent.ErrorRow) {
	l.write(job{atomic: true, fn: func(tx *Tx) error { return tx.CreateErrorRow(e) }})
}

// write queues a job; what it concerns is committed after it.
func (l Ledger) write(j job) {
	j.done = func(err error) {
		if err != nil {
			slog.Error("usage row", "error", err)
		}
	}
	l.store.writer.enqueue(j)
}

func (tx *Tx) openUsage(u assent.CallUsage) error {
	return tx.q.OpenUsage(context.Background(), sqlc.OpenUsageParams{ID: u.ID, At: int64(u.At), UserID: u.UserID, SessionID: u.SessionID,
		TurnID: u.TurnID, RunID: u.RunID, PlanID: u.PlanID, Step: u.Step, Tool: u.Tool, OperationType: string(u.Operation),
		ContextType: string(u.ContextType), ExecutionMode: string(u.ExecutionMode), Profile: u.Profile, Provider: u.Provider, Model: u.Model,
		ForcedJsonMode: u.ForcedJSONMode, StructuredOutputStrict: u.StructuredOutputStrict, ToolSchemaID: u.ToolSchemaID,
		FinalizeRetries: u.FinalizeRetries, FallbackFrom: u.FallbackFrom, FallbackReason: u.FallbackReason})
}

// closeUsage ends a row and adds it to the sums, once: a row that has ended stays
// as it is.
func (tx *Tx) closeUsage(u assent.CallUsage) error {
	n, err := tx.q.CloseUsage(context.Background(), sqlc.CloseUsageParams{EndedAt: int64(u.EndedAt), Status: string(u.Status), ErrorClass: u.ErrorClass,
		TokensIn: u.TokensIn, TokensOut: u.TokensOut, TokensCached: u.TokensCached, TokensReasoning: u.TokensReasoning, CostMicros: u.CostMicros,
		LatencyMs: u.LatencyMS, TtftMs: u.TTFTMS, ForcedJsonMode: u.ForcedJSONMode, StructuredOutputStrict: u.StructuredOutputStrict, ID: u.ID})
	if err != nil || n == 0 {
		return err
	}
	tx.ended = append(tx.ended, u.Line())
	return nil
}

// CloseOpenUsage closes rows that a dead process left open. What they took is
// unknown; that they were made is not.
func (tx *Tx) CloseOpenUsage() error {
	rows, err := tx.q.ListOpenUsage(context.Background(), sqlc.ListOpenUsageParams{FromAt: math.MinInt64, ToAt: math.MaxInt64})
	for _, row := range rows {
		u := usageOf(row)
		u.Status, u.ErrorClass, u.EndedAt = assent.CallCancelled, "cancelled", tx.Now()
		if err == nil {
			err = tx.closeUsage(u)
		}
	}
	return err
}

// ListTurnUsage gives the calls of a turn, oldest first.
func (r Reads) ListTurnUsage(ctx context.Context, turnID string) ([]assent.CallUsage, error) {
	rows, err := r.q.ListTurnUsage(plain(ctx), turnID)
	return each(rows, err, pure(usageOf))
}

// ListPlanUsage gives the calls for a plan, oldest first.
func (r Reads) ListPlanUsage(ctx context.Context, planID string) ([]assent.CallUsage, error) {
	rows, err := r.q.ListPlanUsage(plain(ctx), planID)
	return each(rows, err, pure(usageOf))
}

// CreateErrorRow records a failure for admins; ID and At are set when empty.
func (tx *Tx) CreateErrorRow(e assent.ErrorRow) error {
	if e.ID == "" {
		e.ID = tx.NewID()
	}
	if e.At == 0 {
		e.At = tx.Now()
	}
	details := string(e.Details)
	if details == "" {
		details = "{}"
	}
	return tx.q.CreateErrorRow(context.Background(), sqlc.CreateErrorRowParams{ID: e.ID, At: int64(e.At), Code: string(e.Code), Class: e.Class,
		Component: e.Component, Stage: e.Stage, Tool: e.Tool, OperationType: string(e.Operation), Provider: e.Provider, Model: e.Model,
		ContextType: string(e.ContextType), ExecutionMode: string(e.ExecutionMode), SessionID: e.SessionID, TurnID: e.TurnID, PlanID: e.PlanID,
		RunID: e.RunID, Step: e.Step, UserID: e.UserID, Message: e.Message, Details: details})
}

// ErrorFilter says which error rows are asked for; what is empty does not count.
type ErrorFilter struct{ Class, TurnID, PlanID string }

// ListErrors gives error rows, newest first, with the cursor of the next page.
func (r Reads) ListErrors(ctx context.Context, f ErrorFilter, p Page) ([]assent.ErrorRow, string, error) {
	rows, err := r.q.ListErrorRows(plain(ctx), sqlc.ListErrorRowsParams{BeforeID: p.before(), Class: f.Class, TurnID: f.TurnID, PlanID: f.PlanID, RowLimit: p.limit()})
	out, err := each(rows, err, pure(func(e sqlc.Error) assent.ErrorRow {
		return assent.ErrorRow{ID: e.ID, At: assent.Time(e.At), Code: assent.Code(e.Code), Class: e.Class, Component: e.Component, Stage: e.Stage,
			Tool: e.Tool, Operation: assent.Operation(e.OperationType), Provider: e.Provider, Model: e.Model,
			ContextType: assent.ContextType(e.ContextType), ExecutionMode: assent.Mode(e.ExecutionMode), SessionID: e.SessionID, TurnID: e.TurnID,
			PlanID: e.PlanID, RunID: e.RunID, Step: e.Step, UserID: e.UserID, Message: e.Message, Details: raw(e.Details)}
	}))
	return out, nextCursor(out, p, func(e assent.ErrorRow) string { return e.ID }), err
}

// ErrorClasses are the classes of the errors on record, with how many each has.
func (r Reads) ErrorClasses(ctx context.Context) (map[string]int64, error) {
	rows, err := r.q.ListErrorClasses(plain(ctx))
	out := make(map[string]int64, len(rows))
	for _, c := range rows {
		out[c.Class] = c.N
	}
	return out, err
}

// CountErrorsSince is how many failures there were since an instant.
func (r Reads) CountErrorsSince(ctx context.Context, since assent.Time) (int64, error) {
	return r.q.CountErrorsSince(plain(ctx), int64(since))
}

// Audit keeps one line of what happened beside revisions. details is JSON.
func (tx *Tx) Audit(o Origin, action, subject, details string) error {
	if details == "" {
		details = "{}"
	}
	return tx.q.CreateAudit(context.Background(), sqlc.CreateAuditParams{ID: tx.NewID(), At: int64(tx.Now()), UserID: o.UserID, Caller: string(o.Caller),
		Action: action, Subject: subject, SessionID: o.SessionID, TurnID: o.TurnID, Details: details})
}

// PruneEvents deletes whole prefixes of event logs older than before. Messages,
// plans, runs and usage stay.
func (s *Store) PruneEvents(ctx context.Context, before assent.Time) error {
	for {
		ids, err := s.q.ListSessionsWithEventsBefore(plain(ctx), int64(before))
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.Write(ctx, func(tx *Tx) error { return tx.pruneSession(id, before) }); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (tx *Tx) pruneSession(id string, before assent.Time) error {
	seq, err := tx.q.LastSeqBefore(context.Background(), sqlc.LastSeqBeforeParams{SessionID: id, Before: int64(before)})
	if err != nil {
		return err
	}
	_, err = tx.q.DeleteEventsThrough(context.Background(), sqlc.DeleteEventsThroughParams{SessionID: id, Seq: seq})
	return err
}

// PruneUsage deletes usage rows older than before. Their sums stay.
func (tx *Tx) PruneUsage(before assent.Time) error {
	_, err := tx.q.DeleteUsageBefore(context.Background(), int64(before))
	return err
}
