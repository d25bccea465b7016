package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"assent/internal/assent"
)

// Streamer streams one answer; a Gateway is one.
type Streamer interface {
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Structured asks for answers in JSON of a schema: in the provider's own schema
// mode or by words at the end (which is the provider's affair), then checked
// here, and asked for again with every violation quoted. It is safe for
// concurrent use.
type Structured struct {
	model    Streamer
	validate func(schema, instance json.RawMessage) []assent.FieldError
	retries  int
}

// NewStructured makes a Structured. validate gives every violation of a schema
// in an instance, none if it fits; retries is how often an answer that is empty
// or does not fit is asked for again.
func NewStructured(model Streamer, validate func(schema, instance json.RawMessage) []assent.FieldError, retries int) *Structured {
	return &Structured{model: model, validate: validate, retries: retries}
}

// Ask gives the answer to req as JSON that fits its OutputSchema. No tools are
// offered: this is a last answer. The error is the model's *Error, or, after the
// last retry, an *assent.Error of code output_invalid with what was still wrong.
func (s *Structured) Ask(ctx context.Context, req Request) (json.RawMessage, error) {
	req.Tools, req.ToolChoice = nil, ""
	for retry := 0; ; retry++ {
		req.Meta.FinalizeRetries = int64(retry)
		a, err := Collect(s.model.Stream(ctx, req))
		if err != nil {
			return nil, err
		}
		out, wrong := s.read(req.OutputSchema, a)
		if len(wrong) == 0 {
			return out, nil
		}
		if retry >= s.retries {
			return nil, &assent.Error{Code: assent.CodeOutputInvalid, Fields: wrong,
				Message: "The model did not answer in the form that was asked for."}
		}
		req.Messages = corrected(req.Messages, a, wrong)
	}
}

// read takes the JSON out of an answer and checks it.
func (s *Structured) read(schema json.RawMessage, a Answer) (json.RawMessage, []assent.FieldError) {
	text := unfenced(a.Text)
	if text == "" {
		return nil, []assent.FieldError{{Code: "empty", Message: "The answer was empty."}}
	}
	return json.RawMessage(text), s.validate(schema, json.RawMessage(text))
}

// unfenced is what stands between the code fences of an answer that has one
// fenced block, and otherwise all of it.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if json.Valid([]byte(text)) || strings.Count(text, fence) != 2 {
		return text
	}
	_, inside, _ := strings.Cut(text, fence)
	inside, _, _ = strings.Cut(inside, fence)
	if n := len("json"); len(inside) > n && strings.EqualFold(inside[:n], "json") {
		inside = inside[n:]
	}
	return strings.TrimSpace(inside)
}

const fence = "```"

// Bounds of what a correction quotes.
const (
	maxQuoted     = 16 << 10 // bytes of the answer
	maxViolations = 20
)

// corrected is the conversation with the answer that does not fit and what is
// wrong with it. Provider state of the answer goes with it; calls do not, since
// nothing answers them.
func corrected(messages []Message, a Answer, wrong []assent.FieldError) []Message {
	out := append([]Message(nil), messages...)
	if strings.TrimSpace(a.Text) != "" {
		m := a.Message()
		m.Calls = nil
		if len(m.Content) > maxQuoted {
			m.Content, m.Opaque, m.Provider = strings.ToValidUTF8(m.Content[:maxQuoted], "")+" […]", nil, ""
		}
		out = append(out, m)
	}
	return append(out, Message{Role: RoleUser, Content: Correction(wrong)})
}

// Correction quotes violations to a model, each with its JSON pointer, and asks
// for the answer again.
func Correction(wrong []assent.FieldError) string {
	var b strings.Builder
	b.WriteString("That answer does not have the form that was asked for:")
	for i, v := range wrong {
		if i == maxViolations {
			fmt.Fprintf(&b, "\n- and %d more", len(wrong)-i)
			break
		}
		at := v.Pointer
		if at == "" {
			at = "the whole answer"
		}
		fmt.Fprintf(&b, "\n- %s: %s", at, v.Message)
	}
	b.WriteString("\nAnswer again with one JSON document that fits the schema, and nothing else.")
	return b.String()
}
