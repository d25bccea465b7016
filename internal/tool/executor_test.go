package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// spy writes down when it is called, and may answer in the tool's place.
type spy struct {
	name   string
	log    *[]string
	answer *assent.ToolResult
	change func(r *assent.ToolResult)
}

func (s spy) BeforeToolExecution(_ context.Context, t *tool.Tool, c *tool.Call) *assent.ToolResult {
	*s.log = append(*s.log, "before "+s.name)
	return s.answer
}

func (s spy) AfterToolExecution(_ context.Context, t *tool.Tool, c *tool.Call, r *assent.ToolResult) {
	*s.log = append(*s.log, "after "+s.name)
	if s.change != nil {
		s.change(r)
	}
}

// trace writes down what a tracer is told.
func trace(log *[]string) tool.Tracer {
	return func(_ context.Context, c tool.Call) func(assent.ToolResult) {
		*log = append(*log, "begins "+c.Tool)
		return func(r assent.ToolResult) { *log = append(*log, "ends "+string(codeOf(r))) }
	}
}

// TestTheOrderOfACall follows one write through everything that has a say.
func TestTheOrderOfACall(t *testing.T) {
	var log []string
	s := openStore(t)
	e := executor(t, s, []tool.Hook{spy{name: "redaction", log: &log}, spy{name: "consent", log: &log}},
		write("note", func(a noteArgs) (tool.Result[note], error) {
			log = append(log, "handler")
			return ok(a)
		}))
	e.Trace(trace(&log))
	c := call("note", `{"title": "x"}`)
	c.Guard = func(*store.Tx) error { log = append(log, "guard"); return nil }
	c.Record = func(_ *store.Tx, r assent.ToolResult) error {
		log = append(log, "record "+r.Summary)
		return nil
	}
	r := e.Execute(context.Background(), c)
	want := []string{"begins note", "before redaction", "before consent", "guard", "handler", "after consent", "after redaction", "record Noted x", "ends "}
	if r.Err != nil || !slices.Equal(log, want) {
		t.Errorf("%v\ngot  %v\nwant %v", r.Err, log, want)
	}
	if !stored(t, s, "x") {
		t.Error("the effect is not stored")
	}
}

func TestTheStandardResponse(t *testing.T) {
	var got tool.Call
	e := executor(t, nil, nil, read("note", func(_ context.Context, c tool.Call, a noteArgs) (tool.Result[note], error) {
		got = c
		return tool.Result[note]{Artifact: note{Title: a.Title}}, nil
	}))
	c := call("note", `{"title": "x"}`)
	c.Scope.Zone = time.FixedZone("east", 3600)
	r := e.Execute(context.Background(), c)
	want := `{"artifact_id":"call-1","artifact":{"title":"x"},"_metadata":{"context_id":"session","request_id":"call-1","trace_id":"trace","user_id":"ada","tool_name":"note","executed_at":"2026-11-21T23:30:00.000Z"}}`
	if string(r.Output) != want {
		t.Errorf("got  %s\nwant %s", r.Output, want)
	}
	if got.Now.Format(time.DateOnly) != "2026-11-22" {
		t.Errorf("the handler's day is %s, want the person's", got.Now.Format(time.DateOnly))
	}
}

// TestInvalidArgumentsNeverReachAHandler nor a hook, the writer or the caller's
// record.
func TestInvalidArgumentsNeverReachAHandler(t *testing.T) {
	var log []string
	s := openStore(t)
	touched := func(noteArgs) (tool.Result[note], error) {
		t.Error("the handler was called")
		return tool.Result[note]{}, nil
	}
	e := executor(t, s, []tool.Hook{spy{name: "hook", log: &log}}, write("note", touched))
	for _, tc := range []struct {
		args     string
		pointers []string
	}{
		{`{}`, []string{"/title"}},
		{``, []string{"/title"}},
		{`null`, []string{"/title"}},
		{`{"title": "x", "colour": 1, "times": 0}`, []string{"/colour", "/times"}},
		{`{"title": 5, "times": "1"}`, []string{"/times", "/title"}},
		{`{"title": "a title that is far too long"}`, []string{"/title"}},
		{`[]`, []string{""}},
		{`{"title": `, []string{""}},
	} {
		c := call("note", tc.args)
		c.Record = func(*store.Tx, assent.ToolResult) error { t.Error("recorded"); return nil }
		r := e.Execute(context.Background(), c)
		var pointers []string
		if codeOf(r) == assent.CodeInvalid {
			for _, f := range r.Err.Fields {
				pointers = append(pointers, f.Pointer)
			}
		}
		if !slices.Equal(pointers, tc.pointers) {
			t.Errorf("%s: %v %v, want %v", tc.args, r.Err, pointers, tc.pointers)
		}
		env := r.Envelope()
		if env.Success || env.Error.Code != assent.CodeInvalid || env.RemediationHint == "" || env.Error.Details["errors"] == nil {
			t.Errorf("%s: envelope %+v", tc.args, env)
		}
	}
	if len(log) > 0 {
		t.Errorf("hooks were asked: %v", log)
	}
}

