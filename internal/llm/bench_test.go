package llm_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
)

// talker says the same word n times, as quickly as the consumer listens.
type talker int

func (talker) Check(context.Context, string) error { return nil }

func (n talker) Stream(context.Context, string, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for range int(n) {
			if !yield(llm.Chunk{Kind: llm.ChunkText, Text: "word "}, nil) {
				return
			}
		}
		yield(llm.Chunk{Kind: llm.ChunkFinish, Finish: "stop"}, nil)
	}
}

type noLedger struct{}

func (noLedger) Open(context.Context, assent.CallUsage) error  { return nil }
func (noLedger) Close(context.Context, assent.CallUsage) error { return nil }

func benchGateway(chunks int) *llm.Gateway {
	return llm.New(llm.GatewayConfig{
		Providers: map[string]llm.Model{"a": talker(chunks)},
		Catalog:   llm.SingleModel(llm.Target{Provider: "a", Model: "m"}),
		Ledger:    noLedger{}, Clock: time.Now, IDs: func() string { return "id" }, Random: func() float64 { return 0 },
	})
}

// maxPerChunk is what the gateway may add to a chunk.
const maxPerChunk = 20 * time.Microsecond

// perAnswer is how many chunks an answer has here; a longer one is cut off.
const perAnswer = 10_000

// BenchmarkModelPerChunk is the floor: the same without the gateway.
func BenchmarkModelPerChunk(b *testing.B) {
	b.ReportAllocs()
	for left := b.N; left > 0; left -= perAnswer {
		for _, err := range talker(min(left, perAnswer)).Stream(b.Context(), "m", llm.Request{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkGatewayPerChunk(b *testing.B) {
	g := benchGateway(perAnswer)
	b.ReportAllocs()
	for left := b.N; left > 0; left -= perAnswer {
		for _, err := range g.Stream(b.Context(), request(llm.ProfileBalanced)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	if perChunk := b.Elapsed() / time.Duration(max(b.N, perAnswer)); perChunk > maxPerChunk {
		b.Errorf("%v for each chunk", perChunk)
	}
}

// BenchmarkGatewayPerCall is what a call costs beside its chunks.
func BenchmarkGatewayPerCall(b *testing.B) {
	g := benchGateway(1)
	req := request(llm.ProfileBalanced)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range g.Stream(b.Context(), req) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
