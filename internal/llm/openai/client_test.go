package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/llm/openai"
)

var ask = llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "Say hello."}}}

func TestNewRefusesAddresses(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"localhost:11434", "ftp://x/v1", "http://", "://", "/v1"} {
		if _, err := openai.New(openai.Config{BaseURL: url, Name: "ollama"}); err == nil || !strings.Contains(err.Error(), "ollama") {
			t.Errorf("%q: %v", url, err)
		}
	}
	c, err := openai.New(openai.Config{APIKey: key})
	if err != nil || strings.Contains(fmt.Sprint(c), key) {
		t.Errorf("%v, %v", c, err)
	}
}

// TestRequestOnTheWire pins the form of a plain request.
func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Text("hi"))
	c := newClient(t, srv)
	req := llm.Request{System: "s", MaxTokens: 5, ToolChoice: "b/c",
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "<u>"}},
		Tools:    []llm.Tool{{Name: "b/c", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "e"}}}
	if _, err := llm.Collect(c.Stream(t.Context(), "m", req)); err != nil {
		t.Fatal(err)
	}
	got := srv.Request(0)
	const want = `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"<u>"}],"stream":true,"stream_options":{"include_usage":true},` +
		`"tool_choice":{"type":"function","function":{"name":"b_c_88647327"}},"max_tokens":5,` +
		`"tools":[{"type":"function","function":{"name":"b_c_88647327","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"e","parameters":{"type":"object","properties":{}}}}]}`
	if strings.TrimSpace(string(got.Body)) != want {
		t.Errorf("sent\n%s\nwant\n%s", got.Body, want)
	}
	if got.Header.Get("Authorization") != "Bearer "+key || got.Header.Get("Accept-Encoding") != "identity" {
		t.Errorf("headers %v", got.Header)
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Text("hi"))
	c, err := openai.New(openai.Config{BaseURL: srv.URL + "/"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(c.Stream(t.Context(), "m", ask)); err != nil {
		t.Fatal(err)
	}
	if _, sent := srv.Request(0).Header["Authorization"]; sent {
		t.Error("an empty key was sent")
	}
}

// TestRefusedParts: a server that does not know an optional part gets the
// request without it, and the next one too.
func TestRefusedParts(t *testing.T) {
	t.Parallel()
	refuse := func(words string) llmtest.Response {
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": words}}) // plain values
		return llmtest.Fail(http.StatusBadRequest, string(b))
	}
	schema := json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string"}}}`)
	tests := []struct {
		name  string
		words []string
		gone  []string // from the last request
		kept  []string
		flags llm.Flags
	}{
		{"stream options", []string{"Unrecognized request argument supplied: stream_options"}, []string{"stream_options"}, []string{"tool_choice", "max_tokens", "response_format"}, llm.Flags{StrictSchema: true}},
		{"max tokens", []string{"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}, []string{`"max_tokens"`}, []string{"max_completion_tokens", "tool_choice"}, llm.Flags{StrictSchema: true}},
		{"tool choice", []string{"Thinking mode does not support this tool_choice"}, []string{"tool_choice"}, []string{"response_format"}, llm.Flags{StrictSchema: true}},
		{"strict", []string{"Invalid schema for response_format 'answer': 'additionalProperties' is required to be supplied and to be false."}, []string{`"strict":true`}, []string{"json_schema"}, llm.Flags{}},
		{"schema", []string{"this server knows no such thing"}, []string{"response_format"}, []string{"tool_choice", "one JSON value"}, llm.Flags{ForcedJSON: true}},
		{"one after the other", []string{"stream_options?", "tool_choice?", "eh?"}, []string{"stream_options", "tool_choice", "response_format"}, []string{"max_tokens"}, llm.Flags{ForcedJSON: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := llmtest.NewOpenAI(t)
			for _, w := range tt.words {
				srv.Then(refuse(w))
			}
			srv.Then(llmtest.Text("1"), llmtest.Text("2"))
			c := newClient(t, srv)
			req := ask
			req.Tools, req.ToolChoice, req.MaxTokens, req.OutputSchema = []llm.Tool{{Name: "x"}}, "x", 9, schema
			for range 2 {
				answer, err := llm.Collect(c.Stream(t.Context(), "m", req))
				if err != nil || answer.Flags != tt.flags {
					t.Fatalf("answer %+v, %v", answer, err)
				}
			}
			all := srv.Requests()
			if len(all) != len(tt.words)+2 {
				t.Fatalf("%d requests", len(all))
			}
			for _, r := range all[len(tt.words):] {
				for _, gone := range tt.gone {
					if strings.Contains(string(r.Body), gone) {
						t.Errorf("%s is still in %s", gone, r.Body)
					}
				}
				for _, kept := range tt.kept {
					if !strings.Contains(string(r.Body), kept) {
						t.Errorf("%s is not in %s", kept, r.Body)
					}
				}
			}
		})
	}
}

// TestRefusalForGood: what is no optional part is not tried again.
func TestRefusalForGood(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Fail(400, ""), llmtest.Fail(400, ""), llmtest.Fail(400, ""))
	c := newClient(t, srv)
	if _, err := llm.Collect(c.Stream(t.Context(), "m", ask)); llm.ClassOf(err) != llm.ClassInvalidRequest || len(srv.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(srv.Requests()))
	}
	req := ask
	req.OutputSchema = json.RawMessage(`{}`)
	if _, err := llm.Collect(c.Stream(t.Context(), "m", req)); llm.ClassOf(err) != llm.ClassInvalidRequest || len(srv.Requests()) != 3 {
		t.Errorf("%v after %d requests", err, len(srv.Requests()))
	}
}

// TestThoughtsGoBackWithCalls: some thinking models refuse a history of calls
// without the thoughts that led to them.
func TestThoughtsGoBackWithCalls(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Thought("I need ").Thought("a list.").Call("x", "{}"), llmtest.Thought("Hm.").Text("Done."))
	c := newClient(t, srv)
	req := ask
	req.Tools = []llm.Tool{{Name: "x"}}
	first, err := llm.Collect(c.Stream(t.Context(), "m", req))
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(slices.Clone(req.Messages), first.Message(),
		llm.Message{Role: llm.RoleTool, CallID: first.Calls[0].ID, Tool: "x", Content: "{}"})
	second, err := llm.Collect(c.Stream(t.Context(), "m", req))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(srv.Request(1).Messages[1].Opaque); got != `"I need a list."` {
		t.Errorf("thoughts sent back: %s", got)
	}
	if second.Opaque != nil {
		t.Errorf("an answer without calls keeps %s", second.Opaque)
	}
}

