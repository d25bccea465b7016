package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/metrics"
	"assent/internal/plan"
	"assent/internal/planner"
	"assent/internal/redact"
	"assent/internal/store"
	"assent/internal/trace"
	"assent/internal/web"
	"assent/internal/web/api"
	"assent/internal/web/page"
	"assent/static"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// App is a server with everything it owns.
type App struct {
	*Core
	Admin
	Accounts *account.Service
	Server   *web.Server
	metrics  *metrics.Metrics
	traces   *trace.Tracer
	secrets  *redact.Redactor // values that nobody is shown
	cfg      config.Config
	lock     *store.Lock
	ready    atomic.Bool
	draining atomic.Bool
	log      *slog.Logger
}

// Redactor knows the secrets of this server, for its log.
func (a *App) Redactor() *redact.Redactor { return a.secrets }

// NewIDs makes identifiers: UUIDv7, so that they sort by time.
func NewIDs() string { return uuid.Must(uuid.NewV7()).String() }

// New opens the data directory and builds everything; nothing is served yet.
func New(ctx context.Context, cfg config.Config, version string, log *slog.Logger) (*App, error) {
	lock, err := store.AcquireLock(cfg.DataDir)
	if err != nil {
		return nil, err
	}
	a := &App{metrics: metrics.New(), secrets: redact.New(), cfg: cfg, lock: lock, log: log}
	if err := a.build(ctx, version); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return a, nil
}

func (a *App) build(ctx context.Context, version string) error {
	s, err := store.Open(ctx, a.cfg.DataDir, store.Options{Clock: time.Now, IDs: NewIDs, Committed: a.metrics.Committed})
	if err != nil {
		return err
	}
	if a.traces, err = trace.New(ctx, a.cfg.OTLPEndpoint, version); err != nil {
		return errors.Join(fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err), s.Close())
	}
	environment := Models(a.cfg)
	providers, err := Providers(environment)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	if a.Core, err = NewCore(a.coreOptions(s, environment, providers)); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := a.admin(ctx, s, environment); err != nil {
		return errors.Join(err, s.Close())
	}
	a.Accounts = account.New(s, a.cfg.OpenSignup)
	if err := a.firstAdmin(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	a.doors(version)
	return nil
}

func (a *App) coreOptions(s *store.Store, settings llm.Settings, providers map[string]llm.Model) CoreOptions {
	c := a.cfg
	return CoreOptions{Store: s, Clock: time.Now, IDs: NewIDs, Random: rand.Float64, Providers: providers, Catalog: settings.Catalog(), Log: a.log, Metrics: a.metrics, Traces: a.traces, Secrets: a.secrets,
		FirstToken: c.FirstToken, Idle: c.Idle, Turns: 2000, Runs: 500,
		Plans: plan.Limits{Steps: c.PlanMaxSteps, Parallel: c.PlanMaxParallel, Depth: c.MaxDepth, Step: time.Minute, Run: time.Hour},
		Planner: planner.Limits{Loop: loop.Limits{ToolCalls: c.ToolCallsPerTurn, Iterations: c.ToolCallsPerTurn + 4, FinalizeRetries: c.FinalizeRetries},
			Caps: a.caps(), Turn: c.TurnDuration, Offered: c.ToolsOffered, DynamicPromptState: c.DynamicPrompt}}
}

