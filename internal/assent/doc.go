// Package assent holds the nouns of the product: everything that is stored,
// streamed or rendered, the sealed set of events, and the closed set of error
// codes. A newcomer can learn what Assent does by reading this package alone.
//
// Guarantees: values here are plain data. Nothing in this package blocks,
// starts a goroutine, reads a clock or knows SQL, HTTP or a vendor. The JSON of
// each type is the shape that the HTTP API promises (design 06).
package assent
