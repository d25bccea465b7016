package planner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/consent"
	"assent/internal/engine/local"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/plan/check"
	"assent/internal/planner"
	"assent/internal/redact"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
)

// world is the whole chat below the doors: real storage, real tools, real plan
// engine and consent; only the model is the test's.
type world struct {
	*store.Store
	planner *planner.Planner
	consent *consent.Service
	plans   *plan.Service
	engine  *local.Engine
	ada     assent.Person
	session string
	options options
}

// options are what a test may want to be different.
type options struct {
	dir     string
	model   llm.Model
	clock   assent.Clock
	caps    map[string]int
	budget  assent.Budget      // everybody's
	mode    assent.Mode        // Ada's own setting
	context assent.ContextType // of the conversation
	limits  planner.Limits
	life    int64 // how many processes had the directory before
}

// planted is a secret that nobody may be shown.
const planted = "sk-planted-0123456789"

// The things that a world is furnished with.
const (
	projectID = "project-leith"
	leaseID   = "task-lease"
	boxesID   = "task-boxes"
	sessionID = "session-ada"
)

func limits() planner.Limits {
	return planner.Limits{Loop: loop.Limits{ToolCalls: 8, Iterations: 12, FinalizeRetries: 2}, Caps: tool.Limits{Default: 3},
		Turn: 90 * time.Second, Offered: 24, DynamicPromptState: true}
}

// counter makes ids that sort by time and are the same in every run.
func counter(from int64) assent.IDs {
	var n atomic.Int64
	n.Store(from)
	return func() string { return fmt.Sprintf("id-%08d", n.Add(1)) }
}

