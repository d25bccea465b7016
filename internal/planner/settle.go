package planner

import (
	"context"
	"log/slog"
	"time"

	"assent/internal/assent"
	"assent/internal/loop"
	"assent/internal/store"
)

// Pauses between tries to write a turn's end.
const (
	retryFirst = time.Second
	retryMost  = 30 * time.Second
)

// maxWhole is how often the whole end of a turn is tried where there is room on
// the disk. Then something in it cannot be written, and only that it ended is.
const maxWhole = 4

// closure is the end of a turn on its way into the store.
type closure struct {
	turn    *turn
	out     loop.Outcome
	end     ending
	closing string
	tries   int
}

// settle writes a turn's end and starts the next one. What cannot be written
// waits in memory and is tried again, so that the conversation goes on by itself
// when there is room on the disk, or whatever else was wrong is over. A store
// that does not answer any more, as at a shutdown, leaves the turn to recovery.
func (p *Planner) settle(ctx context.Context, c closure, pause time.Duration) {
	next, err := p.writeEnd(ctx, c)
	if err == nil {
		if next != "" {
			p.Engine.Start(ctx, assent.JobTurn, next)
		}
		return
	}
	full := assent.ErrorCode(err) == assent.CodeStorageFull
	slog.Error("a turn's end could not be written", "turn", c.turn.ID, "try", c.tries+1, "full", full, "error", err)
	if now, ferr := p.Store.FindTurn(ctx, c.turn.ID); ferr != nil || now.Status.Ended() {
		return
	}
	if !full {
		c.tries++
	}
	time.AfterFunc(pause, func() { p.settle(ctx, c, min(2*pause, retryMost)) })
}

// writeEnd writes the end and gives the turn that comes next, if one waits.
func (p *Planner) writeEnd(ctx context.Context, c closure) (next string, err error) {
	err = p.Store.Write(ctx, func(tx *store.Tx) error {
		next = ""
		end := p.conclude
		if c.tries >= maxWhole {
			end = p.bare
		}
		if err := end(tx, c.turn, c.out, c.end, c.closing); err != nil {
			return err
		}
		queued, err := tx.FindNextQueuedTurn(ctx, c.turn.SessionID)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			return nil
		}
		next = queued.ID
		return err
	})
	return next, err
}

// bare ends a turn without its answer, so that the conversation is not stuck.
func (p *Planner) bare(tx *store.Tx, t *turn, out loop.Outcome, _ ending, _ string) error {
	problem := &assent.Problem{Code: assent.CodeInternal, Details: map[string]any{},
		Message: "Something went wrong on our side, and the end of this answer could not be kept. Your words and what was done are; please try again."}
	if ok, err := tx.EndTurn(t.ID, assent.TurnFailed, out.Usage, problem); err != nil || !ok {
		return err
	}
	_, err := tx.Append(t.SessionID, t.ID, assent.ErrorEvent{Code: string(problem.Code), Message: problem.Message, Retryable: true},
		assent.Done{Status: assent.TurnFailed, Usage: out.Usage, Counts: p.counts(t, out), DurationMS: p.Clock().Sub(t.started).Milliseconds()})
	return err
}
