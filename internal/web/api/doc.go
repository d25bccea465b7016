// Package api is the JSON API of design 06, stable for those outside.
//
// Guarantees: every route stands in one table with the scope that it needs, and
// a test holds that each is refused without it. A person sees their own
// conversations and plans and the projects they own or are a member of; anything
// else answers 404. Handlers decide nothing: they bind, call an engine through a
// small interface and render.
package api
