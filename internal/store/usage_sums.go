package store

import (
	"context"
	"slices"
	"time"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// UsageQuery asks for what model calls took that began in [From, To).
type UsageQuery struct {
	From, To assent.Time
	// Keys are what is asked by; a line may tell calls apart by more, never by less.
	Keys []string
	Zone *time.Location // where days are; nil: UTC
}

// UsageLines gives the sums of the calls of some time, those under way included.
// They come from the cubes where those have the keys, else from each call.
func (r Reads) UsageLines(ctx context.Context, q UsageQuery) ([]assent.UsageLine, error) {
	if q.Zone == nil {
		q.Zone = time.UTC
	}
	calls := newCallSums(q)
	c, ok := cubeFor(q)
	if !ok {
		err := r.EachCall(ctx, q.From, q.To, calls.add)
		return calls.lines(), err
	}
	keys, err := r.usageKeys(ctx, c)
	if err != nil {
		return nil, err
	}
	in := summing{Reads: r, cube: c, keys: keys, byDay: slices.Contains(q.Keys, keyDay), calls: calls}
	err = in.fill(ctx, q, c.widths(q))
	return append(in.lines, calls.lines()...), err
}

// summing is a query under way.
type summing struct {
	Reads
	cube  cube
	keys  map[string]assent.UsageKey
	byDay bool
	calls *callSums
	lines []assent.UsageLine
}

// fill puts some time together of buckets of the widths given and of calls.
func (s *summing) fill(ctx context.Context, q UsageQuery, widths []int64) error {
	if len(widths) == 0 {
		return s.EachCall(ctx, q.From, q.To, s.calls.add)
	}
	before, inner, after := q, q, q
	inner.From, inner.To = floor(q.From+assent.Time(widths[0])-1, widths[0]), floor(q.To, widths[0])
	if inner.From >= inner.To {
		return s.fill(ctx, q, widths[1:])
	}
	before.To, after.From = inner.From, inner.To
	if err := s.fill(ctx, before, widths[1:]); err != nil {
		return err
	}
	if err := s.sums(ctx, inner, widths[0]); err != nil {
		return err
	}
	return s.fill(ctx, after, widths[1:])
}

// sums reads whole buckets, summed by key and, where it is asked, by day, and
// what is under way in them.
func (s *summing) sums(ctx context.Context, q UsageQuery, width int64) error {
	for _, p := range periods(q.Zone, q.From, q.To) {
		span := int64(1) << 62 // all in one
		if s.byDay {
			span = wholeDay
		}
		rows, err := s.q.SumUsage(plain(ctx), sqlc.SumUsageParams{Shift: p.offset, Span: span, Cube: s.cube.name, Width: width, FromAt: int64(p.from), ToAt: int64(p.to)})
		if err != nil {
			return err
		}
		for _, row := range rows {
			at := max(p.from, assent.Time(row.Part*span-p.offset))
			s.lines = append(s.lines, assent.UsageLine{At: at, UsageKey: s.keys[row.KeyID], UsageSums: sumsOf(row)})
		}
	}
	return s.eachOpenCall(ctx, q.From, q.To, s.calls.add)
}

func (r Reads) usageKeys(ctx context.Context, c cube) (map[string]assent.UsageKey, error) {
	rows, err := r.q.ListUsageKeys(plain(ctx), c.name)
	out := make(map[string]assent.UsageKey, len(rows))
	for _, k := range rows {
		out[k.ID] = assent.UsageKey{UserID: k.UserID, Tool: k.Tool, Operation: assent.Operation(k.OperationType), ContextType: assent.ContextType(k.ContextType),
			ExecutionMode: assent.Mode(k.ExecutionMode), Profile: k.Profile, Provider: k.Provider, Model: k.Model, Status: assent.CallStatus(k.Status),
			ErrorClass: k.ErrorClass, FallbackFrom: k.FallbackFrom}
	}
	return out, err
}

func sumsOf(r sqlc.SumUsageRow) assent.UsageSums {
	return assent.UsageSums{Calls: r.Calls, Failures: r.Failures, Priced: r.Priced, Unpriced: r.Unpriced, TokensIn: r.TokensIn, TokensOut: r.TokensOut,
		TokensCached: r.TokensCached, TokensReasoning: r.TokensReasoning, CostMicros: r.CostMicros,
		Latency: assent.Spread{Max: r.LatencyMax, Buckets: [assent.UsageBuckets]int64{r.Latency0, r.Latency1, r.Latency2, r.Latency3, r.Latency4, r.Latency5,
			r.Latency6, r.Latency7, r.Latency8, r.Latency9, r.Latency10, r.Latency11}},
		FirstToken: assent.Spread{Max: r.TtftMax, Buckets: [assent.UsageBuckets]int64{r.Ttft0, r.Ttft1, r.Ttft2, r.Ttft3, r.Ttft4, r.Ttft5,
			r.Ttft6, r.Ttft7, r.Ttft8, r.Ttft9, r.Ttft10, r.Ttft11}}}
}

// eachOpenCall gives the calls of some time that are under way.
func (r Reads) eachOpenCall(ctx context.Context, from, to assent.Time, fn func(assent.CallUsage) error) error {
	rows, err := r.q.ListOpenUsage(plain(ctx), sqlc.ListOpenUsageParams{FromAt: int64(from), ToAt: int64(to)})
	for _, u := range rows {
		if err == nil {
			err = fn(usageOf(u))
		}
	}
	return err
}

// callsPerPage is how many calls are in memory at once while all are read.
const callsPerPage = 2000

// EachCall gives the calls that began in [from, to) one by one, oldest first.
func (r Reads) EachCall(ctx context.Context, from, to assent.Time, fn func(assent.CallUsage) error) error {
	after := ""
	for from < to {
		rows, err := r.q.ListUsage(plain(ctx), sqlc.ListUsageParams{FromAt: int64(from), ToAt: int64(to), AfterID: after, RowLimit: callsPerPage})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := fn(usageOf(row)); err != nil {
				return err
			}
		}
		if len(rows) < callsPerPage {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		from, after = assent.Time(rows[len(rows)-1].At), rows[len(rows)-1].ID
	}
	return nil
}

// sumUp puts the calls that this transaction has ended into the cubes. Those of
// one batch are mostly parts of the same sums, so each sum is written once.
func (tx *Tx) sumUp() error {
	if len(tx.ended) == 0 {
		return nil
	}
	sums := map[bucket]*assent.UsageSums{}
	for _, l := range tx.ended {
		addTo(sums, l)
	}
	return tx.addAll(sums)
}

func addTo(sums map[bucket]*assent.UsageSums, l assent.UsageLine) {
	for _, b := range bucketsOf(l) {
		if sums[b] == nil {
			sums[b] = &assent.UsageSums{}
		}
		sums[b].Add(l.UsageSums)
	}
}

func (tx *Tx) addAll(sums map[bucket]*assent.UsageSums) error {
	for b, s := range sums {
		if err := tx.addSums(b, *s); err != nil {
			return err
		}
	}
	return nil
}

// bucket is one sum: of the calls with one key that began in one stretch of time.
type bucket struct {
	cube  string
	width int64
	at    assent.Time
	key   assent.UsageKey
}

// bucketsOf are the sums that a call is part of.
func bucketsOf(l assent.UsageLine) []bucket {
	var out []bucket
	for _, c := range cubes() {
		key := only(l.UsageKey, c.keys)
		for _, width := range []int64{c.narrow, wholeDay} {
			out = append(out, bucket{c.name, width, floor(l.At, width), key})
		}
	}
	return out
}

func (tx *Tx) addSums(b bucket, s assent.UsageSums) error {
	k := b.key
	id, l, f := keyID(b.cube, k), s.Latency.Buckets, s.FirstToken.Buckets
	if known := tx.store.sumKeys; !known[id] {
		err := tx.q.CreateUsageKey(context.Background(), sqlc.CreateUsageKeyParams{ID: id, Cube: b.cube, UserID: k.UserID, Tool: k.Tool,
			OperationType: string(k.Operation), ContextType: string(k.ContextType), ExecutionMode: string(k.ExecutionMode), Profile: k.Profile,
			Provider: k.Provider, Model: k.Model, Status: string(k.Status), ErrorClass: k.ErrorClass, FallbackFrom: k.FallbackFrom})
		if err != nil {
			return err
		}
		tx.After(func() { known[id] = true })
	}
	return tx.q.AddUsageSums(context.Background(), sqlc.AddUsageSumsParams{Cube: b.cube, Width: b.width, At: int64(b.at), KeyID: id, Calls: s.Calls, Failures: s.Failures,
		Priced: s.Priced, Unpriced: s.Unpriced, TokensIn: s.TokensIn, TokensOut: s.TokensOut, TokensCached: s.TokensCached,
		TokensReasoning: s.TokensReasoning, CostMicros: s.CostMicros, LatencyMax: s.Latency.Max, TtftMax: s.FirstToken.Max,
		Latency0: l[0], Latency1: l[1], Latency2: l[2], Latency3: l[3], Latency4: l[4], Latency5: l[5],
		Latency6: l[6], Latency7: l[7], Latency8: l[8], Latency9: l[9], Latency10: l[10], Latency11: l[11],
		Ttft0: f[0], Ttft1: f[1], Ttft2: f[2], Ttft3: f[3], Ttft4: f[4], Ttft5: f[5],
		Ttft6: f[6], Ttft7: f[7], Ttft8: f[8], Ttft9: f[9], Ttft10: f[10], Ttft11: f[11]})
}

// SumUpMissing makes the cubes from the rows of calls where there are none yet:
// after an upgrade of a data file that had none. Rows that retention has deleted
// by then are gone. Call it at the start, before calls are made.
func (tx *Tx) SumUpMissing() error {
	ctx := context.Background()
	if has, err := tx.q.HasUsageSums(ctx); err != nil || has {
		return err
	}
	first, err := tx.q.FirstUsage(ctx)
	if err != nil || first == 0 {
		return err
	}
	tx.ended = nil // they are among the rows
	for from := floor(assent.Time(first), wholeDay); from <= tx.Now(); from += wholeDay {
		if err := tx.sumUpDay(from, from+wholeDay); err != nil {
			return err
		}
	}
	return nil
}

// sumUpDay puts the calls of a day into the cubes, each sum once.
func (tx *Tx) sumUpDay(from, to assent.Time) error {
	sums := map[bucket]*assent.UsageSums{}
	err := tx.EachCall(context.Background(), from, to, func(u assent.CallUsage) error {
		if u.Status != assent.CallOpen {
			addTo(sums, u.Line())
		}
		return nil
	})
	if err != nil {
		return err
	}
	return tx.addAll(sums)
}
