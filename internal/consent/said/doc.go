// Package said finds out what a person's words name: numbers, dates, titles and
// a limit of cost. It answers one question, "does this value stand in these
// words?", so that a change which a person asked for in words can be told from
// one that somebody added.
//
// Guarantees: every function is pure and depends on its arguments only; today
// is one of them. In doubt the answer is no: a value that is not recognised
// costs the person a word, one that is taken for said would run unasked. Words
// are read in the ten languages of the consent rules, in time linear in them.
package said
