// Package app builds, starts, recovers and stops everything; it has no logic of
// its own. cmd/web and the browser tests start exactly this.
//
// Guarantees: one App owns a data directory, by an exclusive lock that a second
// one is refused. Until Recover is through, /readyz answers 503. Shutting down
// refuses what would change something, ends event streams, lets turns end for a
// while (readers are still answered, /readyz with 503), cancels the rest (they
// are found again at the next start) and checkpoints the database.
package app
