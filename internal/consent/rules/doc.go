// Package rules reads a person's message against what waits, by rules: the
// deterministic part of the consent reader, design 03 §5 item 3.
//
// Guarantees: reading is pure: no clock, no I/O, no randomness. An approval
// comes only of a message of which every word is understood as assent, an order
// to run, its object or courtesy, in one of the languages known; anything left
// over, a negation, a condition, a question or a hedge makes it something else.
// What is quoted, pasted or in code is not read at all. The words a reading
// rests on stand in the message letter by letter.
package rules
