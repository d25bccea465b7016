// Package trace tells an OpenTelemetry collector what the server does: turns,
// runs, steps, model calls and tool calls, as spans that hold each other.
//
// Guarantees: without an endpoint there is no Tracer; every method of a nil one
// hands on what it was given, so that tracing costs nothing while it is off. A
// span says names, ids, sizes, outcomes and times. It never holds a message, an
// argument, a result, the text of an error, or a secret. Spans leave in batches in the
// background; a collector that is slow or gone loses spans and never delays a
// turn. Close sends what is left within its context. Safe for concurrent use.
package trace
