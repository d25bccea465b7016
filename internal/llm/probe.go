package llm

import (
	"context"
	"iter"

	"assent/internal/assent"
)

// probeTokens is enough for a word, also of a model that thinks first.
const probeTokens = 512

// Probe asks a model for one word, past its circuit and without another try, so
// that an admin sees how it answers. It is recorded as operation provider_check.
func (g *Gateway) Probe(ctx context.Context, meta Meta, t Target) iter.Seq2[Chunk, error] {
	meta.Operation = assent.OpProviderCheck
	set := g.set.Load()
	model := set.providers[t.Provider]
	if model == nil {
		return func(yield func(Chunk, error) bool) {
			yield(Chunk{}, &Error{Class: ClassInvalidRequest, Provider: t.Provider, Model: t.Model, Detail: "the provider is not set up"})
		}
	}
	word := Request{Meta: meta, MaxTokens: probeTokens, Messages: []Message{{Role: RoleUser, Content: "Answer with the one word: ready"}}}
	return g.once(ctx, set, meta, t, probeModel{model, word})
}

// probeModel lets a request of its own go the way of every call.
type probeModel struct {
	Model
	word Request
}

// Stream implements Model.
func (m probeModel) Stream(ctx context.Context, model string, _ Request) iter.Seq2[Chunk, error] {
	return m.Model.Stream(ctx, model, m.word)
}

// Unusable is a model that cannot be asked, for the reason given: its key cannot
// be opened, say. Other models of the profile are asked in its place.
func Unusable(reason string) Model { return unusable(reason) }

type unusable string

// Stream implements Model.
func (u unusable) Stream(ctx context.Context, model string, _ Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) { yield(Chunk{}, u.Check(ctx, model)) }
}

// Check implements Model.
func (u unusable) Check(context.Context, string) error {
	return &Error{Class: ClassAuth, Detail: string(u)}
}
