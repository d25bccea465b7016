package llm

import (
	"context"

	"assent/internal/assent"
)

// Ledger keeps the usage rows. The gateway calls it twice per try: Open with
// status open before the provider is asked, Close with the same ID and all that
// is known at the end. Both are called concurrently by many calls.
//
// Open may return before the row is durable, as long as rows keep their order
// and a Close never overtakes its Open: the gateway waits for Open before it
// asks the provider, so a slow one delays the first token. Open may refuse the
// call, for a budget say: its error ends the request, and an *Error is handed
// on as it is. Close gets a context that outlives a cancelled call.
type Ledger interface {
	Open(ctx context.Context, row assent.CallUsage) error
	Close(ctx context.Context, row assent.CallUsage) error
}
