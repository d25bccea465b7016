package openai

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/llm"
)

// replay is a server without a network: each Read of its body gives one event,
// as chunks arrive in life.
type replay struct{ chunks int }

func (r replay) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(&replayBody{left: r.chunks, event: "data: " + ordinary["openai"] + "\n\n"})}, nil
}

type replayBody struct {
	left  int
	event string
}

func (b *replayBody) Read(p []byte) (int, error) {
	b.left--
	switch {
	case b.left >= 0:
		return copy(p, b.event), nil
	case b.left == -1:
		return copy(p, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"), nil
	}
	return 0, io.EOF
}

// BenchmarkStreamPerChunk is all that this package does for one chunk.
func BenchmarkStreamPerChunk(b *testing.B) {
	c, err := New(Config{BaseURL: "http://localhost/v1", HTTPClient: &http.Client{Transport: replay{b.N}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for _, err := range c.Stream(b.Context(), "m", llm.Request{}) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is what a call costs beside its chunks, with a history and
// tools of usual size.
func BenchmarkCall(b *testing.B) {
	c, err := New(Config{BaseURL: "http://localhost/v1", HTTPClient: &http.Client{Transport: replay{1}}})
	if err != nil {
		b.Fatal(err)
	}
	req := llm.Request{System: strings.Repeat("system ", 500)}
	for range 20 {
		req.Messages = append(req.Messages, llm.Message{Role: llm.RoleUser, Content: strings.Repeat("word ", 100)})
		req.Tools = append(req.Tools, llm.Tool{Name: "list_tasks", Schema: []byte(`{"type":"object","properties":{` +
			strings.Repeat(`"status":{"type":"string","description":"one of"},`, 8) + `"x":{}}}`)})
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range c.Stream(b.Context(), "m", req) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
