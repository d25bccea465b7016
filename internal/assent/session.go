package assent

import "encoding/json"

// ContextType says what a conversation is about; design 02 §1.
type ContextType string

// The context types.
const (
	ContextGeneral       ContextType = "general" // alias "global"
	ContextProjectCreate ContextType = "project_create"
	ContextProject       ContextType = "project"
	ContextTask          ContextType = "task" // alias "task_update"
	ContextProjectAudit  ContextType = "project_audit"
)

// ParseContextType resolves aliases; ok is false for an unknown one.
func ParseContextType(s string) (ct ContextType, ok bool) {
	switch ContextType(s) {
	case "", ContextGeneral, "global":
		return ContextGeneral, true
	case ContextTask, "task_update":
		return ContextTask, true
	case ContextProjectCreate, ContextProject, ContextProjectAudit:
		return ContextType(s), true
	}
	return "", false
}

// Session is one conversation of one person.
type Session struct {
	ID          string      `json:"id"`
	UserID      string      `json:"user_id"`
	ContextType ContextType `json:"context_type"`
	EntityID    string      `json:"entity_id"` // the project or task it is about; may be empty
	Title       string      `json:"title"`
	LastSeq     int64       `json:"last_seq"` // seq of the newest event
	CreatedAt   Time        `json:"created_at"`
	UpdatedAt   Time        `json:"updated_at"`
	Waiting     int64       `json:"waiting"` // computed: plans that wait for this person's word
	Running     bool        `json:"running"` // computed: a turn or run is under way
}

// MessageRole is who wrote a message.
type MessageRole string

// The roles of messages that people see.
const (
	RoleUser      MessageRole = "user"
	RoleAssistant MessageRole = "assistant"
)

// Message is what a person or the assistant wrote. It is immutable but for the
// take-back mark of its reading.
type Message struct {
	ID        string      `json:"id"`
	SessionID string      `json:"session_id"`
	TurnID    string      `json:"turn_id"`
	Role      MessageRole `json:"role"`
	Content   string      `json:"content"`
	SeenSeq   int64       `json:"seen_seq"` // last event its sender had seen
	Stopped   bool        `json:"stopped,omitempty"`
	// MayApprove says whether its sender could approve: a token without the
	// scope could not, whatever was written.
	MayApprove bool     `json:"-"`
	Reading    *Reading `json:"reading,omitempty"`
	CreatedAt  Time     `json:"created_at"`
}

// TurnKind is why a turn exists.
type TurnKind string

// Kinds of turns.
const (
	TurnMessage TurnKind = "message" // a person's message is answered
	TurnReport  TurnKind = "report"  // a run ended while no turn awaited it
)

// TurnStatus is where a turn is; it only moves forward.
type TurnStatus string

// queued → running → one of the ends. interrupted: the process died meanwhile.
const (
	TurnQueued      TurnStatus = "queued"
	TurnRunning     TurnStatus = "running"
	TurnCompleted   TurnStatus = "completed"
	TurnStopped     TurnStatus = "stopped"
	TurnFailed      TurnStatus = "failed"
	TurnInterrupted TurnStatus = "interrupted"
)

// Ended reports whether nothing more will happen in the turn.
func (s TurnStatus) Ended() bool { return s != TurnQueued && s != TurnRunning }

// Turn is one answer of the planner, from a message to done.
type Turn struct {
	ID            string     `json:"id"`
	SessionID     string     `json:"session_id"`
	UserID        string     `json:"user_id"`
	MessageID     string     `json:"message_id"` // the message it answers; empty for a report
	RunID         string     `json:"run_id,omitempty"`
	Kind          TurnKind   `json:"kind"`
	ExecutionMode Mode       `json:"execution_mode"` // the mode floor applied
	Status        TurnStatus `json:"status"`
	Usage         Usage      `json:"usage"`
	Error         *Problem   `json:"error,omitempty"`
	CreatedAt     Time       `json:"created_at"`
	StartedAt     Time       `json:"started_at"`
	EndedAt       Time       `json:"ended_at"`
}

// Usage sums model calls. CostMicros is null while no call in it had a price.
type Usage struct {
	Calls        int64  `json:"calls"`
	LLMCalls     int64  `json:"llm_calls"` // the same number under the name that plan results use
	Unpriced     int64  `json:"unpriced_calls"`
	TokensIn     int64  `json:"tokens_in"`
	TokensOut    int64  `json:"tokens_out"`
	TokensCached int64  `json:"tokens_cached"`
	CostMicros   *int64 `json:"cost_micros"`
}

// Add sums o into u.
func (u *Usage) Add(o Usage) {
	u.Calls += o.Calls
	u.LLMCalls += o.LLMCalls
	u.Unpriced += o.Unpriced
	u.TokensIn += o.TokensIn
	u.TokensOut += o.TokensOut
	u.TokensCached += o.TokensCached
	if o.CostMicros != nil {
		sum := *o.CostMicros
		if u.CostMicros != nil {
			sum += *u.CostMicros
		}
		u.CostMicros = &sum
	}
}

// HistoryItem is one model-side message of a turn (assistant text with tool
// calls, or a tool's result), kept so that later turns and restarts replay it,
// opaque provider state included. Data is an llm.Message.
type HistoryItem struct {
	TurnID   string
	Position int64
	Data     json.RawMessage
}

// Sender is the person by, with what the message's door let them do.
func (m Message) Sender(by Person) Principal {
	pr := Principal{Person: by, Scopes: []TokenScope{ScopeRead, ScopeChat}}
	if m.MayApprove {
		pr.Scopes = append(pr.Scopes, ScopeApprove)
	}
	return pr
}
