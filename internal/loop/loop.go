package loop

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/redact"
	"assent/internal/store"
	"assent/internal/tool"
)

// Streamer is the gateway.
type Streamer interface {
	Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error]
}

// Executor runs tool calls; *tool.Executor is one.
type Executor interface {
	Execute(ctx context.Context, c tool.Call) assent.ToolResult
	ExecuteVirtual(ctx context.Context, spec assent.ToolSpec, c tool.Call, h tool.Virtual) assent.ToolResult
	Registry() *tool.Registry
}

// Writer is the one write path.
type Writer interface {
	Write(ctx context.Context, fn func(*store.Tx) error) error
}

// Limits are the budgets of one Run; design 05 §3.
type Limits struct {
	ToolCalls       int   // calls that the model may choose
	Iterations      int   // model calls
	Tokens          int64 // in and out, of this run's model calls; 0: no limit
	FinalizeRetries int   // times an empty answer is asked for again
}

// Loop is the machinery; it is safe for concurrent use, a Job is not.
type Loop struct {
	model    Streamer
	executor Executor
	writer   Writer
	ids      assent.IDs
	clock    assent.Clock
	secrets  *redact.Redactor
}

// New makes a loop.
func New(m Streamer, e Executor, w Writer, ids assent.IDs, clock assent.Clock) *Loop {
	return &Loop{model: m, executor: e, writer: w, ids: ids, clock: clock}
}

// Hide has secrets taken out of what models say and call. Call it before the loop
// is used.
func (l *Loop) Hide(r *redact.Redactor) { l.secrets = r }

// Job is one run of the loop.
type Job struct {
	Scope    assent.Scope
	Meta     llm.Meta
	Limits   Limits
	Caps     *tool.Caps
	Messages []llm.Message // what the model sees at first
	// System is the system prompt, the same for every iteration, so that a
	// provider's prefix cache holds.
	System string
	// Note renders what a model is told last, anew for each iteration; may be nil.
	Note func(Progress) string
	// Offer gives the tools on offer; it is asked before each iteration, so
	// that find_tools can widen it.
	Offer func() []assent.ToolSpec
	// Virtual are the tools that live in the caller, by name.
	Virtual map[string]Virtual
	// Position is the history position at which this run's messages begin.
	Position int64
}

// Virtual is a tool that lives in the caller of the loop.
type Virtual struct {
	Spec assent.ToolSpec
	Run  tool.Virtual
}

// Progress is what has been used of the budgets so far.
type Progress struct {
	ToolCalls, Iterations int
	Tokens                int64
	Limits                Limits
	PerTool               []tool.Use // of the tools called so far, by name
	// Last tells of the last response's calls in their order: the tool, and the
	// code of its failure, if any.
	Last []Called
	// Final says that this is the last call, without tools.
	Final bool
}

// Called is a call that was made.
type Called struct {
	Tool string
	Code assent.Code // "" if it worked
}

// Outcome is what a run came to.
type Outcome struct {
	Text      string // everything said, in order, a blank line between parts
	ToolCalls int
	Usage     assent.Usage
	Messages  []llm.Message // what was added to the conversation
	// Stopped says why the loop ended early; "" if it did not.
	Stopped assent.Code
	// Position is the next free history position.
	Position int64
}

// run is a Job under way.
type run struct {
	*Loop
	job      Job
	out      Outcome
	last     fingerprint // of the latest call
	called   []Called    // with the last response
	specs    map[string]assent.ToolSpec
	messages []llm.Message
	why      string // the sentence to Stopped
	broken   int    // responses in a row with calls that cannot be read
	cut      bool   // a stream that broke in a call was asked for again
	fitted   bool   // results were cut since the model had no room for them
}

// Run drives the job until the model has answered. The error is a model's
// failure or a cancellation; tool failures are results that the model sees.
func (l *Loop) Run(ctx context.Context, job Job) (Outcome, error) {
	r := &run{Loop: l, job: job, specs: map[string]assent.ToolSpec{}, messages: job.Messages}
	r.out.Position = job.Position
	for {
		final := r.out.Stopped != "" || r.out.modelCalls() >= job.Limits.Iterations-1
		ans, err := r.askWhole(ctx, final)
		if err != nil {
			return r.out, err
		}
		if len(ans.Calls) == 0 || final {
			return r.out, r.settle(ctx, ans)
		}
		if err := r.act(ctx, ans); err != nil {
			return r.out, err
		}
	}
}

func (o Outcome) modelCalls() int { return int(o.Usage.Calls) }

func (o Outcome) tokens() int64 { return o.Usage.TokensIn + o.Usage.TokensOut }

