package usage

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
)

// Group is one key of a row with its value; the value is empty for calls that
// have none (a call outside any plan, grouped by plan).
type Group struct{ Key, Value string }

// Row sums the calls of one group. Sums are exact. Percentiles come from fixed
// buckets (assent.Spread), so that those of sums and of single calls agree. They
// are 0 while no call of the group has ended.
type Row struct {
	Groups       []Group
	Calls        int64
	Failures     int64 // failed or timed out; what a person stopped is no failure
	Unpriced     int64 // ended calls of unknown cost
	TokensIn     int64
	TokensOut    int64
	TokensCached int64
	CostMicros   *int64 // nil when no call has a known price
	LatencyP50   int64  // milliseconds
	LatencyP95   int64
	TTFTP50      int64 // time to first token, of calls that came that far
	TTFTP95      int64
}

// Value gives the row's value for a key; empty if it was not grouped by it.
func (r Row) Value(key string) string {
	for _, g := range r.Groups {
		if g.Key == key {
			return g.Value
		}
	}
	return ""
}

// MarshalJSON writes the flat usage row of design 06.
func (r Row) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, g := range r.Groups {
		writeField(&b, g.Key, g.Value)
	}
	for _, f := range []struct {
		name  string
		value any
	}{
		{"calls", r.Calls}, {"failures", r.Failures}, {"unpriced_calls", r.Unpriced}, {"tokens_in", r.TokensIn},
		{"tokens_out", r.TokensOut}, {"tokens_cached", r.TokensCached}, {"cost_micros", r.CostMicros},
		{"latency_ms_p50", r.LatencyP50}, {"latency_ms_p95", r.LatencyP95},
		{"ttft_ms_p50", r.TTFTP50}, {"ttft_ms_p95", r.TTFTP95},
	} {
		writeField(&b, f.name, f.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeField appends one field; its values are strings and numbers, which
// always encode.
func writeField(b *bytes.Buffer, name string, value any) {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	n, _ := json.Marshal(name)
	v, _ := json.Marshal(value)
	b.Write(n)
	b.WriteByte(':')
	b.Write(v)
}

// Report sums calls by the keys given, one row for each combination that
// occurs, ordered by the values in the order of the keys. Without keys it gives
// exactly one row, the total, even of nothing. Days are those of zone (nil:
// UTC). An unknown key is an invalid_arguments error.
func Report(lines []assent.UsageLine, groupBy []string, zone *time.Location) ([]Row, error) {
	ks, err := resolve(groupBy)
	if err != nil {
		return nil, err
	}
	if zone == nil {
		zone = time.UTC
	}
	sums := map[string]*sum{}
	if len(ks) == 0 {
		sums[""] = &sum{groups: []Group{}}
	}
	for _, u := range lines {
		groups := make([]Group, len(ks))
		values := make([]string, len(ks))
		for i, k := range ks {
			values[i] = k.of(u, zone)
			groups[i] = Group{k.name, values[i]}
		}
		id := strings.Join(values, "\x00")
		if sums[id] == nil {
			sums[id] = &sum{groups: groups}
		}
		sums[id].Add(u.UsageSums)
	}
	return ordered(sums), nil
}

func ordered(sums map[string]*sum) []Row {
	out := make([]Row, 0, len(sums))
	for _, s := range sums {
		out = append(out, s.row())
	}
	slices.SortFunc(out, func(a, b Row) int {
		return slices.CompareFunc(a.Groups, b.Groups, func(x, y Group) int { return strings.Compare(x.Value, y.Value) })
	})
	return out
}

// sum is a row on its way.
type sum struct {
	groups []Group
	assent.UsageSums
}

func (s *sum) row() Row {
	r := Row{Groups: s.groups, Calls: s.Calls, Failures: s.Failures, Unpriced: s.Unpriced, TokensIn: s.TokensIn, TokensOut: s.TokensOut,
		TokensCached: s.TokensCached, LatencyP50: s.Latency.Percentile(50), LatencyP95: s.Latency.Percentile(95),
		TTFTP50: s.FirstToken.Percentile(50), TTFTP95: s.FirstToken.Percentile(95)}
	if s.Priced > 0 {
		r.CostMicros = &s.CostMicros
	}
	return r
}
