package metrics_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/metrics"
	"assent/internal/tool"
)

// told gives what a scrape says.
func told(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	b, err := io.ReadAll(rec.Body)
	if err != nil || rec.Code != 200 || !strings.HasPrefix(rec.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %s %v", rec.Code, rec.Header().Get("Content-Type"), err)
	}
	return string(b)
}

func wants(t *testing.T, got string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !strings.Contains(got, l+"\n") {
			t.Errorf("no line %q in\n%s", l, got)
		}
	}
}

func TestRequestsAreCountedByTemplate(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.Request("GET", "/api/v1/sessions/:id", 200)
	m.Request("GET", "/api/v1/sessions/:id", 200)
	m.Request("BREW", "", 404)
	m.Request("STEAM", "", 404)
	wants(t, told(t, m), `assent_http_requests_total{method="GET",route="/api/v1/sessions/:id",status="200"} 2`,
		`assent_http_requests_total{method="other",route="",status="404"} 2`)
}

func TestEventsTurnsAndRunsAreCounted(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	logged := func(ev assent.Event) assent.LoggedEvent {
		data, err := json.Marshal(ev)
		if err != nil {
			t.Fatal(err)
		}
		return assent.LoggedEvent{Type: ev.EventType(), Data: data}
	}
	m.Committed([]assent.LoggedEvent{logged(assent.Text{Delta: "secret words"}), logged(assent.Text{}), logged(assent.Done{Status: assent.TurnCompleted}),
		logged(assent.RunState{Status: assent.RunPaused}), {Type: "done", Data: []byte(`{`)}, {Type: "made up", Data: []byte(`{}`)}})
	got := told(t, m)
	wants(t, got, `assent_events_total{type="text"} 2`, `assent_events_total{type="done"} 2`, `assent_events_total{type="reset"} 0`,
		`assent_turns_total{status="completed"} 1`, `assent_turns_total{status="unknown"} 1`, `assent_runs_total{status="paused"} 1`)
	if strings.Contains(got, "secret") || strings.Contains(got, "made up") {
		t.Errorf("it tells more than it should:\n%s", got)
	}
}

type books struct{ closed int }

func (*books) Open(context.Context, assent.CallUsage) error    { return nil }
func (b *books) Close(context.Context, assent.CallUsage) error { b.closed++; return nil }

func TestModelCallsAreCountedOnTheirWayIntoTheBooks(t *testing.T) {
	t.Parallel()
	m, b := metrics.New(), &books{}
	l, cost := m.Ledger(b), int64(250)
	call := assent.CallUsage{Provider: "openai", Model: "m1", Operation: assent.OpTitle, Status: assent.CallOK, TokensIn: 10, TokensOut: 3, TokensCached: 4,
		CostMicros: &cost, UserID: "ada-lovelace", SessionID: "session-1"}
	failed := assent.CallUsage{Provider: "openai", Model: "m1", Operation: assent.OpTitle, Status: assent.CallFailed}
	for _, u := range []assent.CallUsage{call, call, failed} {
		if err := l.Open(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	got := told(t, m)
	wants(t, got, `assent_model_calls_total{model="m1",operation="title",provider="openai",status="ok"} 2`,
		`assent_model_calls_total{model="m1",operation="title",provider="openai",status="failed"} 1`,
		`assent_model_tokens_total{direction="in",model="m1",provider="openai"} 20`, `assent_model_tokens_total{direction="out",model="m1",provider="openai"} 6`,
		`assent_model_tokens_total{direction="cached",model="m1",provider="openai"} 8`, `assent_model_cost_micros_total{model="m1",provider="openai"} 500`)
	if b.closed != 3 || strings.Contains(got, "lovelace") || strings.Contains(got, "session-1") {
		t.Errorf("%d rows in the books;\n%s", b.closed, got)
	}
}

func TestToolCallsAreCountedByOutcome(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	called := func(name string, err *assent.Error) {
		m.Tools()(t.Context(), tool.Call{ToolCall: assent.ToolCall{Tool: name}})(assent.ToolResult{Err: err})
	}
	called("search", nil)
	called("search", assent.NotFound("thing"))
	called("made up", assent.Errorf(assent.CodeUnknownTool, "There is none."))
	got := told(t, m)
	wants(t, got, `assent_tool_calls_total{outcome="ok",tool="search"} 1`, `assent_tool_calls_total{outcome="not_found",tool="search"} 1`,
		`assent_tool_calls_total{outcome="unknown_tool",tool="unknown"} 1`)
	if strings.Contains(got, "made up") {
		t.Error("a name from outside is a label")
	}
}

func TestGaugesProcessAndGo(t *testing.T) {
	t.Parallel()
	m, n := metrics.New(), 3
	m.Gauge("assent_open_streams", "Streams.", func() int { return n })
	wants(t, told(t, m), "assent_open_streams 3")
	n = 4
	got := told(t, m)
	wants(t, got, "assent_open_streams 4")
	for _, name := range []string{"go_goroutines ", "process_resident_memory_bytes ", "process_cpu_seconds_total "} {
		if !strings.Contains(got, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
}

func BenchmarkCommitted(b *testing.B) {
	m := metrics.New()
	events := []assent.LoggedEvent{{Type: "text"}, {Type: "text"}, {Type: "done", Data: []byte(`{"seq":7,"type":"done","status":"completed"}`)}}
	b.ReportAllocs()
	for b.Loop() {
		m.Committed(events)
	}
}
