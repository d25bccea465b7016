package llmtest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
)

// wireCases need a server that follows scripts.
func wireCases() []namedCase {
	return []namedCase{
		{"text comes as it is said", incremental},
		{"parallel calls keep their order", parallelCalls},
		{"a call without arguments", noArguments},
		{"names of tools are narrowed and restored", narrowNames},
		{"a forced tool", forcedTool},
		{"an answer in JSON", jsonAnswer},
		{"a note goes last", noteLast},
		{"a conversation goes over whole", conversation},
		{"foreign calls go over too", foreignCalls},
		{"usage", usage},
		{"a cut stream is class network", cutStream},
		{"a stream without a finish is class network", truncated},
		{"a frame cut in the middle is class network", cutFrame},
		{"a malformed frame is class internal", malformed},
		{"a huge chunk", hugeChunk},
		{"a deadline is class timeout", deadline},
		{"connections are used again", connections},
		{"nobody is there", nobodyThere},
	}
}

func incremental(t *testing.T, h Harness) {
	next := make(chan struct{})
	model, _ := h.start(t, Text("one").Wait(next).Text("two"))
	var got []string
	for c, err := range model.Stream(t.Context(), h.Model, h.Ask) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != llm.ChunkText {
			continue
		}
		got = append(got, c.Text)
		if c.Text == "one" {
			close(next) // the server says more only because we have heard this
		}
	}
	if !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("chunks = %q", got)
	}
}

func parallelCalls(t *testing.T, h Harness) {
	model, _ := h.start(t, Text("Both. ").Call("list_tasks", `{"status":"a"}`).Call("list_tasks", `{"status":"b"}`).Call("search", `{"query":"c"}`))
	req := h.AskForCall
	req.Tools = []llm.Tool{listTasks(), {Name: "search", Schema: []byte(`{"type":"object"}`)}}
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ids := map[string]bool{}
	for _, c := range answer.Calls {
		got = append(got, c.Name+" "+string(c.Arguments))
		ids[c.ID] = true
	}
	want := []string{`list_tasks {"status":"a"}`, `list_tasks {"status":"b"}`, `search {"query":"c"}`}
	if !slices.Equal(got, want) || len(ids) != 3 || answer.Text != "Both. " {
		t.Errorf("got %q with ids %v after %q, want %q", got, ids, answer.Text, want)
	}
}

func noArguments(t *testing.T, h Harness) {
	model, _ := h.start(t, Call("list_tasks", `{}`))
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, h.AskForCall))
	if err != nil || len(answer.Calls) != 1 || string(answer.Calls[0].Arguments) != "{}" {
		t.Errorf("calls = %+v, %v", answer.Calls, err)
	}
}

func narrowNames(t *testing.T, h Harness) {
	wide := "mcp/files server/read.file~" + strings.Repeat("x", 80)
	model, srv := h.start(t, Func(func(r Request) Response { return Call(r.Tools[0].Name, `{}`) }))
	req := h.AskForCall
	req.Tools = []llm.Tool{{Name: wide, Schema: []byte(`{"type":"object"}`)}, listTasks()}
	req.ToolChoice = wide
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil || len(answer.Calls) != 1 || answer.Calls[0].Name != wide {
		t.Fatalf("calls = %+v, %v", answer.Calls, err)
	}
	sent := srv.Request(0)
	if sent.ToolChoice != sent.Tools[0].Name || sent.Tools[1].Name != "list_tasks" {
		t.Errorf("tools %q, choice %q", sent.Tools, sent.ToolChoice)
	}
	req.Messages = append(slices.Clone(req.Messages), answer.Message(),
		llm.Message{Role: llm.RoleTool, CallID: answer.Calls[0].ID, Tool: wide, Content: `{"success":true}`})
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	if again := srv.Request(1); again.Messages[1].Calls[0].Name != sent.Tools[0].Name {
		t.Errorf("history says %q, the tool is %q", again.Messages[1].Calls[0].Name, sent.Tools[0].Name)
	}
}

func forcedTool(t *testing.T, h Harness) {
	model, srv := h.start(t, Call("list_tasks", `{}`))
	req := h.AskForCall
	req.ToolChoice = "list_tasks"
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	if got := srv.Request(0).ToolChoice; got != "list_tasks" {
		t.Errorf("tool choice = %q", got)
	}
}

func jsonAnswer(t *testing.T, h Harness) {
	schema := json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"],"additionalProperties":false}`)
	model, srv := h.start(t, JSON(map[string]string{"verdict": "approved"}), Fail(400, ""), JSON(map[string]string{"verdict": "no"}))
	req := h.Ask
	req.OutputSchema = schema
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil || answer.Text != `{"verdict":"approved"}` || answer.Flags != (llm.Flags{StrictSchema: true}) {
		t.Fatalf("answer = %+v, %v", answer, err)
	}
	if got := srv.Request(0).OutputSchema; !sameJSON(got, schema) {
		t.Errorf("schema sent = %s", got)
	}
	answer, err = llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil || answer.Text != `{"verdict":"no"}` || answer.Flags != (llm.Flags{ForcedJSON: true}) {
		t.Fatalf("after a refusal: answer = %+v, %v", answer, err)
	}
	if last := srv.Request(2); last.OutputSchema != nil || !strings.Contains(last.LastUser(), `"verdict"`) {
		t.Errorf("after a refusal: schema %s, last words %q", last.OutputSchema, last.LastUser())
	}
}

