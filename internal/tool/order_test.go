package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/redact"
	"assent/internal/store"
	"assent/internal/tool"
)

// TestEveryCallIsTraced, those that are refused at the door too, under the
// tool's own name.
func TestEveryCallIsTraced(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		`note {"title":"x"}`:   {"begins note", "before hook", "after hook", "ends "},
		`note {}`:              {"begins note", "ends invalid_arguments"},
		`nothing {}`:           {"begins nothing", "ends unknown_tool"},
		`broken {"title":"x"}`: {"begins broken", "before hook", "after hook", "ends tool_failed"},
	} {
		var log []string
		e := executor(t, nil, []tool.Hook{spy{name: "hook", log: &log}}, read("note", func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) }),
			read("broken", func(context.Context, tool.Call, noteArgs) (tool.Result[note], error) {
				return tool.Result[note]{}, errors.New("boom")
			}))
		e.Trace(trace(&log))
		tl, args, _ := strings.Cut(name, " ")
		if e.Execute(t.Context(), call(tl, args)); !slices.Equal(log, want) {
			t.Errorf("%s: got %v, want %v", name, log, want)
		}
	}
}

// TestHooksAreToldOfAWriteOnce however it ends.
func TestHooksAreToldOfAWriteOnce(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*tool.Call){
		"guard":  func(c *tool.Call) { c.Guard = func(*store.Tx) error { return errors.New("fenced") } },
		"record": func(c *tool.Call) { c.Record = func(*store.Tx, assent.ToolResult) error { return errors.New("full") } },
		"none":   func(*tool.Call) {},
	} {
		var log []string
		s := openStore(t)
		e := executor(t, s, []tool.Hook{spy{name: "hook", log: &log}}, write("note", ok))
		c := call("note", `{"title": "x"}`)
		edit(&c)
		if r := e.Execute(t.Context(), c); (r.Err == nil) != (name == "none") || stored(t, s, "x") != (name == "none") {
			t.Errorf("%s: %v", name, r.Err)
		}
		if want := []string{"before hook", "after hook"}; !slices.Equal(log, want) {
			t.Errorf("%s: got %v, want %v", name, log, want)
		}
	}
}

// TestAHookThatFailsAWriteTakesItBack: the effect goes with the result.
func TestAHookThatFailsAWriteTakesItBack(t *testing.T) {
	t.Parallel()
	var log []string
	s := openStore(t)
	e := executor(t, s, []tool.Hook{spy{name: "hook", log: &log, change: func(r *assent.ToolResult) { r.Err = assent.Errorf(assent.CodeForbidden, "No.") }}}, write("note", ok))
	c := call("note", `{"title": "x"}`)
	c.Record = func(*store.Tx, assent.ToolResult) error { t.Error("recorded"); return nil }
	if r := e.Execute(t.Context(), c); codeOf(r) != assent.CodeForbidden || stored(t, s, "x") {
		t.Errorf("%v; stored: %v", r.Err, stored(t, s, "x"))
	}
}

// TestAVirtualToolGoesTheSameWay: arguments, caps, hooks, panics and outputs.
func TestAVirtualToolGoesTheSameWay(t *testing.T) {
	t.Parallel()
	spec := assent.ToolSpec{Name: "meta", Virtual: true, InputSchema: json.RawMessage(`{"type":"object","required":["a"]}`), OutputSchema: json.RawMessage(`{"type":"object"}`)}
	says := func(out string) tool.Virtual {
		return func(context.Context, tool.Call) assent.ToolResult {
			return assent.ToolResult{Output: json.RawMessage(out), Summary: "done"}
		}
	}
	for name, tc := range map[string]struct {
		args string
		h    tool.Virtual
		want assent.Code
		log  []string
	}{
		"it runs":         {`{"a":1}`, says(`{"b":2}`), "", []string{"begins meta", "before hook", "after hook", "ends "}},
		"wrong arguments": {`{}`, says(`{}`), assent.CodeInvalid, []string{"begins meta", "ends invalid_arguments"}},
		"it refuses": {`{"a":1}`, func(context.Context, tool.Call) assent.ToolResult {
			return assent.ToolResult{Err: assent.NotFound("plan")}
		}, assent.CodeNotFound, []string{"begins meta", "before hook", "after hook", "ends not_found"}},
		"it panics":           {`{"a":1}`, func(context.Context, tool.Call) assent.ToolResult { panic("boom") }, assent.CodeInternal, []string{"begins meta", "before hook", "after hook", "ends internal"}},
		"an output of others": {`{"a":1}`, says(`[]`), assent.CodeOutputInvalid, []string{"begins meta", "before hook", "after hook", "ends output_invalid"}},
	} {
		var log []string
		e := executor(t, nil, []tool.Hook{tool.CapHook{}, spy{name: "hook", log: &log}})
		e.Trace(trace(&log))
		c := call("meta", tc.args)
		c.Caps = tool.NewCaps(tool.Limits{Default: 1})
		r := e.ExecuteVirtual(t.Context(), spec, c, tc.h)
		if codeOf(r) != tc.want || !slices.Equal(log, tc.log) {
			t.Errorf("%s: %v, %v", name, r.Err, log)
		}
		if again := e.ExecuteVirtual(t.Context(), spec, c, tc.h); tc.want == "" && codeOf(again) != assent.CodeBudgetExceeded {
			t.Errorf("%s: the cap does not hold: %v", name, again.Err)
		}
	}
}

