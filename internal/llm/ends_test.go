package llm_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

func TestGatewayConsumerLeaves(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		leave func(llm.Chunk) bool
		want  string
	}{
		{"at the first chunk", func(llm.Chunk) bool { return true }, "a/m1 cancelled cancelled"},
		{"at the finish", func(c llm.Chunk) bool { return c.Kind == llm.ChunkFinish }, "a/m1 ok"},
	}
	for _, tt := range tests {
		b := newBench(t, map[string][]llmtest.Script{"a": {ok}})
		for c := range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
			if tt.leave(c) {
				break
			}
		}
		b.ledger.balanced(t)
		if got := rows(b.ledger); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%s: rows %q", tt.name, got)
		}
	}
}

func TestGatewayConsumerPanics(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]llmtest.Script{"a": {ok}})
	func() {
		defer func() { _ = recover() }()
		for range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
			panic("the consumer's own fault")
		}
	}()
	b.ledger.balanced(t)
	if got := rows(b.ledger); !slices.Equal(got, []string{"a/m1 cancelled cancelled"}) {
		t.Errorf("rows %q", got)
	}
}

// TestGatewayRowIsClosedAtFinish: whoever sees the finish may sum the rows.
func TestGatewayRowIsClosedAtFinish(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]llmtest.Script{"a": {ok}})
	for c := range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
		if c.Kind == llm.ChunkFinish && len(b.ledger.closed) != 1 {
			t.Error("the row is still open at the finish")
		}
	}
}

func TestGatewaySlowConsumerIsNoTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Text("a", "b", "c")}})
		for _, err := range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
			if err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute)
		}
	})
}

func TestGatewayCancelled(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop was pressed")
	tests := []struct {
		name   string
		script llmtest.Script
		rows   []string
	}{
		{"in the middle", llmtest.Text("a").Hang(), []string{"a/m1 cancelled cancelled"}},
		{"before the first token", llmtest.Response{}.Hang(), []string{"a/m1 cancelled cancelled"}},
		{"while waiting to retry", class(llm.ClassRateLimited, 20*time.Second), []string{"a/m1 failed rate_limited"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, map[string][]llmtest.Script{"a": {tt.script}})
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(5*time.Second, func() { cancel(stop) })
				_, err := llm.Collect(b.Stream(ctx, request(llm.ProfileBalanced)))
				if llm.ClassOf(err) != llm.ClassCancelled || !errors.Is(err, stop) {
					t.Errorf("err = %v", err)
				}
				if got := rows(b.ledger); !slices.Equal(got, tt.rows) || len(b.reports) > 0 {
					t.Errorf("rows %q, reports %v", got, b.reports)
				}
				b.ledger.balanced(t)
			})
		})
	}
	t.Run("before it began", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		b.models["a"] = llmtest.NewModel(t)
		b.Use(map[string]llm.Model{"a": b.models["a"]}, llm.Catalog{Profiles: profiles})
		_, err := llm.Collect(b.Stream(ctx, request(llm.ProfileSpeed)))
		if llm.ClassOf(err) != llm.ClassCancelled || len(b.ledger.opened) > 0 {
			t.Errorf("err = %v, rows %v", err, b.ledger.opened)
		}
	})
	t.Run("by a deadline", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Response{}.Hang()}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := llm.Collect(b.Stream(ctx, request(llm.ProfileBalanced)))
			if llm.ClassOf(err) != llm.ClassTimeout || !slices.Equal(rows(b.ledger), []string{"a/m1 timeout timeout"}) {
				t.Errorf("err = %v, rows %q", err, rows(b.ledger))
			}
		})
	})
}

func TestGatewayLedgerRefuses(t *testing.T) {
	t.Parallel()
	budget := &llm.Error{Class: llm.ClassQuota, Detail: "the budget of the day is used up"}
	for _, tt := range []struct {
		err  error
		want llm.Class
	}{{budget, llm.ClassQuota}, {errors.New("disk full"), llm.ClassInternal}} {
		b := newBench(t, map[string][]llmtest.Script{"a": nil, "b": nil})
		b.ledger.openErr = tt.err
		_, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileBalanced)))
		if llm.ClassOf(err) != tt.want || !errors.Is(err, tt.err) || len(b.models["a"].Requests()) > 0 {
			t.Errorf("err = %v, requests %v", err, b.models["a"].Requests())
		}
	}
}

func TestGatewayReportsLedgerFailures(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]llmtest.Script{"a": {ok}})
	b.ledger.closeErr = errors.New("disk full")
	if _, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileBalanced))); err != nil {
		t.Error(err)
	}
	if len(b.reports) != 1 || !errors.Is(b.reports[0], b.ledger.closeErr) {
		t.Errorf("reports %v", b.reports)
	}
}
