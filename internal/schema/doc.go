// Package schema makes JSON Schemas from Go types and checks JSON against
// schemas, ours and foreign ones.
//
// Guarantees: a schema never makes the process read a file or the network.
// Validate gives every violation, each with a JSON pointer and a sentence that
// a model can act on, in a stable order. A schema that does not compile is one
// violation of its own, never a panic. A Compiler compiles each schema once, is
// bounded, and is safe for concurrent use.
package schema