// TestForms are answers that are no ordinary stream.
func TestForms(t *testing.T) {
	t.Parallel()
	raw := func(s string) llmtest.Response { return llmtest.Response{}.Garbage(s).Truncate() }
	tests := []struct {
		name   string
		script llmtest.Response
		want   string // text and calls
	}{
		{"one JSON body", llmtest.Thought("t").Text("hello").Call("x", `{"n":1}`).As(llmtest.Dialect{Whole: true}), `hello x{"n":1}`},
		{"JSON under the wrong name", llmtest.Text("hello").As(llmtest.Dialect{Whole: true}).Header("X", "y"), "hello"},
		{"a stream under the wrong name", llmtest.Text("hello").Header("Content-Type", "application/json"), "hello"},
		{"a stream without a name", llmtest.Text("hello").Header("Content-Type", "text/plain"), "hello"},
		{"no blank lines", raw("data: {\"choices\":[{\"delta\":{\"content\":\"hel\"}}]}\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\ndata: [DONE]\n"), "hello"},
		{"content in parts", raw("data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[]},{\"type\":\"text\",\"text\":\"hello\"}]},\"finish_reason\":\"stop\"}]}\n\n"), "hello"},
		{"a refusal is text", raw("data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}\n\n"), "No."},
		{"finish in the first chunk", raw("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"), "a"},
		{"cut after the finish", llmtest.Response{}.Garbage("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n").Cut(), "a"},
		{"calls beside a filter", llmtest.Call("x", "{}").Finish("content_filter"), "x{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := llmtest.NewOpenAI(t, tt.script)
			answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), "m", ask))
			if err != nil {
				t.Fatal(err)
			}
			got := []string{answer.Text}
			for _, c := range answer.Calls {
				got = append(got, c.Name+string(c.Arguments))
			}
			if s := strings.TrimSpace(strings.Join(got, " ")); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestMissingIDsAreMade(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Call("x", "{}").Call("x", "{}")).Speak(llmtest.Dialect{NoID: true, IndexZero: true, WholeCalls: true})
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), "m", ask))
	if err != nil || len(answer.Calls) != 2 || answer.Calls[0].ID == "" || answer.Calls[0].ID == answer.Calls[1].ID {
		t.Errorf("calls %+v, %v", answer.Calls, err)
	}
}

func TestMalformedArgumentsAreText(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Call("x", `{"status": open}`))
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), "m", ask))
	if err != nil || string(answer.Calls[0].Arguments) != `"{\"status\": open}"` {
		t.Errorf("calls %+v, %v", answer.Calls, err)
	}
}

// TestCallBeingWrittenIsTold: a call is yielded whole, but is no silence before.
func TestCallBeingWrittenIsTold(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Call("x", `{"steps":[1,2,3,4,5,6,7,8]}`))
	var kinds []llm.ChunkKind
	for c, err := range newClient(t, srv).Stream(t.Context(), "m", ask) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, c.Kind)
	}
	want := slices.Concat(slices.Repeat([]llm.ChunkKind{llm.ChunkProgress}, 5), []llm.ChunkKind{llm.ChunkCall, llm.ChunkUsage, llm.ChunkFinish})
	if !slices.Equal(kinds, want) {
		t.Errorf("chunks %v, want %v", kinds, want)
	}
}

// TestHistoryWithoutWords: an assistant's calls may stand alone, and a JSON
// instruction may be the only word.
func TestHistoryWithoutWords(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Fail(400, ""), llmtest.Text("{}"))
	req := llm.Request{System: "s", OutputSchema: json.RawMessage(`{"type":"object"}`), Messages: []llm.Message{
		{Role: llm.RoleUser, Content: "u"},
		{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "1", Name: "x"}}},
		{Role: llm.RoleTool, CallID: "1", Tool: "x", Content: "{}"},
	}}
	if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), "m", req)); err != nil {
		t.Fatal(err)
	}
	if last := srv.Request(1).Last(); last.Role != llm.RoleUser || !strings.Contains(last.Content, `{"type":"object"}`) {
		t.Errorf("last message %+v", last)
	}
}

// TestEndlessEvent: what never ends is no answer, and takes no more memory.
func TestEndlessEvent(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewOpenAI(t, llmtest.Text("a").Garbage("data: \""+strings.Repeat("x", 17<<20)).Hang())
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), "m", ask))
	if llm.ClassOf(err) != llm.ClassInternal || !strings.Contains(err.Error(), "16 MB") || answer.Text != "a" {
		t.Errorf("%.50q, %v", answer.Text, err)
	}
}
