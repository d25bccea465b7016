package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/store"
	"assent/internal/tool"
)

// act runs the calls of one response and gives each its result.
func (r *run) act(ctx context.Context, a answer) error {
	calls := r.prepare(a)
	if err := r.announce(ctx, a, calls); err != nil {
		return err
	}
	results := r.execute(ctx, calls)
	if err := r.store(ctx, calls, results); err != nil {
		return err
	}
	for i, c := range calls {
		r.messages = append(r.messages, c.message)
		r.out.Messages = append(r.out.Messages, c.message)
		r.judge(c, results[i])
	}
	r.budgets(calls, results)
	if r.out.Stopped != "" {
		return r.warn(ctx)
	}
	return ctx.Err()
}

// pending is one call on its way.
type pending struct {
	tool.Call
	spec     assent.ToolSpec
	known    bool
	virtual  tool.Virtual // its handler, if the tool lives in the caller
	refused  *assent.Error
	position int64 // of its result in the history
	took     time.Duration
	stored   bool        // the result was stored with the write
	message  llm.Message // the result as the model sees it
}

// prepare resolves the calls and gives each result its place in the history,
// right behind the assistant's message.
func (r *run) prepare(a answer) []*pending {
	out := make([]*pending, len(a.Calls))
	for i, c := range a.Calls {
		p := &pending{Call: tool.Call{ToolCall: assent.ToolCall{ID: c.ID, Tool: c.Name, Arguments: c.Arguments}, Scope: r.job.Scope, Caps: r.job.Caps},
			position: r.out.Position + 1 + int64(i)}
		r.resolve(p)
		if r.out.ToolCalls >= r.job.Limits.ToolCalls {
			p.refused = overBudget(r.job.Limits.ToolCalls)
		} else {
			r.out.ToolCalls++
		}
		r.specs[p.spec.Name] = p.spec
		out[i] = p
	}
	return out
}

// resolve finds a call's tool, be it on offer or not.
func (r *run) resolve(p *pending) {
	if v, ok := r.job.Virtual[p.Tool]; ok {
		p.spec, p.virtual = v.Spec, v.Run
		return
	}
	if t, ok := r.executor.Registry().Find(p.Tool); ok {
		p.spec, p.known = t.Spec, true
		return
	}
	p.spec = assent.ToolSpec{Name: p.Tool, Title: p.Tool, Effect: assent.EffectRead}
}

func overBudget(limit int) *assent.Error {
	return &assent.Error{Code: assent.CodeBudgetExceeded, Message: fmt.Sprintf("The budget of %d tool calls for this turn is used up.", limit),
		Hint: "Answer with what you have; the person can ask you to go on.", Details: map[string]any{"limit": limit}}
}

// announce stores the assistant's message and the calls before they run.
func (r *run) announce(ctx context.Context, a answer, calls []*pending) error {
	item, err := history(r.job.Scope.TurnID, r.out.Position, a.Message)
	if err != nil {
		return err
	}
	r.messages = append(r.messages, a.Message)
	r.out.Messages = append(r.out.Messages, a.Message)
	r.out.Position += 1 + int64(len(calls))
	if err := r.flush(ctx); err != nil {
		return err
	}
	s := r.job.Scope
	return r.writer.Write(ctx, func(tx *store.Tx) error {
		if err := tx.CreateHistoryItem(s.SessionID, item); err != nil {
			return err
		}
		events := []assent.Event{r.state(assent.StateExecutingTool, calls[0].spec.Title)}
		for _, p := range calls {
			events = append(events, assent.ToolCallEvent{CallID: p.ID, Tool: p.Tool, Arguments: object(p.Arguments),
				Label: p.spec.Title, Effect: p.spec.Effect, Virtual: p.virtual != nil})
		}
		_, err := tx.Append(s.SessionID, s.TurnID, events...)
		return err
	})
}

func (r *run) flush(ctx context.Context) error {
	if r.job.Scope.Sink == nil {
		return nil
	}
	return r.job.Scope.Sink.Flush(ctx)
}

func (r *run) state(state, details string) assent.AgentState {
	return assent.AgentState{State: state, ContextType: r.job.Scope.ContextType, Details: details}
}

// execute runs the calls: read-only ones of this response side by side, others
// in order. Results keep the order of the calls.
func (r *run) execute(ctx context.Context, calls []*pending) []assent.ToolResult {
	results := make([]assent.ToolResult, len(calls))
	if len(calls) > 1 && allRead(calls) {
		var wg sync.WaitGroup
		for i, p := range calls {
			wg.Go(func() { results[i] = r.one(ctx, p) })
		}
		wg.Wait()
		return results
	}
	for i, p := range calls {
		results[i] = r.one(ctx, p)
	}
	return results
}

func allRead(calls []*pending) bool {
	for _, p := range calls {
		if p.virtual != nil || !p.known || p.spec.Effect != assent.EffectRead {
			return false
		}
	}
	return true
}

// one runs a single call. A write stores its own result in its transaction.
func (r *run) one(ctx context.Context, p *pending) assent.ToolResult {
	start := r.clock()
	defer func() { p.took = r.clock().Sub(start) }()
	switch {
	case p.refused != nil:
		return assent.ToolResult{Err: p.refused}
	case ctx.Err() != nil:
		return assent.ToolResult{Err: assent.Errorf(assent.CodeCancelled, "Stopped before it ran.")}
	case p.virtual != nil:
		return r.executor.ExecuteVirtual(ctx, p.spec, p.Call, p.virtual)
	}
	p.Record = func(tx *store.Tx, res assent.ToolResult) error {
		p.took = r.clock().Sub(start)
		p.stored = true
		ev, err := r.storeResult(tx, p, res)
		if err != nil {
			return err
		}
		_, err = tx.Append(r.job.Scope.SessionID, r.job.Scope.TurnID, ev)
		return err
	}
	res := r.executor.Execute(ctx, p.Call)
	if res.Err != nil {
		p.stored = false // the transaction that held it was rolled back
	}
	return res
}

