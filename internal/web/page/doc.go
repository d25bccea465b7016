// Package page serves the HTML pages.
//
// Guarantees: every handler answers for the signed-in person only; what is
// someone else's answers 404. A handler binds, asks a service or the store, and
// renders one props struct of package views; it decides nothing itself. Writes
// go through the tool executor or a service, never past them. An error is
// returned, not rendered: one function renders it. Whether a request gets a
// fragment or a whole page is decided in one place. Pages work without
// JavaScript; what streams needs it. Handlers are safe for concurrent use.
package page