// noteLast: behind a result, and behind the person's words, which stay.
func noteLast(t *testing.T, h Harness) {
	model, srv := h.start(t, Call("list_tasks", `{}`), Text("ok"))
	req := h.AskForCall
	req.Note = "Two calls are left."
	first, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil {
		t.Fatal(err)
	}
	if got := srv.Request(0); !strings.HasSuffix(got.LastUser(), req.Note) || !got.Has(req.Messages[len(req.Messages)-1].Content) {
		t.Errorf("the last words are %q", got.LastUser())
	}
	req.Messages = append(slices.Clone(req.Messages), first.Message(),
		llm.Message{Role: llm.RoleTool, CallID: first.Calls[0].ID, Tool: first.Calls[0].Name, Content: `{"success":true}`})
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	if last := srv.Request(1).Last(); last.Role != llm.RoleUser || last.Content != req.Note {
		t.Errorf("the last message is %+v", last)
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, _ := json.Marshal(x) // decoded a moment ago
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// conversation sends a history with calls and their results.
func conversation(t *testing.T, h Harness) {
	model, srv := h.start(t, Text("Looking. ").Call("list_tasks", `{"status":"a"}`).Call("list_tasks", `{"status":"b"}`), Text("Done."))
	req := h.AskForCall
	req.MaxTokens = 77
	first, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := json.Marshal(first.Message()) // the history survives a restart
	if err != nil {
		t.Fatal(err)
	}
	var back llm.Message
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	req.Messages = append(slices.Clone(req.Messages), back)
	for i, c := range back.Calls {
		req.Messages = append(req.Messages, llm.Message{Role: llm.RoleTool, CallID: c.ID, Tool: c.Name,
			Content: []string{`{"success":true,"output":{"n":1}}`, `plain words`}[i]})
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.RoleUser, Content: "And now?"})
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	sent := srv.Request(1)
	var roles []llm.Role
	for _, m := range sent.Messages {
		roles = append(roles, m.Role)
	}
	want := []llm.Role{llm.RoleUser, llm.RoleAssistant, llm.RoleTool, llm.RoleTool, llm.RoleUser}
	if !slices.Equal(roles, want) || sent.System != "Be brief." || sent.MaxTokens != 77 || sent.Model != h.Model {
		t.Fatalf("sent roles %q, system %q, max %d, model %q", roles, sent.System, sent.MaxTokens, sent.Model)
	}
	said := sent.Messages[1]
	if said.Content != "Looking. " || len(said.Calls) != 2 || !sameJSON(said.Calls[1].Arguments, json.RawMessage(`{"status":"b"}`)) ||
		said.Calls[0].ID != first.Calls[0].ID || sent.Messages[3].CallID != first.Calls[1].ID {
		t.Errorf("sent %+v", sent.Messages)
	}
	if !strings.Contains(sent.Messages[2].Content, `"n":1`) || !strings.Contains(sent.Messages[3].Content, "plain words") {
		t.Errorf("results sent: %q, %q", sent.Messages[2].Content, sent.Messages[3].Content)
	}
}

// foreignCalls sends a history that another provider, or the planner itself,
// wrote, malformed arguments included.
func foreignCalls(t *testing.T, h Harness) {
	model, srv := h.start(t, Text("I see."))
	req := h.AskForCall
	req.Messages = append(slices.Clone(req.Messages),
		llm.Message{Role: llm.RoleAssistant, Opaque: json.RawMessage(`{"x":1}`), Provider: "elsewhere", Calls: []llm.Call{
			{ID: "one", Name: "list_tasks", Arguments: json.RawMessage(`{"status":"a"}`), Opaque: json.RawMessage(`{"signature":"QUFB"}`), Provider: "elsewhere"},
			{ID: "two", Name: "list_tasks", Arguments: json.RawMessage(`"{\"status\": oops"`)},
			{ID: "three", Name: "list_tasks"},
		}},
		llm.Message{Role: llm.RoleTool, CallID: "one", Tool: "list_tasks", Content: `{}`},
		llm.Message{Role: llm.RoleTool, CallID: "two", Tool: "list_tasks", Content: `{}`},
		llm.Message{Role: llm.RoleTool, CallID: "three", Tool: "list_tasks", Content: `{}`})
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	calls := srv.Request(0).Messages[1].Calls
	if len(calls) != 3 || strings.Contains(string(srv.Request(0).Body), "QUFB") {
		t.Fatalf("sent %s", srv.Request(0).Body)
	}
	if !strings.Contains(string(calls[1].Arguments), "oops") || string(calls[2].Arguments) != "{}" && calls[2].Arguments != nil {
		t.Errorf("arguments sent: %s, %s", calls[1].Arguments, calls[2].Arguments)
	}
}

func usage(t *testing.T, h Harness) {
	want := llm.Tokens{In: 1200, Out: 340, Cached: 1000, Reasoning: 300}
	model, _ := h.start(t, hello.Usage(want))
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask))
	if err != nil || answer.Tokens != want || answer.Finish == "" || answer.Provider != h.Name {
		t.Errorf("answer = %+v, %v", answer, err)
	}
}