// store keeps the results that no write has stored already, in one transaction.
func (r *run) store(ctx context.Context, calls []*pending, results []assent.ToolResult) error {
	return r.writer.Write(ctx, func(tx *store.Tx) error {
		var events []assent.Event
		for i, p := range calls {
			if p.stored {
				continue
			}
			ev, err := r.storeResult(tx, p, results[i])
			if err != nil {
				return err
			}
			events = append(events, ev)
		}
		_, err := tx.Append(r.job.Scope.SessionID, r.job.Scope.TurnID, append(events, r.state(assent.StateThinking, ""))...)
		return err
	})
}

// storeResult puts a result into the history, as the model will see it, and
// gives the event that tells of it.
func (r *run) storeResult(tx *store.Tx, p *pending, res assent.ToolResult) (assent.Event, error) {
	p.message = ResultMessage(p.ToolCall, res)
	item, err := history(r.job.Scope.TurnID, p.position, p.message)
	if err != nil {
		return nil, err
	}
	return ResultEvent(p.ToolCall, res, p.took), tx.CreateHistoryItem(r.job.Scope.SessionID, item)
}

// maxShown bounds the output that a tool_result event carries.
const maxShown = 8 << 10

// ResultEvent is the event for a call's result, cut to a size fit for a page.
func ResultEvent(c assent.ToolCall, res assent.ToolResult, took time.Duration) assent.ToolResultEvent {
	ev := assent.ToolResultEvent{CallID: c.ID, Tool: c.Tool, OK: res.Err == nil, Summary: res.Summary, DurationMS: took.Milliseconds()}
	if res.Err != nil {
		ev.Error = assent.ProblemOf(res.Err)
		ev.Summary = res.Err.Message
	}
	if len(res.Output) <= maxShown {
		ev.Output = res.Output
	}
	return ev
}

// maxSeen bounds a result as the model sees it.
const maxSeen = 48 << 10

// ResultMessage is a call's result as the model sees it: the envelope, cut with
// a note when it is too long.
func ResultMessage(c assent.ToolCall, res assent.ToolResult) llm.Message {
	b, err := json.Marshal(res.Envelope())
	if err != nil || len(b) > maxSeen {
		b = shortened(res, len(b))
	}
	return llm.Message{Role: llm.RoleTool, CallID: c.ID, Tool: c.Tool, Content: string(b)}
}

func shortened(res assent.ToolResult, size int) []byte {
	short := map[string]any{"success": res.Err == nil, "truncated": true, "summary": res.Summary,
		"note": fmt.Sprintf("The output of %d bytes was too long to show; ask for less.", size)}
	if n := min(len(res.Output), maxSeen/2); n > 0 {
		short["output_start"] = string(res.Output[:n])
	}
	b, err := json.Marshal(short)
	if err != nil {
		return []byte(`{"success":false}`)
	}
	return b
}

// judge looks for the ends of the budgets: the cap of calls, and the same call
// with the same result twice in a row.
func (r *run) judge(p *pending, res assent.ToolResult) {
	now := fingerprint{tool: p.Tool, arguments: string(p.Arguments), result: res}
	switch {
	case p.refused != nil && r.out.Stopped == "":
		r.stop(assent.CodeBudgetExceeded, fmt.Sprintf("The limit of %d tool calls for one turn was reached. You can ask to go on.", r.job.Limits.ToolCalls))
	case r.out.Stopped == "" && now.same(r.last):
		r.stop(assent.CodeNoProgress, "The same call gave the same result twice, so I stopped there. Try to put it differently.")
	}
	r.last = now
}

// fingerprint is a call with its result.
type fingerprint struct {
	tool, arguments string
	result          assent.ToolResult
}

// same reports the same call with the same result. Results are looked into only
// where the calls are the same.
func (f fingerprint) same(other fingerprint) bool {
	return f.tool == other.tool && f.arguments == other.arguments && essence(f.result) == essence(other.result)
}

// essence is what of a result shows progress: the artifact, without the
// metadata that differs with every call.
func essence(res assent.ToolResult) string {
	if res.Err != nil {
		return string(res.Err.Code) + res.Err.Message
	}
	var o struct {
		Artifact json.RawMessage `json:"artifact"`
	}
	if json.Unmarshal(res.Output, &o) == nil && o.Artifact != nil {
		return string(o.Artifact)
	}
	return string(res.Output)
}

// warn tells the person and the admins why the loop ends early.
func (r *run) warn(ctx context.Context) error {
	s, message := r.job.Scope, r.why
	return r.writer.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Append(s.SessionID, s.TurnID, assent.Warning{Code: string(r.out.Stopped), Message: message, Retryable: true}); err != nil {
			return err
		}
		return tx.CreateErrorRow(assent.ErrorRow{Code: r.out.Stopped, Class: string(r.out.Stopped), Component: "loop", Stage: "planner_loop",
			Operation: r.job.Meta.Operation, ContextType: s.ContextType, ExecutionMode: r.job.Meta.ExecutionMode, SessionID: s.SessionID,
			TurnID: s.TurnID, UserID: s.Person.ID, Message: message})
	})
}

// object makes sure that an event carries a JSON value, whatever the model sent.
func object(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	b, _ := json.Marshal(string(raw)) // a string always marshals
	return b
}
