package store

import (
	"slices"
	"time"

	"assent/internal/assent"
)

// callSums adds calls up by what is asked for, one after the other, so that a
// million of them need no more memory than their sums.
type callSums struct {
	q    UsageQuery
	sums map[callGroup]*assent.UsageSums
	day  struct{ from, to assent.Time } // of the last call
}

type callGroup struct {
	at  assent.Time
	key assent.UsageKey
}

func newCallSums(q UsageQuery) *callSums {
	return &callSums{q: q, sums: map[callGroup]*assent.UsageSums{}}
}

func (c *callSums) add(u assent.CallUsage) error {
	l := u.Line()
	g := callGroup{at: c.q.From, key: only(l.UsageKey, c.q.Keys)}
	if slices.Contains(c.q.Keys, keyDay) {
		g.at = c.dayOf(l.At)
	}
	if c.sums[g] == nil {
		c.sums[g] = &assent.UsageSums{}
	}
	c.sums[g].Add(l.UsageSums)
	return nil
}

// dayOf is the start of the day that an instant lies in.
func (c *callSums) dayOf(at assent.Time) assent.Time {
	if at < c.day.from || at >= c.day.to {
		y, m, d := at.Std().In(c.q.Zone).Date()
		c.day.from = assent.At(time.Date(y, m, d, 0, 0, 0, 0, c.q.Zone))
		c.day.to = assent.At(time.Date(y, m, d+1, 0, 0, 0, 0, c.q.Zone))
	}
	return c.day.from
}

func (c *callSums) lines() []assent.UsageLine {
	out := make([]assent.UsageLine, 0, len(c.sums))
	for g, s := range c.sums {
		out = append(out, assent.UsageLine{At: g.at, UsageKey: g.key, UsageSums: *s})
	}
	return out
}

// only leaves of a key what is asked by.
func only(k assent.UsageKey, keys []string) (out assent.UsageKey) {
	for _, name := range keys {
		switch name {
		case "user":
			out.UserID = k.UserID
		case "plan":
			out.PlanID = k.PlanID
		case "step":
			out.Step = k.Step
		case "tool":
			out.Tool = k.Tool
		case "operation_type":
			out.Operation = k.Operation
		case "context_type":
			out.ContextType = k.ContextType
		case "execution_mode":
			out.ExecutionMode = k.ExecutionMode
		case "profile":
			out.Profile = k.Profile
		case "provider":
			out.Provider = k.Provider
		case "model":
			out.Model = k.Model
		case "status":
			out.Status = k.Status
		case "error_class":
			out.ErrorClass = k.ErrorClass
		case "fallback_from":
			out.FallbackFrom = k.FallbackFrom
		}
	}
	return out
}
