package assent

import "encoding/json"

// Mode is how far a plan may go without a person's word; design 03 §5 item 2.
type Mode string

// Modes from loose to strict.
const (
	ModeAutoExecute Mode = "auto_execute"
	ModeAgentReview Mode = "agent_review"
	ModeDraftOnly   Mode = "draft_only"
)

func (m Mode) rank() int {
	switch m {
	case ModeDraftOnly:
		return 2
	case ModeAgentReview:
		return 1
	}
	return 0
}

// Stricter gives the stricter of two modes; "" counts as auto_execute.
func Stricter(a, b Mode) Mode {
	if b.rank() > a.rank() {
		return b
	}
	if a == "" {
		return ModeAutoExecute
	}
	return a
}

// ParseMode checks a mode from outside; empty stays empty.
func ParseMode(s string) (Mode, bool) {
	switch Mode(s) {
	case "", ModeAutoExecute, ModeAgentReview, ModeDraftOnly:
		return Mode(s), true
	}
	return "", false
}

// PlanStatus is where a plan is; design 03 §5 item 1.
type PlanStatus string

// draft → pending_review → approved → running → (paused | waiting_human) → an end.
const (
	PlanDraft         PlanStatus = "draft"
	PlanPendingReview PlanStatus = "pending_review"
	PlanApproved      PlanStatus = "approved"
	PlanRunning       PlanStatus = "running"
	PlanPaused        PlanStatus = "paused"
	PlanWaitingHuman  PlanStatus = "waiting_human"
	PlanCompleted     PlanStatus = "completed"
	PlanFailed        PlanStatus = "failed"
	PlanRejected      PlanStatus = "rejected"
	PlanCancelled     PlanStatus = "cancelled"
	PlanUndone        PlanStatus = "undone"
)

// VersionStatus is where a version is; versions are immutable otherwise.
type VersionStatus string

// A version is open until it is approved or a newer one supersedes it.
const (
	VersionOpen       VersionStatus = "open"
	VersionApproved   VersionStatus = "approved"
	VersionSuperseded VersionStatus = "superseded"
)

// StepType is what a plan step is.
type StepType string

// Step types of the plan language.
const (
	StepTool       StepType = "tool"
	StepAgent      StepType = "agent"
	StepParallel   StepType = "parallel"
	StepCheckpoint StepType = "checkpoint"
)

// Step is one step of a plan as written, design 03 §1. Children stand in Steps
// of a parallel step only.
type Step struct {
	ID             string          `json:"id"`
	Type           StepType        `json:"type"`
	Label          string          `json:"label,omitempty"`
	Tool           string          `json:"tool,omitempty"`
	Arguments      json.RawMessage `json:"arguments,omitempty"`
	Agent          string          `json:"agent,omitempty"`
	Action         string          `json:"action,omitempty"`
	Mode           string          `json:"mode,omitempty"`
	Prompt         string          `json:"prompt,omitempty"`
	With           json.RawMessage `json:"with,omitempty"`
	MaxConcurrency int             `json:"max_concurrency,omitempty"`
	Merge          string          `json:"merge,omitempty"`
	Steps          []Step          `json:"steps,omitempty"`
	TimeoutMS      int64           `json:"timeout_ms,omitempty"`
	ResultKey      string          `json:"result_key,omitempty"`

	// Computed from the tool's definition for pages and API, never read from
	// a plan and not part of the hash.
	Effect Effect `json:"effect,omitempty"`
	Target string `json:"target,omitempty"` // what it acts on, from literal arguments, e.g. `“Office move”`
}

// PlanDocument is a plan in the plan language.
type PlanDocument struct {
	Objective        string   `json:"objective"`
	Reasoning        string   `json:"reasoning,omitempty"`
	RequestedOutputs []string `json:"requested_outputs,omitempty"`
	PriorityEntities []string `json:"priority_entities,omitempty"`
	Steps            []Step   `json:"steps"`
}

