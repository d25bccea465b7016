package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/llmtest"
	"assent/internal/llm/openai"
)

// faultKey is planted with the providers; it must not come out anywhere.
const faultKey = "sk-planted-key-0123456789"

// cell is one fault with one provider, before or after the first token.
type cell struct {
	provider  string
	started   bool // a token came before the fault
	elsewhere string
	held      chan struct{} // closed when the test ends
}

// begin is an answer that is about to go wrong.
func (c cell) begin() llmtest.Response {
	if c.started {
		return llmtest.Text("so far")
	}
	return llmtest.Response{}
}

// then is what follows a fault before the first token. After one it is always
// the end.
type then int

const (
	end    then = iota // another model would fail as well
	next               // the next model of the profile is asked at once
	retry              // the same is asked twice more, then the next
	answer             // nothing was wrong after all
)

// fault is a row of the table.
type fault struct {
	name   string
	script func(cell) llmtest.Response
	class  llm.Class
	then   then
	// after is the class after the first token where it is another one.
	after llm.Class
	// text and calls of an answer, after what was said so far.
	text, calls string
	wait        time.Duration // asked for by the provider
	quick       bool          // the timeouts are short
	only        string        // with this provider alone
	when        string        // "before" or "after" alone
}

// TestFaults is the table of everything that a provider may send, with each
// provider, before and after the first token. Each ends in a classified error
// or in an answer, with one usage row for each try; what was said stays said,
// nothing is asked again after the first token, and no key comes out.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults() {
		for _, provider := range []string{"gemini", "openai"} {
			for _, when := range []string{"before", "after"} {
				if f.only != "" && f.only != provider || f.when != "" && f.when != when {
					continue
				}
				t.Run(strings.Join([]string{f.name, provider, when}, "/"), func(t *testing.T) {
					t.Parallel()
					f.run(t, cell{provider: provider, started: when == "after"})
				})
			}
		}
	}
}

func (f fault) run(t *testing.T, c cell) {
	c.held = make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the key or the conversation went elsewhere: %s %v", r.URL, r.Header)
	}))
	t.Cleanup(away.Close)
	c.elsewhere = away.URL
	srv, model := c.server(t, llmtest.Func(func(llmtest.Request) llmtest.Response { return f.script(c) }))
	t.Cleanup(func() { close(c.held) })

	w := newFaultWorld(c, f, model, llmtest.NewModel(t, llmtest.Text("from the next")))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	got, err := llm.Collect(w.gateway.Stream(ctx, request(llm.ProfileBalanced)))

	f.checkAnswer(t, c, got, err)
	f.checkRows(t, c, w, len(srv.Requests()))
	everything := fmt.Sprintf("%v %+v %+v", err, got, w.ledger.closed)
	for e := err; e != nil; e = errors.Unwrap(e) {
		everything += fmt.Sprintf(" %+v %#v", e, e)
	}
	if strings.Contains(everything, faultKey) {
		t.Errorf("the key came out: %s", everything)
	}
}

func (c cell) server(t *testing.T, script llmtest.Script) (*llmtest.Server, llm.Model) {
	t.Helper()
	var srv *llmtest.Server
	var model llm.Model
	var err error
	if c.provider == "gemini" {
		srv = llmtest.NewGemini(t, script).RequireKey(faultKey)
		model, err = gemini.New(gemini.Config{BaseURL: srv.URL, APIKey: faultKey})
	} else {
		srv = llmtest.NewOpenAI(t, script).RequireKey(faultKey)
		model, err = openai.New(openai.Config{BaseURL: srv.URL, APIKey: faultKey})
	}
	if err != nil {
		t.Fatal(err)
	}
	return srv, model
}

// faultWorld is a gateway with the faulty provider first and a good one next.
type faultWorld struct {
	gateway *llm.Gateway
	ledger  *ledger
	waits   []time.Duration
}

func newFaultWorld(c cell, f fault, faulty, good llm.Model) *faultWorld {
	w := &faultWorld{ledger: &ledger{}}
	var mu sync.Mutex
	n := 0
	cfg := llm.GatewayConfig{
		Providers: map[string]llm.Model{c.provider: faulty, "good": good},
		Catalog: llm.Catalog{Profiles: map[llm.Profile][]llm.Target{llm.ProfileBalanced: {
			{Provider: c.provider, Model: "m1"}, {Provider: "good", Model: "m2"}}}},
		Ledger: w.ledger, Clock: time.Now, Random: func() float64 { return 0 },
		IDs:  func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprint(n) },
		Wait: func(_ context.Context, d time.Duration) error { w.waits = append(w.waits, d); return nil },
	}
	if f.quick {
		cfg.FirstToken, cfg.Idle = 100*time.Millisecond, 100*time.Millisecond
		if c.started {
			cfg.FirstToken = 10 * time.Second
		}
	}
	w.gateway = llm.New(cfg)
	return w
}

// classIn is the class of f in this cell, empty for an answer.
func (f fault) classIn(c cell) llm.Class {
	if c.started && f.after != "" {
		return f.after
	}
	return f.class
}

func (f fault) checkAnswer(t *testing.T, c cell, got llm.Answer, err error) {
	t.Helper()
	text := f.text
	if c.started {
		text = "so far" + text
	}
	class := f.classIn(c)
	if class != "" && !c.started && f.then != end {
		class, text = "", "from the next"
	}
	if llm.ClassOf(err) != class {
		t.Errorf("err = %v, want class %q", err, class)
	}
	if got.Text != text {
		t.Errorf("text = %.60q (%d bytes), want %.60q", got.Text, len(got.Text), text)
	}
	var calls []string
	for _, call := range got.Calls {
		calls = append(calls, call.Name+string(call.Arguments))
		if call.ID == "" {
			t.Errorf("call without an id: %+v", call)
		}
	}
	if s := strings.Join(calls, " "); s != f.calls {
		t.Errorf("calls = %q, want %q", s, f.calls)
	}
	var e *llm.Error
	if err != nil && (!errors.As(err, &e) || e.Provider != c.provider || e.Model != "m1" || e.Detail == "" || len(e.Detail) > 700 || e.Class.Sentence() == "") {
		t.Errorf("the error does not say enough, or too much: %+v", e)
	}
}

// checkRows wants one row for each try, and no request that has none.
func (f fault) checkRows(t *testing.T, c cell, w *faultWorld, requests int) {
	t.Helper()
	class := f.classIn(c)
	tries := 1
	if class != "" && !c.started && f.then == retry {
		tries = 3
	}
	var want []string
	for range tries {
		switch class {
		case "":
			want = append(want, c.provider+"/m1 ok")
		case llm.ClassTimeout:
			want = append(want, c.provider+"/m1 timeout timeout")
		default:
			want = append(want, c.provider+"/m1 failed "+string(class))
		}
	}
	if class != "" && !c.started && f.then != end {
		want = append(want, fmt.Sprintf("good/m2 ok after %s/m1 %s", c.provider, class))
	}
	if got := rows(w.ledger); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	if requests != tries || len(w.waits) != tries-1 {
		t.Errorf("%d requests and waits %v for %d tries", requests, w.waits, tries)
	}
	for _, waited := range w.waits {
		if waited < f.wait || f.wait == 0 && waited > time.Second {
			t.Errorf("waited %v, asked for %v", waited, f.wait)
		}
	}
	for _, r := range w.ledger.closed {
		if c.started && r.TTFTMS == 0 && r.Status != assent.CallOK {
			t.Errorf("the time to the first token is not in the row: %+v", r)
		}
	}
	w.ledger.balanced(t)
}
