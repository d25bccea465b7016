package llmtest_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// TestModelConforms: the scripted model keeps the promises too.
func TestModelConforms(t *testing.T) {
	ask := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}
	call := ask
	call.Tools = []llm.Tool{{Name: "list_tasks"}}
	llmtest.Run(t, llmtest.Harness{
		Model: "m", Ask: ask, AskForCall: call,
		Local: func(t *testing.T) llm.Model {
			return llmtest.NewModel(t, llmtest.Func(func(r llmtest.Request) llmtest.Response {
				if r.Offers("list_tasks") {
					return llmtest.Call("list_tasks", `{}`)
				}
				return llmtest.Text("a", "b").Signed("s")
			}))
		},
	})
}

func TestModelScripts(t *testing.T) {
	t.Parallel()
	m := llmtest.NewModel(t,
		llmtest.Thought("hm").Words("one two").Call("x", "{").ID("id").Signed("sig").Usage(llm.Tokens{In: 1}).Finish("why"),
		llmtest.Fail(429, ""), llmtest.FailWith(&llm.Error{Class: llm.ClassQuota}), llmtest.Text("a").Cut(),
		llmtest.Text("a").Garbage("x"), llmtest.Blocked())
	answer, err := llm.Collect(m.Stream(t.Context(), "m", llm.Request{}))
	if err != nil || answer.Text != "one two" || answer.Finish != "why" || answer.Tokens.In != 1 ||
		string(answer.Calls[0].Arguments) != `"{"` || answer.Calls[0].ID != "id" || string(answer.Calls[0].Opaque) != `"sig"` {
		t.Errorf("%+v, %v", answer, err)
	}
	for _, want := range []llm.Class{llm.ClassRateLimited, llm.ClassQuota, llm.ClassNetwork, llm.ClassInternal, llm.ClassContentFiltered} {
		if _, err := llm.Collect(m.Stream(t.Context(), "m", llm.Request{})); llm.ClassOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if n := len(m.Requests()); n != 6 {
		t.Errorf("%d requests", n)
	}
}

// TestResponsesAreValues: a response built upon twice is two responses.
func TestResponsesAreValues(t *testing.T) {
	t.Parallel()
	base := llmtest.Text("a").Text("b")
	one, two := base.Text("one"), base.Text("two")
	m := llmtest.NewModel(t, one, two, base.Call("x", "{}").ID("1"), base)
	var got []string
	for range 4 {
		answer, err := llm.Collect(m.Stream(t.Context(), "m", llm.Request{}))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(answer.Text, len(answer.Calls)))
	}
	if !slices.Equal(got, []string{"abone0", "abtwo0", "ab1", "ab0"}) {
		t.Errorf("got %q", got)
	}
}

