package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/llmtest"
)

const model = "gemini-3.8-flash"

var (
	ask  = llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "Say hello."}}}
	tool = llm.Tool{Name: "x", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`)}
)

func TestNewRefuses(t *testing.T) {
	for _, cfg := range []gemini.Config{
		{}, {APIKey: key, BaseURL: "localhost:1"}, {APIKey: key, BaseURL: "ftp://x"}, {APIKey: key, BaseURL: "://"},
	} {
		if _, err := gemini.New(cfg); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", cfg.BaseURL, err)
		}
	}
	c, err := gemini.New(gemini.Config{APIKey: key})
	if err != nil || strings.Contains(fmt.Sprint(c), key) {
		t.Errorf("%v, %v", c, err)
	}
}

// TestEnvironmentChoosesNothing: what the SDK would read of the environment
// does not count, and the key stands in a header, never in the address.
func TestEnvironmentChoosesNothing(t *testing.T) {
	t.Setenv("GOOGLE_API_KEY", "key-of-the-environment")
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
	t.Setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
	t.Setenv("GOOGLE_CLOUD_PROJECT", "p")
	t.Setenv("GOOGLE_CLOUD_LOCATION", "l")
	t.Setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
	srv := llmtest.NewGemini(t, llmtest.Text("hi")).RequireKey(key)
	c, err := gemini.New(gemini.Config{APIKey: key, BaseURL: srv.URL + "/v1beta/"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(c.Stream(t.Context(), model, ask)); err != nil {
		t.Fatal(err)
	}
	var seen string
	hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		seen = r.URL.String()
		return nil, io.ErrUnexpectedEOF
	})}
	c, err = gemini.New(gemini.Config{APIKey: key, HTTPClient: hc})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(c.Stream(t.Context(), model, ask)); llm.ClassOf(err) != llm.ClassNetwork {
		t.Errorf("err = %v", err)
	}
	if seen != gemini.DefaultBaseURL+"/v1beta/models/"+model+":streamGenerateContent?alt=sse" {
		t.Errorf("asked %s", seen)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestNothingIsLogged: the SDK writes broken streams to the standard logger.
func TestNothingIsLogged(t *testing.T) {
	var out bytes.Buffer
	log.SetOutput(&out)
	defer log.SetOutput(os.Stderr)
	for _, script := range []llmtest.Response{
		llmtest.Text("a").Cut(), llmtest.Text("a").Truncate(), llmtest.Text("a").Garbage("data: {oops\r\n\r\n"),
		llmtest.Fail(500, "no"), llmtest.Text("a", "b"),
	} {
		c := newClient(t, llmtest.NewGemini(t, script))
		for range c.Stream(t.Context(), model, ask) {
			continue
		}
		c = newClient(t, llmtest.NewGemini(t, script))
		for range c.Stream(t.Context(), model, ask) {
			break
		}
	}
	if out.Len() > 0 {
		t.Errorf("logged: %s", out.String())
	}
}

// TestForeignCallsGetThePlaceholder: literally, since the API does not know its
// base64; only the first call of a step, and not for models that know none.
func TestForeignCallsGetThePlaceholder(t *testing.T) {
	t.Parallel()
	history := func(c llm.Call) llm.Request {
		req := ask
		req.Tools = []llm.Tool{tool}
		req.Messages = append(slices.Clone(req.Messages),
			llm.Message{Role: llm.RoleAssistant, Calls: []llm.Call{c, {ID: "2", Name: "x", Arguments: json.RawMessage(`{}`)}}},
			llm.Message{Role: llm.RoleTool, CallID: c.ID, Tool: "x", Content: `{}`},
			llm.Message{Role: llm.RoleTool, CallID: "2", Tool: "x", Content: `{}`})
		return req
	}
	own := llm.Call{ID: "1", Name: "x", Arguments: json.RawMessage(`{}`), Provider: "gemini", Opaque: json.RawMessage(`{"signature":"b3du"}`)}
	tests := []struct {
		name, model string
		call        llm.Call
		want        string
	}{
		{"synthetic", model, llm.Call{ID: "1", Name: "x"}, `"` + llmtest.Placeholder + `"`},
		{"of another provider", model, llm.Call{ID: "1", Name: "x", Provider: "openai", Opaque: own.Opaque}, `"` + llmtest.Placeholder + `"`},
		{"own, unsigned", model, llm.Call{ID: "1", Name: "x", Provider: "gemini"}, `"` + llmtest.Placeholder + `"`},
		{"own, spoilt", model, llm.Call{ID: "1", Name: "x", Provider: "gemini", Opaque: json.RawMessage(`"?"`)}, `"` + llmtest.Placeholder + `"`},
		{"own", model, own, `"own"`},
		{"under its full name", "models/" + model, own, `"own"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := llmtest.NewGemini(t, llmtest.Text("ok"))
			if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), tt.model, history(tt.call))); err != nil {
				t.Fatal(err)
			}
			calls := srv.Request(0).Messages[1].Calls
			if string(calls[0].Opaque) != tt.want || calls[1].Opaque != nil {
				t.Errorf("signatures sent: %s, %s; want %s", calls[0].Opaque, calls[1].Opaque, tt.want)
			}
		})
	}
	t.Run("an old model", func(t *testing.T) {
		t.Parallel()
		var sent string
		hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			b, _ := io.ReadAll(r.Body) // a buffer
			sent = string(b)
			return nil, io.ErrUnexpectedEOF
		})}
		c, err := gemini.New(gemini.Config{APIKey: key, HTTPClient: hc})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = llm.Collect(c.Stream(t.Context(), "gemini-2.5-flash-lite", history(llm.Call{ID: "1", Name: "x"})))
		if sent == "" || strings.Contains(sent, "thoughtSignature") {
			t.Errorf("sent %s", sent)
		}
	})
}

