// Package rules reads a person's message against what waits, runs, has failed
// or can be undone, by rules: the deterministic part of the consent reader,
// design 03 §5 item 3.
//
// Guarantees: reading is pure: no clock, no I/O, no randomness; it is safe for
// concurrent use. An approval comes only of a message of which every word is
// understood as assent, an order to run, its object or courtesy, in one of the
// languages known, but for the name it is signed with; anything left over, a
// negation, a condition, a question or a hedge makes it something else. So does a
// reason in words that nobody knows ("go ahead, the lawyer is on it"): it may take
// the order back. Every step that is left out is named, or none where that cannot
// be known. A message in which anything is quoted, pasted, forwarded, marked up,
// in code or cannot be seen is never an approval; only the title of what waits may
// be quoted. Slips of the finger are forgiven towards
// assent where no other word is near, never away from a refusal. The words a
// reading and its changes rest on stand in the message letter by letter. Reading
// takes time linear in the message, under 5 ms for the longest that is taken;
// what is longer than any answer is left to the model.
//
// The words stand in lexicon/, one file a language (lexicon.go tells the form).
// testdata/tuned holds the replies that the rules were written with,
// testdata/heldback those that they were not, testdata/fresh the latest of those,
// whose recall is what to expect of new words: add new phrases to lexicons by
// what the first misses, and never by the others.
package rules
