package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/llm"
	"assent/internal/plan"
	"assent/internal/store"
)

// priced is a model that uses so many tokens and says so.
type priced struct{ llm.Tokens }

func (p priced) Check(context.Context, string) error { return nil }

func (p priced) Stream(context.Context, string, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Kind: llm.ChunkText, Text: "hm"}, nil) && yield(llm.Chunk{Kind: llm.ChunkUsage, Usage: p.Tokens}, nil) &&
			yield(llm.Chunk{Kind: llm.ChunkFinish}, nil)
	}
}

// spender is an agent that asks a model as often as its prompt has letters.
type spender struct {
	agents
	gateway *llm.Gateway
	user    string
}

func (s *spender) Run(ctx context.Context, c plan.AgentCall) plan.AgentResult {
	for range c.Prompt {
		_, err := llm.Collect(s.gateway.Stream(ctx, llm.Request{MaxTokens: 1000, Messages: []llm.Message{{Role: llm.RoleUser, Content: strings.Repeat("x", 1600)}},
			Meta: llm.Meta{Operation: assent.OpAgentBuild, Profile: llm.ProfileSpeed, UserID: s.user, RunID: c.Scope.RunID, PlanID: c.Scope.PlanID, Step: c.Scope.StepPath}}))
		var refused *assent.Error
		if errors.As(err, &refused) {
			return plan.AgentResult{ToolResult: assent.ToolResult{Err: refused}}
		}
	}
	return plan.AgentResult{ToolResult: assent.ToolResult{Output: json.RawMessage(`{"said":"done"}`), Summary: "done"}}
}

// limited starts a plan of agent steps under a limit of cost. Each call of the
// model costs 1,000 micro-dollars and could cost 2,000.
func limited(t *testing.T, price *llm.Price, limit int64, steps ...assent.Step) (*world, assent.Run) {
	t.Helper()
	w := newWorld(t)
	catalog := llm.SingleModel(llm.Target{Provider: "test", Model: "m"})
	if price != nil {
		catalog.Prices = map[string]llm.Price{"m": *price}
	}
	set, err := budget.Load(t.Context(), w.Store)
	if err != nil {
		t.Fatal(err)
	}
	guard := budget.New(w.Store, set, w.Ledger())
	gw := llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{"test": priced{llm.Tokens{In: 1000}}}, Catalog: catalog, Ledger: guard, Bound: guard.Bound,
		Clock: time.Now, IDs: w.NewID, Random: func() float64 { return 0 }})
	w.plans.Agents = &spender{gateway: gw, user: w.person.ID}
	doc := assent.PlanDocument{Objective: "Spend", Steps: steps}
	p, err := w.plans.Create(t.Context(), plan.Draft{Scope: w.scope(), Document: doc, Mode: assent.ModeDraftOnly, CreatedBy: "test", Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	a := assent.Approval{ID: w.NewID(), PlanID: p.ID, Version: p.Version, Hash: p.Hash, Basis: assent.BasisWords, UserID: w.person.ID, CostLimitMicros: &limit}
	run := assent.Run{ID: w.NewID(), PlanID: p.ID, SessionID: w.session.ID, UserID: w.person.ID, Version: p.Version, Hash: p.Hash,
		Status: assent.RunRunning, State: plan.Validated, ApprovalID: a.ID, StartedAt: w.Now()}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.StartApproved(a, run) }); err != nil {
		t.Fatal(err)
	}
	return w, run
}

// TestALimitOfCostIsNeverPassed holds that a run stops before the call that
// could pass the limit of its approval, asks, and goes on with a new word.
func TestALimitOfCostIsNeverPassed(t *testing.T) {
	t.Parallel()
	perToken := &llm.Price{In: 1_000_000, Out: 1_000_000}
	for name, c := range map[string]struct {
		price *llm.Price
		limit int64
		steps []assent.Step
		spent int64 // micro-dollars when the run rests
		ends  assent.RunStatus
		asks  string
	}{
		"enough":               {perToken, 4_100, []assent.Step{agentStep("a", "xxx")}, 3_000, assent.RunCompleted, ""},
		"the third could pass": {perToken, 3_900, []assent.Step{agentStep("a", "xxx")}, 2_000, assent.RunWaitingHuman, "could cost up to"},
		"not even the first":   {perToken, 1_500, []assent.Step{agentStep("a", "x")}, 0, assent.RunWaitingHuman, "at most $0.0015"},
		"over two steps":       {perToken, 3_900, []assent.Step{agentStep("a", "xx"), agentStep("b", "x")}, 2_000, assent.RunWaitingHuman, "Shall I go on"},
		"side by side":         {perToken, 3_900, []assent.Step{parallel("p", "", agentStep("a", "xx"), agentStep("b", "xx"))}, 2_000, assent.RunWaitingHuman, "Shall I go on"},
		"no price":             {nil, 1_000_000, []assent.Step{agentStep("a", "x")}, 0, assent.RunWaitingHuman, "no price"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, run := limited(t, c.price, c.limit, c.steps...)
			got := w.drive(t, run.ID)
			spent, _, err := w.RunCost(t.Context(), run.ID)
			if err != nil || got.Status != c.ends || spent != c.spent && name != "side by side" || spent > c.limit {
				t.Fatalf("the run is %s and has spent %d: %v", got.Status, spent, err)
			}
			st, waits := plan.Waiting(got.Steps)
			if waits != (c.asks != "") || waits && !strings.Contains(st.Summary, c.asks) {
				t.Errorf("it asks %q", st.Summary)
			}
			if !waits {
				return
			}
			w.act(t, run.ID, assent.RunAction{Action: assent.ControlHuman, Decision: plan.DecisionApprove})
			lifted := assent.Approval{ID: w.NewID(), PlanID: run.PlanID, Version: run.Version, Hash: run.Hash, Basis: assent.BasisWords, UserID: w.person.ID, Step: st.Path}
			if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.CreateApproval(lifted) }); err != nil {
				t.Fatal(err)
			}
			if got := w.drive(t, run.ID); got.Status != assent.RunCompleted && name != "side by side" {
				t.Errorf("without the limit the run is %s: %v", got.Status, got.Error)
			}
		})
	}
}
