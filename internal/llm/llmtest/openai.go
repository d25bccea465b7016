package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"assent/internal/llm"
)

// Dialect is how a server departs from OpenAI's own form of answers.
type Dialect struct {
	IndexZero    bool // every call has index 0
	NoIndex      bool // calls have no index
	NoID         bool // calls have no id
	WholeCalls   bool // a call comes in one fragment
	RawArguments bool // arguments are an object, not a string
	StopForCalls bool // the finish reason of calls is "stop"
	NoFinish     bool // no finish reason, only [DONE]
	NoDone       bool // no [DONE], only the finish reason
	NoUsage      bool // no tokens, though asked
	CRLF         bool // lines end in \r\n
	Comments     bool // comments keep the connection alive
	Whole        bool // the answer is one JSON body
	Reasoning    string
}

// Ollama sends each call whole and with index 0.
func Ollama() Dialect {
	return Dialect{IndexZero: true, WholeCalls: true, Reasoning: "reasoning"}
}

// VLLM leaves out what it need not send.
func VLLM() Dialect { return Dialect{NoIndex: true, WholeCalls: true} }

// OpenRouter sends comments while it waits.
func OpenRouter() Dialect { return Dialect{Comments: true, Reasoning: "reasoning"} }

// NewOpenAI starts a fake of the chat-completions form. Its URL ends in /v1.
func NewOpenAI(t testing.TB, scripts ...Script) *Server {
	return newServer(t, openAIWire{}, "/v1", scripts)
}

// Speak makes the server answer in a dialect.
func (s *Server) Speak(d Dialect) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialect = d
	return s
}

type openAIWire struct{}

func (openAIWire) key(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func (openAIWire) refuse(status int, message string) string {
	kind, code := "invalid_request_error", any(nil)
	switch {
	case status == http.StatusUnauthorized:
		message, code = "Incorrect API key provided.", "invalid_api_key"
	case status == http.StatusTooManyRequests:
		message, kind, code = "Rate limit reached.", "requests", "rate_limit_exceeded"
	case status >= 500:
		message, kind = "The server had an error while processing your request.", "server_error"
	}
	b, _ := json.Marshal(map[string]any{"error": map[string]any{
		"message": message, "type": kind, "param": nil, "code": code}}) // plain values
	return string(b)
}

// openAIRequest is what the fake reads of a request.
type openAIRequest struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []openAIMessage `json:"messages"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice *struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_choice"`
	ResponseFormat *struct {
		JSONSchema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens           int64 `json:"max_tokens"`
	MaxCompletionTokens int64 `json:"max_completion_tokens"`
}

type openAIMessage struct {
	Role             string  `json:"role"`
	Content          *string `json:"content"`
	ReasoningContent string  `json:"reasoning_content"`
	ToolCallID       string  `json:"tool_call_id"`
	ToolCalls        []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
		ExtraContent struct {
			Google struct {
				ThoughtSignature json.RawMessage `json:"thought_signature"`
			} `json:"google"`
		} `json:"extra_content"`
	} `json:"tool_calls"`
}

var openAIName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (openAIWire) parse(path string, body []byte) (Request, error) {
	var in openAIRequest
	if !strings.HasSuffix(path, "/v1/chat/completions") {
		return Request{}, fmt.Errorf("there is nothing at %s", path)
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: in.Model}
	out.MaxTokens = in.MaxTokens + in.MaxCompletionTokens
	if in.ToolChoice != nil {
		out.ToolChoice = in.ToolChoice.Function.Name
	}
	if in.ResponseFormat != nil {
		out.OutputSchema = in.ResponseFormat.JSONSchema.Schema
	}
	for _, t := range in.Tools {
		if !openAIName.MatchString(t.Function.Name) || t.Type != "function" {
			return out, fmt.Errorf("tools: %q is no name of a function", t.Function.Name)
		}
		out.Tools = append(out.Tools, llm.Tool{Name: t.Function.Name,
			Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	if in.Model == "" || len(in.Messages) == 0 || !in.Stream {
		return out, errors.New("model, messages and stream are required")
	}
	return out, out.takeOpenAI(in.Messages)
}

// takeOpenAI reads the messages and checks that calls and results belong
// together.
func (r *Request) takeOpenAI(messages []openAIMessage) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != "tool" && len(open) > 0 {
			return fmt.Errorf("messages[%d]: an assistant message with tool_calls must be followed by its tool messages", i)
		}
		if m.Role == "system" && i == 0 {
			r.System = *m.Content
			continue
		}
		out := llm.Message{Role: llm.Role(m.Role), CallID: m.ToolCallID}
		if m.Content != nil {
			out.Content = *m.Content
		} else if len(m.ToolCalls) == 0 {
			return fmt.Errorf("messages[%d]: content is required", i)
		}
		if m.Role == "tool" && !open[m.ToolCallID] {
			return fmt.Errorf("messages[%d]: tool_call_id %q answers no call", i, m.ToolCallID)
		}
		delete(open, m.ToolCallID)
		if m.ReasoningContent != "" {
			out.Opaque, _ = json.Marshal(m.ReasoningContent) // a string
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || open[c.ID] || !openAIName.MatchString(c.Function.Name) || !isObject(c.Function.Arguments) {
				return fmt.Errorf("messages[%d]: a call needs an id of its own, a name and JSON arguments", i)
			}
			open[c.ID] = true
			out.Calls = append(out.Calls, llm.Call{ID: c.ID, Name: c.Function.Name,
				Arguments: json.RawMessage(c.Function.Arguments), Opaque: c.ExtraContent.Google.ThoughtSignature})
		}
		r.Messages = append(r.Messages, out)
	}
	if len(open) > 0 {
		return errors.New("the last calls have no tool messages")
	}
	return nil
}

func isObject(s string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal([]byte(s), &m) == nil && m != nil
}
