// Package english reads everyday English without a model: words and their
// slips, numbers, dates, lists, names. It knows nothing of the product.
//
// Guarantees: every function is pure and deterministic; "today" is always an
// argument. Nothing blocks, starts a goroutine or panics on any input (fuzzed).
// What is not understood is left alone rather than guessed: a reader says which
// tokens it used, and the caller decides about the rest. All values are safe for
// concurrent use once built.
package english
