package assent

import (
	"context"
	"errors"
	"time"
)

// Caller is on whose behalf something is done right now.
type Caller string

// Callers. A person's own hand on a page is the word; a model's is not.
const (
	CallerPerson Caller = "person"
	CallerModel  Caller = "model"
	CallerPlan   Caller = "plan" // a step of an approved version
	CallerAgent  Caller = "agent"
	CallerMCP    Caller = "mcp"
	CallerA2A    Caller = "a2a"
)

// Scope says for whom, where and with what rights work is done. It is an
// explicit value passed down, never looked up in a context.
type Scope struct {
	Person      Person
	Principal   Principal
	SessionID   string
	TurnID      string
	RunID       string
	PlanID      string
	StepPath    string
	Generation  int64
	ExecutionID string
	RequestID   string
	Caller      Caller
	Floor       Mode // mode floor of this turn; the model cannot lower it
	ContextType ContextType
	EntityID    string // the project or task that the session is about
	Depth       int
	Zone        *time.Location
	Sink        Sink
}

// Emit sends ev to the scope's sink; without one it is a no-op.
func (s Scope) Emit(ctx context.Context, ev Event) error {
	if s.Sink == nil {
		return nil
	}
	return s.Sink.Emit(ctx, ev)
}

// Sink takes the events of one turn that have no row of their own (text,
// agent_state, tool_call). Events keep their order. Emit returns once the event
// is committed and has its seq, except for Text: that is committed as soon as
// the one before it is, several joined into one if need be, and a failure is
// returned by the next call. Flush returns once everything is committed. Events
// that report a change of state do not go through a Sink: they are appended in
// the transaction of the change.
type Sink interface {
	Emit(ctx context.Context, ev Event) error
	Flush(ctx context.Context) error
}

// Job kinds that an Engine drives.
const (
	JobTurn = "turn"
	JobRun  = "run"
)

// Engine drives turns and runs. Start and Signal are idempotent by id, only ids
// cross it, and neither blocks on the work itself.
type Engine interface {
	Start(ctx context.Context, kind, id string)
	// Signal wakes (SignalWake) or cancels (SignalCancel) the job id, if it is driven here.
	Signal(ctx context.Context, id, signal string)
}

// Causes with which an Engine cancels a job's context.
var (
	ErrCancelled = errors.New("cancelled by a person")
	ErrStopping  = errors.New("the server is shutting down")
)

// Signals of an Engine.
const (
	SignalWake   = "wake"
	SignalCancel = "cancel"
)
