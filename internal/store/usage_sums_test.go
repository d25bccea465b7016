package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones do not depend on the machine

	"assent/internal/assent"
	"assent/internal/store"
)

// someCalls are calls around the day on which London puts its clocks back, with
// every field that is summed or grouped by.
func someCalls(n int) []assent.CallUsage {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	start := time.Date(2026, 10, 23, 0, 0, 0, 0, time.UTC)
	out := make([]assent.CallUsage, n)
	for i := range out {
		at := assent.At(start.Add(time.Duration(r.Int64N(int64(96 * time.Hour)))))
		u := assent.CallUsage{ID: fmt.Sprintf("call-%06d", i), At: at, UserID: pick("ada", "bo", "cy"), PlanID: pick("", "", "p1", "p2"), Step: pick("", "0", "1"),
			Tool: pick("", "search"), Operation: assent.Operation(pick("planner_stream", "title")), ContextType: assent.ContextType(pick("general", "task")),
			ExecutionMode: assent.Mode(pick("auto_execute", "draft_only")), Profile: pick("speed", "quality"), Provider: pick("a", "b"), Model: pick("m1", "m2"),
			Status: assent.CallStatus(pick("ok", "ok", "failed", "timeout", "cancelled")), FallbackFrom: pick("", "b/m1"), TokensIn: r.Int64N(5000), TokensOut: r.Int64N(900),
			TokensCached: r.Int64N(90), TokensReasoning: r.Int64N(50), LatencyMS: 1 + r.Int64N(40_000), TTFTMS: r.Int64N(900)}
		if u.Status == assent.CallFailed {
			u.ErrorClass = pick("overloaded", "network")
		}
		if cost := r.Int64N(1000); cost > 200 {
			u.CostMicros = &cost
		}
		u.EndedAt = u.At + assent.Time(u.LatencyMS)
		out[i] = u
	}
	return out
}

