// Package workspace holds the built-in tools over projects, goals, milestones,
// tasks, documents, risks, decisions, relations and templates; design 02 §1.
//
// Guarantees: a handler sees and changes only what its caller may see (the
// owner and the members of a project); anything else is answered with
// not_found, as if it did not exist. Templates are read by everyone and changed
// by who made them and by admins. Every write works on the database alone, in
// the transaction of the executor, and keeps a revision of each entity that it
// creates, changes or deletes, so that a run can be undone. A write that changes
// nothing writes nothing. Lists give whole entities as long as they fit into an
// answer; beyond that long texts are cut with a mark, never silently. The tools
// hold no state and are safe for concurrent use.
//
// A preview counts from the arguments alone and tolerates unresolved plan
// references in them. What cannot be counted yet makes Open hold one empty
// entry; the plan puts its step's id in that place.
package workspace
