package assent

import "encoding/json"

// Event is the sealed set of things that a session's log records; design 02 §3.
// Each is flat JSON; seq, type, turn_id and at are added when it is stored.
type Event interface {
	EventType() string
	sealed()
}

type event struct{}

func (event) sealed() {}

// LoggedEvent is an event with its place in the log. Data is the whole flat
// JSON object, seq, type, turn_id and at included.
type LoggedEvent struct {
	SessionID string
	Seq       int64
	TurnID    string
	Type      string
	At        Time
	Data      json.RawMessage
}

// Events lists one zero value of every event type; tests hold that each renders
// JSON and a fragment.
func Events() []Event {
	return []Event{SessionEvent{}, MessageEvent{}, ReadingEvent{}, LastTurnContext{}, OntologyLoaded{},
		AgentState{}, Text{}, ToolCallEvent{}, ToolResultEvent{}, PlanCreated{}, PlanReady{}, PlanReview{},
		PlanState{}, RunState{}, StepStart{}, StepComplete{}, Warning{}, ErrorEvent{}, Reset{}, Done{}}
}

// SessionEvent opens a turn: what the conversation is about.
type SessionEvent struct {
	event
	SessionID   string      `json:"session_id"`
	ContextType ContextType `json:"context_type"`
	EntityID    string      `json:"entity_id"`
}

// EventType is "session".
func (SessionEvent) EventType() string { return "session" }

// MessageEvent shows a message to every window of the session.
type MessageEvent struct {
	event
	MessageID string      `json:"message_id"`
	Role      MessageRole `json:"role"`
	Content   string      `json:"content"`
	Queued    bool        `json:"queued,omitempty"` // it waits behind a running turn
	Stopped   bool        `json:"stopped,omitempty"`
	Reading   *Reading    `json:"reading,omitempty"`
}

// EventType is "message".
func (MessageEvent) EventType() string { return "message" }

// ReadingEvent says how a message was understood.
type ReadingEvent struct {
	event
	MessageID string `json:"message_id"`
	Reading
}

// EventType is "reading".
func (ReadingEvent) EventType() string { return "reading" }

// LastTurnContext tells what the previous turn touched.
type LastTurnContext struct {
	event
	PreviousTurnID string   `json:"previous_turn_id"`
	Status         string   `json:"status"`
	Entities       []string `json:"entities"` // ids of entities it wrote
	Plans          []string `json:"plans"`
}

// EventType is "last_turn_context".
func (LastTurnContext) EventType() string { return "last_turn_context" }

// OntologyLoaded tells what of the workspace the model was shown.
type OntologyLoaded struct {
	event
	Scope  string         `json:"scope"` // workspace, project or task
	Counts map[string]int `json:"counts"`
}

// EventType is "ontology_loaded".
func (OntologyLoaded) EventType() string { return "ontology_loaded" }

// States of AgentState.
const (
	StateThinking      = "thinking"
	StateExecutingTool = "executing_tool"
	StateExecutingPlan = "executing_plan"
	StateWaitingOnUser = "waiting_on_user"
)

// AgentState drives the status chip.
type AgentState struct {
	event
	State       string      `json:"state"`
	ContextType ContextType `json:"context_type"`
	Details     string      `json:"details,omitempty"`
}

// EventType is "agent_state".
func (AgentState) EventType() string { return "agent_state" }

// Text is a piece of the assistant's answer.
type Text struct {
	event
	Delta string `json:"delta"`
}

// EventType is "text".
func (Text) EventType() string { return "text" }

