// Package offline is the embedded model that answers when no provider's key is
// set: a deterministic planner that reads everyday English about the workspace
// by rules. It says of itself that it is no AI model.
//
// Guarantees: the same request gives the same answer; nothing is read but the
// request (messages, the state block, tools on offer): no clock, no randomness,
// no network, no memory between calls. It plans and explains, and says so where
// it does not understand; it never claims an effect that a tool result does not
// show. A question never leads to a write. Arguments of calls and steps keep within
// the tools' limits; a message of more than maxTokens words and marks is not read,
// and that is said, so that an answer takes milliseconds. Streaming: text comes in order in chunks of a few words, then the calls,
// one usage chunk with zero tokens and one finish chunk. A cancelled context
// ends the stream with an *llm.Error of class cancelled or timeout. A mistake in
// the reading of words ends it with one of class internal, never with a panic.
// A Model starts no goroutine and is safe for concurrent use.
package offline
