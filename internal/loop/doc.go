// Package loop is the hardened tool-calling loop of design 05 §3: stream, run
// tool calls, observe, repeat, within budgets. The chat planner and context
// agents share it; it does not know chat.
//
// Guarantees: text is forwarded as it arrives, in order. Every call that a
// model made gets exactly one result, in the order of the calls, also when a
// budget is used up or the loop is cancelled. A call, its result and the
// matching events are stored before the model sees the result; what a write
// did and its result are one transaction. Read-only calls of one response run
// concurrently, everything else one after the other. When a budget is used up, or
// nothing moves any more, one last call without tools gives the person an answer,
// with a warning event and an error row that say why. What changes from call to
// call is told to the model last, behind the conversation, so that a provider's
// prefix cache holds. Run returns what was said also when it returns an error.
package loop
