package gemini

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"google.golang.org/genai"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// answer reads one response and yields its chunks.
type answer struct {
	c     *Client
	out   *outgoing
	yield func(llm.Chunk, error) bool

	started bool // a chunk was yielded
	called  bool // a call came
	usage   llm.Tokens
	finish  genai.FinishReason
	state   opaque // signature of the text
}

// run asks and yields. A nil error means a complete answer, or a consumer that
// has left.
func (a *answer) run(ctx context.Context) *llm.Error {
	ctx, rec := watched(ctx)
	for resp, err := range a.c.api.Models.GenerateContentStream(ctx, a.out.model, standIn, a.out.config()) {
		if err != nil {
			if a.finish != "" && ctx.Err() == nil {
				break // the answer is complete, whatever follows
			}
			return a.c.failure(ctx, rec, err)
		}
		if e := a.c.blocked(resp.PromptFeedback); e != nil {
			return e
		}
		if !a.take(resp) {
			return nil
		}
	}
	switch {
	case a.finish == "" && rec.err != nil:
		return a.c.failure(ctx, rec, rec.err)
	case a.finish == "":
		return a.c.broken(ctx, io.ErrUnexpectedEOF)
	case declined(a.finish) && !a.called:
		return &llm.Error{Class: llm.ClassContentFiltered, Provider: a.c.name, Detail: "finish reason " + string(a.finish)}
	}
	a.end()
	return nil
}

// take yields what one of the server's chunks holds; false if the consumer
// breaks off.
func (a *answer) take(resp *genai.GenerateContentResponse) bool {
	for _, candidate := range resp.Candidates[:min(1, len(resp.Candidates))] {
		if candidate.Content != nil {
			for _, p := range candidate.Content.Parts {
				if !a.part(p) {
					return false
				}
			}
		}
		if candidate.FinishReason != "" && candidate.FinishReason != genai.FinishReasonUnspecified {
			a.finish = candidate.FinishReason
		}
	}
	return a.count(resp.UsageMetadata)
}

func (a *answer) part(p *genai.Part) bool {
	switch {
	case p.FunctionCall != nil:
		return a.call(p)
	case p.Thought:
		return p.Text == "" || a.say(llm.Chunk{Kind: llm.ChunkThought, Text: p.Text})
	}
	if len(p.ThoughtSignature) > 0 {
		a.state.Signature = p.ThoughtSignature
	}
	if p.Text == "" {
		return true
	}
	return a.say(llm.Chunk{Kind: llm.ChunkText, Text: p.Text})
}

func (a *answer) call(p *genai.Part) bool {
	a.called = true
	args, err := json.Marshal(p.FunctionCall.Args)
	if err != nil || len(p.FunctionCall.Args) == 0 {
		args = []byte("{}")
	}
	call := llm.Call{ID: p.FunctionCall.ID, Name: a.out.names.Back(p.FunctionCall.Name), Arguments: args,
		Opaque: opaque{Signature: p.ThoughtSignature}.encode(), Provider: a.c.name}
	if call.ID == "" {
		call.ID = a.c.ids()
	}
	return a.say(llm.Chunk{Kind: llm.ChunkCall, Call: call})
}

// count yields the usage when it has changed, so that a cancelled call has its
// cost too.
func (a *answer) count(u *genai.GenerateContentResponseUsageMetadata) bool {
	if u == nil {
		return true
	}
	now := llm.Tokens{
		In:        int64(u.PromptTokenCount) + int64(u.ToolUsePromptTokenCount),
		Out:       int64(u.CandidatesTokenCount) + int64(u.ThoughtsTokenCount),
		Cached:    int64(u.CachedContentTokenCount),
		Reasoning: int64(u.ThoughtsTokenCount),
	}
	if now == a.usage {
		return true
	}
	a.usage = now
	return a.say(llm.Chunk{Kind: llm.ChunkUsage, Usage: now})
}

// end yields what comes after the parts.
func (a *answer) end() {
	if state := a.state.encode(); state != nil {
		if !a.say(llm.Chunk{Kind: llm.ChunkOpaque, Opaque: state, Provider: a.c.name}) {
			return
		}
	}
	a.say(llm.Chunk{Kind: llm.ChunkFinish, Finish: provider.Detail(string(a.finish), a.c.key), Flags: a.out.flags(), Provider: a.c.name})
}

func (a *answer) say(c llm.Chunk) bool {
	a.started = true
	return a.yield(c, nil)
}

// declined reports whether a finish reason means that a filter stepped in.
func declined(r genai.FinishReason) bool {
	return slices.Contains([]genai.FinishReason{
		genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonBlocklist,
		genai.FinishReasonProhibitedContent, genai.FinishReasonSPII, genai.FinishReasonImageSafety,
		genai.FinishReasonImageProhibitedContent, genai.FinishReasonImageRecitation,
	}, r)
}

// broken is the error of a connection that ended early.
func (c *Client) broken(ctx context.Context, err error) *llm.Error {
	return provider.Transport(ctx, c.name, c.key, err)
}
