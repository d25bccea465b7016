package planner

import (
	"context"
	"log/slog"
	"time"

	"assent/internal/assent"
	"assent/internal/loop"
	"assent/internal/store"
)

// Pauses between tries to write a turn's end on a full disk.
const (
	retryFirst = time.Second
	retryMost  = 30 * time.Second
)

// settle writes a turn's end and starts the next one. While the disk is full
// the end waits in memory and is tried again, so that the conversation goes on
// by itself when there is room; a process that ends meanwhile leaves the turn
// to recovery.
func (p *Planner) settle(ctx context.Context, t *turn, out loop.Outcome, end ending, closing string, pause time.Duration) {
	next := ""
	err := p.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if err := p.conclude(tx, t, out, end, closing); err != nil {
			return err
		}
		queued, err := tx.FindNextQueuedTurn(ctx, t.SessionID)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			return nil
		}
		next = queued.ID
		return err
	})
	switch {
	case assent.ErrorCode(err) == assent.CodeStorageFull:
		slog.Error("the disk is full; the end of a turn waits for room", "turn", t.ID, "error", err)
		time.AfterFunc(pause, func() { p.settle(ctx, t, out, end, closing, min(2*pause, retryMost)) })
	case err != nil:
		slog.Error("ending a turn", "turn", t.ID, "error", err)
	case next != "":
		p.Engine.Start(ctx, assent.JobTurn, next)
	}
}
