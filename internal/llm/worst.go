package llm

import (
	"context"
	"errors"
)

// bytesPerToken is fewer than any tokenizer in use makes of ordinary text, so
// that what is counted with it is an upper bound.
const bytesPerToken = 2

// bound limits the answer of a request whose cost a budget counts.
func (g *Gateway) bound(ctx context.Context, req *Request) error {
	if g.cfg.Bound == nil || req.MaxTokens > 0 {
		return nil
	}
	n, err := g.cfg.Bound(ctx, req.Meta)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return &Error{Class: ClassInternal, Detail: "the budget could not be read", Err: err}
	}
	req.MaxTokens = n
	return nil
}

// worst is what a request costs at t if the answer is as long as it may be; nil
// if it is not bounded or the model has no price.
func (c Catalog) worst(t Target, req Request) *int64 {
	if req.MaxTokens <= 0 {
		return nil
	}
	n := len(req.System) + len(req.OutputSchema)
	for _, m := range req.Messages {
		n += len(m.Content) + len(m.Opaque)
		for _, call := range m.Calls {
			n += len(call.Name) + len(call.Arguments) + len(call.Opaque)
		}
	}
	for _, tool := range req.Tools {
		n += len(tool.Name) + len(tool.Description) + len(tool.Schema)
	}
	return c.Cost(t, Tokens{In: int64(n+bytesPerToken-1)/bytesPerToken + overhead, Out: req.MaxTokens})
}

// overhead is what a provider's framing of a request adds at most, in tokens.
const overhead = 200