// TestAToolThatFailsInARowIsNotTriedAgain until the next turn; a success between
// starts the count anew.
func TestAToolThatFailsInARowIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	ran := 0
	moody := read("moody", func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) {
		ran++
		if a.Title == "bad" {
			return tool.Result[note]{}, assent.NotFound("mood")
		}
		if a.Title == "ask" {
			return tool.Result[note]{}, assent.Errorf(assent.CodeConfirmationRequired, "Ask first.")
		}
		return ok(a)
	})
	const bad, fine, ask, wrong = `{"title":"bad"}`, `{"title":"x"}`, `{"title":"ask"}`, `{}`
	for name, tc := range map[string]struct {
		limit int
		args  []string
		want  assent.Code // of the last call
		ran   int
	}{
		"the default is three":           {0, []string{bad, bad, bad, fine}, assent.CodeBudgetExceeded, 3},
		"not before":                     {0, []string{bad, bad, fine}, "", 3},
		"a success resets":               {0, []string{bad, bad, fine, bad, bad, fine}, "", 6},
		"wrong arguments are failures":   {0, []string{wrong, wrong, wrong, fine}, assent.CodeBudgetExceeded, 0},
		"waiting for a word is none":     {2, []string{bad, ask, ask, ask, fine}, "", 5},
		"another limit":                  {1, []string{bad, fine}, assent.CodeBudgetExceeded, 1},
		"none":                           {-1, []string{bad, bad, bad, bad, bad, fine}, "", 6},
		"what is refused does not count": {2, []string{bad, bad, bad, bad}, assent.CodeBudgetExceeded, 2},
	} {
		ran = 0
		e := executor(t, nil, []tool.Hook{tool.CapHook{}}, moody)
		caps := tool.NewCaps(tool.Limits{Default: 100, Failures: tc.limit})
		var last assent.ToolResult
		for _, args := range tc.args {
			c := call("moody", args)
			c.Caps = caps
			last = e.Execute(t.Context(), c)
		}
		if codeOf(last) != tc.want || ran != tc.ran {
			t.Errorf("%s: %v after %d runs, want %q after %d", name, last.Err, ran, tc.want, tc.ran)
		}
		if tc.want != "" && (last.Err.Hint == "" || last.Err.Details["tool"] != "moody") {
			t.Errorf("%s: %+v", name, last.Err)
		}
	}
}

// TestNoResultHoldsASecret: neither what the caller sees nor what it records.
func TestNoResultHoldsASecret(t *testing.T) {
	t.Parallel()
	const planted = "sk-planted-0123456789"
	redaction := tool.Redaction{Redactor: redact.New(planted)}
	s := openStore(t)
	leaky := tool.NewWrite(tool.Def{Name: "leaky", Effect: assent.EffectWrite}, func(_ context.Context, _ *store.Tx, c tool.Call, a noteArgs) (tool.Result[note], error) {
		if a.Times > 0 {
			return tool.Result[note]{}, &assent.Error{Code: assent.CodeToolFailed, Message: "Not with " + planted, Hint: "Change " + planted, Details: map[string]any{"url": []string{"?key=" + planted}},
				Fields: []assent.FieldError{{Message: planted + " is wrong"}}}
		}
		return tool.Result[note]{Artifact: note{Title: planted}, Summary: "Noted " + planted}, nil
	})
	e := executor(t, s, []tool.Hook{redaction}, leaky)
	for _, args := range []string{`{"title":"x"}`, `{"title":"x","times":1}`} {
		c := call("leaky", args)
		c.Record = func(_ *store.Tx, r assent.ToolResult) error {
			if strings.Contains(string(r.Output)+r.Summary, planted) {
				t.Errorf("recorded %s %s", r.Output, r.Summary)
			}
			return nil
		}
		r := e.Execute(t.Context(), c)
		shown, err := json.Marshal([]any{r.Envelope(), r.Summary})
		if err != nil || strings.Contains(string(shown), planted) || !strings.Contains(string(shown), redact.Mark) {
			t.Errorf("shown %s, %v", shown, err)
		}
	}
}
