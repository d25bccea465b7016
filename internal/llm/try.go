package llm

import (
	"context"
	"errors"
	"time"

	"assent/internal/assent"
)

// try is one request to one model, with its usage row.
type try struct {
	c       *call
	target  Target
	row     assent.CallUsage
	began   time.Time
	started bool // a chunk was handed on
	closed  bool
	size    int    // bytes handed on
	usage   Tokens // as last reported
	counted bool   // usage was reported
}

// try asks model once. A nil error means that the consumer has what it wanted,
// final that the failure must not be followed by another try.
func (c *call) try(ctx context.Context, t Target, model Model, probe bool) (failure *Error, final bool) {
	tr := c.open(t)
	breaker := c.set.breakers[t.Provider]
	if err := c.g.cfg.Ledger.Open(ctx, tr.row); err != nil {
		breaker.record(probe, ClassCancelled, tr.began)
		if ctx.Err() != nil {
			return endOf(ctx, t), true
		}
		return refusal(err, t), true
	}
	// Whatever happens below, a panic of the consumer included, the row is
	// closed; if nothing has done it before, the consumer went away.
	outcome := ClassCancelled
	defer func() {
		tr.close(ctx, outcome)
		if outcome != "" && ctx.Err() != nil {
			outcome = ClassCancelled // the caller's deadline is not the provider's fault
		}
		breaker.record(probe, outcome, c.g.cfg.Clock())
	}()
	failure = tr.stream(ctx, model)
	c.streamed = tr.started
	switch {
	case failure != nil:
		outcome = failure.Class
	case tr.closed:
		outcome = ""
	}
	return failure, tr.started || ctx.Err() != nil
}

// refusal is the error of a call that the ledger did not let through.
func refusal(err error, t Target) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if budget := usedUp(err); budget != nil {
		return &Error{Class: ClassQuota, Provider: t.Provider, Model: t.Model, Detail: budget.Message, Err: budget}
	}
	return &Error{Class: ClassInternal, Provider: t.Provider, Model: t.Model,
		Detail: "the usage row could not be opened", Err: err}
}

// stream hands the model's chunks on. It returns nil at the Finish chunk and
// when the consumer breaks off.
func (t *try) stream(ctx context.Context, model Model) *Error {
	callCtx, stop := context.WithTimeoutCause(ctx, maxTry, errNoEnd)
	defer stop()
	callCtx, cancel := context.WithCancelCause(callCtx)
	defer cancel(nil)
	w := newWatch(cancel, t.c.g.cfg.FirstToken, t.c.g.cfg.Idle)
	defer w.pause()
	for ch, err := range model.Stream(callCtx, t.target.Model, t.c.req) {
		w.pause()
		if err != nil {
			return t.failure(ctx, callCtx, err)
		}
		if t.size += len(ch.Text) + len(ch.Call.Arguments) + len(ch.Opaque); t.size > maxAnswer {
			return t.failure(ctx, callCtx, errTooLarge)
		}
		if !t.forward(ctx, ch) || ch.Kind == ChunkFinish {
			return nil
		}
		w.resume(t.started)
	}
	return t.failure(ctx, callCtx, &Error{Class: ClassNetwork, Detail: "the stream ended without a finish"})
}

// forward notes what a chunk tells the usage row and yields it.
func (t *try) forward(ctx context.Context, ch Chunk) bool {
	switch ch.Kind {
	case ChunkUsage: // no token of an answer yet: a failure after it may be tried again
		t.usage, t.counted = ch.Usage, true
		return t.c.yield(ch, nil)
	case ChunkCall:
		if ch.Call.Provider == "" {
			ch.Call.Provider = t.target.Provider
		}
	case ChunkOpaque:
		if ch.Provider == "" {
			ch.Provider = t.target.Provider
		}
	case ChunkFinish:
		if ch.Provider == "" {
			ch.Provider = t.target.Provider
		}
		t.row.ForcedJSONMode = ch.Flags.ForcedJSON
		t.row.StructuredOutputStrict = ch.Flags.StrictSchema
		t.started = true
		t.close(ctx, "")
		return t.c.yield(ch, nil)
	}
	if !t.started {
		t.started = true
		t.row.TTFTMS = max(1, t.elapsed())
	}
	return ch.Kind == ChunkProgress || t.c.yield(ch, nil)
}

