package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"assent/internal/assent"
)

// Finding is what one part of a live check came to.
type Finding struct {
	Part string // "streams text", "calls a tool", …
	OK   bool
	Note string // figures, or why not, in a sentence without secrets
}

// Live holds the conversation of the suite llmtest with a model, each part on
// its own, and tells after each what it came to. It proves more than Check: that
// streaming, tools with their state, parallel calls and answers in JSON work at
// this endpoint. It makes about six small calls and stops early where the first
// fails, since the rest would fail for the same reason.
func Live(ctx context.Context, m Model, model string, tell func(Finding)) (ok bool) {
	l := live{ctx: ctx, model: m, name: model}
	ok = true
	for i, part := range []struct {
		name string
		run  func() (string, error)
	}{
		{"streams text", l.text}, {"says what it used", l.usage}, {"calls a tool", l.call}, {"reads a tool's result", l.result},
		{"calls tools side by side", l.parallel}, {"calls the tool it is told to", l.forced}, {"answers in JSON of a schema", l.schema},
	} {
		note, err := part.run()
		f := Finding{Part: part.name, OK: err == nil, Note: note}
		if err != nil {
			f.Note, ok = sentence(err), false
		}
		tell(f)
		if err != nil && i == 0 {
			return false
		}
	}
	return ok
}

// sentence says what went wrong without a provider's own words, in which a key
// could stand.
func sentence(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Class.Sentence()
	}
	return err.Error()
}

// shortcoming is what a model did not do, in a sentence.
type shortcoming string

func (s shortcoming) Error() string { return string(s) }

// live is a live check under way.
type live struct {
	ctx    context.Context
	model  Model
	name   string
	tokens Tokens
	asked  Message // the assistant's message with the call, for the result
}

const sumTool = "calculator.add" // its dot is outside some providers' alphabets

func sum() Tool {
	return Tool{Name: sumTool, Description: "Adds two whole numbers.",
		Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`)}
}

func (l *live) ask(req Request) (Answer, time.Duration, int, error) {
	req.Meta, req.MaxTokens = Meta{Operation: assent.OpProviderCheck}, 2048
	start, first, chunks := time.Now(), time.Duration(0), 0
	answer, err := Collect(func(yield func(Chunk, error) bool) {
		for c, err := range l.model.Stream(l.ctx, l.name, req) {
			if c.Kind == ChunkText {
				if chunks++; chunks == 1 {
					first = time.Since(start)
				}
			}
			if !yield(c, err) {
				return
			}
		}
	})
	return answer, first, chunks, err
}

func says(text string) []Message { return []Message{{Role: RoleUser, Content: text}} }

func (l *live) text() (string, error) {
	a, first, chunks, err := l.ask(Request{Messages: says("Count from one to twenty in words, separated by commas.")})
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(a.Text) == "" {
		return "", shortcoming("The answer was empty.")
	}
	l.tokens = a.Tokens
	return fmt.Sprintf("first text after %s, in %d pieces", first.Round(time.Millisecond), chunks), nil
}

func (l *live) usage() (string, error) {
	if l.tokens.In == 0 || l.tokens.Out == 0 {
		return "", shortcoming("No tokens were reported, so costs cannot be known.")
	}
	return fmt.Sprintf("%d tokens in, %d out", l.tokens.In, l.tokens.Out), nil
}

func (l *live) call() (string, error) {
	a, _, _, err := l.ask(Request{Messages: says("What is 17 plus 25? Use the tool."), Tools: []Tool{sum()}})
	if err != nil {
		return "", err
	}
	if err := added(a.Calls, 17, 25); err != nil {
		return "", err
	}
	if a.Calls[0].ID == "" {
		a.Calls[0].ID = "call_1"
	}
	a.Calls = a.Calls[:1]
	l.asked = a.Message()
	return "", nil
}

// added checks a call of the tool.
func added(calls []Call, a, b int) error {
	if len(calls) == 0 {
		return shortcoming("It answered without calling the tool.")
	}
	var args struct{ A, B int }
	if calls[0].Name != sumTool {
		return shortcoming(fmt.Sprintf("It called a tool %q, which it was not offered.", assent.Clip(calls[0].Name, 40)))
	}
	if err := json.Unmarshal(calls[0].Arguments, &args); err != nil || args.A+args.B != a+b {
		return shortcoming("It called the tool with other numbers than those asked for.")
	}
	return nil
}

func (l *live) result() (string, error) {
	if len(l.asked.Calls) == 0 {
		return "", shortcoming("There is no call whose result it could read.")
	}
	a, _, _, err := l.ask(Request{Tools: []Tool{sum()}, Messages: append(says("What is 17 plus 25? Use the tool."), l.asked,
		Message{Role: RoleTool, CallID: l.asked.Calls[0].ID, Tool: sumTool, Content: `{"success":true,"output":{"sum":42}}`})})
	if err != nil {
		return "", err
	}
	if !strings.Contains(a.Text, "42") {
		return "", shortcoming("Its answer does not hold the result.")
	}
	return "", nil
}

func (l *live) parallel() (string, error) {
	a, _, _, err := l.ask(Request{Messages: says("Use the tool twice at once: for 1 plus 2 and for 3 plus 4."), Tools: []Tool{sum()}})
	if err != nil {
		return "", err
	}
	if err := added(a.Calls, 1, 2); err != nil {
		return "", err
	}
	if len(a.Calls) == 1 {
		return "one after the other; that works, more slowly", nil
	}
	return "", nil
}

func (l *live) forced() (string, error) {
	a, _, _, err := l.ask(Request{Messages: says("Add 2 and 2."), Tools: []Tool{sum()}, ToolChoice: sumTool})
	if err != nil {
		return "", err
	}
	return "", added(a.Calls, 2, 2)
}

func (l *live) schema() (string, error) {
	a, _, _, err := l.ask(Request{Messages: says("What is the capital of France?"),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)})
	if err != nil {
		return "", err
	}
	var out struct{ City string }
	if err := json.Unmarshal([]byte(strings.TrimSpace(a.Text)), &out); err != nil || out.City == "" {
		return "", shortcoming("Its answer is no JSON of that schema; it will be asked again each time.")
	}
	if a.Flags.ForcedJSON {
		return "asked for in words; it has no mode of its own for that", nil
	}
	return "", nil
}
