package assent

import "encoding/json"

// Effect is the worst that a call of a tool may do.
type Effect string

// Effects from mild to strict; design 03 §5 item 9.
const (
	EffectRead        Effect = "read"
	EffectWrite       Effect = "write"       // built-in data, journalled, can be undone
	EffectDestructive Effect = "destructive" // deletes, or nobody vouches for it
	EffectExternal    Effect = "external"    // leaves the installation
)

// ToolPolicy is what admins say about a tool beside its effect.
type ToolPolicy string

// Policies: ask lets a tool run upon a person's word only, deny not at all.
const (
	PolicyAllow ToolPolicy = "allow"
	PolicyAsk   ToolPolicy = "ask"
	PolicyDeny  ToolPolicy = "deny"
)

// NeedsWord reports whether such a call never runs without a person's word.
func (e Effect) NeedsWord() bool { return e == EffectDestructive || e == EffectExternal }

// ToolSpec is a tool as models, plans, pages and the API see it.
type ToolSpec struct {
	Name         string          `json:"name"`
	Aliases      []string        `json:"aliases"`
	Title        string          `json:"title"` // what people read, e.g. "Create a project"
	Description  string          `json:"description"`
	Effect       Effect          `json:"effect"`
	Idempotent   bool            `json:"idempotent"`
	InputSchema  json.RawMessage `json:"input_schema"`
	OutputSchema json.RawMessage `json:"output_schema"`
	Source       string          `json:"source"` // builtin, mcp:<server>, agent
	Virtual      bool            `json:"virtual,omitempty"`
}

// ToolCall is one call that a model, a plan, a person or a protocol asked for.
type ToolCall struct {
	ID        string          `json:"call_id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// ToolResult is the outcome of a call: Output when it succeeded, else Err.
type ToolResult struct {
	Output  json.RawMessage // structuredContent, valid against the output schema
	Summary string          // one line for people
	Err     *Error
}

// Envelope is the one form of a tool outcome for models, MCP and HTTP; design 05 §2.
type Envelope struct {
	Success         bool            `json:"success"`
	Output          json.RawMessage `json:"output,omitempty"`
	Error           *Problem        `json:"error,omitempty"`
	RemediationHint string          `json:"remediation_hint,omitempty"`
}

// Envelope renders r for a caller.
func (r ToolResult) Envelope() Envelope {
	if r.Err == nil {
		return Envelope{Success: true, Output: r.Output}
	}
	return Envelope{Error: ProblemOf(r.Err), RemediationHint: r.Err.Hint}
}

// Preview tells beforehand what a call or plan would do. Keys of the maps are
// entity kinds ("task"), values are counts.
type Preview struct {
	Creates  map[string]int `json:"creates"`
	Updates  map[string]int `json:"updates"`
	Deletes  map[string]int `json:"deletes"`
	External []string       `json:"external"` // systems that would be touched
	Undoable []string       `json:"undoable"` // step ids whose effect can be undone
	Open     []string       `json:"open"`     // step ids whose effect cannot be counted yet
	// Contents names what steps create that the preview counts, for steps that
	// create several things at once.
	Contents []StepContents `json:"contents,omitempty"`
	Estimate Estimate       `json:"estimate"`
}

// StepContents names one by one what a step would create; More says how many
// there are beyond those.
type StepContents struct {
	Step  string        `json:"step"`
	Items []PreviewItem `json:"items"`
	More  int           `json:"more,omitempty"`
}

// PreviewItem is one thing that a call would create.
type PreviewItem struct {
	Kind    Kind   `json:"kind"`
	Title   string `json:"title"`
	DueDate Date   `json:"due_date,omitempty"`
	Under   string `json:"under,omitempty"` // title of the milestone that a task belongs to
}

// Estimate is what a run may cost, and how that was guessed.
type Estimate struct {
	LLMCalls   int64  `json:"llm_calls"`
	Tokens     int64  `json:"tokens"`
	CostMicros *int64 `json:"cost_micros"`
	Basis      string `json:"basis"`
}

// NewPreview gives a preview of nothing, with maps and slices that render as
// {} and [].
func NewPreview() Preview {
	return Preview{Creates: map[string]int{}, Updates: map[string]int{}, Deletes: map[string]int{},
		External: []string{}, Undoable: []string{}, Open: []string{}}
}
