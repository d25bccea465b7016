package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a fake provider.
type Server struct {
	// URL is the base URL for the provider's Config.
	URL string

	t       testing.TB
	wire    wire
	closing chan struct{}
	stop    func()

	mu      sync.Mutex
	scripts []Script
	seen    []Request
	key     string
	dialect Dialect
	conns   int
}

// wire is one provider's form of requests and answers.
type wire interface {
	// key is the key that came with the request.
	key(*http.Request) string
	// parse reads a request; the error is what the service would complain about.
	parse(path string, body []byte) (Request, error)
	// refuse is the usual body for an HTTP status.
	refuse(status int, message string) string
	// answer writes a response.
	answer(w *writer, r Request, resp Response)
}

func newServer(t testing.TB, w wire, suffix string, scripts []Script) *Server {
	t.Helper()
	s := &Server{t: t, wire: w, scripts: scripts, closing: make(chan struct{})}
	hs := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	hs.Config.ConnState = s.count
	hs.Start()
	s.URL = hs.URL + suffix
	s.stop = sync.OnceFunc(func() {
		close(s.closing)
		hs.Close()
	})
	t.Cleanup(s.stop)
	return s
}

// Stop closes the server before the test ends: nobody is there any more.
func (s *Server) Stop() { s.stop() }

// RequireKey makes the server refuse requests without this key.
func (s *Server) RequireKey(key string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	return s
}

// Then adds scripts.
func (s *Server) Then(scripts ...Script) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, scripts...)
	return s
}

// Requests are those so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}

// Request is the n-th from 0; a test that asks for one too many fails.
func (s *Server) Request(n int) Request {
	s.t.Helper()
	all := s.Requests()
	if n >= len(all) {
		s.t.Fatalf("llmtest: there were %d requests, so there is no request %d", len(all), n)
	}
	return all[n]
}

// Connections is how many connections were opened so far.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

func (s *Server) count(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		s.mu.Lock()
		s.conns++
		s.mu.Unlock()
	}
}

func (s *Server) serve(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return // the client left
	}
	r, bad := s.wire.parse(hr.URL.Path, body)
	r.Path, r.Header, r.Body = hr.URL.Path, hr.Header.Clone(), body
	resp, r := s.next(r, s.wire.key(hr), bad)
	for name, value := range resp.header {
		w.Header().Set(name, value)
	}
	if resp.status != 0 {
		s.fail(w, resp)
		return
	}
	out := &writer{ctx: hr.Context(), closing: s.closing, w: w, flush: http.NewResponseController(w).Flush}
	defer out.finish()
	s.wire.answer(out, r, resp)
}

// next notes the request and finds its answer.
func (s *Server) next(r Request, key string, bad error) (Response, Request) {
	s.mu.Lock()
	r.N = len(s.seen)
	s.seen = append(s.seen, r)
	var script Script
	switch {
	case bad != nil:
		s.t.Errorf("llmtest: request %d is not valid: %v", r.N, bad)
		script = Fail(http.StatusBadRequest, s.wire.refuse(http.StatusBadRequest, bad.Error()))
	case s.key != "" && key != s.key:
		script = Fail(http.StatusUnauthorized, "")
	case len(s.scripts) == 0:
		s.t.Errorf("llmtest: no script is left for request %d", r.N)
		script = Fail(http.StatusBadRequest, "")
	default:
		script = s.scripts[0]
		if _, repeat := script.(Func); !repeat || len(s.scripts) > 1 {
			s.scripts = s.scripts[1:]
		}
	}
	dialect := s.dialect
	s.mu.Unlock()
	resp := script.respond(r) // may take its time, and ask the server about earlier requests
	if resp.dialect == nil {
		resp.dialect = &dialect
	}
	return resp, r
}

func (s *Server) fail(w http.ResponseWriter, resp Response) {
	body := resp.body
	if body == "" {
		body = s.wire.refuse(resp.status, http.StatusText(resp.status))
	}
	if w.Header().Get("Content-Type") == "" {
		kind := "application/json"
		if strings.HasPrefix(body, "<") {
			kind = "text/html; charset=utf-8"
		}
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(resp.status)
	io.WriteString(w, body)
}

// writer writes a stream, event by event.
type writer struct {
	ctx     context.Context
	closing <-chan struct{}
	w       http.ResponseWriter
	flush   func() error
	eol     string
	cut     bool
}

// event writes one server-sent event.
func (w *writer) event(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("llmtest: %v", err))
	}
	w.raw("data: " + string(b) + w.eol + w.eol)
}

func (w *writer) raw(text string) {
	io.WriteString(w.w, text)
	_ = w.flush() // the client may have left, which is its right
}

// pass does what a does besides saying something; false ends the answer
// without its finish.
func (w *writer) pass(a act) bool {
	switch a.kind {
	case actDelay:
		t := time.NewTimer(a.delay)
		defer t.Stop()
		return w.wait(t.C)
	case actWait:
		return wait(w, a.until)
	case actGarbage:
		w.raw(a.text)
	case actHang:
		wait[struct{}](w, nil)
		return false
	case actCut:
		w.cut = true
		return false
	case actRepeat:
		for w.ctx.Err() == nil && !w.stopped() {
			w.raw(a.text)
		}
		return false
	case actReset:
		w.reset()
		return false
	case actTruncate:
		return false
	}
	return true
}

func (w *writer) stopped() bool {
	select {
	case <-w.closing:
		return true
	default:
		return false
	}
}

// reset closes the connection with a RST.
func (w *writer) reset() {
	conn, _, err := http.NewResponseController(w.w).Hijack()
	if err != nil {
		panic(fmt.Sprintf("llmtest: %v", err))
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // the connection is given up either way
	}
	conn.Close()
}

func (w *writer) wait(c <-chan time.Time) bool { return wait(w, c) }

// wait is false if the client or the server goes first.
func wait[T any](w *writer, c <-chan T) bool {
	select {
	case <-c:
		return true
	case <-w.ctx.Done():
	case <-w.closing:
	}
	return false
}

// finish breaks the connection if the answer was cut.
func (w *writer) finish() {
	if w.cut {
		_ = w.flush()
		panic(http.ErrAbortHandler)
	}
}
