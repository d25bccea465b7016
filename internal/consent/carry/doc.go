// Package carry decides whether an approval with changes ("yes, but leave out 3
// and put it in April") may be carried over to the version that was made of it;
// design 03 §5 item 7.
//
// Guarantees: it is pure. An approval is carried only if every difference between
// the two versions' canonical forms is one that exactly one of the named changes
// asks for, and every named change is found in it. What a person did not name,
// whoever made the new version, comes back for a word. These are the rules:
//
//   - remove takes out the named step ("the last milestone" is never a step that
//     has nothing to do with milestones), and the steps that refer to removed steps
//     and to nothing else, since they have nothing left to work on (never a
//     checkpoint); or one item of a list that the words name. Where a step merely
//     used an output of a removed one beside others, the change to it was not
//     named: it comes back.
//   - a removal is held against its own words once more, whoever read them: where
//     they hold a number, a plural, an ordinal or a quantity that does not agree
//     with the steps that are gone, or name one thing of which there are several,
//     nothing is carried.
//   - set changes one value of one step to one that stands in the change's words;
//     several only where all of them are dates. Never a tool, an agent, an order,
//     a time-out or a reference.
//   - add brings in one built-in write that creates one thing, called by a title
//     and a kind that stand in the words, on the top level, with no argument that
//     is not in the words or in the plan already; or one such item of a list.
//   - a step that needs a person's word is never added or changed, and neither is
//     what such a step refers to.
//
// It takes time linear in the plan for each change.
package carry