// newWorld opens or reopens a data directory and wires everything as app does.
func newWorld(t testing.TB, o options) *world {
	t.Helper()
	ids := counter(o.life * 1_000_000)
	if o.dir == "" {
		o.dir = t.TempDir()
	}
	if o.clock == nil {
		o.clock = time.Now
	}
	if o.limits.Turn == 0 {
		o.limits = limits()
	}
	o.limits.Caps.Overrides = o.caps
	s, err := store.Open(t.Context(), o.dir, store.Options{Clock: o.clock, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Store: s, session: sessionID, options: o}
	engine := local.New(w.drive, map[string]int{assent.JobTurn: 50, assent.JobRun: 50})
	w.engine = engine
	t.Cleanup(func() {
		engine.Stop(stopped())
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w.wire(t, o, ids)
	w.furnish(t, o)
	return w
}

// stopped is a context that grants no more time.
func stopped() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// drive is the engine's: runs begin a second after the turns that await them,
// so that the order of events of both is the same in every run.
func (w *world) drive(ctx context.Context, kind, id string) {
	if kind == assent.JobTurn {
		w.planner.Drive(ctx, id)
		return
	}
	time.Sleep(time.Second)
	w.plans.Drive(ctx, id)
}

// kill ends the process as a power cut would and starts another one on what is
// in the files at that moment.
func (w *world) kill(t *testing.T) {
	t.Helper()
	synctest.Wait()
	w.reopen(t)
}

// restart ends the process in an orderly way, with no time left for what is
// under way, and starts another one.
func (w *world) restart(t *testing.T) {
	t.Helper()
	w.engine.Stop(stopped())
	w.reopen(t)
}

// reopen starts a process on a copy of what is in the files now.
func (w *world) reopen(t *testing.T) {
	t.Helper()
	o := w.options
	o.dir, o.life = t.TempDir(), o.life+1
	for _, name := range []string{store.FileName, store.FileName + "-wal"} {
		data, err := os.ReadFile(filepath.Join(w.options.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(o.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.engine.Stop(stopped())
	*w = *newWorld(t, o)
	if err := w.planner.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *world) wire(t testing.TB, o options, ids assent.IDs) {
	t.Helper()
	catalog := llm.SingleModel(llm.Target{Provider: "test", Model: "m"})
	catalog.Prices = map[string]llm.Price{"m": {In: 100_000, Out: 1_000_000}}
	hidden := redact.New(planted)
	budgets, err := budget.Load(t.Context(), w.Store)
	if err != nil {
		t.Fatal(err)
	}
	if !o.budget.Unlimited() {
		if err := budgets.Save(t.Context(), o.budget); err != nil {
			t.Fatal(err)
		}
	}
	guard := budget.New(w.Store, budgets, w.Ledger())
	gw := llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{"test": o.model}, Catalog: catalog, Ledger: guard, Bound: guard.Bound, Failed: w.Ledger().Failed, Clock: o.clock,
		Hooks: []llm.Hook{llm.Redaction{Redactor: hidden}}, IDs: ids, Random: func() float64 { return 0.5 }, LedgerFailed: func(err error) { t.Logf("usage row: %v", err) }})
	registry, err := tool.NewRegistry(workspace.Tools(w.Reads)...)
	if err != nil {
		t.Fatal(err)
	}
	schemas := schema.NewCompiler()
	confirm := &plan.Confirm{}
	executor := tool.NewExecutor(registry, schemas, w.Store, o.clock, tool.CapHook{}, tool.Redaction{Redactor: hidden}, confirm)
	structured := llm.NewStructured(gw, schemas.Validate, o.limits.Loop.FinalizeRetries)
	w.plans = plan.New(plan.Deps{Store: w.Store, Registry: registry, Executor: executor, Checker: check.New(), Model: gw, Structured: structured, Engine: w.engine,
		IDs: ids, Clock: o.clock, Limits: plan.Limits{Steps: 12, Parallel: 4, Depth: 3, Step: 10 * time.Second}})
	confirm.Plans = w.plans
	w.consent = consent.New(w.Store, w.plans, structured, w.engine, ids, budgets.Currency)
	l := loop.New(gw, executor, w.Store, ids, o.clock)
	l.Hide(hidden)
	w.planner, err = planner.New(planner.Deps{Store: w.Store, Gateway: gw, Loop: l, Plans: w.plans,
		Consent: w.consent, Registry: registry, Engine: w.engine, Secrets: hidden, IDs: ids, Clock: o.clock, Limits: o.limits})
	if err != nil {
		t.Fatal(err)
	}
}

// furnish puts Ada, her conversation and a small project into an empty file.
func (w *world) furnish(t testing.TB, o options) {
	t.Helper()
	w.ada = assent.Person{ID: "person-ada", Email: "ada@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "Europe/London", Locale: "en-GB",
		DefaultMode: o.mode}
	if _, err := w.FindPerson(t.Context(), w.ada.ID); err == nil {
		return // reopened
	}
	if o.context == "" {
		o.context = assent.ContextGeneral
	}
	by := store.Origin{UserID: w.ada.ID, Caller: assent.CallerPerson, Tool: "by hand"}
	project := &assent.Project{Entity: assent.Entity{ID: projectID, Kind: assent.KindProject, ProjectID: projectID}, Name: "Leith office", Status: "active", OwnerID: w.ada.ID}
	lease := &assent.Task{Entity: assent.Entity{ID: leaseID, Kind: assent.KindTask, ProjectID: projectID}, Title: "Sign the lease", Status: "todo", Priority: "high"}
	boxes := &assent.Task{Entity: assent.Entity{ID: boxesID, Kind: assent.KindTask, ProjectID: projectID}, Title: "Order boxes", Status: "todo", Priority: "medium"}
	err := w.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(w.ada, "x"); err != nil {
			return err
		}
		if err := tx.CreateSession(assent.Session{ID: sessionID, UserID: w.ada.ID, ContextType: o.context}); err != nil {
			return err
		}
		for _, n := range []store.Noun{project, lease, boxes} {
			if err := tx.CreateEntity(by, n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// principal is Ada in her browser, or with a token of the scopes given.
func (w *world) principal(scopes ...assent.TokenScope) assent.Principal {
	if len(scopes) == 0 {
		scopes = assent.TokenScopes()
	}
	return assent.Principal{Person: w.ada, Scopes: scopes}
}

// settle waits until nothing is under way in the conversation. A run's end
// queues the turn that reports it, so runs are looked at first.
func (w *world) settle(t testing.TB) {
	t.Helper()
	bell, cancel := w.Watch(w.session)
	defer cancel()
	for {
		runs, err := w.ListRunsByStatus(t.Context(), assent.RunRunning)
		if err != nil {
			t.Fatal(err)
		}
		open, err := w.CountOpenTurns(t.Context(), w.session)
		if err != nil {
			t.Fatal(err)
		}
		if open == 0 && len(runs) == 0 {
			return
		}
		<-bell
	}
}
