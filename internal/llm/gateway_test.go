package llm_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

func TestGatewayFollowsFailures(t *testing.T) {
	t.Parallel()
	busy := class(llm.ClassOverloaded, 0)
	tests := []struct {
		name    string
		profile llm.Profile
		a, b    []llmtest.Script
		want    llm.Class // of the error; empty for an answer
		rows    []string
		took    time.Duration // in waiting
	}{
		{name: "answer", a: []llmtest.Script{ok}, rows: []string{"a/m1 ok"}},
		{name: "one retry", a: []llmtest.Script{busy, ok},
			rows: []string{"a/m1 failed overloaded", "a/m1 ok"}, took: 375 * time.Millisecond},
		{name: "two retries, then the next", a: []llmtest.Script{busy, busy, busy}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed overloaded", "a/m1 failed overloaded", "a/m1 failed overloaded", "b/m2 ok after a/m1 overloaded"},
			took: 1125 * time.Millisecond},
		{name: "network is tried again", a: []llmtest.Script{class(llm.ClassNetwork, 0), ok},
			rows: []string{"a/m1 failed network", "a/m1 ok"}, took: 375 * time.Millisecond},
		{name: "asked to wait", a: []llmtest.Script{class(llm.ClassRateLimited, 9*time.Second), ok},
			rows: []string{"a/m1 failed rate_limited", "a/m1 ok"}, took: 9 * time.Second},
		{name: "asked to wait too long", a: []llmtest.Script{class(llm.ClassRateLimited, 31*time.Second)}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed rate_limited", "b/m2 ok after a/m1 rate_limited"}},
		{name: "key", a: []llmtest.Script{class(llm.ClassAuth, 0)}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed auth", "b/m2 ok after a/m1 auth"}},
		{name: "quota", a: []llmtest.Script{class(llm.ClassQuota, 0)}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed quota", "b/m2 ok after a/m1 quota"}},
		{name: "internal", a: []llmtest.Script{class(llm.ClassInternal, 0)}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed internal", "b/m2 ok after a/m1 internal"}},
		{name: "no such model", a: []llmtest.Script{llmtest.Fail(404, "")}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 failed invalid_request", "b/m2 ok after a/m1 invalid_request"}},
		{name: "too long ends", a: []llmtest.Script{class(llm.ClassContextLength, 0)},
			want: llm.ClassContextLength, rows: []string{"a/m1 failed context_length"}},
		{name: "filter ends", a: []llmtest.Script{class(llm.ClassContentFiltered, 0)},
			want: llm.ClassContentFiltered, rows: []string{"a/m1 failed content_filtered"}},
		{name: "invalid ends", a: []llmtest.Script{class(llm.ClassInvalidRequest, 0)},
			want: llm.ClassInvalidRequest, rows: []string{"a/m1 failed invalid_request"}},
		{name: "all fail", a: []llmtest.Script{class(llm.ClassAuth, 0)}, b: []llmtest.Script{class(llm.ClassQuota, 0)},
			want: llm.ClassQuota, rows: []string{"a/m1 failed auth", "b/m2 failed quota after a/m1 auth"}},
		{name: "after the first chunk nothing is tried again", a: []llmtest.Script{llmtest.Text("so far").Cut()},
			want: llm.ClassNetwork, rows: []string{"a/m1 failed network"}},
		{name: "no finish", a: []llmtest.Script{llmtest.Text("so far").Truncate()},
			want: llm.ClassNetwork, rows: []string{"a/m1 failed network"}},
		{name: "first token", a: []llmtest.Script{llmtest.Response{}.Hang()}, b: []llmtest.Script{ok},
			rows: []string{"a/m1 timeout timeout", "b/m2 ok after a/m1 timeout"}, took: llm.DefaultFirstToken},
		{name: "idle", a: []llmtest.Script{llmtest.Text("so far").Hang()},
			want: llm.ClassTimeout, rows: []string{"a/m1 timeout timeout"}, took: llm.DefaultIdle},
		{name: "slow but alive", a: []llmtest.Script{llmtest.Response{}.Delay(29 * time.Second).Text("a").Delay(19 * time.Second).Text("b").Delay(19 * time.Second).Text("c")},
			rows: []string{"a/m1 ok"}, took: 67 * time.Second},
		{name: "no provider of that name", profile: llm.ProfileQuality, b: []llmtest.Script{ok},
			rows: []string{"b/m2 ok after gone/m0 not_set_up"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, map[string][]llmtest.Script{"a": tt.a, "b": tt.b})
				if tt.profile == "" {
					tt.profile = llm.ProfileBalanced
				}
				began := time.Now()
				_, err := llm.Collect(b.Stream(t.Context(), request(tt.profile)))
				if llm.ClassOf(err) != tt.want {
					t.Errorf("err = %v, want class %q", err, tt.want)
				}
				var e *llm.Error
				if errors.As(err, &e) && (e.Provider == "" || e.Model == "") {
					t.Errorf("the error does not name its target: %+v", e)
				}
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if got := rows(b.ledger); !slices.Equal(got, tt.rows) {
					t.Errorf("rows\n%q\nwant\n%q", got, tt.rows)
				}
				b.ledger.balanced(t)
			})
		})
	}
}

func TestGatewayRowOfAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script := llmtest.Response{}.Delay(2*time.Second).Text("a").Delay(time.Second).Call("list_tasks", "{}").
			Usage(llm.Tokens{In: 1000, Out: 500, Cached: 400, Reasoning: 100})
		b := newBench(t, map[string][]llmtest.Script{"a": {script}})
		began := time.Now()
		answer, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileBalanced)))
		if err != nil || answer.Provider != "a" || answer.Calls[0].Provider != "a" {
			t.Fatalf("answer = %+v, %v", answer, err)
		}
		got := b.ledger.closed[0]
		cost := int64(600 + 40 + 1000)
		want := assent.CallUsage{ID: "row-1", At: assent.At(began), EndedAt: assent.At(began.Add(3 * time.Second)),
			UserID: "ada", SessionID: "s-1", TurnID: "turn-1", PlanID: "p-1", Step: "a.b", Tool: "t",
			Operation: assent.OpPlannerStream, ContextType: assent.ContextProject, ExecutionMode: "auto_execute",
			Profile: "balanced", Provider: "a", Model: "m1", Status: assent.CallOK,
			TokensIn: 1000, TokensOut: 500, TokensCached: 400, TokensReasoning: 100,
			LatencyMS: 3000, TTFTMS: 2000, ToolSchemaID: got.ToolSchemaID, FinalizeRetries: 1}
		if got.CostMicros == nil || *got.CostMicros != cost {
			t.Errorf("cost = %v, want %d", got.CostMicros, cost)
		}
		got.CostMicros = nil
		if got != want || len(got.ToolSchemaID) != 12 {
			t.Errorf("row\n%+v\nwant\n%+v", got, want)
		}
	})
}