// keep puts calls into the books as the gateway does.
func keep(t testing.TB, s *store.Store, calls []assent.CallUsage) {
	t.Helper()
	l := s.Ledger()
	for _, u := range calls {
		if err := l.Open(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	kept(t, s)
}

// kept waits until what was queued is written.
func kept(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Write(t.Context(), func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

// figures are lines summed by the keys asked for, in a form to compare.
func figures(lines []assent.UsageLine, keys []string, zone *time.Location) map[string]assent.UsageSums {
	out := map[string]assent.UsageSums{}
	for _, l := range lines {
		var id []string
		for _, k := range keys {
			id = append(id, map[string]string{"day": l.At.Std().In(zone).Format(time.DateOnly), "user": l.UserID, "plan": l.PlanID, "step": l.Step, "tool": l.Tool,
				"operation_type": string(l.Operation), "context_type": string(l.ContextType), "execution_mode": string(l.ExecutionMode), "profile": l.Profile,
				"provider": l.Provider, "model": l.Model, "status": string(l.Status), "error_class": l.ErrorClass, "fallback_from": l.FallbackFrom}[k])
		}
		s := out[strings.Join(id, "|")]
		s.Add(l.UsageSums)
		out[strings.Join(id, "|")] = s
	}
	return out
}

// Whatever is asked, in whatever zone, between whatever instants: the sums say
// what the calls themselves say.
func TestSumsAreThoseOfTheCalls(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	calls := someCalls(300)
	keep(t, s, calls)
	at := func(hour, minute int) assent.Time {
		return assent.At(time.Date(2026, 10, 24, hour, minute, 0, 0, time.UTC))
	}
	for _, keys := range []string{"", "day", "operation_type", "day,operation_type,model,provider,context_type,execution_mode,profile,tool,status,error_class,fallback_from",
		"user", "user,context_type,model", "day,user", "user,operation_type", "plan,step,tool"} {
		for _, name := range []string{"UTC", "Europe/London", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu"} {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, span := range [][2]assent.Time{{at(-24, 0), at(48, 0)}, {at(3, 7), at(30, 59)}, {at(5, 10), at(5, 20)}, {at(9, 0), at(9, 0)}} {
				sameFigures(t, s, calls, store.UsageQuery{From: span[0], To: span[1], Keys: strings.FieldsFunc(keys, func(r rune) bool { return r == ',' }), Zone: zone})
			}
		}
	}
}

func sameFigures(t *testing.T, s *store.Store, calls []assent.CallUsage, q store.UsageQuery) {
	t.Helper()
	got, err := s.UsageLines(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var want []assent.UsageLine
	for _, u := range calls {
		if u.At >= q.From && u.At < q.To {
			want = append(want, u.Line())
		}
	}
	g, w := figures(got, q.Keys, q.Zone), figures(want, q.Keys, q.Zone)
	for k, sums := range w {
		if g[k] != sums {
			t.Errorf("by %v in %v from %v to %v, %q:\ngot  %+v\nwant %+v", q.Keys, q.Zone, q.From, q.To, k, g[k], sums)
			return
		}
	}
	if len(g) != len(w) {
		t.Errorf("by %v in %v from %v to %v: %d groups, want %d", q.Keys, q.Zone, q.From, q.To, len(g), len(w))
	}
}

// all asks for everything there is.
func all(keys ...string) store.UsageQuery {
	return store.UsageQuery{From: 0, To: assent.At(time.Now().AddDate(10, 0, 0)), Keys: keys, Zone: time.UTC}
}

func total(t *testing.T, s *store.Store, q store.UsageQuery) (sum assent.UsageSums) {
	t.Helper()
	lines, err := s.UsageLines(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		sum.Add(l.UsageSums)
	}
	return sum
}

// A call is counted while it is under way, once when it ends, however often that
// is told, and when the process dies before it ends.
func TestACallIsCountedOnceHoweverItEnds(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	cost := int64(50)
	row := assent.CallUsage{ID: "a", At: s.Now() - 7_200_000, UserID: "ada", Operation: assent.OpTitle, Status: assent.CallOpen}
	cut := row
	cut.ID = "b"
	l := s.Ledger()
	for _, u := range []assent.CallUsage{row, cut} {
		if err := l.Open(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	kept(t, s)
	if sum := total(t, s, all()); sum.Calls != 2 || sum.Unpriced != 0 {
		t.Errorf("under way: %+v", sum)
	}
	ended := row
	ended.Status, ended.CostMicros, ended.LatencyMS, ended.EndedAt = assent.CallOK, &cost, 30, row.At+30
	for range 2 {
		if err := l.Close(t.Context(), ended); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // as the next process does, and the one after it
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.CloseOpenUsage() }); err != nil {
			t.Fatal(err)
		}
	}
	for _, keys := range [][]string{nil, {"user"}, {"plan"}} {
		if sum := total(t, s, all(keys...)); sum.Calls != 2 || sum.CostMicros != 50 || sum.Priced != 1 || sum.Unpriced != 1 || sum.Latency.Max != 30 {
			t.Errorf("by %v: %+v", keys, sum)
		}
	}
	lines, err := s.UsageLines(t.Context(), all("status", "error_class"))
	if err != nil {
		t.Fatal(err)
	}
	if got := figures(lines, []string{"status", "error_class"}, time.UTC); got["ok|"].Calls != 1 || got["cancelled|cancelled"].Calls != 1 {
		t.Errorf("by status: %v", got)
	}
}

// What retention deletes stays in the sums, all but plans and steps.
func TestSumsOutliveTheirCalls(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	calls := someCalls(200)
	keep(t, s, calls)
	before := total(t, s, all())
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PruneUsage(assent.At(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)))
	}); err != nil {
		t.Fatal(err)
	}
	day := func(d int) assent.Time { return assent.At(time.Date(2026, 10, d, 0, 0, 0, 0, time.UTC)) }
	q := store.UsageQuery{From: day(20), To: day(30), Zone: time.UTC}
	if got := total(t, s, q); got != before || got.Calls != 200 {
		t.Errorf("got %+v, want %+v", got, before)
	}
	q.Keys = []string{"user"}
	if got := total(t, s, q); got != before {
		t.Errorf("by person: got %+v, want %+v", got, before)
	}
	q.Keys = []string{"plan"}
	if got := total(t, s, q); got.Calls != 0 {
		t.Errorf("by plan: %d calls of deleted rows", got.Calls)
	}
}

// A data file from before there were sums gets them at the next start, once.
func TestMissingSumsAreMadeFromTheCalls(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, _ := openIn(t, dir)
	calls := someCalls(300)
	keep(t, s, calls)
	if err := s.Ledger().Open(t.Context(), assent.CallUsage{ID: "open", At: calls[0].At, Status: assent.CallOpen}); err != nil {
		t.Fatal(err)
	}
	kept(t, s)
	want := total(t, s, all())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	forget(t, dir)
	s, _ = openIn(t, dir)
	if got := total(t, s, all()); got.Calls != 1 {
		t.Fatalf("%d calls while there are no sums, want the open one", got.Calls)
	}
	for range 2 {
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SumUpMissing() }); err != nil {
			t.Fatal(err)
		}
	}
	if got := total(t, s, all()); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, keys := range [][]string{{"day", "model", "status"}, {"user", "context_type"}} {
		sameFigures(t, s, append(calls, assent.CallUsage{At: calls[0].At, Status: assent.CallOpen}), all(keys...))
	}
}

// forget empties the sums of a data file that nobody has open.
func forget(t *testing.T, dir string) {
	t.Helper()
	d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.ExecContext(context.Background(), "DELETE FROM usage_sums; DELETE FROM usage_keys"); err != nil {
		t.Fatal(err)
	}
}
