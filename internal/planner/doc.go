// Package planner answers messages: it turns each into a turn, reads consent
// first, drives the loop with the meta tools and writes the end. It writes no
// HTML.
//
// Guarantees: at most one turn of a session runs; others wait in order. A turn
// runs in the server, not in the request, and ends exactly once, with a done
// event in the transaction of its end. Whatever ends it, what was said is kept,
// and every call that was made has a result. An idempotency key makes one turn,
// however often it is sent. A turn that planned or wrote ends with a line
// rendered from the journal, not from the model's claim.
package planner
