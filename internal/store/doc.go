// Package store keeps everything in one SQLite file and decides nothing.
//
// Guarantees:
//   - One writer goroutine. Each Write closure runs in order of arrival, alone,
//     in a SAVEPOINT of its own; what is queued at that moment shares one
//     COMMIT. No timer is waited on: a lone write is immediate, batches form
//     under load. A failed closure leaves no trace and does not touch its
//     neighbours.
//   - Write returns after the COMMIT. A kill loses nothing that was answered;
//     power loss may lose the last commits (WAL, synchronous=NORMAL) unless the
//     write asked for a full one (WriteFull).
//   - Events get their seq in the transaction of the change, gapless per
//     session. Watchers' bells are rung after the COMMIT. A bell is a hint: a
//     lost one costs latency, never data.
//   - Reads run on a pool of read-only connections beside the writer and see
//     the last COMMIT. Everything is safe for concurrent use.
package store
