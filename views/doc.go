// Package views holds what people see: one props struct and one templ component
// a page, and the pure model of a conversation that pages and live streams
// render from.
//
// Guarantees: components do no I/O, read no clock and decide nothing; the same
// props always give the same bytes, so they may be used from any goroutine.
// Everything that a model, a document or another person wrote is escaped, or
// goes through the Markdown renderer, whose output is sanitised. No component
// writes an inline script or style, so a strict content policy holds. A Chat is
// a fold over a session's events and belongs to one goroutine.
package views
