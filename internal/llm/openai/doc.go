// Package openai speaks to any endpoint of the OpenAI chat-completions form:
// OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and others. It has no SDK beneath
// it: net/http, an SSE reader and JSON.
//
// Guarantees: text and thoughts are handed on as they arrive, in order; calls
// come complete, in the order of their first fragment, after the text and
// before usage and Finish, with signs of progress until then. A stream is
// complete if it gave a finish reason or [DONE]; one that gave neither is an
// error of class network. A failed request is not repeated, but for one that
// the server refused because of an optional part (a response schema, say): it
// is sent again without that part, and the client remembers. Nothing is logged
// and no error holds the key. A Client is safe for concurrent use, keeps its
// connections, follows no redirect, and has no goroutine of its own.
//
// A call whose arguments are no JSON object is yielded with the raw text as a
// JSON string, so that the schema check of the executor answers the model.
package openai
