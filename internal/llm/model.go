package llm

import (
	"context"
	"encoding/json"
	"iter"

	"assent/internal/assent"
)

// Model is one provider's way to stream one answer. Implementations:
// llm/gemini, llm/openai, llm/offline. The suite llm/llmtest runs on all.
//
// Stream yields chunks as they arrive and ends after a Finish chunk, or with
// one *Error. It never retries. Provider differences (schema subsets, parallel
// calls, signatures, narrower tool names) stay inside the implementation.
type Model interface {
	Stream(ctx context.Context, model string, req Request) iter.Seq2[Chunk, error]
	// Check makes the cheapest call that proves address, key and model name.
	Check(ctx context.Context, model string) error
}

// Role is who speaks in a Message.
type Role string

// Roles of model messages. A system prompt is Request.System.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of the conversation that a model sees; it is stored as
// JSON in the history of a session.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content,omitempty"`
	// Calls are the tool calls of an assistant message, in order.
	Calls []Call `json:"calls,omitempty"`
	// CallID and Tool say which call a tool message answers.
	CallID string `json:"call_id,omitempty"`
	Tool   string `json:"tool,omitempty"`
	// Opaque is provider state of an assistant's text (a thought signature)
	// that must be sent back to the provider named in Provider.
	Opaque   json.RawMessage `json:"opaque,omitempty"`
	Provider string          `json:"provider,omitempty"`
}

// Call is a tool call that a model made. Opaque is provider state that must be
// sent back with it; it is ignored by every provider but Provider.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a JSON object
	Opaque    json.RawMessage `json:"opaque,omitempty"`
	Provider  string          `json:"provider,omitempty"`
}

// Tool is a tool on offer.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// Profile is a wish for speed or quality; admins map it to models.
type Profile string

// Profiles.
const (
	ProfileSpeed    Profile = "speed"
	ProfileBalanced Profile = "balanced"
	ProfileQuality  Profile = "quality"
)

// Meta attributes a call; a request without it is refused, so that there is no
// anonymous cost. One of TurnID, RunID or ExecutionID is set, except for
// provider_check.
type Meta struct {
	Operation     assent.Operation
	Profile       Profile
	ContextType   assent.ContextType
	ExecutionMode assent.Mode
	UserID        string
	SessionID     string
	TurnID        string
	RunID         string
	PlanID        string
	Step          string
	Tool          string
	ExecutionID   string
	// FinalizeRetries says how many corrective retries came before this call.
	FinalizeRetries int64
}

// Request is one call of a model.
type Request struct {
	Meta     Meta
	System   string
	Messages []Message
	// Note is a word of the product's own to the model that goes last, behind the
	// conversation, and is no part of it: what changes with every call, so that
	// the provider's prefix cache holds.
	Note  string
	Tools []Tool
	// ToolChoice "" lets the model choose; a tool's name forces that tool.
	ToolChoice string
	// OutputSchema asks for JSON of that schema instead of free text.
	OutputSchema json.RawMessage
	MaxTokens    int64
}

// ChunkKind says which field of a Chunk counts.
type ChunkKind int

// Kinds of chunks.
const (
	ChunkText     ChunkKind = iota // Text
	ChunkThought                   // Text, never shown
	ChunkCall                      // Call, complete
	ChunkOpaque                    // Opaque: state of the answer's text
	ChunkUsage                     // Usage so far; the last one counts
	ChunkFinish                    // Finish; the stream ends
	ChunkProgress                  // nothing yet, but a call is being written; the gateway keeps it to itself
)

// Chunk is one piece of a streamed answer.
type Chunk struct {
	Kind   ChunkKind
	Text   string
	Call   Call
	Opaque json.RawMessage
	Usage  Tokens
	Finish string // the provider's own word, for the log only
	Flags  Flags  // with ChunkFinish
	// Provider is who answered, with ChunkOpaque and ChunkFinish: it belongs
	// into Message.Provider beside the opaque state.
	Provider string
}

// Flags say how a provider asked for structured output.
type Flags struct {
	ForcedJSON   bool // by words at the end of the prompt
	StrictSchema bool // by the provider's own schema mode
}

// Tokens counts what a call used. Cached is a part of In, Reasoning of Out.
type Tokens struct {
	In, Out, Cached, Reasoning int64
}
