package provider

import (
	"bytes"
	"io"
	"sync"
)

// SentBody is the body of a request that is let go once it is sent: the request
// itself lives as long as the answer streams, and hundreds may at once.
type SentBody struct {
	mu sync.Mutex
	r  *bytes.Reader // nil when closed
}

// NewBody makes a body of b.
func NewBody(b []byte) *SentBody { return &SentBody{r: bytes.NewReader(b)} }

// Read implements io.Reader.
func (b *SentBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r == nil {
		return 0, io.ErrClosedPipe
	}
	return b.r.Read(p)
}

// Close implements io.Closer.
func (b *SentBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.r = nil
	return nil
}
