package gemini

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

const maxErrorBody = 1 << 20

type receivedKey struct{}

// watched gives a context for one request that lets the transport report.
func watched(ctx context.Context) (context.Context, *received) {
	r := &received{}
	return context.WithValue(ctx, receivedKey{}, r), r
}

// transport lies between the SDK and the network. It keeps what the SDK would
// lose (headers, why a body broke off) and gives it bodies that it can read; the
// client reads the truth from received.
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
	rec.header, rec.status = resp.Header, resp.StatusCode
	if resp.StatusCode == http.StatusOK {
		resp.Body = &body{src: resp.Body, rec: rec}
	} else {
		resp.Body = &errorBody{ReadCloser: resp.Body, left: maxErrorBody}
	}
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

// errorBody is as much of a refusal's words as anybody wants to read. Words that
// break off are still a refusal.
type errorBody struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *errorBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil {
		err = io.EOF
	}
	return n, err
}
