// Package llm is the gateway to language models: every model call of the
// product goes through Gateway.Stream, the canned texts too, so that each is
// accounted for and none is anonymous.
//
// Guarantees: a usage row is opened before a try and closed whatever its end,
// also when the consumer breaks off or panics. The row of an answered call is
// closed before its Finish chunk is handed on. Before the first token a failed
// try may be repeated or moved to the next model of the profile; after the
// first token, which usage is not, nothing is silently retried. A stream that
// ends without a finish marker is an error of class network; one that never
// ends is cut off: after 16 MB, 15 minutes, or a silence longer than the idle
// timeout. Chunks keep the provider's order and none is dropped, but for the
// signs of a call that is being written. A sequence ends with a Finish chunk or
// with one *Error.
//
// Blocking: the sequence runs on the consumer's goroutine and starts none; the
// idle timeout counts only time spent waiting for the provider, so a slow
// consumer is safe. Gateways and models are safe for concurrent use; a returned
// sequence is not, and must be ranged over once. Breaking off the range cancels
// the call.
package llm
