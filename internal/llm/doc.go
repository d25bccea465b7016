// Package llm is the gateway to language models: every model call of the
// product goes through Gateway.Stream, the canned texts too, so that each is
// accounted for and none is anonymous.
//
// Guarantees: a usage row is opened before a try and closed whatever its end.
// Before the first chunk a failed try may be repeated or moved to the next
// model of the profile; after the first chunk nothing is silently retried. A
// stream that ends without a finish marker is an error of class network.
// Gateways and models are safe for concurrent use; a returned sequence is not,
// and must be ranged over once. Breaking off the range cancels the call.
package llm
