// Package lang is the plan language of design 03 §1 and §2: how a plan is read,
// what references in it mean, and the canonical form that hashes and
// differences are taken over.
//
// Guarantees: everything here is a pure function of its arguments, total on any
// input (no panic, no endless work) and safe for concurrent use. Parse reads
// strictly and reports what is wrong all at once. Numbers keep their digits and
// text keeps its bytes. There is one parser and one resolver for both notations
// of references. The canonical form does not depend on key order, whitespace,
// labels, the positions of steps or on which notation a reference uses, and
// depends on everything else that a run does.
package lang
