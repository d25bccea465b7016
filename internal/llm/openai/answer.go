package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// drainTime is how long the end of a finished response is waited for, so that
// its connection can carry the next call.
const (
	drainTime  = 50 * time.Millisecond
	drainBytes = 4 << 10
)

var errCut = errors.New("the stream ended before the answer did")

// answer reads one response and yields its chunks.
type answer struct {
	c     *Client
	ctx   context.Context
	out   *outgoing
	yield func(llm.Chunk, error) bool

	calls    calls
	usage    *llm.Tokens
	finish   string // the finish reason
	finished bool   // a finish reason came
	done     bool   // [DONE] came
	thoughts strings.Builder
	extra    json.RawMessage
}

// read tells a stream from a single JSON body and from a page for people. The
// first byte decides, because servers label their streams in many ways.
func (a *answer) read(resp *http.Response) {
	kind := resp.Header.Get("Content-Type")
	body := io.Reader(resp.Body)
	if !strings.HasPrefix(kind, "text/event-stream") {
		first, err := provider.FirstByte(resp.Body)
		if err != nil && err != io.EOF {
			a.fail(a.broken(err))
			return
		}
		body = io.MultiReader(bytes.NewReader(first), resp.Body)
		switch {
		case bytes.HasPrefix(first, []byte("{")), bytes.HasPrefix(first, []byte("[")):
			a.whole(body)
			return
		case bytes.HasPrefix(first, []byte("<")):
			a.fail(a.c.pageError(resp.StatusCode))
			return
		}
	}
	a.stream(body)
}

// stream reads events until the end or until the consumer breaks off.
func (a *answer) stream(body io.Reader) {
	events := provider.NewEventReader(body)
	defer events.Free()
	for {
		data, err := events.Next()
		if err != nil {
			a.end(err)
			return
		}
		if d, ok := parseDelta(data); ok {
			if !a.say(d) {
				return
			}
			continue
		}
		if string(bytes.TrimSpace(data)) == "[DONE]" {
			a.done = true
			a.end(io.EOF)
			return
		}
		if !a.event(data, events.Ended()) {
			return
		}
	}
}

// event handles what is no ordinary delta. The lines of one event are one JSON
// value, or several when a server leaves out the blank lines.
func (a *answer) event(data []byte, last bool) bool {
	if bytes.IndexByte(data, '\n') >= 0 && !json.Valid(data) {
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) > 0 && string(line) != "[DONE]" && !a.chunk(line, last) {
				return false
			}
		}
		return true
	}
	return a.chunk(data, last)
}

// chunk handles one JSON value of a stream; last says that nothing follows.
func (a *answer) chunk(data []byte, last bool) bool {
	w, err := parseChunk(data)
	switch {
	case err != nil && a.finished:
		a.end(io.EOF)
		return false
	case err != nil && last:
		return a.fail(a.broken(errCut))
	case err != nil:
		return a.fail(&llm.Error{Class: llm.ClassInternal, Provider: a.c.name,
			Detail: provider.Detail("the stream holds what is no chunk: "+err.Error()+": "+string(data), a.c.key)})
	case w.failed(), w.empty() && looksLikeError(data):
		return a.fail(a.c.streamError(data))
	}
	return a.take(&w)
}

// take handles a chunk or a whole completion.
func (a *answer) take(w *wireChunk) bool {
	if w.Usage != nil {
		tokens := w.Usage.tokens()
		a.usage = &tokens
	}
	if len(w.Choices) == 0 {
		return true
	}
	choice := &w.Choices[0]
	d := &choice.Delta
	if choice.Message != nil {
		d = choice.Message
	}
	if len(d.ToolCalls) > 0 && !a.fragments(d.ToolCalls) {
		return false
	}
	if len(d.ExtraContent) > 0 && string(d.ExtraContent) != "null" {
		a.extra = d.ExtraContent
	}
	if choice.FinishReason != nil && *choice.FinishReason != "" {
		a.finish, a.finished = *choice.FinishReason, true
	}
	return a.say(d.simple())
}

