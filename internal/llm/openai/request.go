package openai

import (
	"encoding/json"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// The wire form of a request.
type (
	wireRequest struct {
		Model               string          `json:"model"`
		Messages            []wireMessage   `json:"messages"`
		Stream              bool            `json:"stream"`
		StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
		ToolChoice          any             `json:"tool_choice,omitempty"`
		ResponseFormat      *responseFormat `json:"response_format,omitempty"`
		MaxTokens           int64           `json:"max_tokens,omitempty"`
		MaxCompletionTokens int64           `json:"max_completion_tokens,omitempty"`
	}
	streamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	wireMessage struct {
		Role             string          `json:"role"`
		Content          *string         `json:"content"`
		ToolCalls        []wireCall      `json:"tool_calls,omitempty"`
		ToolCallID       string          `json:"tool_call_id,omitempty"`
		ReasoningContent string          `json:"reasoning_content,omitempty"`
		ExtraContent     json.RawMessage `json:"extra_content,omitempty"`
	}
	wireCall struct {
		ID           string          `json:"id"`
		Type         string          `json:"type"`
		Function     wireFunction    `json:"function"`
		ExtraContent json.RawMessage `json:"extra_content,omitempty"`
	}
	wireFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	wireTool struct {
		Type     string          `json:"type"`
		Function wireDeclaration `json:"function"`
	}
	wireDeclaration struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	responseFormat struct {
		Type       string     `json:"type"`
		JSONSchema jsonSchema `json:"json_schema"`
	}
	jsonSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	namedTool struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
)

// textState is the opaque state of an assistant's text. Some servers refuse the
// history of a thinking model's calls without the thoughts that led to them.
type textState struct {
	Reasoning    string          `json:"reasoning_content,omitempty"`
	ExtraContent json.RawMessage `json:"extra_content,omitempty"`
}

// maxName is the length of a tool's name that every server takes.
const maxName = 64

func nameByte(c byte) bool { return provider.AlphaNumeric(c) || c == '_' || c == '-' }

// outgoing is one request on its way, with what has been left out of it.
type outgoing struct {
	client  *Client
	model   string
	req     llm.Request
	names   *provider.Names
	without map[part]bool
}

func (c *Client) newOutgoing(model string, req llm.Request) *outgoing {
	o := &outgoing{client: c, model: model, req: req, names: provider.NewNames(nameByte, maxName)}
	o.without = c.learned.recall(o)
	return o
}

// flags tell how structured output was asked for.
func (o *outgoing) flags() llm.Flags {
	if len(o.req.OutputSchema) == 0 {
		return llm.Flags{}
	}
	words := o.without[partSchema]
	return llm.Flags{ForcedJSON: words, StrictSchema: !words && !o.without[partStrict]}
}

func (o *outgoing) encode() ([]byte, error) {
	w := wireRequest{Model: o.model, Stream: true, Messages: o.messages()}
	if !o.without[partUsage] {
		w.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	tools, size, err := o.tools()
	if err != nil {
		return nil, err
	}
	if o.req.ToolChoice != "" && len(tools) > 0 && !o.without[partToolChoice] {
		choice := namedTool{Type: "function"}
		choice.Function.Name = o.names.Out(o.req.ToolChoice)
		w.ToolChoice = choice
	}
	if len(o.req.OutputSchema) > 0 && !o.without[partSchema] {
		w.ResponseFormat = &responseFormat{Type: "json_schema",
			JSONSchema: jsonSchema{Name: "answer", Strict: !o.without[partStrict], Schema: o.req.OutputSchema}}
	}
	if o.client.openAI != o.without[partMaxTokens] {
		w.MaxCompletionTokens = o.req.MaxTokens
	} else {
		w.MaxTokens = o.req.MaxTokens
	}
	body, err := encode(w, size+o.size())
	if err != nil || len(tools) == 0 {
		return body, err
	}
	sep := `,"tools":[`
	body = body[:len(body)-1]
	for _, t := range tools {
		body = append(append(body, sep...), t...)
		sep = ","
	}
	return append(body, "]}"...), nil
}

// tools gives the wire form of the tools and its size in bytes.
func (o *outgoing) tools() (out [][]byte, size int, err error) {
	for _, t := range o.req.Tools {
		b, err := o.client.tools.wire(t, o.names.Out(t.Name))
		if err != nil {
			return nil, 0, err
		}
		out, size = append(out, b), size+len(b)+1
	}
	return out, size, nil
}

// size is about how many bytes the messages take.
func (o *outgoing) size() int {
	n := 1024 + len(o.req.System) + len(o.req.System)/8
	for i := range o.req.Messages {
		n += 128 + len(o.req.Messages[i].Content)
	}
	return n
}

func (o *outgoing) messages() []wireMessage {
	out := make([]wireMessage, 0, len(o.req.Messages)+2)
	if o.req.System != "" {
		out = append(out, wireMessage{Role: "system", Content: &o.req.System})
	}
	for i := range o.req.Messages {
		out = append(out, o.message(&o.req.Messages[i]))
	}
	if o.req.Note != "" {
		out = lastWords(out, o.req.Note)
	}
	if len(o.req.OutputSchema) > 0 && o.without[partSchema] {
		out = lastWords(out, provider.JSONOnly(o.req.OutputSchema))
	}
	return out
}

// lastWords adds an instruction to the last words of the user: many chat
// templates take no system message that late.
func lastWords(out []wireMessage, words string) []wireMessage {
	if n := len(out); n > 0 && out[n-1].Role == "user" {
		words = strings.TrimSpace(*out[n-1].Content + "\n\n" + words)
		out[n-1].Content = &words
		return out
	}
	return append(out, wireMessage{Role: "user", Content: &words})
}

func (o *outgoing) message(m *llm.Message) wireMessage {
	w := wireMessage{Role: string(m.Role), Content: &m.Content}
	if m.Role == llm.RoleTool {
		w.ToolCallID = m.CallID
		return w
	}
	for _, call := range m.Calls {
		w.ToolCalls = append(w.ToolCalls, o.call(call))
	}
	if m.Content == "" && len(w.ToolCalls) > 0 {
		w.Content = nil
	}
	if m.Provider == o.client.name && len(m.Opaque) > 0 {
		var state textState
		if json.Unmarshal(m.Opaque, &state) == nil {
			w.ReasoningContent, w.ExtraContent = state.Reasoning, state.ExtraContent
		}
	}
	return w
}

func (o *outgoing) call(call llm.Call) wireCall {
	w := wireCall{ID: call.ID, Type: "function", Function: wireFunction{
		Name: o.names.Out(call.Name), Arguments: string(provider.SentArguments(call.Arguments))}}
	if call.Provider == o.client.name && json.Valid(call.Opaque) {
		w.ExtraContent = call.Opaque
	}
	return w
}
