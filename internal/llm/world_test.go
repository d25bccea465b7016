package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// ledger keeps rows as they were opened and closed.
type ledger struct {
	mu       sync.Mutex
	opened   []assent.CallUsage
	closed   []assent.CallUsage
	openErr  error
	closeErr error
}

func (l *ledger) Open(ctx context.Context, row assent.CallUsage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.openErr != nil {
		return l.openErr
	}
	l.opened = append(l.opened, row)
	return ctx.Err()
}

func (l *ledger) Close(ctx context.Context, row assent.CallUsage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = append(l.closed, row)
	if ctx.Err() != nil {
		return errors.New("the context of Close was cancelled")
	}
	return l.closeErr
}

// balanced fails unless every row was opened and closed once.
func (l *ledger) balanced(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var opened, closed []string
	for _, r := range l.opened {
		opened = append(opened, r.ID)
		if r.Status != assent.CallOpen || r.EndedAt != 0 || r.UserID == "" {
			t.Errorf("row opened as %+v", r)
		}
	}
	for _, r := range l.closed {
		closed = append(closed, r.ID)
		if r.Status == assent.CallOpen || r.EndedAt == 0 {
			t.Errorf("row closed as %+v", r)
		}
	}
	slices.Sort(opened)
	slices.Sort(closed)
	if !slices.Equal(opened, closed) {
		t.Errorf("rows opened %v, closed %v", opened, closed)
	}
}

// bench is a gateway with scripted models, for one synctest bubble.
type bench struct {
	*llm.Gateway
	ledger  *ledger
	models  map[string]*llmtest.Model
	reports []error
	failed  []assent.ErrorRow
}

var profiles = map[llm.Profile][]llm.Target{
	llm.ProfileBalanced: {{Provider: "a", Model: "m1"}, {Provider: "b", Model: "m2"}},
	llm.ProfileSpeed:    {{Provider: "a", Model: "m1"}},
	llm.ProfileQuality:  {{Provider: "gone", Model: "m0"}, {Provider: "b", Model: "m2"}},
}

func newBench(t *testing.T, scripts map[string][]llmtest.Script) *bench {
	b := &bench{ledger: &ledger{}, models: map[string]*llmtest.Model{}}
	providers := map[string]llm.Model{}
	for name, s := range scripts {
		b.models[name] = llmtest.NewModel(t, s...)
		providers[name] = b.models[name]
	}
	n := 0
	b.Gateway = llm.New(llm.GatewayConfig{
		Providers: providers,
		Catalog: llm.Catalog{Profiles: profiles, Prices: map[string]llm.Price{
			"m1": {In: 1_000_000, Out: 2_000_000, Cached: 100_000}}},
		Ledger: b.ledger, Clock: time.Now,
		IDs:          func() string { n++; return fmt.Sprintf("row-%d", n) },
		Random:       func() float64 { return 0.5 },
		LedgerFailed: func(err error) { b.reports = append(b.reports, err) },
		Failed:       func(e assent.ErrorRow) { b.failed = append(b.failed, e) },
	})
	return b
}

func request(p llm.Profile) llm.Request {
	return llm.Request{
		Meta: llm.Meta{Operation: assent.OpPlannerStream, Profile: p, UserID: "ada", TurnID: "turn-1", SessionID: "s-1",
			ContextType: assent.ContextProject, ExecutionMode: "auto_execute", PlanID: "p-1", Step: "a.b", Tool: "t", FinalizeRetries: 1},
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}},
		Tools:    []llm.Tool{{Name: "list_tasks"}},
	}
}

// row is the part of a usage row that the tables compare.
func row(r assent.CallUsage) string {
	s := fmt.Sprintf("%s/%s %s %s", r.Provider, r.Model, r.Status, r.ErrorClass)
	if r.FallbackFrom != "" {
		s += " after " + r.FallbackFrom + " " + r.FallbackReason
	}
	return strings.Join(strings.Fields(s), " ")
}

func rows(l *ledger) (out []string) {
	for _, r := range l.closed {
		out = append(out, row(r))
	}
	return out
}

var (
	ok    = llmtest.Text("fine", ".")
	class = func(c llm.Class, after time.Duration) llmtest.Response {
		return llmtest.FailWith(&llm.Error{Class: c, RetryAfter: after, Detail: "x"})
	}
)
