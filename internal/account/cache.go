package account

import (
	"sync"
	"time"

	"assent/internal/assent"
)

// cache remembers who a secret stands for, for a short while.
type cache struct {
	mu      sync.RWMutex
	entries map[string]entry
	changes int64
}

type entry struct {
	principal assent.Principal
	until     time.Time
}

// cacheFor is how long another process's change may go unnoticed.
const cacheFor = 5 * time.Second

// maxCached bounds the cache; beyond it, it starts anew.
const maxCached = 10_000

// get gives what is remembered, and the number of changes seen so far, which
// put needs.
func (c *cache) get(key string, now time.Time) (p assent.Principal, ok bool, seen int64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[key]
	return e.principal, ok && now.Before(e.until), c.changes
}

// put remembers what was read after get, unless something has changed since:
// it may have been read before the change.
func (c *cache) put(key string, p assent.Principal, until time.Time, seen int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seen != c.changes {
		return
	}
	if len(c.entries) >= maxCached {
		c.entries = map[string]entry{}
	}
	c.entries[key] = entry{p, until}
}

// clear forgets everything; every change of people or tokens calls it.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	c.entries = map[string]entry{}
}