// broken wants the text said so far and then an error of class.
func broken(t *testing.T, h Harness, script Response, class llm.Class) {
	t.Helper()
	model, _ := h.start(t, script)
	all, err := chunks(t, model, h.Model, t.Context(), h.AskForCall)
	wantClass(t, h, err, class)
	if got := textOf(all); got != "so far" {
		t.Errorf("text before the error = %q", got)
	}
}

func cutStream(t *testing.T, h Harness) { broken(t, h, Text("so ", "far").Cut(), llm.ClassNetwork) }

func truncated(t *testing.T, h Harness) {
	broken(t, h, Text("so ", "far").Truncate(), llm.ClassNetwork)
}

func cutFrame(t *testing.T, h Harness) {
	broken(t, h, Text("so ", "far").Garbage(`data: {"choices":[{"del`).Truncate(), llm.ClassNetwork)
	broken(t, h, Text("so ", "far").Garbage(`data: {"choices":[{"del`).Cut(), llm.ClassNetwork)
}

func malformed(t *testing.T, h Harness) {
	broken(t, h, Text("so ", "far").Garbage("data: {\"choices\": oops}\r\n\r\n").Text("more"), llm.ClassInternal)
}

func hugeChunk(t *testing.T, h Harness) {
	big := strings.Repeat("0123456789abcdef", 10<<20/16)
	model, _ := h.start(t, Text("a", big, "z"))
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask))
	if err != nil || len(answer.Text) != len(big)+2 {
		t.Errorf("%d bytes of text, %v", len(answer.Text), err)
	}
}

func deadline(t *testing.T, h Harness) {
	model, _ := h.start(t, Text("so ", "far").Hang())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := chunks(t, model, h.Model, ctx, h.Ask)
	wantClass(t, h, err, llm.ClassTimeout)
}

func connections(t *testing.T, h Harness) {
	model, srv := h.start(t, Func(func(Request) Response { return hello }))
	for range 5 {
		warm(t, h, model)
	}
	if n := srv.Connections(); n != 1 {
		t.Errorf("%d connections for five requests", n)
	}
}

func nobodyThere(t *testing.T, h Harness) {
	model, srv := h.start(t)
	srv.Stop()
	_, err := chunks(t, model, h.Model, t.Context(), h.Ask)
	wantClass(t, h, err, llm.ClassNetwork)
}

func signaturesGoBack(t *testing.T, h Harness) {
	model, srv := h.start(t,
		Text("Well. ").Signed("text-sig").Call("list_tasks", `{}`).ID("id-1").Signed("call-sig").Call("list_tasks", `{}`).ID("id-2"),
		Text("Done."))
	req := h.AskForCall
	first, err := llm.Collect(model.Stream(t.Context(), h.Model, req))
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(slices.Clone(req.Messages), first.Message(),
		llm.Message{Role: llm.RoleTool, CallID: "id-1", Tool: "list_tasks", Content: `{}`},
		llm.Message{Role: llm.RoleTool, CallID: "id-2", Tool: "list_tasks", Content: `{}`})
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, req)); err != nil {
		t.Fatal(err)
	}
	said := srv.Request(1).Messages[1]
	if len(said.Calls) != 2 || said.Calls[0].ID != "id-1" || string(said.Calls[0].Opaque) != `"call-sig"` || said.Calls[1].Opaque != nil {
		t.Errorf("calls sent back: %+v", said.Calls)
	}
	if body := string(srv.Request(1).Body); !strings.Contains(body, "text-sig") && !strings.Contains(body, encoded("text-sig")) {
		t.Errorf("the text's signature was not sent back: %s", body)
	}
}

func thoughtsApart(t *testing.T, h Harness) {
	model, _ := h.start(t, Thought("Let me ").Thought("think.").Text("Yes."))
	all, err := chunks(t, model, h.Model, t.Context(), h.Ask)
	if err != nil {
		t.Fatal(err)
	}
	thought := ""
	for _, c := range all {
		if c.Kind == llm.ChunkThought {
			thought += c.Text
		}
	}
	if thought != "Let me think." || textOf(all) != "Yes." {
		t.Errorf("thought %q, text %q", thought, textOf(all))
	}
}