// ToolCallEvent says that a call is about to run; secrets are redacted.
type ToolCallEvent struct {
	event
	CallID    string          `json:"call_id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Label     string          `json:"label"`
	Effect    Effect          `json:"effect"`
	Virtual   bool            `json:"virtual"`
}

// EventType is "tool_call".
func (ToolCallEvent) EventType() string { return "tool_call" }

// ToolResultEvent ends a call. Output is cut to a size fit for a page.
type ToolResultEvent struct {
	event
	CallID     string          `json:"call_id"`
	Tool       string          `json:"tool"`
	OK         bool            `json:"ok"`
	Summary    string          `json:"summary"`
	Output     json.RawMessage `json:"output,omitempty"`
	Error      *Problem        `json:"error,omitempty"`
	DurationMS int64           `json:"duration_ms"`
}

// EventType is "tool_result".
func (ToolResultEvent) EventType() string { return "tool_result" }

// PlanCreated says that a version was stored and is valid.
type PlanCreated struct {
	event
	PlanID    string  `json:"plan_id"`
	Version   int64   `json:"version"`
	Hash      string  `json:"hash"`
	Objective string  `json:"objective"`
	Mode      Mode    `json:"mode"`
	Steps     []Step  `json:"steps"`
	Preview   Preview `json:"preview"`
	// Changed is what differs from the version before, if there is one.
	Changed []StepChange `json:"changed,omitempty"`
}

// EventType is "plan_created".
func (PlanCreated) EventType() string { return "plan_created" }

// PlanReady says that a version waits for the person's word. Consent binds only
// to versions whose PlanReady the sender had seen.
type PlanReady struct {
	event
	PlanID           string   `json:"plan_id"`
	Version          int64    `json:"version"`
	Hash             string   `json:"hash"`
	Objective        string   `json:"objective"`
	Mode             Mode     `json:"mode"`
	Steps            []Step   `json:"steps"`
	Preview          Preview  `json:"preview"`
	Reasoning        string   `json:"reasoning"`
	SuggestedReplies []string `json:"suggested_replies"`
	// Changed is what differs from the version before, if there is one.
	Changed []StepChange `json:"changed,omitempty"`
}

// StepChange is one difference of a version from the one before it: old and new
// stand side by side in From and To.
type StepChange struct {
	Step  string          `json:"step"`            // path: "know/r"; "" for the plan's inputs
	Kind  string          `json:"kind"`            // added, removed or changed
	Field string          `json:"field,omitempty"` // of a change: "arguments.due_date", "tool", "position"
	From  json.RawMessage `json:"from,omitempty"`  // the step that is gone, or the value that was
	To    json.RawMessage `json:"to,omitempty"`    // the step that is new, or the value that is
}

// EventType is "plan_ready_for_review".
func (PlanReady) EventType() string { return "plan_ready_for_review" }

// PlanReview carries a reviewer's verdict.
type PlanReview struct {
	event
	PlanID   string    `json:"plan_id"`
	Version  int64     `json:"version"`
	Reviewer string    `json:"reviewer"`
	Verdict  string    `json:"verdict"`
	Findings []Finding `json:"findings"`
}

// EventType is "plan_review".
func (PlanReview) EventType() string { return "plan_review" }

// PlanState reports a change of a plan's status.
type PlanState struct {
	event
	PlanID  string     `json:"plan_id"`
	Version int64      `json:"version"`
	Status  PlanStatus `json:"status"`
	Reason  string     `json:"reason,omitempty"`
}

// EventType is "plan_state".
func (PlanState) EventType() string { return "plan_state" }

// RunState reports a change of a run's status.
type RunState struct {
	event
	RunID     string    `json:"run_id"`
	PlanID    string    `json:"plan_id"`
	Status    RunStatus `json:"status"`
	NotBefore Time      `json:"not_before,omitempty"`
	Reason    string    `json:"reason,omitempty"`
}

// EventType is "run_state".
func (RunState) EventType() string { return "run_state" }

// StepStart says that a step began, with its resolved arguments.
type StepStart struct {
	event
	RunID     string          `json:"run_id"`
	PlanID    string          `json:"plan_id"`
	Path      string          `json:"path"`
	Attempt   int64           `json:"attempt"`
	Status    StepStatus      `json:"status"`
	Arguments json.RawMessage `json:"arguments"`
}

// EventType is "step_start".
func (StepStart) EventType() string { return "step_start" }

// StepComplete says how a step ended.
type StepComplete struct {
	event
	RunID      string          `json:"run_id"`
	PlanID     string          `json:"plan_id"`
	Path       string          `json:"path"`
	Attempt    int64           `json:"attempt"`
	Status     StepStatus      `json:"status"`
	Outputs    json.RawMessage `json:"outputs"` // null when it failed or the output is long: the run has it whole
	Summary    string          `json:"summary"`
	Entity     *EntityRef      `json:"entity,omitempty"` // what it made or changed
	Error      *Problem        `json:"error,omitempty"`
	DurationMS int64           `json:"duration_ms"`
}

// EntityRef names a thing of the workspace, enough to link to it.
type EntityRef struct {
	Kind      Kind   `json:"kind"`
	ID        string `json:"id"`
	ProjectID string `json:"project_id,omitempty"`
	Title     string `json:"title"`
}

// EventType is "step_complete".
func (StepComplete) EventType() string { return "step_complete" }

// Warning tells of something that did not stop the turn.
type Warning struct {
	event
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// EventType is "warning".
func (Warning) EventType() string { return "warning" }

// ErrorEvent tells of something that ended the turn.
type ErrorEvent struct {
	event
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// EventType is "error".
func (ErrorEvent) EventType() string { return "error" }

// Reset tells a client that what it asked for is gone: load the snapshot. It is
// sent, never stored.
type Reset struct {
	event
	LastSeq int64 `json:"last_seq"`
}

// EventType is "reset".
func (Reset) EventType() string { return "reset" }

// Done ends a turn.
type Done struct {
	event
	Status     TurnStatus     `json:"status"`
	Usage      Usage          `json:"usage"`
	Counts     map[string]int `json:"counts"` // tool_calls, model_calls, entities written per kind
	DurationMS int64          `json:"duration_ms"`
}

// EventType is "done".
func (Done) EventType() string { return "done" }
