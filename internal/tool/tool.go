package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
)

// Tool is a tool with its handler. Make one with New or NewWrite.
type Tool struct {
	Spec    assent.ToolSpec
	Timeout time.Duration
	// Preview counts beforehand what a call would do for the person by; nil for
	// reads. Arguments may still hold references of a plan, so it must not trust
	// their values.
	Preview func(by string, args json.RawMessage) assent.Preview
	// Target names what the call acts on from literal arguments ("“Office move”"),
	// as far as the person by may see it; may be nil.
	Target func(by string, args json.RawMessage) string
	// Contents names one by one what a call would create; nil for tools whose
	// arguments say it all. Like Preview it must not trust the arguments.
	Contents func(r store.Reads, l Look, args json.RawMessage) Contents
	// Example is a set of arguments that validates; pages and tests use it.
	Example json.RawMessage
	// Cap is how often a model may choose the tool in one turn, where an admin has
	// said so; nil: as the caller's limits say.
	Cap *int64

	read  func(ctx context.Context, c Call) (json.RawMessage, string, error)
	write func(ctx context.Context, tx *store.Tx, c Call) (json.RawMessage, string, error)

	virtual Virtual // of a tool that lives in its caller
}

// Def describes a tool to New and NewWrite. Input and output schemas are
// inferred from the handler's types.
type Def struct {
	Name, Title, Description string
	Aliases                  []string
	Effect                   assent.Effect
	Idempotent               bool
	Timeout                  time.Duration // 0: 30 s
	Preview                  func(by string, args json.RawMessage) assent.Preview
	Target                   func(by string, args json.RawMessage) string
	Contents                 func(r store.Reads, l Look, args json.RawMessage) Contents
	Example                  string // JSON
}

// Look is who looks at a call before it is made, and when, in their zone.
type Look struct {
	By  string // person id
	Now time.Time
}

// Contents is what a call would create. Mark changes with everything beside the
// arguments that decides it (a template, the day that is counted from); it is
// empty where nothing does.
type Contents struct {
	Items []assent.PreviewItem
	Mark  string
}

// Call is one call on its way to a handler.
type Call struct {
	assent.ToolCall
	Scope assent.Scope
	Now   time.Time // in the person's zone
	// Shown is when the person was shown what the call does, for a step of a plan;
	// zero where nobody was. Days that arguments leave open are counted from it.
	Shown time.Time
	// Record, for a write, stores what the caller keeps about the call in the
	// transaction of its effect. It is called for successes only.
	Record func(tx *store.Tx, r assent.ToolResult) error
	// Guard, for a write, runs first in that transaction; an error refuses the
	// call before anything is written (the fence of a plan step).
	Guard func(tx *store.Tx) error
	// Caps counts calls that a model chose; nil for plan steps and people.
	Caps *Caps
}

// Today is the day that a call counts from where its arguments name none, at
// the time of day in the person's zone: what was shown is what happens.
func (c Call) Today() time.Time {
	if c.Shown.IsZero() {
		return c.Now
	}
	return c.Shown.In(c.Now.Location())
}

// Result is what a handler returns: the artifact with its id, and one line for people.
type Result[R any] struct {
	ArtifactID string
	Artifact   R
	Summary    string
}

// Metadata is the _metadata of the standard response, design 04 §3.
type Metadata struct {
	ContextID  string `json:"context_id"`
	RequestID  string `json:"request_id"`
	TraceID    string `json:"trace_id"`
	UserID     string `json:"user_id"`
	ToolName   string `json:"tool_name"`
	ExecutedAt string `json:"executed_at"`
}

// Response is the standard structuredContent of every built-in tool.
type Response[R any] struct {
	ArtifactID string   `json:"artifact_id"`
	Artifact   R        `json:"artifact"`
	Metadata   Metadata `json:"_metadata"`
}

// New makes a tool that reads, or acts outside the database.
func New[A, R any](d Def, h func(ctx context.Context, c Call, args A) (Result[R], error)) *Tool {
	t := define[A, R](d)
	t.read = func(ctx context.Context, c Call) (json.RawMessage, string, error) {
		args, err := decodeArguments[A](d.Name, c.Arguments)
		if err != nil {
			return nil, "", err
		}
		r, err := h(ctx, c, args)
		if err != nil {
			return nil, "", err
		}
		return respond(c, d.Name, r)
	}
	return t
}

// NewWrite makes a tool that works on the database alone: its effect commits
// together with what the caller records about it.
func NewWrite[A, R any](d Def, h func(ctx context.Context, tx *store.Tx, c Call, args A) (Result[R], error)) *Tool {
	t := define[A, R](d)
	t.write = func(ctx context.Context, tx *store.Tx, c Call) (json.RawMessage, string, error) {
		args, err := decodeArguments[A](d.Name, c.Arguments)
		if err != nil {
			return nil, "", err
		}
		r, err := h(ctx, tx, c, args)
		if err != nil {
			return nil, "", err
		}
		return respond(c, d.Name, r)
	}
	return t
}

// Writes reports whether the tool's effect is one transaction of our database.
func (t *Tool) Writes() bool { return t.write != nil }

func define[A, R any](d Def) *Tool {
	aliases := d.Aliases
	if aliases == nil {
		aliases = []string{}
	}
	timeout := d.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	return &Tool{
		Spec: assent.ToolSpec{Name: d.Name, Aliases: aliases, Title: d.Title, Description: d.Description, Effect: d.Effect,
			Idempotent: d.Idempotent || d.Effect == assent.EffectRead, Source: "builtin",
			InputSchema: schema.FromType[A](), OutputSchema: schema.FromType[Response[R]]()},
		Timeout: timeout, Preview: d.Preview, Target: d.Target, Contents: d.Contents, Example: json.RawMessage(d.Example),
	}
}

func respond[R any](c Call, name string, r Result[R]) (json.RawMessage, string, error) {
	id := r.ArtifactID
	if id == "" {
		id = c.ID
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a model reads this, not a browser
	err := enc.Encode(Response[R]{ArtifactID: id, Artifact: r.Artifact, Metadata: Metadata{ContextID: c.Scope.SessionID,
		RequestID: c.ID, TraceID: c.Scope.RequestID, UserID: c.Scope.Person.ID, ToolName: name, ExecutedAt: assent.At(c.Now).String()}})
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), r.Summary, err
}
