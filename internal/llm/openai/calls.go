package openai

import (
	"bytes"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// callFragment is a piece of a tool call.
type callFragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string; with some servers the object itself
	} `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content"`
}

// pendingCall is a call whose fragments are still coming.
type pendingCall struct {
	index     int
	id, name  string
	arguments []byte
	extra     json.RawMessage
}

// calls puts fragments together. Servers do not agree on how: OpenAI numbers
// parallel calls and sends id and name once; Ollama gives every call index 0;
// others leave out the index or the ids.
type calls struct {
	pending []*pendingCall
	size    int // bytes of all arguments
}

// maxCalls bounds the calls of one answer; no model makes that many.
const maxCalls = 1000

func (c *calls) add(f *callFragment) {
	call := c.continued(f)
	if call == nil {
		call = &pendingCall{index: -1}
		if f.Index != nil {
			call.index = *f.Index
		}
		c.pending = append(c.pending, call)
	}
	if f.ID != "" {
		call.id = f.ID
	}
	if f.Function.Name != "" {
		call.name = f.Function.Name
	}
	if len(f.ExtraContent) > 0 && string(f.ExtraContent) != "null" {
		call.extra = f.ExtraContent
	}
	text := argumentText(f.Function.Arguments)
	call.arguments = append(call.arguments, text...)
	c.size += len(text)
}

// continued is the call that f goes on with; nil if f begins one. A new id
// begins a call, even at an index that is taken. Without an index, so does any
// name; with one, a name does when the open call has another or is complete.
func (c *calls) continued(f *callFragment) *pendingCall {
	open := c.open(f.Index)
	if open == nil {
		return nil
	}
	name := f.Function.Name
	again := name != "" && open.name != "" && (name != open.name || open.complete())
	switch {
	case f.ID != "" && f.ID == open.id:
		again = again && len(argumentText(f.Function.Arguments)) > 0
	case f.ID != "":
		again = open.id != "" || name != ""
	case f.Index == nil:
		again = name != ""
	}
	if again {
		return nil
	}
	return open
}

// complete reports whether nothing can follow the arguments.
func (p *pendingCall) complete() bool { return len(p.arguments) > 0 && json.Valid(p.arguments) }

// open is the last call at index, or the last of all if there is no index.
func (c *calls) open(index *int) *pendingCall {
	for i := len(c.pending) - 1; i >= 0; i-- {
		if index == nil || c.pending[i].index == *index {
			return c.pending[i]
		}
	}
	return nil
}

// argumentText is what a fragment adds to the arguments.
func argumentText(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}

// finish gives the complete calls, in the order of their first fragment. A call
// without an id, or with that of another, gets one.
func (c *calls) finish(names *provider.Names, name string, ids assent.IDs) []llm.Call {
	out := make([]llm.Call, 0, len(c.pending))
	taken := map[string]bool{"": true}
	for _, p := range c.pending {
		if taken[p.id] {
			p.id = ids()
		}
		taken[p.id] = true
		out = append(out, llm.Call{ID: p.id, Name: names.Back(p.name),
			Arguments: provider.Arguments(p.arguments), Opaque: p.extra, Provider: name})
	}
	return out
}
