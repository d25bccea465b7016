package offline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"assent/internal/llm"
)

// Provider and ModelName are how the model appears in catalogs and usage rows.
const (
	Provider  = "offline"
	ModelName = "rules"
)

// Options of a Model. The zero value is ready to use.
type Options struct {
	// ChunkDelay is waited before each chunk of text, so that people see the
	// answer grow. None by default.
	ChunkDelay time.Duration
}

// Model implements llm.Model.
type Model struct{ delay time.Duration }

// New makes the model.
func New(o Options) *Model { return &Model{delay: o.ChunkDelay} }

var _ llm.Model = (*Model)(nil)

// Check implements llm.Model; there is nothing that could be missing.
func (m *Model) Check(ctx context.Context, _ string) error {
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	return nil
}

// Stream implements llm.Model. The model's name does not matter.
func (m *Model) Stream(ctx context.Context, _ string, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		a, err := think(ctx, req)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		for _, chunk := range a.chunks(req) {
			if err := m.wait(ctx, chunk); err != nil {
				yield(llm.Chunk{}, err)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// think decides, and turns a mistake in the rules into an error of this call.
func think(ctx context.Context, req llm.Request) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &llm.Error{Class: llm.ClassInternal, Provider: Provider, Detail: fmt.Sprintf("reading the request: %v", p)}
		}
	}()
	if e := ctx.Err(); e != nil {
		return answer{}, stopped(e)
	}
	return decide(newSituation(req)), nil
}

func (m *Model) wait(ctx context.Context, c llm.Chunk) error {
	if m.delay > 0 && c.Kind == llm.ChunkText {
		timer := time.NewTimer(m.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	return nil
}

func stopped(cause error) *llm.Error {
	class := llm.ClassCancelled
	if errors.Is(cause, context.DeadlineExceeded) {
		class = llm.ClassTimeout
	}
	return &llm.Error{Class: class, Provider: Provider, Detail: "the call was ended by its caller", Err: cause}
}

// encode writes v as JSON; what this package encodes always can be.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}
