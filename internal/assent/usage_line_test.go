package assent_test

import (
	"testing"

	"assent/internal/assent"
)

func TestPercentilesComeFromFixedBuckets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		times    []int64
		p50, p95 int64
	}{
		{"nothing", nil, 0, 0},
		{"one time is known exactly", []int64{317}, 317, 317},
		{"zero is a time", []int64{0}, 0, 0},
		{"the end of a bucket belongs to it", []int64{100, 100}, 50, 100},
		{"spread within a bucket", []int64{600, 700, 800, 900}, 700, 900},
		{"the slow end", []int64{50, 50, 50, 50, 50, 50, 50, 50, 50, 200_000}, 55, 200_000},
	} {
		var s assent.Spread
		for _, ms := range c.times {
			s.Count(ms)
		}
		if got := s.Percentile(50); got != c.p50 {
			t.Errorf("%s: p50 is %d, want %d", c.name, got, c.p50)
		}
		if got := s.Percentile(95); got != c.p95 {
			t.Errorf("%s: p95 is %d, want %d", c.name, got, c.p95)
		}
	}
}

func TestSpreadsAddUp(t *testing.T) {
	t.Parallel()
	var whole, a, b assent.Spread
	for ms := int64(1); ms < 200_000; ms = ms*3/2 + 1 {
		whole.Count(ms)
		if ms%2 == 0 {
			a.Count(ms)
		} else {
			b.Count(ms)
		}
	}
	if a.Add(b); a != whole {
		t.Errorf("got %+v, want %+v", a, whole)
	}
}

func TestACallAsALine(t *testing.T) {
	t.Parallel()
	cost := int64(7)
	for _, c := range []struct {
		name                                   string
		call                                   assent.CallUsage
		failures, priced, unpriced, timed, ttf int64
	}{
		{"under way", assent.CallUsage{Status: assent.CallOpen}, 0, 0, 0, 0, 0},
		{"answered", assent.CallUsage{Status: assent.CallOK, CostMicros: &cost, LatencyMS: 9, TTFTMS: 3}, 0, 1, 0, 1, 1},
		{"answered at once", assent.CallUsage{Status: assent.CallOK}, 0, 0, 1, 1, 0},
		{"failed", assent.CallUsage{Status: assent.CallFailed, LatencyMS: 9}, 1, 0, 1, 1, 0},
		{"too late", assent.CallUsage{Status: assent.CallTimeout, LatencyMS: 9}, 1, 0, 1, 1, 0},
		{"stopped by a person", assent.CallUsage{Status: assent.CallCancelled, LatencyMS: 9, TTFTMS: 2}, 0, 0, 1, 1, 1},
		{"cut by a crash", assent.CallUsage{Status: assent.CallCancelled}, 0, 0, 1, 0, 0},
	} {
		l := c.call.Line()
		if l.Calls != 1 || l.Failures != c.failures || l.Priced != c.priced || l.Unpriced != c.unpriced {
			t.Errorf("%s: %+v", c.name, l.UsageSums)
		}
		if got := counted(l.Latency); got != c.timed {
			t.Errorf("%s: %d latencies, want %d", c.name, got, c.timed)
		}
		if got := counted(l.FirstToken); got != c.ttf {
			t.Errorf("%s: %d times to the first token, want %d", c.name, got, c.ttf)
		}
	}
}

func counted(s assent.Spread) (n int64) {
	for _, b := range s.Buckets {
		n += b
	}
	return n
}
