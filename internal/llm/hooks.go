package llm

import (
	"context"
	"errors"
	"iter"
	"strings"

	"assent/internal/redact"
)

// Hook is policy around every call of the gateway, the canned texts and checks
// included; redaction and budgets are hooks. Before hooks run in order, After
// hooks in reverse.
type Hook interface {
	// BeforeLLMRequest may change the request (not what its slices share with the
	// caller's), answer in the model's place, or refuse. Then no model is asked,
	// no usage row is written, and the hooks behind it are not called.
	BeforeLLMRequest(ctx context.Context, req *Request) (*Answer, error)
	// AfterLLMResponse is called once for each Before that let the call pass,
	// whatever its end, before that is handed on: with the whole answer, or what
	// there was of it and why it ended. What it returns is the call's failure from
	// there on; it can fail an answer, but not mend a failure.
	AfterLLMResponse(ctx context.Context, req Request, a Answer, failure error) error
}

// hooked is one call on its way through the hooks.
type hooked struct {
	hooks []Hook
	req   Request
	ran   int // hooks whose Before let the call pass
	ended bool
	seen  Answer
	text  strings.Builder
}

// around puts the hooks around a call.
func (g *Gateway) around(ctx context.Context, req Request, stream func(Request) iter.Seq2[Chunk, error]) iter.Seq2[Chunk, error] {
	if len(g.cfg.Hooks) == 0 {
		return stream(req)
	}
	return func(yield func(Chunk, error) bool) {
		h := &hooked{hooks: g.cfg.Hooks, req: req}
		defer func() {
			if !h.ended { // the consumer went away
				_ = h.after(ctx, &Error{Class: ClassCancelled, Detail: "the answer was not read to its end"})
			}
		}()
		answer, err := h.before(ctx)
		switch {
		case err != nil:
			yield(Chunk{}, h.after(ctx, err))
		case answer != nil:
			h.pass(ctx, answer.stream(), yield)
		default:
			h.pass(ctx, stream(h.req), yield)
		}
	}
}

func (h *hooked) before(ctx context.Context) (*Answer, error) {
	for _, hook := range h.hooks {
		if a, err := hook.BeforeLLMRequest(ctx, &h.req); a != nil || err != nil {
			return a, err
		}
		h.ran++
	}
	return nil, nil
}

// pass hands the chunks on; the last one when the hooks have seen the whole.
func (h *hooked) pass(ctx context.Context, chunks iter.Seq2[Chunk, error], yield func(Chunk, error) bool) {
	for c, err := range chunks {
		if err != nil {
			yield(Chunk{}, h.after(ctx, err))
			return
		}
		if c.Kind == ChunkText {
			h.text.WriteString(c.Text)
		}
		h.seen.add(c)
		if c.Kind == ChunkFinish {
			if err := h.after(ctx, nil); err != nil {
				yield(Chunk{}, err)
				return
			}
		}
		if !yield(c, nil) {
			return
		}
	}
}

// after tells the hooks in reverse. A failure stays one, and is an *Error.
func (h *hooked) after(ctx context.Context, failure error) error {
	h.ended = true
	h.seen.Text = h.text.String()
	for i := h.ran - 1; i >= 0; i-- {
		if err := h.hooks[i].AfterLLMResponse(ctx, h.req, h.seen, failure); err != nil {
			failure = err
		}
	}
	var e *Error
	if failure == nil || errors.As(failure, &e) {
		return failure
	}
	return &Error{Class: ClassInternal, Detail: "a hook refused the call", Err: failure}
}

// stream gives an answer as the chunks of which a model would make it.
func (a Answer) stream() iter.Seq2[Chunk, error] {
	chunks := []Chunk{}
	if a.Text != "" {
		chunks = append(chunks, Chunk{Kind: ChunkText, Text: a.Text})
	}
	for _, c := range a.Calls {
		chunks = append(chunks, Chunk{Kind: ChunkCall, Call: c})
	}
	chunks = append(chunks, Chunk{Kind: ChunkUsage, Usage: a.Tokens}, Chunk{Kind: ChunkFinish, Finish: a.Finish, Flags: a.Flags, Provider: a.Provider})
	return func(yield func(Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// Redaction is the hook by which no secret reaches a model.
type Redaction struct{ *redact.Redactor }

// BeforeLLMRequest implements Hook. Opaque state is the provider's own and goes
// back as it came.
func (r Redaction) BeforeLLMRequest(_ context.Context, req *Request) (*Answer, error) {
	req.System, req.Note = r.Text(req.System), r.Text(req.Note)
	req.Messages = redacted(req.Messages, r.message)
	req.Tools = redacted(req.Tools, r.tool)
	return nil, nil
}

// AfterLLMResponse implements Hook.
func (Redaction) AfterLLMResponse(_ context.Context, _ Request, _ Answer, failure error) error {
	return failure
}

func (r Redaction) message(m Message) (Message, bool) {
	content := r.Text(m.Content)
	calls := redacted(m.Calls, func(c Call) (Call, bool) {
		args := r.JSON(c.Arguments)
		changed := len(args) != len(c.Arguments) || string(args) != string(c.Arguments)
		c.Arguments = args
		return c, changed
	})
	changed := content != m.Content || len(calls) > 0 && &calls[0] != &m.Calls[0]
	m.Content, m.Calls = content, calls
	return m, changed
}

func (r Redaction) tool(t Tool) (Tool, bool) {
	text := r.Text(t.Description)
	schema := r.JSON(t.Schema)
	changed := text != t.Description || string(schema) != string(t.Schema)
	t.Description, t.Schema = text, schema
	return t, changed
}

// redacted is list with what fn changes; a copy, since others share it.
func redacted[T any](list []T, fn func(T) (T, bool)) []T {
	out := list
	for i, v := range list {
		changed, did := fn(v)
		if !did {
			continue
		}
		if &out[0] == &list[0] {
			out = append([]T(nil), list...)
		}
		out[i] = changed
	}
	return out
}