// Plan is a plan with its current version and, where asked for, its past.
type Plan struct {
	ID          string          `json:"id"`
	SessionID   string          `json:"session_id"`
	UserID      string          `json:"user_id"`
	TurnID      string          `json:"turn_id"`
	Objective   string          `json:"objective"`
	Reasoning   string          `json:"reasoning"`
	Status      PlanStatus      `json:"status"`
	Mode        Mode            `json:"mode"`
	Version     int64           `json:"version"`
	Hash        string          `json:"hash"`
	ContextType ContextType     `json:"context_type"`
	IntentLabel string          `json:"intent_label,omitempty"`
	Steps       []Step          `json:"steps"`
	Preview     Preview         `json:"preview"`
	Bindings    json.RawMessage `json:"bindings,omitempty"`
	Versions    []Version       `json:"versions"`
	Reviews     []Review        `json:"reviews"`
	Approvals   []Approval      `json:"approvals"`
	Runs        []Run           `json:"runs"`
	CreatedAt   Time            `json:"created_at"`
	UpdatedAt   Time            `json:"updated_at"`
}

// Version is one immutable version of a plan; only its status moves.
type Version struct {
	PlanID    string            `json:"-"`
	Version   int64             `json:"version"`
	Hash      string            `json:"hash"` // over the canonical form
	Status    VersionStatus     `json:"status"`
	Document  PlanDocument      `json:"-"`
	Digests   map[string]string `json:"-"` // tool or agent name → digest of its definition
	Steps     []Step            `json:"steps"`
	Preview   Preview           `json:"preview"`
	CreatedBy string            `json:"created_by"` // person id, "planner", "offline", ...
	ReadySeq  int64             `json:"ready_seq"`  // seq of its plan_ready_for_review; 0 if never shown
	CreatedAt Time              `json:"created_at"`
}

// Finding is one remark of a reviewer about a step ("" for the whole plan).
type Finding struct {
	Step     string `json:"step"`
	Severity string `json:"severity"` // info, warning, error
	Text     string `json:"text"`
}

// Verdicts of a plan review.
const (
	VerdictApproved     = "approved"
	VerdictRejected     = "rejected"
	VerdictNeedsChanges = "needs_changes"
)

// Review is a reviewer's structured verdict on one version.
type Review struct {
	ID       string    `json:"id"`
	PlanID   string    `json:"-"`
	Version  int64     `json:"version"`
	Reviewer string    `json:"reviewer"`
	Verdict  string    `json:"verdict"`
	Findings []Finding `json:"findings"`
	At       Time      `json:"at"`
}

// Basis is why an approval holds; design 03 §5 item 5.
type Basis string

// The bases of an approval.
const (
	BasisWords   Basis = "words"
	BasisSetting Basis = "setting"
	BasisCarried Basis = "carried"
	BasisRequest Basis = "request"
	BasisParent  Basis = "parent"
)

// Approval is the record of consent to exactly one version.
type Approval struct {
	ID              string   `json:"id"`
	PlanID          string   `json:"-"`
	Version         int64    `json:"version"`
	Hash            string   `json:"hash"`
	Basis           Basis    `json:"basis"`
	MessageID       string   `json:"message_id"`
	Words           string   `json:"words"`
	Reading         *Reading `json:"reading"`
	UserID          string   `json:"user_id"`
	At              Time     `json:"at"`
	Step            string   `json:"step,omitempty"`
	CostLimitMicros *int64   `json:"cost_limit_micros,omitempty"`
}

// RunStatus is what a run is doing.
type RunStatus string

// Run statuses; design 03 §6.
const (
	RunRunning      RunStatus = "running"
	RunPaused       RunStatus = "paused"
	RunWaitingHuman RunStatus = "waiting_human"
	RunCompleted    RunStatus = "completed"
	RunFailed       RunStatus = "failed"
	RunCancelled    RunStatus = "cancelled"
	RunUndone       RunStatus = "undone"
)

// Ended reports whether the run is over (it may still be undone).
func (s RunStatus) Ended() bool {
	switch s {
	case RunCompleted, RunFailed, RunCancelled, RunUndone:
		return true
	}
	return false
}

// Run is one execution of one approved version.
type Run struct {
	ID          string          `json:"id"`
	PlanID      string          `json:"plan_id"`
	SessionID   string          `json:"session_id"`
	UserID      string          `json:"user_id"`
	TurnID      string          `json:"turn_id"` // the turn that started it; empty when started by API
	Version     int64           `json:"version"`
	Hash        string          `json:"hash"`
	Status      RunStatus       `json:"status"`
	State       string          `json:"state"` // of the state machine, design 03 §6
	Generation  int64           `json:"generation"`
	Steps       []StepRun       `json:"steps"`
	Bindings    json.RawMessage `json:"bindings"`
	Usage       Usage           `json:"usage"`
	NotBefore   Time            `json:"not_before"` // first write not before this instant
	RequestedBy string          `json:"requested_by"`
	ApprovalID  string          `json:"approval_id"`
	Error       *Problem        `json:"error,omitempty"`
	StartedAt   Time            `json:"started_at"`
	EndedAt     Time            `json:"ended_at"`
}

