package openai

import (
	"bytes"
	"io"
	"sync"
)

// sentBody is the body of a request that is let go once it is sent: the request
// itself lives as long as the answer streams, and hundreds may at once.
type sentBody struct {
	mu sync.Mutex
	r  *bytes.Reader // nil when closed
}

func newBody(b []byte) *sentBody { return &sentBody{r: bytes.NewReader(b)} }

// Read implements io.Reader.
func (b *sentBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r == nil {
		return 0, io.ErrClosedPipe
	}
	return b.r.Read(p)
}

// Close implements io.Closer.
func (b *sentBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.r = nil
	return nil
}