func TestAHookAnswersInTheToolsPlace(t *testing.T) {
	var log []string
	s := openStore(t)
	refusal := &assent.ToolResult{Err: assent.Errorf(assent.CodeConfirmationRequired, "Ask first.")}
	e := executor(t, s, []tool.Hook{spy{name: "first", log: &log, change: func(r *assent.ToolResult) { r.Summary = "seen" }},
		spy{name: "consent", log: &log, answer: refusal}, spy{name: "never", log: &log}}, write("note", ok))
	r := e.Execute(context.Background(), call("note", `{"title": "x"}`))
	if codeOf(r) != assent.CodeConfirmationRequired || r.Summary != "seen" || stored(t, s, "x") {
		t.Errorf("%+v", r)
	}
	if want := []string{"before first", "before consent", "after first"}; !slices.Equal(log, want) {
		t.Errorf("got %v, want %v", log, want)
	}
	if refusal.Summary != "" {
		t.Error("the hook's own answer was changed behind its back")
	}
}

// TestFailuresBecomeResultsAndLeaveNothing lists how a write can fail; of none
// is anything left.
func TestFailuresBecomeResultsAndLeaveNothing(t *testing.T) {
	boom := errors.New("boom at /secret/path")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	fail := func(err error) func(noteArgs) (tool.Result[note], error) {
		return func(a noteArgs) (tool.Result[note], error) { return tool.Result[note]{}, err }
	}
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		handler func(noteArgs) (tool.Result[note], error)
		edit    func(c *tool.Call)
		want    assent.Code
	}{
		{"an error without a code", nil, fail(boom), nil, assent.CodeToolFailed},
		{"an error with a code", nil, fail(assent.NotFound("task")), nil, assent.CodeNotFound},
		{"a panic", nil, func(noteArgs) (tool.Result[note], error) { panic(boom) }, nil, assent.CodeInternal},
		{"an output that breaks its schema", nil, func(noteArgs) (tool.Result[note], error) {
			return tool.Result[note]{Artifact: note{Mood: "mixed"}}, nil
		}, nil, assent.CodeOutputInvalid},
		{"an output that is too large", nil, func(noteArgs) (tool.Result[note], error) {
			return tool.Result[note]{Artifact: note{Title: strings.Repeat("x", 300<<10)}}, nil
		}, nil, assent.CodeTooLarge},
		{"a guard that refuses", nil, ok, func(c *tool.Call) {
			c.Guard = func(*store.Tx) error { return assent.Errorf(assent.CodeConflict, "A newer attempt has it.") }
		}, assent.CodeConflict},
		{"a guard without a code", nil, ok, func(c *tool.Call) { c.Guard = func(*store.Tx) error { return boom } }, assent.CodeToolFailed},
		{"a record that fails", nil, ok, func(c *tool.Call) { c.Record = func(*store.Tx, assent.ToolResult) error { return boom } }, assent.CodeToolFailed},
		{"a caller that is gone", ended, ok, nil, assent.CodeCancelled},
		{"a tool that does not exist", nil, ok, func(c *tool.Call) { c.Tool = "notes" }, assent.CodeUnknownTool},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t)
			e := executor(t, s, nil, write("note", tc.handler))
			c := call("note", `{"title": "x"}`)
			if tc.edit != nil {
				tc.edit(&c)
			}
			ctx := tc.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			r := e.Execute(ctx, c)
			if codeOf(r) != tc.want {
				t.Errorf("%v, want %s", r.Err, tc.want)
			}
			if strings.Contains(r.Err.Message, "secret") || !strings.HasSuffix(r.Err.Message, ".") {
				t.Errorf("message %q", r.Err.Message)
			}
			if stored(t, s, "x") || r.Output != nil {
				t.Error("something of the failed call is left")
			}
			if after := e.Execute(context.Background(), call("note", `{"title": "y"}`)); tc.name == "a guard that refuses" && after.Err != nil {
				t.Errorf("the next call fails, too: %v", after.Err)
			}
		})
	}
}

