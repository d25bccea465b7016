package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// maxOutput bounds a tool's output in bytes.
const maxOutput = 256 << 10

// Validator checks JSON against a schema and gives every violation.
type Validator interface {
	Validate(schema, instance json.RawMessage) []assent.FieldError
}

// Writer is the one write path; *store.Store is one.
type Writer interface {
	Write(ctx context.Context, fn func(*store.Tx) error) error
}

// Hook is policy around every call; redaction, confirmation and budgets are
// hooks. Before hooks run in order, After hooks in reverse.
type Hook interface {
	// BeforeToolExecution may answer in the tool's place with a result; then the
	// hooks behind it are not called.
	BeforeToolExecution(ctx context.Context, t *Tool, c *Call) *assent.ToolResult
	// AfterToolExecution may change the result before anybody sees or records it.
	// For a write it runs in the transaction: it must not write itself, nor wait.
	AfterToolExecution(ctx context.Context, t *Tool, c *Call, r *assent.ToolResult)
}

// Tracer is told of every call that begins, those that are refused at the door
// too, and gives what is to be told of its result; metrics and traces are made
// of it. It may give nil.
type Tracer func(ctx context.Context, c Call) func(r assent.ToolResult)

// Virtual is the handler of a tool that lives in its caller (the meta tools).
type Virtual func(ctx context.Context, c Call) assent.ToolResult

// Executor runs every tool call, in the fixed order of design 05 §2: name or
// alias, trace, permission, budget of failures, arguments, hooks (caps first,
// consent last), handler, output, size, hooks in reverse, record.
type Executor struct {
	registry *Registry
	check    Validator
	writer   Writer
	clock    assent.Clock
	hooks    []Hook
	trace    Tracer
}

// NewExecutor makes an executor; hooks run in the order given, consent last.
func NewExecutor(r *Registry, v Validator, w Writer, clock assent.Clock, hooks ...Hook) *Executor {
	return &Executor{registry: r, check: v, writer: w, clock: clock, hooks: hooks}
}

// Trace has t told of every call. Call it before the executor is used.
func (e *Executor) Trace(t Tracer) { e.trace = t }

// Registry gives the tools that the executor runs.
func (e *Executor) Registry() *Registry { return e.registry }

// Execute runs one call. A failure of any sort is in the result; for a write,
// a failure of call.Record is one too, and then nothing was written.
func (e *Executor) Execute(ctx context.Context, c Call) assent.ToolResult {
	t, ok := e.registry.Find(c.Tool)
	if !ok {
		return e.traced(ctx, c, func(c *Call) assent.ToolResult { return assent.ToolResult{Err: e.unknown(c.Tool)} })
	}
	c.Tool = t.Spec.Name
	return e.traced(ctx, c, func(c *Call) assent.ToolResult { return e.run(ctx, t, c) })
}

// ExecuteVirtual runs a call of a virtual tool by the handler that its caller
// gives, in the same order. It has no timeout of its own: it may await a run.
func (e *Executor) ExecuteVirtual(ctx context.Context, spec assent.ToolSpec, c Call, h Virtual) assent.ToolResult {
	t := &Tool{Spec: spec, virtual: h}
	c.Tool = spec.Name
	return e.traced(ctx, c, func(c *Call) assent.ToolResult { return e.run(ctx, t, c) })
}

// traced tells of a call's beginning and end, and counts failures in a row.
func (e *Executor) traced(ctx context.Context, c Call, run func(*Call) assent.ToolResult) assent.ToolResult {
	var end func(assent.ToolResult)
	if e.trace != nil {
		end = e.trace(ctx, c)
	}
	r := run(&c)
	c.Caps.judge(c.Tool, r)
	if end != nil {
		end(r)
	}
	return r
}

func (e *Executor) run(ctx context.Context, t *Tool, c *Call) assent.ToolResult {
	if refusal := e.admit(t, c); refusal != nil {
		return assent.ToolResult{Err: refusal}
	}
	for i, h := range e.hooks {
		if r := h.BeforeToolExecution(ctx, t, c); r != nil {
			return e.after(ctx, t, c, *r, i)
		}
	}
	return e.handle(ctx, t, c)
}

func (e *Executor) unknown(name string) *assent.Error {
	return &assent.Error{Code: assent.CodeUnknownTool, Message: fmt.Sprintf("There is no tool %q.", name),
		Hint: "Use one of the tools on offer, or find_tools to look for one.", Details: map[string]any{"similar": names(e.registry.Match(name, 5))}}
}

// admit completes the call and checks rights, the budget of failures and
// arguments.
func (e *Executor) admit(t *Tool, c *Call) *assent.Error {
	if refusal := e.registry.refusal(t, c.Scope); refusal != nil {
		return refusal
	}
	if refusal := c.Caps.failing(t); refusal != nil {
		return refusal
	}
	c.Now = e.clock().In(zone(c.Scope))
	if len(c.Arguments) == 0 || string(c.Arguments) == "null" {
		c.Arguments = json.RawMessage("{}")
	}
	if v := e.check.Validate(t.Spec.InputSchema, c.Arguments); len(v) > 0 {
		return InvalidArguments(t.Spec.Name, v)
	}
	if bytes.Contains(c.Arguments, []byte(`\u0000`)) {
		return InvalidArguments(t.Spec.Name, []assent.FieldError{{Code: "invalid", Message: "A text holds the character NUL, which no text needs."}})
	}
	return nil
}

