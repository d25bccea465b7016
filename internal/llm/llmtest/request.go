package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"

	"assent/internal/llm"
)

// Request is what a fake was asked. The embedded request is read back from the
// wire, so tool names are as the provider sees them and Meta is empty; a Model
// without a wire has it as it was. Signatures stand in Opaque as JSON strings.
type Request struct {
	llm.Request
	N      int    // counted from 0
	Model  string // as asked for
	Path   string
	Header http.Header
	Body   json.RawMessage
}

// LastUser is the text of the user's last message.
func (r Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == llm.RoleUser {
			return r.Messages[i].Content
		}
	}
	return ""
}

// Last is the last message; the zero Message if there is none.
func (r Request) Last() llm.Message {
	if len(r.Messages) == 0 {
		return llm.Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// Offers reports whether a tool of that name is on offer.
func (r Request) Offers(tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

// Has reports whether text occurs in the system prompt or in any message.
func (r Request) Has(text string) bool {
	if strings.Contains(r.System, text) {
		return true
	}
	for _, m := range r.Messages {
		if strings.Contains(m.Content, text) {
			return true
		}
	}
	return false
}
