// Package stream sends a session's event log to browsers and API clients over
// SSE, with r3labs/sse as the wire.
//
// Guarantees: one connection is one ordered feed of everything after a
// position, gapless and without duplicates, also across reconnects and server
// restarts, because it is read from the log (the Log interface) and the log is
// the truth. A connection never delays a turn or another connection: it has a
// pump of its own, and a client that does not read is dropped after a write
// deadline and resynchronises by its position. A position older than what is
// kept, or newer than what exists, is answered with a reset event. Comment
// heartbeats keep idle connections open. Hub.Close ends every connection.
package stream