func TestGatewayCosts(t *testing.T) {
	t.Parallel()
	free := int64(0)
	tests := []struct {
		name   string
		target llm.Target
		script llmtest.Response
		want   *int64
	}{
		{"no price", llm.Target{Provider: "b", Model: "m2"}, ok, nil},
		{"refused before the first token", llm.Target{Provider: "a", Model: "m1"}, class(llm.ClassInvalidRequest, 0), &free},
		{"broken before it said what it used", llm.Target{Provider: "a", Model: "m1"}, llmtest.Text("x").Cut(), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string][]llmtest.Script{"a": {tt.script}, "b": {tt.script}})
			b.Use(map[string]llm.Model{"a": b.models["a"], "b": b.models["b"]}, func() llm.Catalog {
				c := llm.SingleModel(tt.target)
				c.Prices = map[string]llm.Price{"a/m1": {In: 1, Out: 1}}
				return c
			}())
			_, _ = llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
			got := b.ledger.closed[0].CostMicros
			if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
				t.Errorf("cost = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestGatewayRefusesAnonymousCalls(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*llm.Meta){
		"operation": func(m *llm.Meta) { m.Operation = "" },
		"user":      func(m *llm.Meta) { m.UserID = "" },
		"profile":   func(m *llm.Meta) { m.Profile = "" },
		"turn":      func(m *llm.Meta) { m.TurnID = "" },
	}
	for name, spoil := range tests {
		b := newBench(t, nil)
		req := request(llm.ProfileBalanced)
		spoil(&req.Meta)
		_, err := llm.Collect(b.Stream(t.Context(), req))
		if llm.ClassOf(err) != llm.ClassInvalidRequest || !strings.Contains(err.Error(), name) || len(b.ledger.opened) > 0 {
			t.Errorf("without %s: %v, rows %v", name, err, b.ledger.opened)
		}
		if _, err := llm.Collect(b.Canned(t.Context(), req.Meta, "x")); (err == nil) != (name == "operation") {
			t.Errorf("canned without %s: %v", name, err)
		}
	}
	for _, set := range []func(*llm.Meta){func(m *llm.Meta) { m.RunID = "r" }, func(m *llm.Meta) { m.ExecutionID = "e" }} {
		b := newBench(t, map[string][]llmtest.Script{"a": {ok}})
		req := request(llm.ProfileBalanced)
		req.Meta.TurnID = ""
		set(&req.Meta)
		if _, err := llm.Collect(b.Stream(t.Context(), req)); err != nil {
			t.Error(err)
		}
	}
}

func TestGatewayWithoutModels(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.Use(nil, llm.Catalog{})
	_, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
	if llm.ClassOf(err) != llm.ClassInvalidRequest {
		t.Errorf("err = %v", err)
	}
}

func TestGatewayFlags(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.Use(map[string]llm.Model{"a": flagged{}}, llm.Catalog{Profiles: profiles})
	answer, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
	if got := b.ledger.closed[0]; err != nil || !got.ForcedJSONMode || got.StructuredOutputStrict || !answer.Flags.ForcedJSON {
		t.Errorf("row %+v, answer %+v, %v", got, answer, err)
	}
	if string(answer.Opaque) != `"o"` || answer.Message().Provider != "a" {
		t.Errorf("message %+v", answer.Message())
	}
}

// flagged answers with opaque state and flags.
type flagged struct{}

func (flagged) Check(context.Context, string) error { return nil }

func (flagged) Stream(context.Context, string, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Kind: llm.ChunkOpaque, Opaque: []byte(`"o"`)}, nil) &&
			yield(llm.Chunk{Kind: llm.ChunkFinish, Flags: llm.Flags{ForcedJSON: true}}, nil)
	}
}

// TestGatewayConcurrent is for the race detector: many calls while an admin
// changes the settings.
func TestGatewayConcurrent(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	n := 0
	l := &ledger{}
	model := llmtest.NewModel(t, llmtest.Func(func(llmtest.Request) llmtest.Response { return ok }))
	providers := map[string]llm.Model{"a": model, "b": model}
	g := llm.New(llm.GatewayConfig{Providers: providers, Catalog: llm.Catalog{Profiles: profiles}, Ledger: l,
		Clock: time.Now, Random: func() float64 { return 0 },
		IDs: func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprint(n) }})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if a, err := llm.Collect(g.Stream(context.Background(), request(llm.ProfileBalanced))); err != nil || a.Text != "fine." {
					t.Errorf("%+v, %v", a, err)
				}
				g.Use(providers, llm.Catalog{Profiles: profiles})
			}
		})
	}
	wg.Wait()
	l.balanced(t)
}
