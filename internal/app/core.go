package app

import (
	"context"
	"log/slog"
	"time"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/consent"
	"assent/internal/engine/local"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/metrics"
	"assent/internal/plan"
	"assent/internal/plan/check"
	"assent/internal/planner"
	"assent/internal/redact"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/stream"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
	"assent/internal/trace"
)

// CoreOptions are what the engines need from outside. Tests inject clock, ids,
// randomness and models.
type CoreOptions struct {
	Store      *store.Store
	Clock      assent.Clock
	IDs        assent.IDs
	Random     func() float64
	Providers  map[string]llm.Model
	Catalog    llm.Catalog
	FirstToken time.Duration
	Idle       time.Duration
	Planner    planner.Limits
	Plans      plan.Limits
	Log        *slog.Logger
	Metrics    *metrics.Metrics
	Traces     *trace.Tracer // nil: tracing is off
	// Secrets are taken out of what models and people are shown; may be nil.
	Secrets *redact.Redactor
	// Turns and Runs bound how many are driven at once.
	Turns, Runs int
}

// Core is everything below the doors: engines, tools, consent, planner.
type Core struct {
	Store    *store.Store
	Gateway  *llm.Gateway
	Schemas  *schema.Compiler
	Registry *tool.Registry
	Executor *tool.Executor
	Plans    *plan.Service
	Consent  *consent.Service
	Planner  *planner.Planner
	Engine   *local.Engine
	Hub      *stream.Hub
	Budgets  *budget.Settings
	traces   *trace.Tracer
}

// NewCore wires the engines by hand, in reading order. Nothing runs yet but
// the store: Recover starts what waits to be driven.
func NewCore(o CoreOptions) (*Core, error) {
	c := &Core{Store: o.Store, Schemas: schema.NewCompiler(), traces: o.Traces}
	var err error
	if c.Budgets, err = budget.Load(context.Background(), o.Store); err != nil {
		return nil, err
	}
	guard := budget.New(o.Store, c.Budgets, o.Traces.Ledger(o.Metrics.Ledger(o.Store.Ledger())))
	c.Gateway = llm.New(llm.GatewayConfig{Providers: o.Providers, Catalog: o.Catalog, Ledger: guard, Bound: guard.Bound, Clock: o.Clock, IDs: o.IDs,
		Random: o.Random, FirstToken: o.FirstToken, Idle: o.Idle, Failed: o.Store.Ledger().Failed, Hooks: []llm.Hook{llm.Redaction{Redactor: o.Secrets}}, LedgerFailed: func(err error) { o.Log.Error("usage row", "error", err) }})
	c.Engine = local.New(c.drive, map[string]int{assent.JobTurn: o.Turns, assent.JobRun: o.Runs})
	if c.Registry, err = tool.NewRegistry(workspace.Tools(o.Store.Reads)...); err != nil {
		return nil, err
	}
	// Hooks in order: budgets, what may be seen, the person's word last.
	// The plan engine and the executor know each other: steps run through the
	// executor, and calls that need a word become plans.
	confirm := &plan.Confirm{}
	c.Executor = tool.NewExecutor(c.Registry, c.Schemas, o.Store, o.Clock, append(o.Traces.Tools(), tool.CapHook{}, tool.Redaction{Redactor: o.Secrets}, confirm)...)
	c.Executor.Trace(o.Metrics.Tools())
	structured := llm.NewStructured(c.Gateway, c.Schemas.Validate, o.Planner.Loop.FinalizeRetries)
	c.Plans = plan.New(plan.Deps{Store: o.Store, Registry: c.Registry, Executor: c.Executor, Checker: check.New(), Model: c.Gateway, Structured: structured, Engine: c.Engine,
		IDs: o.IDs, Clock: o.Clock, Limits: o.Plans, Observe: o.Metrics.Transition, Span: o.Traces.Step})
	confirm.Plans = c.Plans
	c.Consent = consent.New(o.Store, c.Plans, structured, c.Engine, o.IDs, c.Budgets.Currency)
	l := loop.New(c.Gateway, c.Executor, o.Store, o.IDs, o.Clock)
	l.Hide(o.Secrets)
	c.Planner, err = planner.New(planner.Deps{Store: o.Store, Gateway: c.Gateway, Loop: l, Plans: c.Plans, Consent: c.Consent, Registry: c.Registry,
		Engine: c.Engine, Secrets: o.Secrets, IDs: o.IDs, Clock: o.Clock, Limits: o.Planner})
	c.Hub = stream.NewHub(o.Store, stream.Options{})
	o.Metrics.Gauge("assent_open_streams", "Event streams that are open.", c.Hub.Connections)
	return c, err
}

// drive is what the engine calls: a turn or a run.
func (c *Core) drive(ctx context.Context, kind, id string) {
	ctx, ended := c.traces.Job(ctx, kind, id)
	defer ended()
	switch kind {
	case assent.JobTurn:
		c.Planner.Drive(ctx, id)
	case assent.JobRun:
		c.Plans.Drive(ctx, id)
	}
}

// Recover sees to what a dead process left; call it once, before serving.
func (c *Core) Recover(ctx context.Context) error {
	if err := workspace.EnsureTemplates(ctx, c.Store); err != nil {
		return err
	}
	return c.Planner.Recover(ctx)
}

// Stop ends streams, lets turns and runs end within ctx, then cancels them.
func (c *Core) Stop(ctx context.Context) {
	c.Hub.Close()
	c.Engine.Stop(ctx)
}