// recorder is a test that notes its failures.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func post(t *testing.T, url, body string) (status int, answer string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// TestFakesRefuse what the real services refuse, and fail the test with it.
func TestFakesRefuse(t *testing.T) {
	t.Parallel()
	const (
		openAI = "/chat/completions"
		gemini = "/v1beta/models/m:streamGenerateContent?alt=sse"
	)
	call := func(id string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"x","arguments":"{}"}}]}`
	}
	functionCall := func(sig string) string {
		return `{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{"name":"x","id":"1"},"thoughtSignature":"` + sig + `"}]}`
	}
	tests := []struct{ name, path, body, want string }{
		{"no JSON", openAI, `{`, "unexpected end"},
		{"no model", openAI, `{"messages":[{"role":"user","content":"x"}],"stream":true}`, "required"},
		{"wrong path", "/completions", `{}`, "nothing at"},
		{"a wide name", openAI, `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"a/b"}}]}`, "a/b"},
		{"a call without its result", openAI, `{"model":"m","stream":true,"messages":[` + call("1") + `,{"role":"user","content":"x"}]}`, "followed by its tool"},
		{"a last call without its result", openAI, `{"model":"m","stream":true,"messages":[` + call("1") + `]}`, "no tool messages"},
		{"a call without an id", openAI, `{"model":"m","stream":true,"messages":[` + call("") + `]}`, "an id of its own"},
		{"a result without its call", openAI, `{"model":"m","stream":true,"messages":[{"role":"tool","tool_call_id":"9","content":"x"}]}`, "answers no call"},
		{"no content", openAI, `{"model":"m","stream":true,"messages":[{"role":"user"}]}`, "content is required"},
		{"gemini: wrong path", "/v1/x", `{}`, "nothing at"},
		{"gemini: nothing", gemini, `{}`, "contents is not specified"},
		{"gemini: no parts", gemini, `{"contents":[{"role":"user","parts":[]}]}`, "needs a role and parts"},
		{"gemini: empty part", gemini, `{"contents":[{"role":"user","parts":[{}]}]}`, "initialized data field"},
		{"gemini: unsigned", gemini, `{"contents":[` + functionCall("") + `]}`, "missing a thought_signature"},
		{"gemini: placeholder in base64", gemini, `{"contents":[` + functionCall("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=") + `]}`, "not valid"},
		{"gemini: no result", gemini, `{"contents":[` + functionCall(llmtest.Placeholder) + `]}`, "no responses"},
		{"gemini: text for a result", gemini, `{"contents":[` + functionCall(llmtest.Placeholder) + `,{"role":"user","parts":[{"text":"x"}]}]}`, "0 function response parts for 1"},
		{"gemini: another id", gemini, `{"contents":[` + functionCall(llmtest.Placeholder) + `,{"role":"user","parts":[{"functionResponse":{"name":"x","id":"2"}}]}]}`, "is for x 2"},
		{"gemini: call first", gemini, `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"x"},"thoughtSignature":"` + llmtest.Placeholder + `"}]}]}`, "must come after"},
		{"gemini: a wide name", gemini, `{"contents":[{"role":"user","parts":[{"text":"u"}]}],"tools":[{"functionDeclarations":[{"name":"a/b"}]}]}`, "a/b"},
		{"gemini: schema beside tools", gemini, `{"contents":[{"role":"user","parts":[{"text":"u"}]}],"tools":[{"functionDeclarations":[{"name":"a"}]}],"generationConfig":{"responseJsonSchema":{}}}`, "unsupported"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			srv := llmtest.NewOpenAI(r, llmtest.Text("x"))
			if strings.HasPrefix(tt.name, "gemini") {
				srv = llmtest.NewGemini(r, llmtest.Text("x"))
			}
			status, answer := post(t, srv.URL+tt.path, tt.body)
			if status != 400 || !strings.Contains(answer, tt.want) || len(r.errors) != 1 {
				t.Errorf("status %d, answer %s, failures %q; want %q", status, answer, r.errors, tt.want)
			}
		})
	}
}

func TestScriptsRunOut(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	srv := llmtest.NewOpenAI(r, llmtest.Text("once"))
	const body = `{"model":"m","stream":true,"messages":[{"role":"system","content":"the state"},{"role":"user","content":"x"}]}`
	if status, answer := post(t, srv.URL+"/chat/completions", body); status != 200 || !strings.Contains(answer, "once") {
		t.Errorf("first: %d %s", status, answer)
	}
	if status, _ := post(t, srv.URL+"/chat/completions", body); status != 400 || len(r.errors) != 1 {
		t.Errorf("second: %d, failures %q", status, r.errors)
	}
	m := llmtest.NewModel(r)
	if _, err := llm.Collect(m.Stream(t.Context(), "m", llm.Request{})); err == nil || len(r.errors) != 2 {
		t.Errorf("model: %v, failures %q", err, r.errors)
	}
	req := srv.Request(0)
	if req.LastUser() != "x" || req.Last().Content != "x" || !req.Has("state") || req.Has("nowhere") || req.Model != "m" {
		t.Errorf("request %+v", req)
	}
}
