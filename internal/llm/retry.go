package llm

import (
	"context"
	"net/http"
	"time"
)

const (
	maxRetries    = 2                // per target, so three tries
	maxRetryAfter = 30 * time.Second // a provider that asks for more is left for the next
	backoffBase   = 500 * time.Millisecond
)

// step is what follows a failed try.
type step int

const (
	stepEnd   step = iota // the request itself is at fault
	stepNext              // this target cannot answer, another may
	stepRetry             // the same target may answer in a moment
)

// after says what follows a failure before the first chunk.
func after(e *Error) step {
	switch e.Class {
	case ClassRateLimited, ClassOverloaded, ClassNetwork:
		return stepRetry
	case ClassTimeout:
		if e.Status == http.StatusRequestTimeout { // our request came too slowly, so the connection is at fault
			return stepRetry
		}
		return stepNext
	case ClassAuth, ClassQuota, ClassInternal:
		return stepNext
	case ClassInvalidRequest:
		if notThere(e.Status) {
			return stepNext
		}
	}
	return stepEnd
}

// notThere reports whether a refusal is about the address or the model, not about
// what we ask: moved, gone, or no such method.
func notThere(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return status >= 300 && status < 400
}

// backoff is how long to wait before retry n (from 0): twice as long each time,
// the half of it by chance so that many callers spread out. ok is false if the
// provider asks for more patience than a person has.
func backoff(n int, asked time.Duration, random float64) (wait time.Duration, ok bool) {
	if asked > maxRetryAfter {
		return 0, false
	}
	wait = backoffBase << n
	wait = wait/2 + time.Duration(random*float64(wait/2))
	return max(wait, asked), true
}

// pause waits for d, or less if ctx ends, which it reports.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
