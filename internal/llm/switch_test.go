package llm_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/llmtest"
	"assent/internal/llm/openai"
)

// talk is one conversation that goes on with whichever model is set; its
// history is all that is kept, as in a database.
type talk struct {
	t       *testing.T
	servers map[string]*llmtest.Server
	history string // JSON
}

const wideTool = "mcp/files.read"

// step asks provider to go on, with a gateway and clients of a new process, and
// keeps the answer and the results of its calls.
func (c *talk) step(provider string, script llmtest.Script) llmtest.Request {
	c.t.Helper()
	srv := c.servers[provider].Then(script)
	b := newBench(c.t, nil)
	b.Use(map[string]llm.Model{provider: c.client(provider, srv)}, llm.SingleModel(llm.Target{Provider: provider, Model: "m"}))
	req := request(llm.ProfileBalanced)
	req.Tools = []llm.Tool{{Name: wideTool, Schema: json.RawMessage(`{"type":"object"}`)}}
	if err := json.Unmarshal([]byte(c.history), &req.Messages); err != nil {
		c.t.Fatal(err)
	}
	answer, err := llm.Collect(b.Stream(c.t.Context(), req))
	if err != nil {
		c.t.Fatal(err)
	}
	messages := append(req.Messages, answer.Message())
	for _, call := range answer.Calls {
		if call.Name != wideTool || call.Provider != provider {
			c.t.Errorf("call %+v", call)
		}
		messages = append(messages, llm.Message{Role: llm.RoleTool, CallID: call.ID, Tool: call.Name, Content: `{"success":true}`})
	}
	stored, err := json.Marshal(messages)
	if err != nil {
		c.t.Fatal(err)
	}
	c.history = string(stored)
	all := srv.Requests()
	return all[len(all)-1]
}

func (c *talk) client(provider string, srv *llmtest.Server) llm.Model {
	c.t.Helper()
	var m llm.Model
	var err error
	if strings.HasPrefix(provider, "gemini") {
		m, err = gemini.New(gemini.Config{Name: provider, BaseURL: srv.URL, APIKey: "k"})
	} else {
		m, err = openai.New(openai.Config{Name: provider, BaseURL: srv.URL})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// TestModelChangesInMidConversation: each provider gets back what it gave, byte
// for byte, after restarts and after others have answered; none sees another's
// state; and where Gemini wants a signature on another's call, it gets the
// documented placeholder.
func TestModelChangesInMidConversation(t *testing.T) {
	t.Parallel()
	c := &talk{t: t, history: `[{"role":"user","content":"hello"}]`, servers: map[string]*llmtest.Server{
		"gemini": llmtest.NewGemini(t), "openai": llmtest.NewOpenAI(t), "openrouter": llmtest.NewOpenAI(t)}}
	call := llmtest.Func(func(r llmtest.Request) llmtest.Response { return llmtest.Call(r.Tools[0].Name, `{}`) })

	c.step("gemini", llmtest.Func(func(r llmtest.Request) llmtest.Response {
		return llmtest.Text("Well. ").Signed("g-text").Call(r.Tools[0].Name, `{}`).ID("g1").Signed("g-call")
	}))
	second := c.step("openai", llmtest.Func(func(r llmtest.Request) llmtest.Response {
		return llmtest.Thought("o-thought").Call(r.Tools[0].Name, `{}`).ID("o1").Signed("o-call")
	}))
	for _, state := range []string{"g-text", "g-call", base64.StdEncoding.EncodeToString([]byte("g-text")), base64.StdEncoding.EncodeToString([]byte("g-call")), "ignature", llmtest.Placeholder} {
		if strings.Contains(string(second.Body), state) {
			t.Errorf("openai was sent %s of gemini: %s", state, second.Body)
		}
	}
	third := c.step("openrouter", call) // of the same kind, but somebody else
	if body := string(third.Body); strings.Contains(body, "o-thought") || strings.Contains(body, "o-call") {
		t.Errorf("openrouter was sent state of openai: %s", body)
	}
	fourth := c.step("gemini", call)
	if body := string(fourth.Body); strings.Contains(body, "o-thought") || strings.Contains(body, "o-call") || !strings.Contains(body, base64.StdEncoding.EncodeToString([]byte("g-text"))) {
		t.Errorf("gemini was sent %s", body)
	}
	var signatures []string
	for _, m := range fourth.Messages {
		for _, call := range m.Calls {
			signatures = append(signatures, string(call.Opaque))
		}
	}
	if want := []string{`"g-call"`, `"` + llmtest.Placeholder + `"`, `"` + llmtest.Placeholder + `"`}; !slices.Equal(signatures, want) {
		t.Errorf("signatures %q, want %q", signatures, want)
	}
	fifth := c.step("openai", llmtest.Text("Done."))
	if body := string(fifth.Body); !strings.Contains(body, "o-thought") || !strings.Contains(body, "o-call") {
		t.Errorf("openai did not get back its own: %s", body)
	}
}
