package gemini

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"google.golang.org/genai"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// contents is the conversation. Results of one step of calls go into one
// content, and so does what the model said in a row: the API refuses a call that
// follows another content of the model. Contents without parts are left out,
// since it refuses them too.
func (o *outgoing) contents() []*genai.Content {
	var out []*genai.Content
	add := func(role string, parts ...*genai.Part) {
		n := len(out)
		switch {
		case len(parts) == 0:
		case role == "model" && n > 0 && out[n-1].Role == role:
			out[n-1].Parts = append(out[n-1].Parts, parts...)
		default:
			out = append(out, &genai.Content{Role: role, Parts: parts})
		}
	}
	var results []*genai.Part
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
			add("user", &genai.Part{Text: m.Content})
		}
	}
	add("user", results...)
	if len(o.req.OutputSchema) > 0 && o.withoutSchema {
		add("user", &genai.Part{Text: provider.JSONOnly(o.req.OutputSchema)})
	}
	if len(out) == 0 || out[0].Role == "model" {
		// The API wants a user's turn first, and at least one.
		first := &genai.Content{Role: "user", Parts: []*genai.Part{{Text: "(begin)"}}}
		out = append([]*genai.Content{first}, out...)
	}
	return out
}

// said is an assistant's message. Only the first call of a step must be signed.
func (o *outgoing) said(m *llm.Message) []*genai.Part {
	var parts []*genai.Part
	if m.Content != "" {
		parts = append(parts, &genai.Part{Text: m.Content, ThoughtSignature: o.client.signature(m.Provider, m.Opaque)})
	}
	for i, call := range m.Calls {
		var args map[string]any
		_ = json.Unmarshal(provider.SentArguments(call.Arguments), &args) // always an object
		p := &genai.Part{
			FunctionCall:     &genai.FunctionCall{ID: call.ID, Name: o.name(call.Name), Args: args},
			ThoughtSignature: o.client.signature(call.Provider, call.Opaque),
		}
		if i == 0 && p.ThoughtSignature == nil && signs(o.model) {
			p.ThoughtSignature = []byte(placeholder)
		}
		parts = append(parts, p)
	}
	return parts
}

// result is a tool's message: its JSON object, or its text under "output".
func (o *outgoing) result(m *llm.Message) *genai.Part {
	var response map[string]any
	if json.Unmarshal([]byte(m.Content), &response) != nil || response == nil {
		response = map[string]any{"output": m.Content}
	}
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: m.CallID, Name: o.name(m.Tool), Response: response}}
}

// literalPlaceholder puts the placeholder into the request as the API wants it.
func literalPlaceholder(body map[string]any) map[string]any {
	encoded := base64.StdEncoding.EncodeToString([]byte(placeholder))
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["thoughtSignature"] == encoded {
				v["thoughtSignature"] = placeholder
			}
			walk(v["parts"])
		case []any:
			for _, e := range v {
				walk(e)
			}
		case []map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(body["contents"])
	return body
}
