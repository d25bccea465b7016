package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/llm"
)

// commonCases hold for every model, scripted or not.
func commonCases() []namedCase {
	return []namedCase{
		{"text ends with a finish", textEnds},
		{"a call is complete", callIsComplete},
		{"breaking off is clean", breakingOff},
		{"a cancelled context is class cancelled", cancelledBefore},
		{"cancelling in the middle is clean", cancelledAmid},
		{"requests run side by side", sideBySide},
		{"check", check},
	}
}

var hello = Text("Hel", "lo", ", ", "world", ".")

// chunks ranges over a stream and checks what is true of all: nothing after a
// finish or an error.
func chunks(t *testing.T, model llm.Model, name string, ctx context.Context, req llm.Request) (out []llm.Chunk, failure error) {
	t.Helper()
	for c, err := range model.Stream(ctx, name, req) {
		if failure != nil || len(out) > 0 && out[len(out)-1].Kind == llm.ChunkFinish {
			t.Fatalf("something follows the end of the stream: %+v, %v", c, err)
		}
		if err != nil {
			failure = err
			continue
		}
		out = append(out, c)
	}
	if failure == nil && (len(out) == 0 || out[len(out)-1].Kind != llm.ChunkFinish) {
		t.Fatal("the stream ended without a finish and without an error")
	}
	return out, failure
}

func textOf(all []llm.Chunk) string {
	var b strings.Builder
	for _, c := range all {
		if c.Kind == llm.ChunkText {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func textEnds(t *testing.T, h Harness) {
	model, _ := h.start(t, hello)
	all, err := chunks(t, model, h.Model, t.Context(), h.Ask)
	if err != nil {
		t.Fatal(err)
	}
	text := textOf(all)
	if text == "" || h.Wire != nil && text != "Hello, world." {
		t.Errorf("text = %q", text)
	}
	for _, c := range all {
		if c.Kind == llm.ChunkText && c.Text == "" {
			t.Error("an empty text chunk")
		}
	}
}

func callIsComplete(t *testing.T, h Harness) {
	model, _ := h.start(t, Call("list_tasks", `{"status":"open"}`))
	answer, err := llm.Collect(model.Stream(t.Context(), h.Model, h.AskForCall))
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Calls) == 0 {
		t.Fatalf("no call in %+v", answer)
	}
	for _, c := range answer.Calls {
		var args map[string]json.RawMessage
		if c.ID == "" || json.Unmarshal(c.Arguments, &args) != nil || args == nil {
			t.Errorf("call without id or JSON object: %+v", c)
		}
		if c.Provider != h.Name && c.Provider != "" {
			t.Errorf("Provider = %q, want %q or nothing", c.Provider, h.Name)
		}
		if !(Request{Request: h.AskForCall}).Offers(c.Name) {
			t.Errorf("%s was not on offer", c.Name)
		}
	}
}

// settles fails if goroutines stay that run does not leave at once.
func settles(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond) // for goroutines of net/http, which have no other sign
	}
}

// warm makes a connection's own goroutines exist before they are counted; a
// server keeps one and a client two for each connection.
func warm(t *testing.T, h Harness, model llm.Model) {
	t.Helper()
	if _, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask)); err != nil {
		t.Fatal(err)
	}
}

func breakingOff(t *testing.T, h Harness) {
	model, _ := h.start(t, hello, Text("one", "two").Hang(), hello)
	warm(t, h, model)
	before := runtime.NumGoroutine()
	for c, err := range model.Stream(t.Context(), h.Model, h.Ask) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == llm.ChunkText {
			break
		}
	}
	settles(t, before)
	warm(t, h, model) // and the model answers again
}

func cancelledBefore(t *testing.T, h Harness) {
	model, _ := h.start(t, Func(func(Request) Response { return hello }))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := chunks(t, model, h.Model, ctx, h.Ask)
	wantClass(t, h, err, llm.ClassCancelled)
}

func cancelledAmid(t *testing.T, h Harness) {
	if h.Wire == nil {
		return // how long a local model talks is its own affair
	}
	model, _ := h.start(t, hello, Text("one", "two").Hang())
	warm(t, h, model)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("the person pressed stop")
	var failure error
	for c, err := range model.Stream(ctx, h.Model, h.Ask) {
		failure = err
		if c.Text == "two" {
			cancel(why)
		}
	}
	e := wantClass(t, h, failure, llm.ClassCancelled)
	if !errors.Is(e, why) {
		t.Errorf("the error does not hold the cause: %v", e)
	}
	settles(t, before)
}

func sideBySide(t *testing.T, h Harness) {
	model, _ := h.start(t, Func(func(Request) Response { return hello }))
	first, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask))
			if err != nil || got.Text != first.Text {
				t.Errorf("got %q, %v; alone it was %q", got.Text, err, first.Text)
			}
		})
	}
	wg.Wait()
}

func check(t *testing.T, h Harness) {
	model, srv := h.start(t, Text("ok"), Text("").Finish("length"), Fail(401, ""))
	if err := model.Check(t.Context(), h.Model); err != nil {
		t.Fatal(err)
	}
	if srv == nil {
		return
	}
	if err := model.Check(t.Context(), h.Model); err != nil {
		t.Errorf("an answer without text: %v", err)
	}
	wantClass(t, h, model.Check(t.Context(), h.Model), llm.ClassAuth)
}

// wantClass checks the class of err, and that nothing in it gives the key away.
func wantClass(t *testing.T, h Harness, err error, class llm.Class) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("err = %v, want an *llm.Error of class %s", err, class)
	}
	if e.Class != class {
		t.Errorf("class = %s (%s), want %s", e.Class, e.Detail, class)
	}
	if e.Provider != h.Name {
		t.Errorf("Provider = %q, want %q", e.Provider, h.Name)
	}
	if h.Key != "" && strings.Contains(fmt.Sprintf("%v %+v %#v %v", e, *e, *e, e.Err), h.Key) {
		t.Errorf("the key is in the error: %+v", *e)
	}
	return e
}
