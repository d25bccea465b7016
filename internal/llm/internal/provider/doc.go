// Package provider is what the clients of language models share: narrower tool
// names, the rules about call arguments, an HTTP client that suits long
// streams, and errors without keys in them.
//
// Guarantees: everything here is a plain function or value; nothing blocks,
// logs, or keeps state beyond an HTTP client's connections.
package provider