// fragments puts pieces of calls together. A call is yielded whole, at the end,
// but that it is being written is told: a plan takes longer than an idle timeout.
func (a *answer) fragments(list []callFragment) bool {
	for i := range list {
		a.calls.add(&list[i])
	}
	if a.calls.size > provider.MaxEvent || len(a.calls.pending) > maxCalls {
		return a.fail(&llm.Error{Class: llm.ClassInternal, Provider: a.c.name, Detail: "the calls of the answer are larger than 16 MB, or more than 1,000"})
	}
	return a.yield(llm.Chunk{Kind: llm.ChunkProgress}, nil)
}

// say yields text and thought; false if the consumer breaks off.
func (a *answer) say(d delta) bool {
	if d.thought != "" {
		if d.keep {
			a.thoughts.WriteString(d.thought)
		}
		if !a.yield(llm.Chunk{Kind: llm.ChunkThought, Text: d.thought}, nil) {
			return false
		}
	}
	if d.text == "" {
		return true
	}
	return a.yield(llm.Chunk{Kind: llm.ChunkText, Text: d.text}, nil)
}

// whole handles a response that did not stream.
func (a *answer) whole(body io.Reader) {
	data, err := provider.ReadJSON(body)
	if err != nil {
		a.end(err)
		return
	}
	var w wireChunk
	if err := json.Unmarshal(data, &w); err != nil || len(w.Choices) == 0 {
		a.fail(a.c.streamError(data))
		return
	}
	if a.take(&w) {
		a.done = true
		a.end(io.EOF)
	}
}

// end judges a stream that is over: complete, cut, or declined. What comes
// after a finish reason does not matter any more, a broken connection included.
func (a *answer) end(err error) {
	switch {
	case a.finish == "error":
		a.fail(&llm.Error{Class: llm.ClassInternal, Provider: a.c.name, Detail: "the server finished with reason error"})
	case a.finish == "content_filter" && len(a.calls.pending) == 0:
		a.fail(&llm.Error{Class: llm.ClassContentFiltered, Provider: a.c.name, Detail: "finish reason content_filter"})
	case a.finished || a.done:
		a.complete()
	case errors.Is(err, provider.ErrNoStream), errors.Is(err, provider.ErrEventTooLarge):
		a.fail(&llm.Error{Class: llm.ClassInternal, Provider: a.c.name, Detail: err.Error(), Err: err})
	default:
		a.fail(a.broken(err))
	}
}

// complete yields what comes after the text.
func (a *answer) complete() {
	if a.finish == "" {
		a.finish = "done"
	}
	for _, call := range a.calls.finish(a.out.names, a.c.name, a.c.ids) {
		if !a.yield(llm.Chunk{Kind: llm.ChunkCall, Call: call}, nil) {
			return
		}
	}
	if state := a.state(); state != nil {
		if !a.yield(llm.Chunk{Kind: llm.ChunkOpaque, Opaque: state, Provider: a.c.name}, nil) {
			return
		}
	}
	if a.usage != nil && !a.yield(llm.Chunk{Kind: llm.ChunkUsage, Usage: *a.usage}, nil) {
		return
	}
	a.yield(llm.Chunk{Kind: llm.ChunkFinish, Finish: provider.Detail(a.finish, a.c.key), Flags: a.out.flags(), Provider: a.c.name}, nil)
}

// state is what must go back to the server with this answer; nil mostly. The
// thoughts matter only with the calls that they led to.
func (a *answer) state() json.RawMessage {
	s := textState{ExtraContent: a.extra}
	if len(a.calls.pending) > 0 {
		s.Reasoning = a.thoughts.String()
	}
	if s.Reasoning == "" && s.ExtraContent == nil {
		return nil
	}
	b, _ := json.Marshal(s) // extra was parsed as JSON
	return b
}

// broken is the error of a connection that ended early.
func (a *answer) broken(err error) *llm.Error {
	if err == io.EOF {
		err = errCut
	}
	return provider.Transport(a.ctx, a.c.name, a.c.key, err)
}

func (a *answer) fail(err *llm.Error) bool {
	a.yield(llm.Chunk{}, err)
	return false
}

// release closes the response. After a complete answer the little that may
// follow is read first, for a short while, so that the connection is kept.
func (a *answer) release(body io.ReadCloser, cancel context.CancelFunc) {
	if a.done || a.finished {
		t := time.AfterFunc(drainTime, cancel)
		_, _ = io.CopyN(io.Discard, body, drainBytes) // the answer is complete, whatever follows
		t.Stop()
	}
	body.Close()
}
