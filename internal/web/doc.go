// Package web is the HTTP door: it sets up Echo, knows who asks, renders errors
// in one place and keeps what every response promises. Pages and the API are
// its children.
//
// Guarantees: every route but the public ones is reached by somebody who is
// known and allowed, and someone else's things answer 404. An error is rendered
// once: a problem by RFC 9457 under /api, a page elsewhere; what has no code is
// shown as an internal error with the id that finds its log line. No secret,
// query string or body is logged. A panic in a handler ends its request only.
package web