// failure turns what the model said into an *Error that names the target, and
// tells our own timeouts from the consumer's cancelling.
func (t *try) failure(ctx, callCtx context.Context, err error) *Error {
	if ctx.Err() != nil {
		return endOf(ctx, t.target)
	}
	if cause := context.Cause(callCtx); cause != nil {
		return &Error{Class: ClassTimeout, Provider: t.target.Provider, Model: t.target.Model,
			Detail: cause.Error(), Err: cause}
	}
	e := &Error{Class: ClassInternal, Detail: err.Error(), Err: err}
	var known *Error
	if errors.As(err, &known) {
		copied := *known // a model may return the same value twice
		e = &copied
	}
	if e.Provider == "" {
		e.Provider = t.target.Provider
	}
	e.Model = t.target.Model
	return e
}

// open fills the row as it is at the start.
func (c *call) open(t Target) *try {
	tr := &try{c: c, target: t, began: c.g.cfg.Clock()}
	tr.row = c.req.Meta.row(c.g.cfg.IDs(), tr.began)
	tr.row.Provider, tr.row.Model = t.Provider, t.Model
	tr.row.ToolSchemaID = c.toolSchema
	tr.row.FallbackFrom, tr.row.FallbackReason = c.from, c.reason
	tr.row.WorstMicros = c.set.catalog.worst(t, c.req)
	return tr
}

func (m Meta) row(id string, at time.Time) assent.CallUsage {
	return assent.CallUsage{
		ID: id, At: assent.At(at), Status: assent.CallOpen,
		UserID: m.UserID, SessionID: m.SessionID, TurnID: m.TurnID, RunID: m.RunID,
		PlanID: m.PlanID, Step: m.Step, Tool: m.Tool, Operation: m.Operation,
		ContextType: m.ContextType, ExecutionMode: m.ExecutionMode,
		Profile: string(m.Profile), FinalizeRetries: m.FinalizeRetries,
	}
}

// close finishes the row, once. An empty class is an answer.
func (t *try) close(ctx context.Context, class Class) {
	if t.closed {
		return
	}
	t.closed = true
	t.row.LatencyMS = t.elapsed()
	t.row.EndedAt = t.row.At + assent.Time(t.row.LatencyMS)
	t.row.Status, t.row.ErrorClass = statusOf(class), string(class)
	t.count(class)
	if err := t.c.g.cfg.Ledger.Close(context.WithoutCancel(ctx), t.row); err != nil {
		t.c.g.cfg.LedgerFailed(err)
	}
}

// count fills in tokens and cost. Tokens that were used but not reported have
// no known cost; a try that failed before its first token has used none.
func (t *try) count(class Class) {
	used := t.usage
	if !t.counted && (class == "" || t.started || class == ClassTimeout || class == ClassCancelled) {
		return
	}
	t.row.TokensIn, t.row.TokensOut = used.In, used.Out
	t.row.TokensCached, t.row.TokensReasoning = used.Cached, used.Reasoning
	t.row.CostMicros = t.c.set.catalog.Cost(t.target, used)
}

func (t *try) elapsed() int64 { return t.c.g.cfg.Clock().Sub(t.began).Milliseconds() }

func statusOf(class Class) assent.CallStatus {
	switch class {
	case "":
		return assent.CallOK
	case ClassCancelled:
		return assent.CallCancelled
	case ClassTimeout:
		return assent.CallTimeout
	}
	return assent.CallFailed
}
