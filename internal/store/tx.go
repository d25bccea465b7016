package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// Tx is one write in progress. It lives within its closure only.
type Tx struct {
	Reads
	store  *Store
	events []assent.LoggedEvent
	after  []func()
	ended  []assent.UsageLine // model calls to be summed up before the COMMIT
}

// mark is how far a transaction has come.
type mark struct{ events, after, ended int }

func (tx *Tx) mark() mark { return mark{len(tx.events), len(tx.after), len(tx.ended)} }

// backTo forgets what came after a mark.
func (tx *Tx) backTo(m mark) {
	tx.events, tx.after, tx.ended = tx.events[:m.events], tx.after[:m.after], tx.ended[:m.ended]
}

// Write runs fn in a transaction of its own (see the package comment) and
// returns after the COMMIT. A write that was queued happens even if ctx ends:
// half-done work is worse than late work.
func (s *Store) Write(_ context.Context, fn func(*Tx) error) error { return s.wait(job{fn: fn}) }

// WriteFull is Write with a commit that survives power loss; for the begin of
// steps whose effect lies outside the database, and for approvals.
func (s *Store) WriteFull(_ context.Context, fn func(*Tx) error) error {
	return s.wait(job{fn: fn, full: true})
}

func (s *Store) wait(j job) error {
	done := make(chan error, 1)
	j.done = func(err error) { done <- err }
	s.writer.enqueue(j)
	return <-done
}

// WriteAsync queues fn and returns at once. done (may be nil) runs in the
// writer's goroutine after the COMMIT and must not block.
func (s *Store) WriteAsync(fn func(*Tx) error, done func(error)) {
	if done == nil {
		done = func(error) {}
	}
	s.writer.enqueue(job{fn: fn, done: done})
}

// Now is the store's clock, to the millisecond.
func (tx *Tx) Now() assent.Time { return tx.store.Now() }

// NewID makes an identifier.
func (tx *Tx) NewID() string { return tx.store.ids() }

// Try runs fn in a SAVEPOINT within the transaction: if fn fails, what it wrote
// is gone and the transaction goes on.
func (tx *Tx) Try(fn func() error) error {
	ctx, before := context.Background(), tx.mark()
	if _, err := tx.db.ExecContext(ctx, "SAVEPOINT try"); err != nil {
		return err
	}
	err := fn()
	if err != nil {
		tx.backTo(before)
		if _, rerr := tx.db.ExecContext(ctx, "ROLLBACK TO try"); rerr != nil {
			return errors.Join(rerr, err)
		}
	}
	if _, rerr := tx.db.ExecContext(ctx, "RELEASE try"); rerr != nil {
		return errors.Join(rerr, err)
	}
	return err
}

// After runs fn once the transaction is committed; it must not block.
func (tx *Tx) After(fn func()) { tx.after = append(tx.after, fn) }

// Append adds events to the session's log in this transaction, in order, and
// gives the last one's seq. It is the one place where seq is taken.
func (tx *Tx) Append(sessionID, turnID string, events ...assent.Event) (last int64, err error) {
	if len(events) == 0 {
		return 0, nil
	}
	bodies := make([][]byte, len(events))
	for i, ev := range events {
		if bodies[i], err = json.Marshal(ev); err != nil {
			return 0, err
		}
	}
	last, err = tx.q.NextSeq(context.Background(), sqlc.NextSeqParams{ID: sessionID, Events: int64(len(events))})
	if err != nil {
		return 0, rowError(err, "conversation")
	}
	seq := last - int64(len(events))
	for i, ev := range events {
		seq++
		le := assent.LoggedEvent{SessionID: sessionID, Seq: seq, TurnID: turnID, Type: ev.EventType(), At: tx.Now()}
		if le.Data, err = flatten(le, bodies[i]); err != nil {
			return 0, &tornError{err}
		}
		err = tx.q.AppendEvent(context.Background(), sqlc.AppendEventParams{SessionID: sessionID, Seq: seq, TurnID: turnID,
			Type: le.Type, At: int64(le.At), Data: string(le.Data)})
		if err != nil {
			return 0, &tornError{err}
		}
		tx.events = append(tx.events, le)
	}
	return last, nil
}

// tornError is a failure after a seq was taken: its transaction must not commit.
type tornError struct{ error }

func (e *tornError) Unwrap() error { return e.error }

// flatten puts what the log knows in front of an event's own fields, as one flat
// JSON object; design 02 §3.
func flatten(ev assent.LoggedEvent, body []byte) ([]byte, error) {
	b := make([]byte, 0, len(body)+128)
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, ev.Seq, 10)
	b = append(b, `,"type":"`...)
	b = append(b, ev.Type...)
	b = append(b, `","turn_id":`...)
	if ev.TurnID == "" {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendQuote(b, ev.TurnID)
	}
	b = append(b, `,"at":`...)
	t, err := ev.At.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b = append(b, t...)
	if len(body) > 2 {
		b = append(b, ',')
	}
	return append(b, body[1:]...), nil
}
