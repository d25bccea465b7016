package app_test

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// otlp is a collector: it keeps the spans that it is sent, as they are on the wire.
type otlp struct {
	mu    sync.Mutex
	spans []*tracepb.Span
	raw   strings.Builder
}

func newCollector(t *testing.T) (*otlp, string) {
	t.Helper()
	c := &otlp{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var req collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &req) != nil {
			t.Errorf("sent to %s: %d bytes that are no spans, %v", r.URL.Path, len(body), err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw.Write(body)
		for _, rs := range req.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
	}))
	t.Cleanup(s.Close)
	return c, s.URL
}

// named are the spans whose names begin so.
func (c *otlp) named(prefix string) (out []*tracepb.Span) {
	for _, s := range c.spans {
		if strings.HasPrefix(s.Name, prefix) {
			out = append(out, s)
		}
	}
	return out
}

// attribute is the text of one, "" if there is none.
func attribute(s *tracepb.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// traced starts a server that sends its traces to an endpoint.
func traced(t *testing.T, endpoint string) *app.App {
	t.Helper()
	cfg, _, err := config.Load(config.Source{Env: []string{"ASSENT_DATA_DIR=" + t.TempDir(), "ASSENT_LLM_PROVIDER=offline", "OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), cfg, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// say sends messages of Ada's, each when every turn before it has ended.
func say(t *testing.T, a *app.App, messages ...string) {
	t.Helper()
	ada := assent.Person{ID: app.NewIDs(), Email: "ada@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "UTC", Locale: "en", DefaultMode: assent.ModeAutoExecute}
	session := assent.Session{ID: app.NewIDs(), UserID: ada.ID, ContextType: assent.ContextGeneral, CreatedAt: a.Store.Now(), UpdatedAt: a.Store.Now()}
	err := a.Store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(ada, "x"); err != nil {
			return err
		}
		return tx.CreateSession(session)
	})
	if err != nil {
		t.Fatal(err)
	}
	bell, cancel := a.Store.Watch(session.ID)
	defer cancel()
	who := assent.Principal{Person: ada, Scopes: assent.TokenScopes()}
	for _, words := range messages {
		if _, err := a.Planner.Send(t.Context(), who, assent.SendRequest{SessionID: session.ID, Content: words}); err != nil {
			t.Fatal(err)
		}
		answered(t, a, session.ID, bell)
	}
}

// answered waits until every turn of a conversation has ended.
func answered(t *testing.T, a *app.App, session string, bell <-chan struct{}) {
	t.Helper()
	for deadline := time.After(time.Minute); ; {
		turns, err := a.Store.ListTurns(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(turns, func(x assent.Turn) bool { return !x.Status.Ended() }) {
			return
		}
		select {
		case <-bell:
		case <-deadline:
			t.Fatalf("the turns do not end: %+v", turns)
		}
	}
}

// A turn, its model calls and tool calls, a run and its steps are spans that hold
// each other, sent when the server closes at the latest. Nothing of what was said
// is in them.
func TestTracesTellWhatATurnDid(t *testing.T) {
	c, url := newCollector(t)
	a := traced(t, url)
	say(t, a, "We are moving our office to Zanzibar by the end of March. Set it up as a project with milestones and tasks, but show me the plan first", "looks good, run it")
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		ids[hex.EncodeToString(s.SpanId)] = s
	}
	for _, want := range []struct {
		name, parent string
		attributes   []string
	}{
		{"turn", "", []string{"assent.turn"}},
		{"run", "", []string{"assent.run"}},
		{"step", "run", []string{"assent.plan", "assent.run", "assent.step", "gen_ai.tool.name"}},
		{"chat rules", "turn", []string{"gen_ai.request.model", "gen_ai.provider.name", "assent.operation", "assent.turn"}},
		{"execute_tool create_", "step", []string{"gen_ai.tool.name", "assent.step", "assent.effect"}},
	} {
		spans := c.named(want.name)
		if len(spans) == 0 {
			t.Errorf("there is no span %q", want.name)
		}
		for _, s := range spans {
			parent := ids[hex.EncodeToString(s.ParentSpanId)]
			if want.parent == "" && parent != nil || want.parent != "" && (parent == nil || parent.Name != want.parent) {
				t.Errorf("the span %q lies in %v, want %q", s.Name, parent.GetName(), want.parent)
			}
			if parent != nil && hex.EncodeToString(parent.TraceId) != hex.EncodeToString(s.TraceId) {
				t.Errorf("the span %q is of another trace", s.Name)
			}
			if s.EndTimeUnixNano < s.StartTimeUnixNano {
				t.Errorf("the span %q ends before it begins", s.Name)
			}
			for _, key := range want.attributes {
				if attribute(s, key) == "" {
					t.Errorf("the span %q has no %s", s.Name, key)
				}
			}
		}
	}
	for _, word := range []string{"Zanzibar", "ada@example.org", "looks good"} {
		if strings.Contains(c.raw.String(), word) {
			t.Errorf("the traces hold %q", word)
		}
	}
}

// A collector that never answers keeps nobody waiting: not a turn, and the end of
// the server not for long.
func TestACollectorThatHangsHoldsNothingUp(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); s.Close() })
	a := traced(t, s.URL)
	say(t, a, "hello")
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // no time is left for the last spans
	if err := a.Close(ctx); err != nil {
		t.Error(err)
	}
}

// Without an endpoint nothing is wrapped: what is off costs nothing.
func TestWithoutAnEndpointNothingIsTraced(t *testing.T) {
	a := traced(t, "")
	say(t, a, "hello")
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
