package assent

// UsageBuckets is how many fixed buckets a spread of times has.
const UsageBuckets = 12

// usageBounds are the upper ends of the buckets in milliseconds, inclusive; the
// last bucket has none. Roll-ups are stored by these: never change them.
func usageBounds() [UsageBuckets - 1]int64 {
	return [...]int64{100, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 120_000}
}

// Spread counts times (milliseconds) in fixed buckets, so that those of many
// calls add up and still give percentiles.
type Spread struct {
	Buckets [UsageBuckets]int64
	Max     int64 // the largest one
}

// Count puts one time into its bucket.
func (s *Spread) Count(ms int64) {
	at := 0
	for _, bound := range usageBounds() {
		if ms <= bound {
			break
		}
		at++
	}
	s.Buckets[at]++
	s.Max = max(s.Max, ms)
}

// Add puts the times of another spread beside these.
func (s *Spread) Add(o Spread) {
	for i, n := range o.Buckets {
		s.Buckets[i] += n
	}
	s.Max = max(s.Max, o.Max)
}

// Percentile is where p of a hundred times lie below, counted by nearest rank
// and spread evenly within the bucket; never more than the largest time. It is
// 0 of nothing.
func (s Spread) Percentile(p int64) int64 {
	var total int64
	for _, n := range s.Buckets {
		total += n
	}
	rank := (p*total + 99) / 100
	bounds, below, low := usageBounds(), int64(0), int64(0)
	for i, n := range s.Buckets {
		high := s.Max
		if i < len(bounds) {
			high = min(high, bounds[i])
		}
		if rank > below && rank <= below+n {
			return low + (high-low)*(rank-below)/n
		}
		below, low = below+n, high
	}
	return 0
}

// UsageKey is everything that model calls are grouped by beside the day.
type UsageKey struct {
	UserID        string
	PlanID        string
	Step          string
	Tool          string
	Operation     Operation
	ContextType   ContextType
	ExecutionMode Mode
	Profile       string
	Provider      string
	Model         string
	Status        CallStatus
	ErrorClass    string
	FallbackFrom  string
}

// UsageSums is what some model calls took together.
type UsageSums struct {
	Calls           int64
	Failures        int64 // failed or timed out; what a person stopped is no failure
	Priced          int64 // calls of known cost
	Unpriced        int64 // ended calls of unknown cost
	TokensIn        int64
	TokensOut       int64
	TokensCached    int64
	TokensReasoning int64
	CostMicros      int64 // of the priced ones
	Latency         Spread
	FirstToken      Spread // of calls that came that far
}

// Add puts other calls beside these.
func (s *UsageSums) Add(o UsageSums) {
	s.Calls += o.Calls
	s.Failures += o.Failures
	s.Priced += o.Priced
	s.Unpriced += o.Unpriced
	s.TokensIn += o.TokensIn
	s.TokensOut += o.TokensOut
	s.TokensCached += o.TokensCached
	s.TokensReasoning += o.TokensReasoning
	s.CostMicros += o.CostMicros
	s.Latency.Add(o.Latency)
	s.FirstToken.Add(o.FirstToken)
}

// UsageLine is the sums of the calls that have one key and began at one time:
// of a single call, of a bucket of time, or of a day, whose start At is then.
type UsageLine struct {
	At Time
	UsageKey
	UsageSums
}

// Line is the call as a line of its own. One under way has neither cost nor
// times yet, and one that a crash cut has no times.
func (u CallUsage) Line() UsageLine {
	l := UsageLine{At: u.At, UsageKey: UsageKey{UserID: u.UserID, PlanID: u.PlanID, Step: u.Step, Tool: u.Tool, Operation: u.Operation,
		ContextType: u.ContextType, ExecutionMode: u.ExecutionMode, Profile: u.Profile, Provider: u.Provider, Model: u.Model,
		Status: u.Status, ErrorClass: u.ErrorClass, FallbackFrom: u.FallbackFrom}}
	s := &l.UsageSums
	s.Calls, s.TokensIn, s.TokensOut, s.TokensCached, s.TokensReasoning = 1, u.TokensIn, u.TokensOut, u.TokensCached, u.TokensReasoning
	if u.Status == CallFailed || u.Status == CallTimeout {
		s.Failures = 1
	}
	switch {
	case u.CostMicros != nil:
		s.Priced, s.CostMicros = 1, *u.CostMicros
	case u.Status != CallOpen:
		s.Unpriced = 1
	}
	if u.Status != CallOpen && !(u.Status == CallCancelled && u.LatencyMS == 0) {
		s.Latency.Count(u.LatencyMS)
	}
	if u.TTFTMS > 0 {
		s.FirstToken.Count(u.TTFTMS)
	}
	return l
}
