package metrics

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/tool"
)

// Committed counts events that were just committed, and by them the ends of
// turns and the statuses of runs. It is the store's observer.
func (m *Metrics) Committed(events []assent.LoggedEvent) {
	for _, ev := range events {
		if c := m.events[ev.Type]; c != nil {
			c.Inc()
		}
		switch ev.Type {
		case "done":
			m.turns.WithLabelValues(status(ev)).Inc()
		case "run_state":
			m.runs.WithLabelValues(status(ev)).Inc()
		case "plan_review":
			m.reviews.WithLabelValues(verdict(ev)).Inc()
		}
	}
}

// status reads the status that an event reports.
func status(ev assent.LoggedEvent) string {
	var e struct {
		Status string `json:"status"`
	}
	if json.Unmarshal(ev.Data, &e) != nil || e.Status == "" {
		return "unknown"
	}
	return e.Status
}

// verdict reads the verdict of a review.
func verdict(ev assent.LoggedEvent) string {
	var e assent.PlanReview
	if json.Unmarshal(ev.Data, &e) != nil || e.Verdict == "" {
		return "unknown"
	}
	return e.Verdict
}

// Transition counts a move of a run's state machine.
func (m *Metrics) Transition(event, to string) { m.moves.WithLabelValues(event, to).Inc() }

// Ledger counts model calls on their way into the books.
func (m *Metrics) Ledger(next llm.Ledger) llm.Ledger { return ledger{next, m} }

type ledger struct {
	llm.Ledger
	m *Metrics
}

// Close implements llm.Ledger.
func (l ledger) Close(ctx context.Context, u assent.CallUsage) error {
	l.m.calls.WithLabelValues(u.Provider, u.Model, string(u.Operation), string(u.Status)).Inc()
	for direction, n := range map[string]int64{"in": u.TokensIn, "out": u.TokensOut, "cached": u.TokensCached} {
		l.m.tokens.WithLabelValues(u.Provider, u.Model, direction).Add(float64(max(n, 0)))
	}
	if u.CostMicros != nil {
		l.m.cost.WithLabelValues(u.Provider, u.Model).Add(float64(max(*u.CostMicros, 0)))
	}
	return l.Ledger.Close(ctx, u)
}

// Tools counts tool calls, refused ones too. Names of tools that there are not
// come from outside and are not counted apart.
func (m *Metrics) Tools() tool.Tracer {
	return func(_ context.Context, c tool.Call) func(assent.ToolResult) {
		return func(r assent.ToolResult) {
			name, outcome := c.Tool, "ok"
			if r.Err != nil {
				outcome = string(r.Err.Code)
			}
			if outcome == string(assent.CodeUnknownTool) {
				name = "unknown"
			}
			m.tools.WithLabelValues(name, outcome).Inc()
		}
	}
}
