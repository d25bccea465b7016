package gemini_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/llmtest"
)

// TestBodyIsLetGoAndComesAgain: a request is let go once it is answered, and can
// until then be sent again on another connection, as the transport does when the
// first was closed meanwhile.
func TestBodyIsLetGoAndComesAgain(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var again func() (io.ReadCloser, error)
	c, err := gemini.New(gemini.Config{APIKey: key, HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		first, err := io.ReadAll(r.Body)
		if err != nil || int64(len(first)) != r.ContentLength || !strings.Contains(string(first), "Say hello.") {
			t.Errorf("%d bytes of %d: %v", len(first), r.ContentLength, err)
		}
		r.Body.Close()
		again = r.GetBody
		body, err := again()
		if err != nil {
			t.Fatal(err)
		}
		if second, err := io.ReadAll(body); err != nil || string(second) != string(first) {
			t.Errorf("again %s (%v), first %s", second, err, first)
		}
		return nil, broken
	})}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(c.Stream(t.Context(), model, ask)); llm.ClassOf(err) != llm.ClassNetwork {
		t.Errorf("err = %v", err)
	}
	if _, err := again(); err == nil {
		t.Error("the body is still there")
	}
}

// TestNumbersKeepTheirDigits: a history goes back as it came, byte for byte.
func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	const long = `{"id":9007199254740993,"<":"&"}`
	srv := llmtest.NewGemini(t, llmtest.Text("ok"))
	req := ask
	req.Messages = append(slices.Clone(req.Messages),
		llm.Message{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "1", Name: "x", Arguments: json.RawMessage(long)}}},
		llm.Message{Role: llm.RoleTool, CallID: "1", Tool: "x", Content: long})
	if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, req)); err != nil {
		t.Fatal(err)
	}
	if body := string(srv.Request(0).Body); strings.Count(body, "9007199254740993") != 2 {
		t.Errorf("sent %s", body)
	}
}

// TestReferencesInResults: Gemini would look for what they mean.
func TestReferencesInResults(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewGemini(t, llmtest.Text("ok"))
	req := ask
	req.Messages = append(slices.Clone(req.Messages),
		llm.Message{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "1", Name: "x"}}},
		llm.Message{Role: llm.RoleTool, CallID: "1", Tool: "x", Content: `{"schema":{"$ref":"#/$defs/A"}}`})
	if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, req)); err != nil {
		t.Fatal(err)
	}
	if got := srv.Request(0).Last().Content; got != `{"output":"{\"schema\":{\"$ref\":\"#/$defs/A\"}}"}` {
		t.Errorf("result sent: %s", got)
	}
}

// TestStreamsOfOthers are answers as gateways in front of the API give them.
func TestStreamsOfOthers(t *testing.T) {
	t.Parallel()
	const one, two = `{"candidates":[{"content":{"role":"model","parts":[{"text":"hel"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"lo"}]},"finishReason":"STOP"}]}`
	tests := map[string]string{
		"comments and fields": ": OK\n\nevent: message\nid: 1\ndata: " + one + "\n\n: ping\r\n\r\nretry: 3\ndata: " + two + "\n\ndata: [DONE]\n\n",
		"lines in an event":   "data: " + strings.ReplaceAll(one, ":[{", ":\ndata: [\ndata: {") + "\n\ndata: " + two + "\n\n",
		"mixed ends of lines": "data: " + one + "\r\n\r\ndata: " + two + "\n\n",
		"no last blank line":  "data: " + one + "\n\ndata: " + two,
		"one list":            "[" + one + ",\n" + two + "]",
		"one list, indented":  "[ " + strings.ReplaceAll(one, "{", "{\n  ") + "\n, " + two + "\n]\n",
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := llmtest.NewGemini(t, llmtest.Response{}.Garbage(body).Truncate())
			answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask))
			if err != nil || answer.Text != "hello" {
				t.Errorf("%q, %v", answer.Text, err)
			}
		})
	}
}

// TestErrorsWithoutAStatus: the words or the response say what the code does not.
func TestErrorsWithoutAStatus(t *testing.T) {
	t.Parallel()
	inStream := func(frame string) llmtest.Response { return llmtest.Response{}.Garbage("data: " + frame + "\n\n") }
	tests := []struct {
		name   string
		script llmtest.Response
		want   llm.Class
	}{
		{"no code", llmtest.Fail(503, `{"error":{"message":"no"}}`), llm.ClassOverloaded},
		{"a code of gRPC", llmtest.Fail(429, `{"error":{"code":8,"message":"no"}}`), llm.ClassRateLimited},
		{"a word in a stream", inStream(`{"error":{"code":14,"message":"no","status":"UNAVAILABLE"}}`), llm.ClassOverloaded},
		{"a refusal in a stream", inStream(`{"error":{"message":"no","status":"PERMISSION_DENIED"}}`), llm.ClassAuth},
		{"nothing in a stream", inStream(`{"error":{"message":"no"}}`), llm.ClassInternal},
	}
	for _, tt := range tests {
		srv := llmtest.NewGemini(t, tt.script)
		if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask)); llm.ClassOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