// TestRequestOnTheWire pins the form of a request.
func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewGemini(t, llmtest.Text("hi"))
	req := ask
	req.System, req.MaxTokens, req.Tools, req.ToolChoice = "s", 5, []llm.Tool{tool}, "x"
	if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, req)); err != nil {
		t.Fatal(err)
	}
	const want = `{"contents":[{"parts":[{"text":"Say hello."}],"role":"user"}],"generationConfig":{"maxOutputTokens":5,"thinkingConfig":{"includeThoughts":true}},` +
		`"systemInstruction":{"parts":[{"text":"s"}],"role":"user"},"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["x"],"mode":"ANY"}},` +
		`"tools":[{"functionDeclarations":[{"name":"x","parametersJsonSchema":{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}}]}]}`
	if got := strings.TrimSpace(string(srv.Request(0).Body)); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

// TestJSONBesideTools: the API has no schema mode beside tools.
func TestJSONBesideTools(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewGemini(t, llmtest.JSON(map[string]int{"n": 1}))
	req := ask
	req.Tools = []llm.Tool{tool}
	req.OutputSchema = json.RawMessage(`{"type":"object"}`)
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, req))
	if err != nil || answer.Flags != (llm.Flags{ForcedJSON: true}) || !strings.Contains(srv.Request(0).LastUser(), "JSON Schema") {
		t.Errorf("answer %+v, %v", answer, err)
	}
}

