package offline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"assent/internal/llm"
)

// answer is one answer of the model: text, then tool calls.
type answer struct {
	text  string
	calls []call
}

// call is a tool call that the model wants.
type call struct {
	tool string
	args args
}

// args are the arguments of a call; keys are written in order, so the JSON of
// equal arguments is equal.
type args map[string]any

// say answers with text alone.
func say(text string) answer { return answer{text: text} }

// sayf answers with text alone, formatted.
func sayf(format string, v ...any) answer { return answer{text: fmt.Sprintf(format, v...)} }

// use calls one tool without a word.
func use(tool string, a args) answer { return answer{calls: []call{{tool, a}}} }

// before puts a sentence in front of an answer's text.
func (a answer) before(text string) answer {
	a.text = strings.TrimSpace(text + " " + a.text)
	return a
}

const chunkWords = 4

// chunks is the answer as a stream.
func (a answer) chunks(req llm.Request) []llm.Chunk {
	var out []llm.Chunk
	for _, piece := range pieces(a.text) {
		out = append(out, llm.Chunk{Kind: llm.ChunkText, Text: piece})
	}
	finish := "stop"
	for i, c := range a.calls {
		finish = "tool_calls"
		if c.args == nil {
			c.args = args{}
		}
		out = append(out, llm.Chunk{Kind: llm.ChunkCall, Call: llm.Call{ID: callID(req, i), Name: c.tool,
			Arguments: encode(within(c.args)), Provider: Provider}})
	}
	return append(out, llm.Chunk{Kind: llm.ChunkUsage},
		llm.Chunk{Kind: llm.ChunkFinish, Finish: finish, Provider: Provider})
}

// pieces cuts text into runs of a few words, every byte kept.
func pieces(text string) []string {
	var out []string
	from, words := 0, 0
	for i, c := range text {
		if c == ' ' || c == '\n' {
			words++
			if words == chunkWords {
				out = append(out, text[from:i+1])
				from, words = i+1, 0
			}
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// callID is an id that no other call of the installation has: it is made from
// the turn, run or execution and the number of the call in it.
func callID(req llm.Request, i int) string {
	m := req.Meta
	seed := fmt.Sprint(m.SessionID, m.TurnID, m.RunID, m.ExecutionID, m.PlanID, m.Step, m.Operation, len(req.Messages), i)
	sum := sha256.Sum256([]byte(seed))
	return "off_" + hex.EncodeToString(sum[:8])
}
