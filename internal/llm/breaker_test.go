package llm

import (
	"testing"
	"time"
)

// TestWhyAProviderIsLeftAlone: while it is, callers are told what went wrong, not
// that somebody else is busy.
func TestWhyAProviderIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, class := range []Class{ClassNetwork, ClassTimeout, ClassOverloaded} {
		b := &breaker{}
		for range breakerFailures {
			b.record(false, class, time.Time{})
		}
		if b.why() != class {
			t.Errorf("%s opened it, told as %s", class, b.why())
		}
	}
}

// TestOneProbe: while one call tries a provider that was left alone, no other
// may, whatever older calls do meanwhile.
func TestOneProbe(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]Class{"is cancelled": ClassCancelled, "fails": ClassNetwork} {
		b := &breaker{}
		start := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		for range breakerFailures {
			b.record(false, ClassOverloaded, start)
		}
		if _, ok := b.allow(start.Add(breakerPause - 1)); ok {
			t.Fatal("asked before the pause is over")
		}
		later := start.Add(breakerPause)
		if probe, ok := b.allow(later); !probe || !ok {
			t.Fatal("no probe after the pause")
		}
		b.record(false, old, start)
		if _, ok := b.allow(later); ok {
			t.Errorf("an older call %s, and a second probe starts", name)
		}
		b.record(true, "", later)
		if probe, ok := b.allow(later); probe || !ok {
			t.Errorf("after the probe's answer: probe %t, ok %t", probe, ok)
		}
	}
}
