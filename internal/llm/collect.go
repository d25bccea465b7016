package llm

import (
	"encoding/json"
	"iter"
	"strings"
)

// Answer is a whole answer, for callers that do not stream.
type Answer struct {
	Text     string
	Calls    []Call
	Tokens   Tokens
	Opaque   json.RawMessage
	Provider string
	Finish   string
	Flags    Flags
}

// Message is the answer as an entry of the conversation.
func (a Answer) Message() Message {
	return Message{Role: RoleAssistant, Content: a.Text, Calls: a.Calls,
		Opaque: a.Opaque, Provider: a.Provider}
}

// Collect ranges over seq to its end. With an error the answer holds what came
// before it.
func Collect(seq iter.Seq2[Chunk, error]) (Answer, error) {
	var a Answer
	var text strings.Builder
	var failure error
	for c, err := range seq {
		if err != nil {
			failure = err
			break
		}
		if c.Kind == ChunkText {
			text.WriteString(c.Text)
		}
		a.add(c)
	}
	a.Text = text.String()
	return a, failure
}

func (a *Answer) add(c Chunk) {
	switch c.Kind {
	case ChunkCall:
		a.Calls = append(a.Calls, c.Call)
	case ChunkUsage:
		a.Tokens = c.Usage
	case ChunkOpaque:
		a.Opaque, a.Provider = c.Opaque, c.Provider
	case ChunkFinish:
		a.Finish, a.Flags, a.Provider = c.Finish, c.Flags, c.Provider
	}
}
