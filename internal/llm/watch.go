package llm

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var (
	errFirstToken = errors.New("no first token in time")
	errIdle       = errors.New("no further token in time")
	errNoEnd      = errors.New("the answer has not ended after 15 minutes")
)

// watch cancels a call that keeps us waiting: first for its first chunk, later
// for the next one. It is one timer for the whole call, stopped while the
// consumer works, because only the provider is on the clock.
type watch struct {
	timer       *time.Timer
	first, idle time.Duration
	started     atomic.Bool
}

func newWatch(cancel context.CancelCauseFunc, first, idle time.Duration) *watch {
	w := &watch{first: first, idle: idle}
	w.timer = time.AfterFunc(first, func() {
		if w.started.Load() {
			cancel(errIdle)
			return
		}
		cancel(errFirstToken)
	})
	return w
}

// pause stops the clock: a chunk is here.
func (w *watch) pause() { w.timer.Stop() }

// resume starts the clock for the next chunk, or still for the first if the
// answer has not started.
func (w *watch) resume(started bool) {
	if !started {
		w.timer.Reset(w.first)
		return
	}
	w.started.Store(true)
	w.timer.Reset(w.idle)
}
