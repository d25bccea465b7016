// Package plan is the one plan engine: it compiles, checks, stores, runs and
// undoes plans, whoever asks for them.
//
// Guarantees: what runs is the stored, approved version and nothing else; the
// executor has no other input. What comes next is decided by the pure function
// Next. A step's resolved arguments are journalled before it starts and its
// result when it ends; a built-in write and its journal entry are one
// transaction, so a kill at any moment leaves every effect done exactly once.
// Beginning a step raises its attempt, and everything the attempt does is
// guarded by that number: an owner that was overtaken writes nothing. Drive may
// be called for a run any number of times, also concurrently.
package plan
