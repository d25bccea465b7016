package budget_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/llm"
	"assent/internal/store"

	"github.com/google/uuid"
)

// world is a store with two people and budgets over its books.
type world struct {
	*store.Store
	set      *budget.Settings
	guard    *budget.Guard
	ada, bob string
	now      time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	ids := func() string { return uuid.Must(uuid.NewV7()).String() }
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{Clock: func() time.Time { return w.now }, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w.Store, w.ada, w.bob = s, ids(), ids()
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		for id, zone := range map[string]string{w.ada: "Pacific/Auckland", w.bob: "UTC"} {
			if err := tx.CreatePerson(assent.Person{ID: id, Email: id + "@example.org", Name: "P", Role: assent.RoleMember, TimeZone: zone, Locale: "en"}, "x"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if w.set, err = budget.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.guard = budget.New(s, w.set, s.Ledger())
	return w
}

// call opens and closes a row as the gateway does; cost nil is one that never
// became known.
func (w *world) call(t *testing.T, user string, worst, cost *int64) error {
	t.Helper()
	u := assent.CallUsage{ID: w.NewID(), At: w.Now(), UserID: user, Provider: "test", Model: "m", Status: assent.CallOpen, WorstMicros: worst}
	if err := w.guard.Open(t.Context(), u); err != nil {
		return err
	}
	u.Status, u.CostMicros, u.EndedAt, u.TTFTMS = assent.CallOK, cost, w.Now(), 1
	if err := w.guard.Close(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	return w.Write(t.Context(), func(*store.Tx) error { return nil }) // what was queued is written
}

func micros(n int64) *int64 { return &n }

func (w *world) save(t *testing.T, b assent.Budget) {
	t.Helper()
	b.UpdatedBy = w.ada
	if err := w.set.Save(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, err error, which string) {
	t.Helper()
	if p := assent.ProblemOf(err); p.Code != assent.CodeBudgetExceeded || p.Details["budget"] != which {
		t.Errorf("the answer is %v, want %s", err, which)
	}
}

func TestCallsOfADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		if err := w.call(t, w.ada, nil, nil); err != nil {
			t.Fatalf("without a budget: %v", err)
		}
	}
	w.save(t, assent.Budget{CallsPerDay: micros(7)})
	w.save(t, assent.Budget{UserID: w.bob, CallsPerDay: micros(0)})
	for range 2 {
		if err := w.call(t, w.ada, nil, nil); err != nil {
			t.Fatalf("within the budget: %v", err)
		}
	}
	refused(t, w.call(t, w.ada, nil, nil), "day_calls")
	refused(t, w.call(t, w.bob, nil, nil), "day_calls")
	own := assent.CallUsage{ID: w.NewID(), At: w.Now(), UserID: w.ada, Provider: llm.CannedProvider, Status: assent.CallOpen}
	if err := w.guard.Open(t.Context(), own); err != nil {
		t.Errorf("a text of the product's own: %v", err)
	}
	// Her midnight is at 11:00 UTC.
	w.now = time.Date(2026, 11, 22, 10, 59, 0, 0, time.UTC)
	refused(t, w.call(t, w.ada, nil, nil), "day_calls")
	w.now = w.now.Add(time.Minute)
	if err := w.call(t, w.ada, nil, nil); err != nil {
		t.Errorf("the next day: %v", err)
	}
	if err := w.set.Delete(t.Context(), w.bob, w.ada); err != nil {
		t.Fatal(err)
	}
	if err := w.call(t, w.bob, nil, nil); err != nil {
		t.Errorf("under everybody's budget: %v", err)
	}
	if err := w.set.Delete(t.Context(), w.bob, w.ada); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("deleting twice: %v", err)
	}
}

func TestCostOfADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save(t, assent.Budget{CostMicrosPerDay: micros(1000)})
	if err := w.call(t, w.ada, micros(600), micros(300)); err != nil {
		t.Fatal(err)
	}
	if err := w.call(t, w.ada, micros(700), micros(100)); err != nil {
		t.Fatalf("what was set aside is given back: %v", err)
	}
	refused(t, w.call(t, w.ada, micros(601), nil), "day_cost")
	if err := w.call(t, w.ada, micros(500), nil); err != nil {
		t.Fatal(err)
	}
	refused(t, w.call(t, w.ada, micros(101), nil), "day_cost") // the unknown cost counts with its worst case
	if err := w.call(t, w.ada, micros(100), micros(0)); err != nil {
		t.Errorf("just within: %v", err)
	}
	if bound, err := w.guard.Bound(t.Context(), llm.Meta{UserID: w.ada}); err != nil || bound == 0 {
		t.Errorf("an answer that a budget counts is bounded by %d: %v", bound, err)
	}
}

// TestCallsSideBySide holds that calls at the same moment do not pass a limit
// together.
func TestCallsSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save(t, assent.Budget{CostMicrosPerDay: micros(1000)})
	got := make(chan error)
	for range 20 {
		go func() {
			got <- w.guard.Open(context.Background(), assent.CallUsage{ID: w.NewID(), At: w.Now(), UserID: w.ada, Provider: "test", Status: assent.CallOpen, WorstMicros: micros(300)})
		}()
	}
	let := 0
	for range 20 {
		if err := <-got; err == nil {
			let++
		} else {
			refused(t, err, "day_cost")
		}
	}
	if let != 3 {
		t.Errorf("%d calls of at most 300 went through a limit of 1000", let)
	}
}

func TestBudgetsOutliveTheProcessAndAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save(t, assent.Budget{UserID: w.ada, CallsPerDay: micros(3)})
	again, err := budget.Load(t.Context(), w.Store)
	if err != nil || *again.All()[w.ada].CallsPerDay != 3 {
		t.Fatalf("read back: %v, %v", again.All(), err)
	}
	for name, b := range map[string]assent.Budget{"negative": {CallsPerDay: micros(-1)}, "huge": {CostMicrosPerDay: micros(2_000_000_000_000)}} {
		if err := w.set.Save(t.Context(), b); assent.ErrorCode(err) != assent.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.set.Save(t.Context(), assent.Budget{UserID: "nobody", CallsPerDay: micros(1)}); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("of nobody: %v", err)
	}
}

func TestEachBadFieldIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	err := w.set.Save(t.Context(), assent.Budget{CallsPerDay: micros(-1), CostMicrosPerDay: micros(-1)})
	var e *assent.Error
	if !errors.As(err, &e) || len(e.Fields) != 2 || e.Fields[0].Pointer != "/calls_per_day" || e.Fields[1].Pointer != "/cost_micros_per_day" {
		t.Errorf("named: %v", err)
	}
}

func TestOneCurrencyIsSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if got := w.set.Currency(); got != assent.DefaultCurrency {
		t.Errorf("at first it is %s", got)
	}
	if err := w.set.SetCurrency(t.Context(), "euro", w.ada); assent.ErrorCode(err) != assent.CodeInvalid {
		t.Errorf("no currency: %v", err)
	}
	if err := w.set.SetCurrency(t.Context(), "EUR", w.ada); err != nil {
		t.Fatal(err)
	}
	again, err := budget.Load(t.Context(), w.Store)
	if err != nil || again.Currency() != "EUR" || w.set.Currency() != "EUR" {
		t.Errorf("set: %s, %s, %v", w.set.Currency(), again.Currency(), err)
	}
	w.save(t, assent.Budget{CostMicrosPerDay: micros(1_500_000)})
	if err := w.call(t, w.ada, micros(2_000_000), nil); !strings.Contains(assent.ErrorMessage(err), "€1.50") {
		t.Errorf("the person is told %v", err)
	}
}

func TestUseOfTheDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := w.now
	w.now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) // today for Bob, yesterday for Ada
	for _, id := range []string{w.ada, w.bob} {
		if err := w.call(t, id, nil, micros(100)); err != nil {
			t.Fatal(err)
		}
	}
	w.now = now
	if uses := w.uses(t); len(uses) != 1 || uses[0].Person.ID != w.bob || uses[0].Own || uses[0].Calls != 1 || *uses[0].CostMicros != 100 {
		t.Errorf("used: %+v", uses)
	}
	w.save(t, assent.Budget{CallsPerDay: micros(9)})
	w.save(t, assent.Budget{UserID: w.ada, CostMicrosPerDay: micros(1000)})
	if err := w.call(t, w.ada, micros(400), nil); err != nil { // its cost never becomes known
		t.Fatal(err)
	}
	uses := w.uses(t)
	if len(uses) != 2 {
		t.Fatalf("used: %+v", uses)
	}
	for _, u := range uses {
		switch left := u.CostLeft(); {
		case u.Person.ID == w.ada:
			if !u.Own || u.Calls != 1 || u.CostMicros != nil || u.ReservedMicros != 400 || left == nil || *left != 600 || u.CallsLeft() != nil {
				t.Errorf("of Ada: %+v", u)
			}
		case u.Own || *u.Budget.CallsPerDay != 9 || left != nil || *u.CallsLeft() != 8:
			t.Errorf("of Bob: %+v", u)
		}
	}
}

func (w *world) uses(t *testing.T) []budget.Use {
	t.Helper()
	uses, err := w.set.Today(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return uses
}