// StepStatus is where a step of a run is.
type StepStatus string

// Step statuses; design 03 §6.
const (
	StepPending      StepStatus = "pending"
	StepRunning      StepStatus = "running"
	StepSuccess      StepStatus = "success"
	StepFailed       StepStatus = "failed"
	StepPartial      StepStatus = "partial"
	StepSkipped      StepStatus = "skipped"
	StepCancelled    StepStatus = "cancelled"
	StepWaitingHuman StepStatus = "waiting_human"
	StepUndone       StepStatus = "undone"
)

// StepRun is the journal of one step: resolved arguments before it starts, its
// result when it ends. Attempt is the fence (design 01): an end counts only for
// the attempt that began it.
type StepRun struct {
	RunID     string          `json:"-"`
	Position  int64           `json:"-"`
	ID        string          `json:"id"` // the plan's step id
	Path      string          `json:"path"`
	Type      StepType        `json:"type"`
	Tool      string          `json:"tool,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	Label     string          `json:"label,omitempty"`
	Status    StepStatus      `json:"status"`
	Attempt   int64           `json:"attempt"`
	Arguments json.RawMessage `json:"arguments"`
	Outputs   json.RawMessage `json:"outputs"`
	Summary   string          `json:"summary"`
	Error     *Problem        `json:"error,omitempty"`
	StartedAt Time            `json:"started_at"`
	EndedAt   Time            `json:"ended_at"`
}

// Reading is how a person's message was understood; design 03 §5 item 3.
type Reading struct {
	As        ReadingAs     `json:"as"`
	Action    ControlAction `json:"action,omitempty"` // of a control
	PlanID    string        `json:"plan_id,omitempty"`
	Version   int64         `json:"version,omitempty"`
	RunID     string        `json:"run_id,omitempty"`
	Words     string        `json:"words"` // verbatim from the message
	Changes   []Change      `json:"changes,omitempty"`
	Counts    bool          `json:"counts"`           // whether it has the effect it says
	Reason    string        `json:"reason,omitempty"` // why it does not count, or why unclear
	By        string        `json:"by,omitempty"`     // "rules" or "model"
	TakenBack bool          `json:"taken_back,omitempty"`
	// CostLimitMicros is a limit of cost in the words ("not over two dollars").
	CostLimitMicros *int64 `json:"cost_limit_micros,omitempty"`
	// Input is what a person said beside approving a run's question; "done" counts
	// an interrupted step as done.
	Input string `json:"input,omitempty"`
}

// ReadingAs is the kind of a reading.
type ReadingAs string

// Kinds of readings.
const (
	ReadApprove            ReadingAs = "approve"
	ReadApproveWithChanges ReadingAs = "approve_with_changes"
	ReadChange             ReadingAs = "change"
	ReadReject             ReadingAs = "reject"
	ReadQuestion           ReadingAs = "question"
	ReadUnrelated          ReadingAs = "unrelated"
	ReadUnclear            ReadingAs = "unclear"
	ReadControl            ReadingAs = "control"
)

// ControlAction is what a control reading asks of a run, a step or the turn.
type ControlAction string

// Control words act at once.
const (
	ControlStop     ControlAction = "stop" // the running turn
	ControlPause    ControlAction = "pause"
	ControlResume   ControlAction = "resume"
	ControlContinue ControlAction = "continue"
	ControlRollback ControlAction = "rollback"
	ControlExecute  ControlAction = "execute"
	ControlCancel   ControlAction = "cancel"
	ControlUndo     ControlAction = "undo"
	ControlHuman    ControlAction = "human-response" // answers a run that waits
)

// Change is one change that an answer asks for.
type Change struct {
	Op    string `json:"op"` // remove, set, add
	Step  string `json:"step,omitempty"`
	Words string `json:"words"`
}
