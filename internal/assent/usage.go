package assent

import "encoding/json"

// Operation says what a model call is for; design 05 §1.
type Operation string

// Operation types.
const (
	OpPlannerStream      Operation = "planner_stream"
	OpPlanGeneration     Operation = "plan_generation"
	OpPlanReview         Operation = "plan_review"
	OpPlanSummary        Operation = "plan_summary"
	OpConsentReading     Operation = "consent_reading"
	OpAgentBuild         Operation = "agent_build"
	OpAgentConverse      Operation = "agent_converse"
	OpArgumentExtraction Operation = "argument_extraction"
	OpHistorySummary     Operation = "history_summary"
	OpClarification      Operation = "clarification"
	OpTitle              Operation = "title"
	OpProviderCheck      Operation = "provider_check"
)

// CallStatus is how a model call ended; open while it has not.
type CallStatus string

// Statuses of a usage row.
const (
	CallOpen      CallStatus = "open"
	CallOK        CallStatus = "ok"
	CallFailed    CallStatus = "failed"
	CallCancelled CallStatus = "cancelled"
	CallTimeout   CallStatus = "timeout"
)

// CallUsage is the record of one try of one model call. It is inserted open
// when the try starts and finished when it ends, whatever its end.
type CallUsage struct {
	ID                     string      `json:"id"`
	At                     Time        `json:"at"`
	EndedAt                Time        `json:"ended_at"`
	UserID                 string      `json:"user_id"`
	SessionID              string      `json:"session_id"`
	TurnID                 string      `json:"turn_id"`
	RunID                  string      `json:"run_id"`
	PlanID                 string      `json:"plan_id"`
	Step                   string      `json:"step"`
	Tool                   string      `json:"tool"`
	Operation              Operation   `json:"operation_type"`
	ContextType            ContextType `json:"context_type"`
	ExecutionMode          Mode        `json:"execution_mode"`
	Profile                string      `json:"profile"`
	Provider               string      `json:"provider"`
	Model                  string      `json:"model"`
	Status                 CallStatus  `json:"status"`
	ErrorClass             string      `json:"error_class"`
	TokensIn               int64       `json:"tokens_in"`
	TokensOut              int64       `json:"tokens_out"`
	TokensCached           int64       `json:"tokens_cached"`
	TokensReasoning        int64       `json:"tokens_reasoning"`
	CostMicros             *int64      `json:"cost_micros"`
	LatencyMS              int64       `json:"latency_ms"`
	TTFTMS                 int64       `json:"ttft_ms"` // time to first token; 0 if none came
	ForcedJSONMode         bool        `json:"forced_json_mode"`
	StructuredOutputStrict bool        `json:"structured_output_strict"`
	ToolSchemaID           string      `json:"tool_schema_id"`
	FinalizeRetries        int64       `json:"finalize_retries"`
	FallbackFrom           string      `json:"fallback_from"`
	FallbackReason         string      `json:"fallback_reason"`
	// WorstMicros is what a call may cost at worst, known before it is made; nil
	// where its answer is not bounded or its model has no price.
	WorstMicros *int64 `json:"-"`
}

// ErrorRow is what an admin sees of a failure.
type ErrorRow struct {
	ID            string          `json:"id"`
	At            Time            `json:"at"`
	Code          Code            `json:"code"`
	Class         string          `json:"class"`
	Component     string          `json:"component"`
	Stage         string          `json:"stage"`
	Tool          string          `json:"tool"`
	Operation     Operation       `json:"operation_type"`
	Provider      string          `json:"provider"`
	Model         string          `json:"model"`
	ContextType   ContextType     `json:"context_type"`
	ExecutionMode Mode            `json:"execution_mode"`
	SessionID     string          `json:"session_id"`
	TurnID        string          `json:"turn_id"`
	PlanID        string          `json:"plan_id"`
	RunID         string          `json:"run_id"`
	Step          string          `json:"step"`
	UserID        string          `json:"user_id"`
	Message       string          `json:"message"`
	Details       json.RawMessage `json:"details"`
}
