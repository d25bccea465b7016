package llm_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// paced says each of its chunks after a pause; the last one again and again if
// endless. It ends without a finish unless one is among them.
type paced struct {
	pause   time.Duration
	chunks  []llm.Chunk
	endless bool
}

func (paced) Check(context.Context, string) error { return nil }

func (p paced) Stream(ctx context.Context, _ string, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for i := 0; i < len(p.chunks) || p.endless; i++ {
			select {
			case <-time.After(p.pause):
			case <-ctx.Done():
				yield(llm.Chunk{}, ctx.Err())
				return
			}
			if !yield(p.chunks[min(i, len(p.chunks)-1)], nil) {
				return
			}
		}
	}
}

// TestGatewayBounds: what never ends is ended, and what takes long is not.
func TestGatewayBounds(t *testing.T) {
	t.Parallel()
	text, progress := llm.Chunk{Kind: llm.ChunkText, Text: "."}, llm.Chunk{Kind: llm.ChunkProgress}
	call := llm.Chunk{Kind: llm.ChunkCall, Call: llm.Call{ID: "1", Name: "x", Arguments: []byte("{}")}}
	usage := llm.Chunk{Kind: llm.ChunkUsage, Usage: llm.Tokens{In: 9}}
	done := llm.Chunk{Kind: llm.ChunkFinish, Finish: "stop"}
	tests := []struct {
		name  string
		model paced
		rows  []string
		kinds []llm.ChunkKind // that the consumer sees, if few
		took  time.Duration
	}{
		{name: "a word every ten seconds for ever", model: paced{10 * time.Second, []llm.Chunk{text}, true},
			rows: []string{"a/m1 timeout timeout"}, took: 15 * time.Minute},
		{name: "a call that takes minutes to write", model: paced{15 * time.Second, append(slices.Repeat([]llm.Chunk{progress}, 20), call, done), false},
			rows: []string{"a/m1 ok"}, kinds: []llm.ChunkKind{llm.ChunkCall, llm.ChunkFinish}, took: 22 * 15 * time.Second},
		{name: "a call that breaks off is not asked for again", model: paced{time.Second, []llm.Chunk{progress}, false},
			rows: []string{"a/m1 failed network"}, took: time.Second},
		{name: "usage is no token: the first one is still waited for", model: paced{25 * time.Second, []llm.Chunk{usage, text, done}, false},
			rows: []string{"a/m1 timeout timeout"}, kinds: []llm.ChunkKind{llm.ChunkUsage, llm.ChunkText}, took: 70 * time.Second},
		{name: "usage and silence: the next model is asked", model: paced{25 * time.Second, []llm.Chunk{usage}, false},
			rows: []string{"a/m1 failed network", "a/m1 failed network", "a/m1 failed network", "b/m2 ok after a/m1 network"}, took: 75*time.Second + 1125*time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, nil)
				b.Use(map[string]llm.Model{"a": tt.model, "b": llmtest.NewModel(t, ok)}, llm.Catalog{Profiles: profiles})
				began := time.Now()
				var kinds []llm.ChunkKind
				for c, err := range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
					if err == nil {
						kinds = append(kinds, c.Kind)
					}
				}
				if got := rows(b.ledger); !slices.Equal(got, tt.rows) {
					t.Errorf("rows %q, want %q", got, tt.rows)
				}
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if slices.Contains(kinds, llm.ChunkProgress) || tt.kinds != nil && !slices.Equal(kinds, tt.kinds) {
					t.Errorf("the consumer saw %v, want %v", kinds, tt.kinds)
				}
				b.ledger.balanced(t)
			})
		})
	}
}

// TestGatewayCutsOffWhatIsTooLarge counts text, thoughts and calls together.
func TestGatewayCutsOffWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	half := string(make([]byte, mega))
	model := paced{0, []llm.Chunk{{Kind: llm.ChunkText, Text: half}, {Kind: llm.ChunkThought, Text: half},
		{Kind: llm.ChunkCall, Call: llm.Call{ID: "1", Name: "x", Arguments: []byte(`"` + half[2:] + `"`)}}, {Kind: llm.ChunkText, Text: half}}, true}
	b := newBench(t, nil)
	b.Use(map[string]llm.Model{"a": model}, llm.Catalog{Profiles: profiles})
	answer, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
	if llm.ClassOf(err) != llm.ClassInternal || len(answer.Text) != 14*mega || !slices.Equal(rows(b.ledger), []string{"a/m1 failed internal"}) {
		t.Errorf("%d bytes, %v, rows %q", len(answer.Text), err, rows(b.ledger))
	}
}
