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
}

// Write runs fn in a transaction of its own (see the package comment) and
// returns after the COMMIT. A write that was queued happens even if ctx ends:
// half-done work is worse than late work.
func (s *Store) Write(_ context.Context, fn func(*Tx) error) error { return s.wait(fn, false) }

// WriteFull is Write with a commit that survives power loss; for the begin of
// steps whose effect lies outside the database, and for approvals.
func (s *Store) WriteFull(_ context.Context, fn func(*Tx) error) error { return s.wait(fn, true) }

func (s *Store) wait(fn func(*Tx) error, full bool) error {
	done := make(chan error, 1)
	s.writer.enqueue(job{fn: fn, full: full, done: func(err error) { done <- err }})
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
	ctx, events, after := context.Background(), len(tx.events), len(tx.after)
	if _, err := tx.db.ExecContext(ctx, "SAVEPOINT try"); err != nil {
		return err
	}
	err := fn()
	if err != nil {
		tx.events, tx.after = tx.events[:events], tx.after[:after]
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

// Append adds an event to the session's log in this transaction and gives its
// seq. It is the one place where seq is taken.
func (tx *Tx) Append(sessionID, turnID string, ev assent.Event) (int64, error) {
	ctx := context.Background()
	seq, err := tx.q.NextSeq(ctx, sessionID)
	if err != nil {
		return 0, rowError(err, "conversation")
	}
	at := tx.Now()
	data, err := flatten(seq, turnID, at, ev)
	if err != nil {
		return 0, err
	}
	err = tx.q.AppendEvent(ctx, sqlc.AppendEventParams{SessionID: sessionID, Seq: seq, TurnID: turnID,
		Type: ev.EventType(), At: int64(at), Data: string(data)})
	if err != nil {
		return 0, err
	}
	tx.events = append(tx.events, assent.LoggedEvent{SessionID: sessionID, Seq: seq, TurnID: turnID,
		Type: ev.EventType(), At: at, Data: data})
	return seq, nil
}

// flatten renders an event as the flat JSON object of design 02 §3.
func flatten(seq int64, turnID string, at assent.Time, ev assent.Event) ([]byte, error) {
	body, err := json.Marshal(ev)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(body)+128)
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, seq, 10)
	b = append(b, `,"type":"`...)
	b = append(b, ev.EventType()...)
	b = append(b, `","turn_id":`...)
	if turnID == "" {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendQuote(b, turnID)
	}
	b = append(b, `,"at":`...)
	t, err := at.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b = append(b, t...)
	if len(body) > 2 {
		b = append(b, ',')
	}
	return append(b, body[1:]...), nil
}
