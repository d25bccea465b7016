package llm

import (
	"sync"
	"time"
)

const (
	breakerFailures = 5                // in a row, until a provider is left alone
	breakerPause    = 30 * time.Second // until it is tried again
)

// breaker leaves a provider alone that failed several times in a row. After the
// pause one call may try; its success closes the circuit, its failure starts
// the next pause. The zero value is ready to use and safe for concurrent use.
type breaker struct {
	mu        sync.Mutex
	failures  int
	openUntil time.Time
	class     Class // of the last failure: what is told while it is left alone
	probing   bool
}

// why is the class of the failure that opened the circuit.
func (b *breaker) why() Class {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.class
}

// allow reports whether the provider may be asked now, and whether this is the
// one call that tries a provider left alone. Each ok must be followed by one
// record with the same probe.
func (b *breaker) allow(now time.Time) (probe, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < breakerFailures {
		return false, true
	}
	if b.probing || now.Before(b.openUntil) {
		return false, false
	}
	b.probing = true
	return true, true
}

// record tells how a try ended; class is empty for an answer. A refusal proves
// that the provider is there; a cancelled call proves nothing.
func (b *breaker) record(probe bool, class Class, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe { // an older call that ends meanwhile frees no second one
		b.probing = false
	}
	switch class {
	case ClassCancelled:
	case ClassOverloaded, ClassNetwork, ClassTimeout:
		b.failures++
		b.class = class
		b.openUntil = now.Add(breakerPause)
	default:
		b.failures = 0
	}
}
