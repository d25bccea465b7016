package trace

import (
	"context"
	"sync"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/tool"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Ledger tells of model calls on their way into the books: a span for each try.
func (t *Tracer) Ledger(next llm.Ledger) llm.Ledger {
	if t == nil {
		return next
	}
	return ledger{next, t}
}

type ledger struct {
	llm.Ledger
	t *Tracer
}

// Close implements llm.Ledger. The row says all that the span does, its times
// included, so nothing is done while the model streams.
func (l ledger) Close(ctx context.Context, u assent.CallUsage) error {
	_, span := l.t.tracer.Start(ctx, "chat "+u.Model, trace.WithTimestamp(u.At.Std()), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(known("gen_ai.operation.name", "chat", "gen_ai.provider.name", u.Provider, "gen_ai.request.model", u.Model,
			"assent.call", u.ID, "assent.operation", string(u.Operation), "assent.profile", u.Profile, "assent.status", string(u.Status),
			"assent.session", u.SessionID, "assent.turn", u.TurnID, "assent.plan", u.PlanID, "assent.run", u.RunID, "assent.step", u.Step,
			"assent.fallback_from", u.FallbackFrom, "assent.fallback_reason", u.FallbackReason)...))
	span.SetAttributes(attribute.Int64("gen_ai.usage.input_tokens", u.TokensIn), attribute.Int64("gen_ai.usage.output_tokens", u.TokensOut),
		attribute.Int64("assent.ttft_ms", u.TTFTMS))
	if u.ErrorClass != "" {
		failed(span, u.ErrorClass)
	}
	span.End(trace.WithTimestamp(u.EndedAt.Std()))
	return l.Ledger.Close(ctx, u)
}

// Tools gives the hooks of the executor that tell of tool calls; they stand
// first, so that a span covers what the others do.
func (t *Tracer) Tools() []tool.Hook {
	if t == nil {
		return nil
	}
	return []tool.Hook{&tools{t: t}}
}

type tools struct {
	t    *Tracer
	open sync.Map // *tool.Call → trace.Span
}

// BeforeToolExecution implements tool.Hook.
func (h *tools) BeforeToolExecution(ctx context.Context, t *tool.Tool, c *tool.Call) *assent.ToolResult {
	s := c.Scope
	_, span := h.t.tracer.Start(ctx, "execute_tool "+t.Spec.Name, trace.WithAttributes(known("gen_ai.operation.name", "execute_tool",
		"gen_ai.tool.name", t.Spec.Name, "gen_ai.tool.call.id", c.ID, "assent.effect", string(t.Spec.Effect), "assent.caller", string(s.Caller),
		"assent.session", s.SessionID, "assent.turn", s.TurnID, "assent.plan", s.PlanID, "assent.run", s.RunID, "assent.step", s.StepPath)...))
	h.open.Store(c, span)
	return nil
}

// AfterToolExecution implements tool.Hook.
func (h *tools) AfterToolExecution(_ context.Context, _ *tool.Tool, c *tool.Call, r *assent.ToolResult) {
	v, ok := h.open.LoadAndDelete(c)
	if !ok {
		return
	}
	span := v.(trace.Span)
	if r.Err != nil {
		failed(span, string(r.Err.Code))
	}
	span.End()
}