// TestEffectAndRecordAreOneTransaction lets the record write something of its
// own: both are there, or, when the record fails after that, neither.
func TestEffectAndRecordAreOneTransaction(t *testing.T) {
	s := openStore(t)
	e := executor(t, s, nil, write("note", ok))
	for _, tc := range []struct {
		title string
		err   error
		want  bool
	}{{"kept", nil, true}, {"lost", errors.New("fenced"), false}} {
		c := call("note", `{"title": "`+tc.title+`"}`)
		c.Record = func(tx *store.Tx, r assent.ToolResult) error {
			if _, err := tx.FindAny(context.Background(), tc.title); err != nil {
				t.Errorf("the record does not see the effect: %v", err)
			}
			journal := &assent.Template{Entity: assent.Entity{ID: tc.title + " journal", Kind: assent.KindTemplate}, Name: string(r.Output)}
			return errors.Join(tx.CreateEntity(store.Origin{}, journal), tc.err)
		}
		r := e.Execute(context.Background(), c)
		if (r.Err == nil) != tc.want || stored(t, s, tc.title) != tc.want || stored(t, s, tc.title+" journal") != tc.want {
			t.Errorf("%s: %v, effect %v, journal %v", tc.title, r.Err, stored(t, s, tc.title), stored(t, s, tc.title+" journal"))
		}
	}
}

func TestAReadRunsOutOfTime(t *testing.T) {
	slow := read("slow", func(ctx context.Context, _ tool.Call, _ noteArgs) (tool.Result[note], error) {
		<-ctx.Done()
		return tool.Result[note]{}, ctx.Err()
	})
	e := executor(t, nil, nil, slow)
	r := e.Execute(context.Background(), call("slow", `{"title": "x"}`))
	if codeOf(r) != assent.CodeTimeout || !strings.Contains(r.Err.Message, "200ms") {
		t.Errorf("%v, want timeout", r.Err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := e.Execute(ctx, call("slow", `{"title": "x"}`)); codeOf(r) != assent.CodeCancelled {
		t.Errorf("%v, want cancelled", r.Err)
	}
}

// TestAPanicEndsOneCallOnly panics in a read and in a hook-free process goes on.
func TestAPanicEndsOneCallOnly(t *testing.T) {
	e := executor(t, nil, nil, read("odd", func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) {
		if a.Times > 0 {
			return tool.Result[note]{}, []error{}[a.Times]
		}
		return ok(a)
	}))
	if r := e.Execute(context.Background(), call("odd", `{"title": "x", "times": 1}`)); codeOf(r) != assent.CodeInternal || strings.Contains(r.Err.Message, "index") {
		t.Errorf("%v", r.Err)
	}
	if r := e.Execute(context.Background(), call("odd", `{"title": "x"}`)); r.Err != nil {
		t.Errorf("%v", r.Err)
	}
}

func TestAnAliasIsTheTool(t *testing.T) {
	var seen string
	r, err := tool.NewRegistry(tool.New(tool.Def{Name: "note", Aliases: []string{"jot"}}, func(_ context.Context, c tool.Call, a noteArgs) (tool.Result[note], error) {
		seen = c.Tool
		return ok(a)
	}))
	if err != nil {
		t.Fatal(err)
	}
	e := tool.NewExecutor(r, pass{}, nil, clock)
	if res := e.Execute(context.Background(), call("jot", `{"title": "x"}`)); res.Err != nil || seen != "note" {
		t.Errorf("the handler saw %q: %v", seen, res.Err)
	}
	if e.Registry() != r {
		t.Error("the executor runs another registry")
	}
}

// pass is a validator that lets everything through.
type pass struct{}

func (pass) Validate(_, _ json.RawMessage) []assent.FieldError { return nil }

// TestAnUnknownToolNamesSimilarOnes helps a model that misremembers a name.
func TestAnUnknownToolNamesSimilarOnes(t *testing.T) {
	noop := func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) }
	e := executor(t, nil, nil, read("list_tasks", noop), read("list_risks", noop), read("search", noop))
	r := e.Execute(context.Background(), call("list_task", `{}`))
	similar, isList := r.Err.Details["similar"].([]string)
	if codeOf(r) != assent.CodeUnknownTool || !isList || len(similar) == 0 || similar[0] != "list_tasks" || slices.Contains(similar, "search") {
		t.Errorf("%v %v", r.Err, r.Err.Details)
	}
}

// BenchmarkExecuteRead is what the executor itself costs per call: resolve,
// validate, handle, render, validate the output.
func BenchmarkExecuteRead(b *testing.B) {
	var log []string
	e := executor(b, nil, []tool.Hook{tool.CapHook{}, spy{name: "hook", log: &log}}, read("note", func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) }))
	c := call("note", `{"title": "a title", "times": 3}`)
	b.ReportAllocs()
	for b.Loop() {
		log = log[:0]
		if r := e.Execute(context.Background(), c); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
}
