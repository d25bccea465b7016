package llmtest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"assent/internal/llm"
)

// Script answers one request. A Response is one, and so is a Func.
type Script interface{ respond(Request) Response }

// Func is a Script that looks at the request first.
type Func func(Request) Response

func (f Func) respond(r Request) Response { return f(r) }

// Response is what the model says to one request, built up by its methods; each
// returns a longer copy. The zero Response is an empty answer.
type Response struct {
	acts    []act
	status  int // other than 0: this HTTP status with body instead of an answer
	body    string
	header  map[string]string
	usage   *llm.Tokens
	finish  string
	dialect *Dialect
	failure *llm.Error
}

func (r Response) respond(Request) Response { return r }

// act is one thing that happens in an answer.
type act struct {
	kind  actKind
	text  string // of text, thought, garbage
	call  llm.Call
	sig   string
	delay time.Duration
	until <-chan struct{}
}

type actKind int

const (
	actText actKind = iota
	actThought
	actCall
	actDelay
	actWait
	actGarbage
	actHang
	actCut      // the connection breaks
	actBlocked  // a filter declines
	actTruncate // the response ends cleanly, without a finish
	actRepeat   // text again and again
	actReset    // the connection is reset
)

// Text answers with text, one chunk for each argument.
func Text(chunks ...string) Response { return Response{}.Text(chunks...) }

// Thought answers with a thought; continue with Text or Call.
func Thought(text string) Response { return Response{}.Thought(text) }

// Call answers with a tool call. Arguments are JSON, or not, as a model might.
func Call(tool, arguments string) Response { return Response{}.Call(tool, arguments) }

// JSON answers with v as JSON text, in small chunks.
func JSON(v any) Response {
	b, err := json.Marshal(v)
	if err != nil {
		panic("llmtest: JSON: " + err.Error())
	}
	r := Response{}
	for part := range slices.Chunk([]rune(string(b)), 16) {
		r = r.Text(string(part))
	}
	return r
}

// Fail answers with an HTTP status and body. An empty body becomes the fake's
// usual one for that status.
func Fail(status int, body string) Response { return Response{status: status, body: body} }

// Blocked is the answer of a filter that declines.
func Blocked() Response { return Response{}.with(act{kind: actBlocked}) }

// FailWith makes a Model fail with e before its first chunk; for the servers
// use Fail.
func FailWith(e *llm.Error) Response { return Response{failure: e} }

func (r Response) with(a ...act) Response {
	r.acts = append(slices.Clip(r.acts), a...)
	return r
}

func (r Response) last(change func(*act)) Response {
	r.acts = slices.Clone(r.acts)
	change(&r.acts[len(r.acts)-1])
	return r
}

// Text adds text, one chunk for each argument.
func (r Response) Text(chunks ...string) Response {
	for _, c := range chunks {
		r = r.with(act{kind: actText, text: c})
	}
	return r
}

// Words adds text word by word.
func (r Response) Words(text string) Response {
	return r.Text(strings.SplitAfter(text, " ")...)
}

// Thought adds a thought.
func (r Response) Thought(text string) Response { return r.with(act{kind: actThought, text: text}) }

// Call adds a tool call.
func (r Response) Call(tool, arguments string) Response {
	return r.with(act{kind: actCall, call: llm.Call{Name: tool, Arguments: json.RawMessage(arguments)}})
}

// ID sets the id of the call just added; otherwise the fake makes one.
func (r Response) ID(id string) Response { return r.last(func(a *act) { a.call.ID = id }) }

// Signed puts a thought signature on the call or text just added. The Gemini
// fake signs the first call of an answer anyway.
func (r Response) Signed(signature string) Response {
	return r.last(func(a *act) { a.sig = signature })
}

// Delay pauses before what follows.
func (r Response) Delay(d time.Duration) Response { return r.with(act{kind: actDelay, delay: d}) }

// Wait holds what follows back until the channel is closed.
func (r Response) Wait(until <-chan struct{}) Response {
	return r.with(act{kind: actWait, until: until})
}

// Garbage writes raw bytes into the stream; a Model fails with class internal.
func (r Response) Garbage(raw string) Response { return r.with(act{kind: actGarbage, text: raw}) }

// Hang says no more and holds the connection until the client leaves.
func (r Response) Hang() Response { return r.with(act{kind: actHang}) }

// Cut breaks the connection.
func (r Response) Cut() Response { return r.with(act{kind: actCut}) }

// Reset breaks the connection as a router does: what was sent may be lost too.
func (r Response) Reset() Response { return r.with(act{kind: actReset}) }

// Repeat writes raw bytes into the stream until the client leaves.
func (r Response) Repeat(raw string) Response { return r.with(act{kind: actRepeat, text: raw}) }

// Truncate ends the response cleanly, but without a finish.
func (r Response) Truncate() Response { return r.with(act{kind: actTruncate}) }

// Usage sets the tokens that the answer reports; otherwise 10 in and 5 out.
func (r Response) Usage(t llm.Tokens) Response { r.usage = &t; return r }

// Finish sets the finish reason; otherwise the usual one.
func (r Response) Finish(reason string) Response { r.finish = reason; return r }

// Header adds a header to the response.
func (r Response) Header(name, value string) Response {
	r.header = maps.Clone(r.header)
	if r.header == nil {
		r.header = map[string]string{}
	}
	r.header[name] = value
	return r
}

// As makes the OpenAI fake answer this request in another dialect.
func (r Response) As(d Dialect) Response { r.dialect = &d; return r }

func (r Response) tokens() llm.Tokens {
	if r.usage != nil {
		return *r.usage
	}
	return llm.Tokens{In: 10, Out: 5}
}

// calls reports whether the answer has tool calls.
func (r Response) calls() bool {
	return slices.ContainsFunc(r.acts, func(a act) bool { return a.kind == actCall })
}
