// Package tool holds the tools' contract, the registry and the one executor
// through which every tool call of the product goes: from the loop, from plans,
// from agents, from pages and from protocols.
//
// Guarantees: arguments that do not fit the input schema never reach a handler.
// A handler that panics or runs past its timeout fails its call, not the
// process. The output of a successful call fits its output schema. The effect
// of a write tool and what its caller records about it (journal, message,
// event) are one transaction: both or neither. Every refusal is a result with
// an error, never a Go error. An Executor is safe for concurrent use; calls run
// on the caller's goroutine.
package tool
