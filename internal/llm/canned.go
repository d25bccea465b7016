package llm

import (
	"context"
	"iter"

	"assent/internal/assent"
)

// CannedProvider is the provider in the usage rows of texts that no model wrote.
const CannedProvider = "canned"

// Canned streams a text of our own. It is recorded like any other call, as
// operation clarification with zero tokens and no cost, whatever meta says.
func (g *Gateway) Canned(ctx context.Context, meta Meta, text string) iter.Seq2[Chunk, error] {
	meta.Operation = assent.OpClarification
	target := Target{Provider: CannedProvider, Model: CannedProvider}
	set := &setup{
		catalog:  Catalog{Prices: map[string]Price{target.String(): {}}},
		breakers: map[string]*breaker{target.Provider: {}},
	}
	return g.once(ctx, set, meta, target, cannedModel(text))
}

// Check asks a model whether it is there, past its circuit, and records it as
// operation provider_check, of unknown cost.
func (g *Gateway) Check(ctx context.Context, meta Meta, t Target) error {
	meta.Operation = assent.OpProviderCheck
	set := g.set.Load()
	model := set.providers[t.Provider]
	if model == nil {
		return &Error{Class: ClassInvalidRequest, Provider: t.Provider, Model: t.Model,
			Detail: "the provider is not set up"}
	}
	for _, err := range g.once(ctx, set, meta, t, checkModel{model}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// once streams from m, without retries and other targets.
func (g *Gateway) once(ctx context.Context, set *setup, meta Meta, t Target, m Model) iter.Seq2[Chunk, error] {
	return g.around(ctx, Request{Meta: meta}, func(req Request) iter.Seq2[Chunk, error] {
		return func(yield func(Chunk, error) bool) {
			if err := req.Meta.check(); err != nil {
				yield(Chunk{}, err)
				return
			}
			c := &call{g: g, set: set, req: req, yield: yield}
			if err, _ := c.try(ctx, t, m, false); err != nil {
				c.failed(ctx, err)
				yield(Chunk{}, err)
			}
		}
	})
}

// cannedModel answers with itself.
type cannedModel string

// Stream implements Model.
func (m cannedModel) Stream(context.Context, string, Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		_ = yield(Chunk{Kind: ChunkText, Text: string(m)}, nil) &&
			yield(Chunk{Kind: ChunkUsage}, nil) &&
			yield(Chunk{Kind: ChunkFinish, Finish: "stop"}, nil)
	}
}

// Check implements Model.
func (cannedModel) Check(context.Context, string) error { return nil }

// checkModel lets a check go the way of every call.
type checkModel struct{ Model }

// Stream implements Model.
func (m checkModel) Stream(ctx context.Context, model string, _ Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		if err := m.Check(ctx, model); err != nil {
			yield(Chunk{}, err)
			return
		}
		yield(Chunk{Kind: ChunkFinish, Finish: "ok"}, nil)
	}
}