// doors puts pages and API on the server.
func (a *App) doors(version string) {
	pages := page.New(page.Deps{Turns: a.Planner, Runs: a.Consent, Tools: a.Executor, Store: a.Store, Hub: a.Hub, Clock: time.Now, IDs: NewIDs,
		Accounts: a.Accounts, Session: func(c echo.Context, secret string) { a.Server.SetSession(c, secret) }, Version: version,
		BaseURL: a.cfg.BaseURL, Models: a.Models, Governance: a.Governance, Secrets: a.Secrets, Budgets: a.Budgets})
	a.Server = web.New(web.Options{Auth: a.Accounts, IDs: NewIDs, BaseURL: a.cfg.BaseURL, TrustedProxies: a.cfg.TrustedProxies, ErrorPage: pages.ErrorPage, Log: a.log,
		Answered: a.metrics.Request, Draining: a.draining.Load})
	resources := &api.Resources{Store: a.Store, Turns: a.Planner, Consent: a.Consent, Plans: a.Plans, Executor: a.Executor, Hub: a.Hub, Clock: time.Now,
		Models: a.Models, Accounts: a.Accounts, Secrets: a.Secrets, Governance: a.Governance, Budgets: a.Budgets, Ready: a.ready.Load, Metrics: a.metrics.Handler()}
	resources.Register(a.Server)
	a.Server.GET(static.Prefix+"*", echo.WrapHandler(static.Handler()))
	public, people := a.Server.Pages()
	pages.RegisterPublic(public)
	pages.Register(people)
}

// firstAdmin creates the first admin from the configuration, once.
func (a *App) firstAdmin(ctx context.Context) error {
	empty, err := a.Accounts.NeedsSetup(ctx)
	if err != nil || !empty || a.cfg.AdminEmail == "" {
		return err
	}
	_, err = a.Accounts.Create(ctx, account.NewPerson{Email: a.cfg.AdminEmail, Name: "Admin", Password: a.cfg.AdminPassword, Role: assent.RoleAdmin}, "")
	if err != nil {
		return fmt.Errorf("ASSENT_ADMIN_EMAIL, ASSENT_ADMIN_PASSWORD: %w", err)
	}
	return nil
}

// SetupCode gives the one-time code for the set-up page; "" if none is needed:
// there is an account, or only this machine can reach the server.
func (a *App) SetupCode(ctx context.Context) (string, error) {
	empty, err := a.Accounts.NeedsSetup(ctx)
	if err != nil {
		return "", err
	}
	host, _, err := net.SplitHostPort(a.cfg.Addr)
	if err != nil {
		return "", err
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	return a.Accounts.RequireCode(ctx, empty && !loopback)
}

// Serve recovers what a former process left, then serves on ln until ctx ends,
// and shuts down cleanly.
func (a *App) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{Handler: a.Server, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	if err := a.Recover(ctx); err != nil {
		return errors.Join(err, srv.Close(), a.Close(context.Background()))
	}
	a.ready.Store(true)
	go a.housekeeping(ctx)
	debug.FreeOSMemory() // what starting took is not needed again
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	return errors.Join(err, a.drain(srv))
}

// drain lets turns and runs end while readers are still answered: /readyz says
// 503 and what would change something is refused. Then requests may end.
func (a *App) drain(srv *http.Server) error {
	a.ready.Store(false)
	a.draining.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownPatience)
	defer cancel()
	a.Stop(ctx)
	ctx, cancel = context.WithTimeout(context.Background(), shutdownPatience)
	defer cancel()
	return errors.Join(srv.Shutdown(ctx), a.Close(ctx))
}

// shutdownPatience is how long turns and runs may take to end, and then requests.
const shutdownPatience = 5 * time.Second

// Close stops the engines and closes the data directory.
func (a *App) Close(ctx context.Context) error {
	a.Stop(ctx)
	flush, cancel := context.WithTimeout(ctx, flushPatience)
	defer cancel()
	if err := a.traces.Close(flush); err != nil {
		a.log.Warn("the last traces were not sent", "error", err)
	}
	return errors.Join(a.Store.Close(), a.lock.Release())
}

// flushPatience is how long sending the last traces may take.
const flushPatience = 3 * time.Second

// housekeeping forgets what retention says, once an hour.
func (a *App) housekeeping(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if err := a.prune(ctx); err != nil && ctx.Err() == nil {
			a.log.Error("retention", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (a *App) prune(ctx context.Context) error {
	if keep := a.cfg.EventRetention; keep > 0 {
		if err := a.Store.PruneEvents(ctx, assent.At(time.Now().Add(-keep))); err != nil {
			return err
		}
	}
	if keep := a.cfg.UsageRetention; keep > 0 {
		return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.PruneUsage(assent.At(time.Now().Add(-keep))) })
	}
	return nil
}
