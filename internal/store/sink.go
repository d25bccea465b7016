package store

import (
	"context"
	"sync"

	"assent/internal/assent"
)

// TurnSink is the assent.Sink of one turn: it puts events into the log. Text
// that arrives while the turn's last delta still waits for its commit joins the
// next one, so that text is immediate when idle and batched under load without
// a timer.
type TurnSink struct {
	store         *Store
	session, turn string
	mu            sync.Mutex
	pending       []byte
	inFlight      bool
	err           error
	idle          *sync.Cond
}

// NewSink makes the sink of a turn.
func (s *Store) NewSink(sessionID, turnID string) *TurnSink {
	k := &TurnSink{store: s, session: sessionID, turn: turnID}
	k.idle = sync.NewCond(&k.mu)
	return k
}

// Emit implements assent.Sink.
func (k *TurnSink) Emit(ctx context.Context, ev assent.Event) error {
	if t, ok := ev.(assent.Text); ok {
		return k.text(t.Delta)
	}
	if err := k.Flush(ctx); err != nil {
		return err
	}
	return k.store.wait(job{atomic: true, fn: func(tx *Tx) error {
		_, err := tx.Append(k.session, k.turn, ev)
		return err
	}})
}

func (k *TurnSink) text(delta string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return k.err
	}
	k.pending = append(k.pending, delta...)
	if !k.inFlight {
		k.send()
	}
	return nil
}

// send queues what is pending; the mutex is held.
func (k *TurnSink) send() {
	delta := string(k.pending)
	k.pending = k.pending[:0]
	k.inFlight = true
	k.store.writer.enqueue(job{atomic: true, done: k.committed, fn: func(tx *Tx) error {
		_, err := tx.Append(k.session, k.turn, assent.Text{Delta: delta})
		return err
	}})
}

func (k *TurnSink) committed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.inFlight = false
	if err != nil {
		k.err = err
	} else if len(k.pending) > 0 {
		k.send()
		return
	}
	k.idle.Broadcast()
}

// Flush implements assent.Sink.
func (k *TurnSink) Flush(context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.inFlight {
		k.idle.Wait()
	}
	return k.err
}
