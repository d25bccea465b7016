package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"assent/internal/llm"
)

// Model is a scripted llm.Model without a wire: quicker than a server, and
// able to run in a synctest bubble. Its answers carry no Provider; the gateway
// adds it.
type Model struct {
	t       testing.TB
	mu      sync.Mutex
	scripts []Script
	seen    []Request
}

var _ llm.Model = (*Model)(nil)

// NewModel makes a Model that follows the scripts.
func NewModel(t testing.TB, scripts ...Script) *Model { return &Model{t: t, scripts: scripts} }

// Requests are those so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.seen...)
}

// Check implements llm.Model; it follows the next script.
func (m *Model) Check(ctx context.Context, model string) error {
	for _, err := range m.Stream(ctx, model, llm.Request{}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Stream implements llm.Model.
func (m *Model) Stream(ctx context.Context, model string, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		resp, r := m.next(model, req)
		if err := resp.err(); err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		a := &modelAnswer{ctx: ctx, r: r, resp: resp, yield: yield}
		a.run()
	}
}

func (m *Model) next(model string, req llm.Request) (Response, Request) {
	m.mu.Lock()
	r := Request{Request: req, N: len(m.seen), Model: model}
	m.seen = append(m.seen, r)
	if len(m.scripts) == 0 {
		m.mu.Unlock()
		m.t.Errorf("llmtest: no script is left for request %d", r.N)
		return Fail(400, "no script is left"), r
	}
	script := m.scripts[0]
	if _, repeat := script.(Func); !repeat || len(m.scripts) > 1 {
		m.scripts = m.scripts[1:]
	}
	m.mu.Unlock()
	return script.respond(r), r
}

// err is the failure before the first chunk, if any.
func (r Response) err() error {
	switch {
	case r.failure != nil:
		return r.failure
	case r.status != 0:
		return &llm.Error{Class: statusClass(r.status), Status: r.status,
			Detail: fmt.Sprintf("HTTP %d: %s", r.status, r.body)}
	}
	return nil
}

// statusClass is what the providers make of a status without further words.
func statusClass(status int) llm.Class {
	switch {
	case status == 401 || status == 403:
		return llm.ClassAuth
	case status == 402:
		return llm.ClassQuota
	case status == 413:
		return llm.ClassContextLength
	case status == 429:
		return llm.ClassRateLimited
	case status >= 500:
		return llm.ClassOverloaded
	}
	return llm.ClassInvalidRequest
}

// arguments are a JSON object, or a JSON string of what is none, as the
// providers give them.
func arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if isObject(string(raw)) {
		return raw
	}
	text, _ := json.Marshal(string(raw)) // a string always encodes
	return text
}

// modelAnswer yields one answer.
type modelAnswer struct {
	ctx   context.Context
	r     Request
	resp  Response
	yield func(llm.Chunk, error) bool
	calls int
}

func (a *modelAnswer) run() {
	for _, x := range a.resp.acts {
		if !a.perform(x) {
			return
		}
	}
	finish := a.resp.finish
	if finish == "" {
		finish = "stop"
	}
	_ = a.yield(llm.Chunk{Kind: llm.ChunkUsage, Usage: a.resp.tokens()}, nil) &&
		a.yield(llm.Chunk{Kind: llm.ChunkFinish, Finish: finish}, nil)
}

// perform does one act; false ends the answer.
func (a *modelAnswer) perform(x act) bool {
	if a.ctx.Err() != nil {
		return a.cancelled()
	}
	switch x.kind {
	case actText:
		return a.text(x)
	case actThought:
		return a.yield(llm.Chunk{Kind: llm.ChunkThought, Text: x.text}, nil)
	case actCall:
		x.call.ID = callID(x, a.r.N, a.calls)
		x.call.Arguments = arguments(x.call.Arguments)
		x.call.Opaque = opaque(x.sig)
		a.calls++
		return a.yield(llm.Chunk{Kind: llm.ChunkCall, Call: x.call}, nil)
	case actDelay:
		t := time.NewTimer(x.delay)
		defer t.Stop()
		return waitFor(a, t.C)
	case actWait:
		return waitFor(a, x.until)
	case actHang:
		return waitFor[struct{}](a, nil)
	}
	a.fail(x.kind)
	return false
}

func (a *modelAnswer) text(x act) bool {
	if !a.yield(llm.Chunk{Kind: llm.ChunkText, Text: x.text}, nil) {
		return false
	}
	return x.sig == "" || a.yield(llm.Chunk{Kind: llm.ChunkOpaque, Opaque: opaque(x.sig)}, nil)
}

func opaque(sig string) json.RawMessage {
	if sig == "" {
		return nil
	}
	b, _ := json.Marshal(sig) // a string
	return b
}

// fail ends the answer in the way of kind.
func (a *modelAnswer) fail(kind actKind) {
	e := &llm.Error{Class: llm.ClassNetwork, Detail: "unexpected EOF"}
	switch kind {
	case actGarbage:
		e = &llm.Error{Class: llm.ClassInternal, Detail: "not a chunk"}
	case actBlocked:
		e = &llm.Error{Class: llm.ClassContentFiltered, Detail: "blocked"}
	case actTruncate:
		return // the gateway must notice
	}
	a.yield(llm.Chunk{}, e)
}

func (a *modelAnswer) cancelled() bool {
	cause := context.Cause(a.ctx)
	e := &llm.Error{Class: llm.ClassCancelled, Detail: cause.Error(), Err: cause}
	if a.ctx.Err() == context.DeadlineExceeded {
		e.Class = llm.ClassTimeout
	}
	a.yield(llm.Chunk{}, e)
	return false
}

func waitFor[T any](a *modelAnswer, c <-chan T) bool {
	select {
	case <-c:
		return true
	case <-a.ctx.Done():
		return a.cancelled()
	}
}
