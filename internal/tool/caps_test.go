package tool_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"assent/internal/assent"
	"assent/internal/tool"
)

func TestCapsCountPerToolAndTurn(t *testing.T) {
	noop := func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) }
	e := executor(t, nil, []tool.Hook{tool.CapHook{}}, read("search", noop), read("note", noop), read("never", noop))
	limits := tool.Limits{Default: 2, Overrides: map[string]int{"search": 3, "never": 0}}
	caps := tool.NewCaps(limits)
	run := func(name, args string, caps *tool.Caps) assent.ToolResult {
		c := call(name, args)
		c.Caps = caps
		return e.Execute(context.Background(), c)
	}
	for i, tc := range []struct {
		tool, args string
		want       assent.Code
	}{
		{"note", `{"title": "x"}`, ""},
		{"note", `{}`, assent.CodeInvalid}, // a call that never ran does not count
		{"note", `{"title": "x"}`, ""},
		{"note", `{"title": "x"}`, assent.CodeBudgetExceeded},
		{"search", `{"title": "x"}`, ""},
		{"search", `{"title": "x"}`, ""},
		{"search", `{"title": "x"}`, ""},
		{"search", `{"title": "x"}`, assent.CodeBudgetExceeded},
		{"never", `{"title": "x"}`, assent.CodeBudgetExceeded},
	} {
		r := run(tc.tool, tc.args, caps)
		if codeOf(r) != tc.want {
			t.Errorf("call %d of %s: %v, want %q", i, tc.tool, r.Err, tc.want)
		}
		if tc.want == assent.CodeBudgetExceeded && (r.Err.Hint == "" || r.Err.Details["tool"] != tc.tool) {
			t.Errorf("call %d: %+v", i, r.Err)
		}
	}
	if r := run("note", `{"title": "x"}`, nil); r.Err != nil {
		t.Errorf("a plan's step is capped: %v", r.Err)
	}
	if r := run("note", `{"title": "x"}`, tool.NewCaps(limits)); r.Err != nil {
		t.Errorf("the next turn is capped: %v", r.Err)
	}
}

// TestCapsHoldUnderConcurrency lets many calls of one turn race for a few places.
func TestCapsHoldUnderConcurrency(t *testing.T) {
	var handled atomic.Int64
	e := executor(t, nil, []tool.Hook{tool.CapHook{}}, read("note", func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) {
		handled.Add(1)
		return ok(a)
	}))
	caps := tool.NewCaps(tool.Limits{Default: 5})
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			c := call("note", `{"title": "x"}`)
			c.Caps = caps
			e.Execute(context.Background(), c)
		})
	}
	wg.Wait()
	if handled.Load() != 5 {
		t.Errorf("%d calls came through, want 5", handled.Load())
	}
}