// TestThinkingRefused: a model that does not know the wish for thoughts is
// asked again without, and not bothered with it any more.
func TestThinkingRefused(t *testing.T) {
	t.Parallel()
	refuse := llmtest.Fail(400, `{"error":{"code":400,"message":"Thinking is not enabled for this model","status":"INVALID_ARGUMENT"}}`)
	srv := llmtest.NewGemini(t, refuse, llmtest.Text("a"), llmtest.Text("b"))
	c := newClient(t, srv)
	for range 2 {
		if _, err := llm.Collect(c.Stream(t.Context(), model, ask)); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range srv.Requests() {
		if strings.Contains(string(r.Body), "thinkingConfig") != (i == 0) {
			t.Errorf("request %d: %s", i, r.Body)
		}
	}
}

// TestContents are histories that the API would refuse as they are.
func TestContents(t *testing.T) {
	t.Parallel()
	call := llm.Call{ID: "1", Name: "x", Arguments: json.RawMessage(`{}`)}
	tests := []struct {
		name     string
		messages []llm.Message
		want     []llm.Role
	}{
		{"nothing", nil, []llm.Role{llm.RoleUser}},
		{"blank words", []llm.Message{{Role: llm.RoleUser, Content: " "}, {Role: llm.RoleAssistant}, {Role: llm.RoleUser, Content: "x"}}, []llm.Role{llm.RoleUser}},
		{"begins with the model", []llm.Message{{Role: llm.RoleAssistant, Content: "hi"}}, []llm.Role{llm.RoleUser, llm.RoleAssistant}},
		{"begins with a call", []llm.Message{{Role: llm.RoleAssistant, Calls: []llm.Call{call}}, {Role: llm.RoleTool, CallID: "1", Tool: "x", Content: "[1]"}},
			[]llm.Role{llm.RoleUser, llm.RoleAssistant, llm.RoleTool}},
		{"two steps", []llm.Message{{Role: llm.RoleUser, Content: "u"},
			{Role: llm.RoleAssistant, Calls: []llm.Call{call}}, {Role: llm.RoleTool, CallID: "1", Tool: "x", Content: "null"},
			{Role: llm.RoleAssistant, Calls: []llm.Call{call}}, {Role: llm.RoleTool, CallID: "1", Tool: "x", Content: ""}},
			[]llm.Role{llm.RoleUser, llm.RoleAssistant, llm.RoleTool, llm.RoleAssistant, llm.RoleTool}},
		{"a call after words of the model", []llm.Message{{Role: llm.RoleUser, Content: "u"}, {Role: llm.RoleAssistant, Content: "It still runs."},
			{Role: llm.RoleAssistant, Calls: []llm.Call{call}}, {Role: llm.RoleTool, CallID: "1", Tool: "x", Content: "null"}},
			[]llm.Role{llm.RoleUser, llm.RoleAssistant, llm.RoleTool}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := llmtest.NewGemini(t, llmtest.Text("ok"))
			if _, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, llm.Request{Messages: tt.messages})); err != nil {
				t.Fatal(err)
			}
			var roles []llm.Role
			for _, m := range srv.Request(0).Messages {
				roles = append(roles, m.Role)
			}
			if !slices.Equal(roles, tt.want) {
				t.Errorf("roles %q, want %q", roles, tt.want)
			}
		})
	}
}

// TestPartsCountNotTheReason: an unusual finish reason does not undo what came.
func TestPartsCountNotTheReason(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"FUNCTION_CALL", "OTHER", "SAFETY", "MALFORMED_FUNCTION_CALL", "MAX_TOKENS", "A_NEW_ONE"} {
		srv := llmtest.NewGemini(t, llmtest.Call("x", `{"n":1}`).Finish(reason))
		answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask))
		if err != nil || len(answer.Calls) != 1 || answer.Finish != reason {
			t.Errorf("%s: %+v, %v", reason, answer, err)
		}
	}
	srv := llmtest.NewGemini(t, llmtest.Text("half of it").Finish("SAFETY"))
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask))
	if answer.Text != "half of it" || llm.ClassOf(err) != llm.ClassContentFiltered {
		t.Errorf("text cut by a filter: %+v, %v", answer, err)
	}
	srv = llmtest.NewGemini(t, llmtest.Response{}.Finish("MALFORMED_FUNCTION_CALL"))
	if answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask)); err != nil || answer.Finish == "" {
		t.Errorf("an empty answer: %+v, %v", answer, err)
	}
}

func TestMissingIDsAreMade(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewGemini(t, llmtest.Response{}.Garbage(
		`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"x"}}]},"finishReason":"STOP"}]}`+"\r\n\r\n").Truncate())
	answer, err := llm.Collect(newClient(t, srv).Stream(t.Context(), model, ask))
	if err != nil || len(answer.Calls) != 1 || answer.Calls[0].ID == "" || string(answer.Calls[0].Arguments) != "{}" {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestCancelledCallKnowsItsUsage: the API counts with each chunk.
func TestCancelledCallKnowsItsUsage(t *testing.T) {
	t.Parallel()
	srv := llmtest.NewGemini(t, llmtest.Text("a").Usage(llm.Tokens{In: 90, Out: 9}).Hang())
	var last llm.Tokens
	for c := range newClient(t, srv).Stream(t.Context(), model, ask) {
		if c.Kind == llm.ChunkUsage {
			last = c.Usage
			break
		}
	}
	if last.In != 90 {
		t.Errorf("usage %+v", last)
	}
}
