// Package gemini speaks to the Gemini API with Google's own SDK.
//
// Guarantees: text, thoughts and calls are handed on as they arrive, in order;
// usage so far comes with each of the server's chunks. What counts is the parts
// that came, not the finish reason; a stream without a finish reason is an
// error of class network. Thought signatures and call ids are kept in the
// opaque state and sent back; a call that Gemini did not make gets the
// documented placeholder. A failed request is not repeated, but for one that
// was refused for its response schema or its wish for thoughts: it is sent
// again without, once. No environment variable chooses key, address or backend,
// nothing is logged (the SDK would log broken streams), and no error holds the
// key. A Client is safe for concurrent use, follows no redirect, and has no
// goroutine of its own.
package gemini
