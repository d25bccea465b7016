package openai

import (
	"encoding/json"
	"strings"

	"assent/internal/llm"
)

// The wire form of an answer: of a chunk of a stream, and of a whole
// completion, which has a message where a chunk has a delta. Servers differ, so
// only what we use is read, and nothing that is unknown is an error.
type (
	wireChunk struct {
		Choices []wireChoice    `json:"choices"`
		Usage   *wireUsage      `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	wireChoice struct {
		Delta        wireDelta  `json:"delta"`
		Message      *wireDelta `json:"message"`
		FinishReason *string    `json:"finish_reason"`
	}
	wireDelta struct {
		Content          parts           `json:"content"`
		ReasoningContent string          `json:"reasoning_content"`
		Reasoning        string          `json:"reasoning"`
		Refusal          string          `json:"refusal"`
		ToolCalls        []callFragment  `json:"tool_calls"`
		ExtraContent     json.RawMessage `json:"extra_content"`
	}
	wireUsage struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
		// OpenAI's and most others' word, and DeepSeek's.
		PromptDetails struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CacheHit          int64 `json:"prompt_cache_hit_tokens"`
		CompletionDetails struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
)

func parseChunk(b []byte) (wireChunk, error) {
	var w wireChunk
	err := json.Unmarshal(b, &w)
	return w, err
}

// failed reports whether the chunk is an error, in one of the places where
// servers put it.
func (w *wireChunk) failed() bool {
	return len(w.Error) > 0 && string(w.Error) != "null"
}

// empty reports whether nothing of a chunk was recognised.
func (w *wireChunk) empty() bool { return w.Choices == nil && w.Usage == nil && !w.failed() }

func (u *wireUsage) tokens() llm.Tokens {
	return llm.Tokens{In: u.PromptTokens, Out: u.CompletionTokens,
		Cached:    max(u.PromptDetails.Cached, u.CacheHit),
		Reasoning: u.CompletionDetails.Reasoning}
}

// simple is the part of d that parseDelta reads as well.
func (d *wireDelta) simple() delta {
	s := delta{text: string(d.Content) + d.Refusal, thought: d.ReasoningContent}
	s.keep = s.thought != ""
	if !s.keep {
		s.thought = d.Reasoning
	}
	return s
}

// parts is content as a string or, as Mistral sends it, as a list of parts.
type parts string

// UnmarshalJSON implements json.Unmarshaler.
func (p *parts) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		var text *string
		err := json.Unmarshal(b, &text)
		if text != nil {
			*p = parts(*text)
		}
		return err
	}
	var list []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	var text strings.Builder
	for _, part := range list {
		if part.Type == "text" || part.Type == "" {
			text.WriteString(part.Text)
		}
	}
	*p = parts(text.String())
	return nil
}
