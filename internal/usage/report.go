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

// Row sums the calls of one group. Percentiles are nearest-rank: a latency that
// some call really had. They are 0 while no call of the group has ended.
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
func Report(rows []assent.CallUsage, groupBy []string, zone *time.Location) ([]Row, error) {
	ks, err := resolve(groupBy)
	if err != nil {
		return nil, err
	}
	if zone == nil {
		zone = time.UTC
	}
	sums := map[string]*sum{}
	if len(ks) == 0 {
		sums[""] = &sum{row: Row{Groups: []Group{}}}
	}
	for _, u := range rows {
		groups := make([]Group, len(ks))
		values := make([]string, len(ks))
		for i, k := range ks {
			values[i] = k.of(u, zone)
			groups[i] = Group{k.name, values[i]}
		}
		id := strings.Join(values, "\x00")
		if sums[id] == nil {
			sums[id] = &sum{row: Row{Groups: groups}}
		}
		sums[id].add(u)
	}
	return ordered(sums), nil
}

func ordered(sums map[string]*sum) []Row {
	out := make([]Row, 0, len(sums))
	for _, s := range sums {
		out = append(out, s.end())
	}
	slices.SortFunc(out, func(a, b Row) int {
		return slices.CompareFunc(a.Groups, b.Groups, func(x, y Group) int { return strings.Compare(x.Value, y.Value) })
	})
	return out
}

// sum is a row on its way.
type sum struct {
	row           Row
	latency, ttft []int64
}

func (s *sum) add(u assent.CallUsage) {
	r := &s.row
	r.Calls++
	r.TokensIn += u.TokensIn
	r.TokensOut += u.TokensOut
	r.TokensCached += u.TokensCached
	if u.Status == assent.CallFailed || u.Status == assent.CallTimeout {
		r.Failures++
	}
	if u.CostMicros != nil {
		total := *u.CostMicros
		if r.CostMicros != nil {
			total += *r.CostMicros
		}
		r.CostMicros = &total
	}
	if u.Status == assent.CallOpen {
		return // it has neither cost nor latency yet
	}
	if u.CostMicros == nil {
		r.Unpriced++
	}
	s.latency = append(s.latency, u.LatencyMS)
	if u.TTFTMS > 0 {
		s.ttft = append(s.ttft, u.TTFTMS)
	}
}

func (s *sum) end() Row {
	slices.Sort(s.latency)
	slices.Sort(s.ttft)
	s.row.LatencyP50, s.row.LatencyP95 = percentile(s.latency, 50), percentile(s.latency, 95)
	s.row.TTFTP50, s.row.TTFTP95 = percentile(s.ttft, 50), percentile(s.ttft, 95)
	return s.row
}

// percentile is the nearest-rank percentile of sorted values; 0 of none.
func percentile(sorted []int64, p int) int64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := (p*len(sorted) + 99) / 100
	return sorted[rank-1]
}
