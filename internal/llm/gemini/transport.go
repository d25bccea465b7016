package gemini

import (
	"context"
	"io"
	"net/http"
	"strings"

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
type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	out, sent, err := letGo(r)
	if err != nil {
		return nil, err
	}
	resp, err := next.RoundTrip(out)
	*sent = nil
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		resp.Body.Close()
		return nil, &pageReceived{status: resp.StatusCode, header: resp.Header}
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

// letGo makes r a request that does not keep its body while the answer streams.
// Until sent is set to nil the body can be sent again, on another connection.
func letGo(r *http.Request) (out *http.Request, sent *[]byte, err error) {
	data := make([]byte, max(0, r.ContentLength))
	if _, err := io.ReadFull(r.Body, data); err != nil {
		return nil, nil, err
	}
	if err := r.Body.Close(); err != nil {
		return nil, nil, err
	}
	sent = &data
	out = r.WithContext(r.Context())
	out.Body = provider.NewBody(data)
	out.GetBody = func() (io.ReadCloser, error) {
		if *sent == nil {
			return nil, io.ErrClosedPipe
		}
		return provider.NewBody(*sent), nil
	}
	return out, sent, nil
}

// pageReceived is a response that a person should have seen.
type pageReceived struct {
	status int
	header http.Header
}

func (p *pageReceived) Error() string { return "a web page" }

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
