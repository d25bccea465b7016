package plan

import (
	"context"
	"iter"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/plan/check"
	"assent/internal/store"
	"assent/internal/tool"
)

// Executor runs tool calls; *tool.Executor is one.
type Executor interface {
	Execute(ctx context.Context, c tool.Call) assent.ToolResult
}

// Streamer is the gateway.
type Streamer interface {
	Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error]
}

// Limits bound plans and runs; design 03 §1 and §6.
type Limits struct {
	Steps, Parallel, Depth int
	Step                   time.Duration // default timeout of a step
	Run                    time.Duration // of steps that run, for a whole run; 0: none
}

// Deps are what a Service is made of.
type Deps struct {
	Store    *store.Store
	Registry *tool.Registry
	Executor Executor
	Checker  *check.Checker
	Model    Streamer
	// Structured asks for verdicts.
	Structured *llm.Structured
	Agents     AgentRunner // nil: there are none
	// Span is told of each attempt at a step: it may add to the context, and is
	// told of the end. nil: nobody.
	Span func(ctx context.Context, run assent.Run, path string, st assent.Step) (context.Context, func(error))
	// Observe is told of each committed transition of a run; nil: nobody. It must
	// not block.
	Observe func(event, to string)
	// Point is called at the boundaries of the journal, with the step's path; tests
	// end the process there. nil: nothing happens.
	Point  func(name, path string)
	Engine assent.Engine
	IDs    assent.IDs
	Clock  assent.Clock
	Limits Limits
}

// Service is the plan engine. It is safe for concurrent use.
type Service struct{ Deps }

// New makes the plan engine.
func New(d Deps) *Service {
	if d.Span == nil {
		d.Span = func(ctx context.Context, _ assent.Run, _ string, _ assent.Step) (context.Context, func(error)) {
			return ctx, func(error) {}
		}
	}
	if d.Observe == nil {
		d.Observe = func(string, string) {}
	}
	if d.Point == nil {
		d.Point = func(string, string) {}
	}
	return &Service{Deps: d}
}
