package app_test

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/metrics"
	"assent/internal/plan"
	"assent/internal/planner"
	"assent/internal/store"
)

// fixture is a data file on its way to a benchmark.
type fixture struct {
	b      *testing.B
	s      *store.Store
	person assent.Person
}

func openFixture(b *testing.B, dir string) fixture {
	b.Helper()
	s, err := store.Open(context.Background(), dir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		b.Fatal(err)
	}
	f := fixture{b: b, s: s, person: assent.Person{ID: app.NewIDs(), Email: app.NewIDs() + "@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "UTC", Locale: "en"}}
	f.write(func(tx *store.Tx) error { return tx.CreatePerson(f.person, "x") })
	return f
}

func (f fixture) write(fn func(*store.Tx) error) {
	f.b.Helper()
	if err := f.s.Write(context.Background(), fn); err != nil {
		f.b.Fatal(err)
	}
}

func (f fixture) core() *app.Core {
	f.b.Helper()
	c, err := app.NewCore(app.CoreOptions{Store: f.s, Clock: time.Now, IDs: app.NewIDs, Random: rand.Float64, Providers: map[string]llm.Model{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Metrics: metrics.New(), Turns: 2000, Runs: 500, Plans: plan.Limits{Steps: 12, Parallel: 4, Depth: 3, Step: time.Minute}, Planner: planner.Limits{Turn: time.Minute, Offered: 24}})
	if err != nil {
		f.b.Fatal(err)
	}
	return c
}

// plans stores n plans of three steps, each in a conversation of its own; started
// ones run, not before the time given.
func (f fixture) plans(c *app.Core, n int, started bool, notBefore assent.Time) {
	f.b.Helper()
	doc := assent.PlanDocument{Objective: "Look around", Steps: []assent.Step{
		{ID: "a", Type: assent.StepTool, Tool: "list_projects", Arguments: []byte(`{}`)},
		{ID: "b", Type: assent.StepTool, Tool: "list_tasks", Arguments: []byte(`{}`)},
		{ID: "c", Type: assent.StepTool, Tool: "list_templates", Arguments: []byte(`{"query":"move"}`)}}}
	for done := 0; done < n; done += 100 {
		f.write(func(tx *store.Tx) error {
			for range min(100, n-done) {
				if err := f.plan(tx, c, doc, started, notBefore); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func (f fixture) plan(tx *store.Tx, c *app.Core, doc assent.PlanDocument, started bool, notBefore assent.Time) error {
	sess := assent.Session{ID: tx.NewID(), UserID: f.person.ID, ContextType: assent.ContextGeneral, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if err := tx.CreateSession(sess); err != nil {
		return err
	}
	scope := assent.Scope{Person: f.person, SessionID: sess.ID, ContextType: assent.ContextGeneral, Caller: assent.CallerModel, Zone: time.UTC}
	p, err := c.Plans.CreateIn(tx, plan.Draft{Scope: scope, Document: doc, Mode: assent.ModeDraftOnly, CreatedBy: "bench", Wait: true})
	if err != nil || !started {
		return err
	}
	a := assent.Approval{ID: tx.NewID(), PlanID: p.ID, Version: p.Version, Hash: p.Hash, Basis: assent.BasisWords, UserID: f.person.ID}
	return tx.StartApproved(a, assent.Run{ID: tx.NewID(), PlanID: p.ID, SessionID: sess.ID, UserID: f.person.ID, Version: p.Version, Hash: p.Hash,
		Status: assent.RunRunning, State: plan.Validated, NotBefore: notBefore, ApprovalID: a.ID, StartedAt: tx.Now()})
}

// BenchmarkStartWithUnfinishedRuns opens a data file with 10,000 unfinished runs
// and takes them up, until requests would be taken.
func BenchmarkStartWithUnfinishedRuns(b *testing.B) {
	dir := b.TempDir()
	f := openFixture(b, dir)
	f.plans(f.core(), 10_000, true, assent.At(time.Now().Add(time.Hour)))
	if err := f.s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f = openFixture(b, dir)
		c := f.core()
		if err := c.Recover(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		c.Stop(ctx)
		cancel()
		if err := f.s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkPlansAtRest holds 1,000 waiting plans and 200 runs that wait for their
// time, and tells the memory of the process.
func BenchmarkPlansAtRest(b *testing.B) {
	f := openFixture(b, b.TempDir())
	c := f.core()
	f.plans(c, 1000, false, 0)
	f.plans(c, 200, true, assent.At(time.Now().Add(time.Hour)))
	if err := c.Recover(context.Background()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MB")
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.Stop(ctx)
	f.s.Close()
}