// progress is what a model may be told about its budgets.
func (r *run) progress(final bool) Progress {
	p := Progress{ToolCalls: r.out.ToolCalls, Iterations: r.out.modelCalls(), Tokens: r.out.tokens(), Limits: r.job.Limits, Last: r.called, Final: final}
	if r.job.Caps == nil {
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(r.specs)) {
		t, ok := r.executor.Registry().Find(name)
		if !ok {
			t = &tool.Tool{Spec: r.specs[name]}
		}
		p.PerTool = append(p.PerTool, r.job.Caps.Used(t))
	}
	return p
}

// answer is one response of the model.
type answer struct {
	llm.Message
	tokens llm.Tokens
}

// ask streams one response, forwarding its text. last asks without tools, so
// that the person gets an answer when a budget is used up.
func (r *run) ask(ctx context.Context, last bool) (answer, error) {
	req := llm.Request{Meta: r.job.Meta, System: r.job.System, Messages: r.messages}
	if r.job.Note != nil {
		req.Note = r.job.Note(r.progress(last))
	}
	if !last {
		req.Tools = offer(r.job.Offer())
	}
	a := answer{Message: llm.Message{Role: llm.RoleAssistant}}
	var text []byte
	for chunk, err := range r.model.Stream(ctx, req) {
		if err != nil {
			a.Content = string(text)
			r.spoken(a.Content)
			r.count(a.tokens)
			return a, err
		}
		switch chunk.Kind {
		case llm.ChunkText:
			chunk.Text = r.secrets.Text(chunk.Text)
			if len(text) == 0 && r.out.Text != "" {
				chunk.Text = "\n\n" + chunk.Text
			}
			text = append(text, chunk.Text...)
			if err := r.job.Scope.Emit(ctx, assent.Text{Delta: chunk.Text}); err != nil {
				r.spoken(string(text)) // it could not be shown, but is kept for the turn's end
				return a, err
			}
		case llm.ChunkCall:
			a.Calls = append(a.Calls, r.complete(chunk.Call))
		case llm.ChunkOpaque:
			a.Opaque, a.Provider = chunk.Opaque, chunk.Provider
		case llm.ChunkUsage:
			a.tokens = chunk.Usage
		}
	}
	a.Content = string(text)
	r.spoken(a.Content)
	r.count(a.tokens)
	return a, nil
}

// complete gives a call an id if the provider sent none, and hides secrets.
func (r *run) complete(c llm.Call) llm.Call {
	if c.ID == "" {
		c.ID = "call_" + r.ids()
	}
	if len(c.Arguments) == 0 {
		c.Arguments = json.RawMessage("{}")
	}
	c.Arguments = r.secrets.JSON(c.Arguments)
	return c
}

func (r *run) spoken(text string) { r.out.Text += text }

func (r *run) count(t llm.Tokens) {
	r.out.Usage.Add(assent.Usage{Calls: 1, LLMCalls: 1, TokensIn: t.In, TokensOut: t.Out, TokensCached: t.Cached})
}

func offer(specs []assent.ToolSpec) []llm.Tool {
	out := make([]llm.Tool, len(specs))
	for i, s := range specs {
		out[i] = llm.Tool{Name: s.Name, Description: s.Description, Schema: s.InputSchema}
	}
	return out
}

// emptyAnswer is what the product says itself when a model says nothing.
const emptyAnswer = "The model gave no answer. What was done so far is kept; please ask again or put it differently."

// settle ends the loop with the model's answer. An empty one is asked for
// again, then the product says so in its own words.
func (r *run) settle(ctx context.Context, a answer) error {
	for try := 0; a.Content == "" && try < r.job.Limits.FinalizeRetries; try++ {
		var err error
		if a, err = r.ask(ctx, true); err != nil {
			return err
		}
	}
	if a.Content == "" {
		a.Content = emptyAnswer
		r.spoken(emptyAnswer)
		if err := r.job.Scope.Emit(ctx, assent.Text{Delta: emptyAnswer}); err != nil {
			return err
		}
	}
	a.Calls = nil
	r.add(a.Message)
	return nil
}

// add puts a message at the end of the conversation.
func (r *run) add(m llm.Message) int64 {
	r.messages = append(r.messages, m)
	r.out.Messages = append(r.out.Messages, m)
	pos := r.out.Position
	r.out.Position++
	return pos
}

func history(turnID string, pos int64, m llm.Message) (assent.HistoryItem, error) {
	data, err := json.Marshal(m)
	return assent.HistoryItem{TurnID: turnID, Position: pos, Data: data}, err
}