// InvalidArguments is the envelope error for arguments that break the schema.
func InvalidArguments(tool string, v []assent.FieldError) *assent.Error {
	return &assent.Error{Code: assent.CodeInvalid, Fields: v, Message: fmt.Sprintf("The arguments of %s are not valid: %s", tool, v[0].Message),
		Hint: "Correct every field listed in details.errors and call the tool again."}
}

func names(specs []assent.ToolSpec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Name
	}
	return out
}

func zone(s assent.Scope) *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// handle runs the handler under its timeout and the hooks in reverse; a write
// inside one transaction with the caller's guard and record.
func (e *Executor) handle(ctx context.Context, t *Tool, c *Call) assent.ToolResult {
	if t.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.Timeout, errToolTimeout)
		defer cancel()
	}
	switch {
	case t.virtual != nil:
		return e.after(ctx, t, c, e.finish(ctx, t, func() (json.RawMessage, string, error) {
			r := t.virtual(ctx, *c)
			if r.Err != nil {
				return nil, "", r.Err
			}
			return r.Output, r.Summary, nil
		}), len(e.hooks))
	case t.Writes():
		return e.write(ctx, t, c)
	}
	return e.after(ctx, t, c, e.finish(ctx, t, func() (json.RawMessage, string, error) { return t.read(ctx, *c) }), len(e.hooks))
}

// write runs a write. The hooks see its result before it is recorded, so that
// what one takes out is stored nowhere.
func (e *Executor) write(ctx context.Context, t *Tool, c *Call) assent.ToolResult {
	var r assent.ToolResult
	told := false
	err := e.writer.Write(ctx, func(tx *store.Tx) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.Guard != nil {
			if err := c.Guard(tx); err != nil {
				return err
			}
		}
		r = e.finish(ctx, t, func() (json.RawMessage, string, error) { return t.write(ctx, tx, *c) })
		r, told = e.after(ctx, t, c, r, len(e.hooks)), true
		if r.Err != nil {
			return r.Err
		}
		if c.Record != nil {
			return c.Record(tx, r)
		}
		return nil
	})
	switch {
	case err == nil || r.Err != nil:
		return r
	case told: // what the hooks saw was taken back
		return assent.ToolResult{Err: asError(ctx, t, err)}
	}
	return e.after(ctx, t, c, assent.ToolResult{Err: asError(ctx, t, err)}, len(e.hooks))
}

var errToolTimeout = errors.New("tool timeout")

// finish calls the handler, guards against panics and checks what came out.
func (e *Executor) finish(ctx context.Context, t *Tool, h func() (json.RawMessage, string, error)) (r assent.ToolResult) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic in a tool", "tool", t.Spec.Name, "panic", p, "stack", string(debug.Stack()))
			r = assent.ToolResult{Err: &assent.Error{Code: assent.CodeInternal, Message: fmt.Sprintf("The tool %s failed unexpectedly.", t.Spec.Name)}}
		}
	}()
	out, summary, err := h()
	if err != nil {
		return assent.ToolResult{Err: asError(ctx, t, err)}
	}
	if v := e.check.Validate(t.Spec.OutputSchema, out); len(v) > 0 {
		return assent.ToolResult{Err: &assent.Error{Code: assent.CodeOutputInvalid, Fields: v, Message: fmt.Sprintf("The tool %s answered in a form that it did not promise.", t.Spec.Name)}}
	}
	if len(out) > maxOutput {
		return assent.ToolResult{Err: &assent.Error{Code: assent.CodeTooLarge, Message: fmt.Sprintf("The result of %s is larger than %d KB.", t.Spec.Name, maxOutput>>10),
			Hint: "Ask for less, for instance with a limit or a narrower query."}}
	}
	return assent.ToolResult{Output: out, Summary: summary}
}

// asError gives every failure of a handler a code.
func asError(ctx context.Context, t *Tool, err error) *assent.Error {
	var known *assent.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, errToolTimeout) || errors.Is(context.Cause(ctx), errToolTimeout):
		return &assent.Error{Code: assent.CodeTimeout, Err: err, Message: fmt.Sprintf("The tool %s did not finish within %s.", t.Spec.Name, t.Timeout)}
	case ctx.Err() != nil:
		return &assent.Error{Code: assent.CodeCancelled, Err: err, Message: "Stopped before it was done."}
	}
	slog.Error("tool failed", "tool", t.Spec.Name, "error", err)
	return &assent.Error{Code: assent.CodeToolFailed, Err: err, Message: fmt.Sprintf("The tool %s failed.", t.Spec.Name)}
}

// after runs the After hooks of the first ran hooks, in reverse.
func (e *Executor) after(ctx context.Context, t *Tool, c *Call, r assent.ToolResult, ran int) assent.ToolResult {
	for i := ran - 1; i >= 0; i-- {
		e.hooks[i].AfterToolExecution(ctx, t, c, &r)
	}
	return r
}
