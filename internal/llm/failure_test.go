package llm_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// failures is what the error log was told, in short.
func failures(rows []assent.ErrorRow) (out []string) {
	for _, e := range rows {
		out = append(out, strings.Join(strings.Fields(e.Provider+"/"+e.Model+" "+e.Class+" "+e.Stage), " "))
	}
	return out
}

// Each model that is given up makes one row, however often it was tried; a call
// without an answer makes at least one; what others ended makes none.
func TestFailuresAreToldOnce(t *testing.T) {
	t.Parallel()
	busy := class(llm.ClassOverloaded, 0)
	for _, tt := range []struct {
		name    string
		profile llm.Profile
		a, b    []llmtest.Script
		told    []string
	}{
		{name: "an answer", a: []llmtest.Script{ok}},
		{name: "an answer after a retry", a: []llmtest.Script{busy, ok}},
		{name: "the next model answers", a: []llmtest.Script{busy, busy, busy}, b: []llmtest.Script{ok}, told: []string{"a/m1 overloaded request"}},
		{name: "no model answers", a: []llmtest.Script{class(llm.ClassAuth, 0)}, b: []llmtest.Script{class(llm.ClassQuota, 0)},
			told: []string{"a/m1 auth request", "b/m2 quota request"}},
		{name: "cut after the first token", a: []llmtest.Script{llmtest.Text("so far").Cut()}, told: []string{"a/m1 network stream"}},
		{name: "too late", profile: llm.ProfileSpeed, a: []llmtest.Script{llmtest.Text("so far").Hang()}, told: []string{"a/m1 timeout stream"}},
		{name: "not set up", profile: llm.ProfileQuality, b: []llmtest.Script{ok}, told: []string{"gone/m0 internal request"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, map[string][]llmtest.Script{"a": tt.a, "b": tt.b})
				if tt.profile == "" {
					tt.profile = llm.ProfileBalanced
				}
				if _, err := llm.Collect(b.Stream(t.Context(), request(tt.profile))); err != nil && len(tt.told) == 0 {
					t.Error(err)
				}
				if got := failures(b.failed); !slices.Equal(got, tt.told) {
					t.Errorf("told %q, want %q", got, tt.told)
				}
			})
		})
	}
}

func TestAFailureNamesAllThatIsKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string][]llmtest.Script{"a": {class(llm.ClassContextLength, 0)}})
		if _, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed))); err == nil {
			t.Fatal("no error")
		}
		want := assent.ErrorRow{Code: "context_length", Class: "context_length", Component: "gateway", Stage: "request", Tool: "t", Operation: assent.OpPlannerStream,
			Provider: "a", Model: "m1", ContextType: assent.ContextProject, ExecutionMode: "auto_execute", SessionID: "s-1", TurnID: "turn-1", PlanID: "p-1",
			Step: "a.b", UserID: "ada", Message: llm.ClassContextLength.Sentence()}
		if len(b.failed) != 1 {
			t.Fatalf("told %q", failures(b.failed))
		}
		got := b.failed[0]
		if string(got.Details) != `{"detail":"x","http_status":0}` {
			t.Errorf("details %s", got.Details)
		}
		if got.Details = nil; !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}

// What a person stops, and what the caller has no more time for, is no failure
// of a model: whoever ended it tells why.
func TestWhatIsEndedFromOutsideIsNoFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Text("so far").Hang(), llmtest.Response{}.Hang(), ok}})
		for _, after := range []time.Duration{time.Second, 2 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			if _, err := llm.Collect(b.Stream(ctx, request(llm.ProfileSpeed))); err == nil {
				t.Error("no error")
			}
			cancel()
		}
		for range b.Stream(t.Context(), request(llm.ProfileSpeed)) {
			break // the client went away
		}
		if len(b.failed) != 0 {
			t.Errorf("told %q", failures(b.failed))
		}
		if got := rows(b.ledger); !slices.Equal(got, []string{"a/m1 timeout timeout", "a/m1 timeout timeout", "a/m1 cancelled cancelled"}) {
			t.Errorf("rows %q", got)
		}
		b.ledger.balanced(t)
	})
}
