package gemini

import (
	"encoding/json"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// contents is the conversation. Results of one step of calls go into one
// content, and so does what the model said in a row: the API refuses a call that
// follows another content of the model. Contents without parts are left out,
// since it refuses them too.
func (o *outgoing) contents() []wireContent {
	var out []wireContent
	add := func(role string, parts ...wirePart) {
		n := len(out)
		switch {
		case len(parts) == 0:
		case role == "model" && n > 0 && out[n-1].Role == role:
			out[n-1].Parts = append(out[n-1].Parts, parts...)
		default:
			out = append(out, wireContent{Role: role, Parts: parts})
		}
	}
	var results []wirePart
	for i := range o.req.Messages {
		m := &o.req.Messages[i]
		if m.Role == llm.RoleTool {
			results = append(results, o.result(m))
			continue
		}
		add("user", results...)
		results = nil
		if m.Role == llm.RoleAssistant {
			add("model", o.said(m)...)
		} else if strings.TrimSpace(m.Content) != "" {
			add("user", wirePart{Text: m.Content})
		}
	}
	add("user", results...)
	if o.req.Note != "" {
		add("user", wirePart{Text: o.req.Note})
	}
	if len(o.req.OutputSchema) > 0 && o.withoutSchema {
		add("user", wirePart{Text: provider.JSONOnly(o.req.OutputSchema)})
	}
	if len(out) == 0 || out[0].Role == "model" {
		// The API wants a user's turn first, and at least one.
		first := wireContent{Role: "user", Parts: []wirePart{{Text: "(begin)"}}}
		out = append([]wireContent{first}, out...)
	}
	return out
}

// said is an assistant's message. Only the first call of a step must be signed.
func (o *outgoing) said(m *llm.Message) []wirePart {
	var parts []wirePart
	if m.Content != "" {
		parts = append(parts, wirePart{Text: m.Content, ThoughtSignature: o.client.signature(m.Provider, m.Opaque)})
	}
	for i, call := range m.Calls {
		p := wirePart{
			FunctionCall:     &wireCall{ID: call.ID, Name: o.name(call.Name), Args: provider.SentArguments(call.Arguments)},
			ThoughtSignature: o.client.signature(call.Provider, call.Opaque),
		}
		if i == 0 && p.ThoughtSignature == "" && signs(o.model) {
			p.ThoughtSignature = placeholder
		}
		parts = append(parts, p)
	}
	return parts
}

// result is a tool's message: its JSON object, or its text under "output". So is
// an object with references: Gemini looks for what they mean and refuses the
// request when it finds nothing (vercel/ai#14369).
func (o *outgoing) result(m *llm.Message) wirePart {
	response := json.RawMessage(strings.TrimSpace(m.Content))
	if !json.Valid(response) || response[0] != '{' || strings.Contains(m.Content, `"$ref"`) {
		response, _ = json.Marshal(map[string]string{"output": m.Content}) // text always encodes
	}
	return wirePart{FunctionResponse: &wireResult{ID: m.CallID, Name: o.name(m.Tool), Response: response}}
}
