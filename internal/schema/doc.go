// Package schema makes JSON Schemas from Go types and checks JSON against
// schemas, ours and foreign ones.
//
// Guarantees: a schema never makes the process read a file or the network.
// Validate gives every violation (at most MaxViolations), each with a JSON
// pointer and a sentence that a model can act on, in a stable order. A schema
// that does not compile is one violation of its own, never a panic, and nothing
// passes it. Numbers keep their digits. A Compiler compiles each schema once, is
// bounded, does not block on anything but its own compilation, and is safe for
// concurrent use; a compiled Schema is immutable.
//
// Two conversions make foreign schemas usable: OpenAPI's `nullable: true` means
// what it says, and a `pattern` that is no RE2 expression (a lookahead) is left
// to the tool itself. Whatever else does not compile makes the schema unusable.
package schema
