// Package local drives turns and runs in this process: the engine of the one
// binary. It knows ids, not what a step does.
//
// Guarantees: a job id is driven by at most one goroutine at a time; Start for
// an id that is being driven makes it be driven once more afterwards, so that
// no wake-up is lost. Start and Signal never block. At most Limit jobs of a
// kind run at once, others wait their turn in order. Stop refuses new jobs,
// lets running ones end within the context given and then cancels them; what
// was not finished is found again by recovery.
package local

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"

	"assent/internal/assent"
)

// Drive does the work of one job until it ends or waits. Cancellation of ctx
// carries a cause: assent.ErrCancelled or assent.ErrStopping.
type Drive func(ctx context.Context, kind, id string)

// Engine implements assent.Engine.
type Engine struct {
	drive Drive
	mu    sync.Mutex
	jobs  map[string]*job
	slots map[string]chan struct{}
	stop  bool
	wg    sync.WaitGroup
	base  context.Context
	kill  context.CancelCauseFunc
}

type job struct {
	cancel context.CancelCauseFunc
	again  bool
}

// New makes an engine; limits bounds how many jobs of a kind run at once.
func New(drive Drive, limits map[string]int) *Engine {
	e := &Engine{drive: drive, jobs: map[string]*job{}, slots: map[string]chan struct{}{}}
	for kind, n := range limits {
		e.slots[kind] = make(chan struct{}, n)
	}
	e.base, e.kill = context.WithCancelCause(context.Background())
	return e
}

// Start implements assent.Engine.
func (e *Engine) Start(_ context.Context, kind, id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop {
		return
	}
	if j := e.jobs[id]; j != nil {
		j.again = true
		return
	}
	ctx, cancel := context.WithCancelCause(e.base)
	e.jobs[id] = &job{cancel: cancel}
	e.wg.Add(1)
	go e.run(ctx, kind, id)
}

// Signal implements assent.Engine.
func (e *Engine) Signal(_ context.Context, id, signal string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	j := e.jobs[id]
	if j == nil {
		return
	}
	switch signal {
	case assent.SignalCancel:
		j.cancel(assent.ErrCancelled)
	case assent.SignalWake:
		j.again = true
	}
}

func (e *Engine) run(ctx context.Context, kind, id string) {
	defer e.wg.Done()
	if slot := e.slots[kind]; slot != nil {
		select {
		case slot <- struct{}{}:
			defer func() { <-slot }()
		case <-ctx.Done():
			// The drive still runs, so that a queued job records its cancellation.
		}
	}
	for {
		e.guard(ctx, kind, id)
		if e.finished(id) {
			return
		}
	}
}

// guard drives once; a panic ends the job, not the process.
func (e *Engine) guard(ctx context.Context, kind, id string) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic while driving", "kind", kind, "id", id, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	e.drive(ctx, kind, id)
}

// finished forgets the job unless somebody asked for it again meanwhile.
func (e *Engine) finished(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	j := e.jobs[id]
	if j.again && !e.stop {
		j.again = false
		return false
	}
	j.cancel(nil)
	delete(e.jobs, id)
	return true
}

// Stop ends the engine: no new jobs, running ones may end until ctx does, then
// they are cancelled and waited for.
func (e *Engine) Stop(ctx context.Context) {
	e.mu.Lock()
	e.stop = true
	e.mu.Unlock()
	done := make(chan struct{})
	go func() { e.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		e.kill(assent.ErrStopping)
		<-done
	}
}
