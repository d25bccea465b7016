package openai_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/openai"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A request is let go once it is sent, and can still be sent again on another
// connection, as the transport does when the first was closed meanwhile.
func TestBodyIsLetGoAndComesAgain(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	c, err := openai.New(openai.Config{BaseURL: "http://127.0.0.1:1/v1", HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		first, err := io.ReadAll(r.Body)
		if err != nil || int64(len(first)) != r.ContentLength {
			t.Errorf("%d bytes of %d: %v", len(first), r.ContentLength, err)
		}
		r.Body.Close()
		if n, err := r.Body.Read(make([]byte, 1)); n != 0 || err == nil || err == io.EOF {
			t.Errorf("a closed body gives %d bytes, %v", n, err)
		}
		body, err := r.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		again, err := io.ReadAll(body)
		if err != nil || string(again) != string(first) {
			t.Errorf("again %s (%v), first %s", again, err, first)
		}
		return nil, broken
	})}})
	if err != nil {
		t.Fatal(err)
	}
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}, Tools: []llm.Tool{{Name: "x"}, {Name: "y", Schema: []byte(`{"type":"object"}`)}}}
	if _, err := llm.Collect(c.Stream(t.Context(), "m", req)); err == nil {
		t.Error("no error")
	}
}
