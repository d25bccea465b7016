package gemini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

const (
	maxLine      = 32 << 20 // one event of a stream
	maxErrorBody = 1 << 20
)

var errLineTooLong = errors.New("an event of the stream is larger than 32 MB")

// received is what the transport saw of one response. The SDK does not tell, or
// tells the standard logger.
type received struct {
	header  http.Header
	bytes   int64
	since   int64 // bytes since the last end of line
	partial bool  // the last byte was no end of line
	err     error // why the body broke off; nil at its clean end
	ended   bool
}

type receivedKey struct{}

// watched gives a context for one request that lets the transport report.
func watched(ctx context.Context) (context.Context, *received) {
	r := &received{}
	return context.WithValue(ctx, receivedKey{}, r), r
}

// transport lies between the SDK and the network. It keeps what the SDK would
// lose (headers, why a body broke off) and hides broken bodies from it, because
// the SDK logs them; the client reads the reason from received.
type transport struct {
	next http.RoundTripper
	name string
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
		resp.Body.Close()
		return nil, pageError(t.name, resp.StatusCode, kind)
	}
	rec, ok := r.Context().Value(receivedKey{}).(*received)
	if !ok {
		return resp, nil
	}
	rec.header = resp.Header
	limit := int64(0)
	if resp.StatusCode != http.StatusOK {
		limit = maxErrorBody
	}
	resp.Body = &body{ReadCloser: resp.Body, rec: rec, limit: limit}
	return resp, nil
}

func pageError(name string, status int, kind string) *llm.Error {
	class := llm.ClassInternal
	if status != http.StatusOK {
		class = provider.StatusClass(status)
	}
	return &llm.Error{Class: class, Provider: name, Status: status, Detail: fmt.Sprintf(
		"HTTP %d: the address answers with a web page (%s), not with the Gemini API; check the base URL", status, kind)}
}

// body ends cleanly whatever happens and notes the truth.
type body struct {
	io.ReadCloser
	rec   *received
	limit int64 // 0: none
}

func (b *body) Read(p []byte) (int, error) {
	if b.rec.ended || b.limit > 0 && b.rec.bytes >= b.limit {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p)
	b.rec.note(p[:n])
	if err == nil && b.rec.since > maxLine {
		err = errLineTooLong
	}
	if err == nil {
		return n, nil
	}
	b.rec.ended = true
	if err != io.EOF {
		b.rec.err = err
	}
	return n, io.EOF
}

// Close implements io.Closer; the SDK would log an error.
func (b *body) Close() error {
	_ = b.ReadCloser.Close() // the answer is read, or given up
	return nil
}

func (r *received) note(p []byte) {
	if len(p) == 0 {
		return
	}
	r.bytes += int64(len(p))
	r.since += int64(len(p))
	if i := bytes.LastIndexByte(p, '\n'); i >= 0 {
		r.since = int64(len(p) - i - 1)
	}
	r.partial = r.since > 0
}
