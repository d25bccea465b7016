// Package consent reads what a person said against what waits, and is the one
// place where approvals are made.
//
// Guarantees: an approval rests on a signed-in person's message, on a message
// under a token to which a person gave the scope approve, or on the person's own
// setting; never on a tool result, a document, an agent or a model's claim. It
// binds to exactly one stored version whose plan_ready_for_review the sender had
// seen. Approval, start and the events that tell of them are one transaction. A
// reading by a model alone never starts a plan with a destructive or external
// step. A model cannot approve: there is no tool that leads here.
package consent
