package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
)

// patience bounds whatever a test waits for.
const patience = 20 * time.Second

// world is the whole product, served, with the offline planner. Ada is an
// admin, Bo a member.
type world struct {
	t       *testing.T
	app     *app.App
	url     string
	stop    context.CancelFunc // asks the server to shut down
	ada, bo assent.Person
	all     caller // Ada's token with every scope
	theirs  caller // Bo's token with every scope a member can have
}

func newWorld(t *testing.T, env ...string) *world {
	t.Helper()
	return newLoggedWorld(t, slog.New(slog.DiscardHandler), env...)
}

// newLoggedWorld is newWorld with a log to look into.
func newLoggedWorld(t *testing.T, log *slog.Logger, env ...string) *world {
	t.Helper()
	t.Parallel()
	cfg, _, err := config.Load(config.Source{Env: append([]string{"ASSENT_DATA_DIR=" + t.TempDir(), "ASSENT_ADDR=127.0.0.1:0",
		"ASSENT_LLM_PROVIDER=offline"}, env...)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), cfg, "test", log)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- a.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("shutting down: %v", err)
		}
	})
	w := &world{t: t, app: a, stop: stop, url: "http://" + ln.Addr().String()}
	w.ada, w.bo = w.person("ada@example.org", assent.RoleAdmin), w.person("bo@example.org", assent.RoleMember)
	w.all = w.token(w.ada, assent.TokenScopes()...)
	w.theirs = w.token(w.bo, assent.ScopeRead, assent.ScopeChat, assent.ScopeApprove)
	w.await("readiness", func() bool { return caller{w: w}.do("GET", "/readyz", nil).status == http.StatusOK })
	return w
}

// person stores an account without the work of hashing a password.
func (w *world) person(email string, role assent.Role) assent.Person {
	w.t.Helper()
	name, _, _ := strings.Cut(email, "@")
	p := assent.Person{ID: app.NewIDs(), Email: email, Name: name, Role: role, TimeZone: "UTC", Locale: "en", Theme: "auto", DefaultMode: assent.ModeAutoExecute}
	w.write(func(tx *store.Tx) error { return tx.CreatePerson(p, "no password") })
	return p
}

// token makes an API token.
func (w *world) token(p assent.Person, scopes ...assent.TokenScope) caller {
	w.t.Helper()
	_, secret, err := w.app.Accounts.CreateToken(w.t.Context(), assent.Principal{Person: p, Scopes: assent.TokenScopes()}, "test", scopes, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return caller{w: w, secret: secret}
}

func (w *world) write(fn func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.app.Store.Write(w.t.Context(), fn); err != nil {
		w.t.Fatal(err)
	}
}

// await polls for what happens in the background.
func (w *world) await(what string, done func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("no %s within %s", what, patience)
		}
	}
}

// caller makes requests with one token; without one it is nobody.
type caller struct {
	w      *world
	secret string
}

// answer is a response that has been read.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	body   []byte
}

// do makes a request. A string is sent as it is, a reader in chunks, anything
// else as JSON, nil as no body; headers are pairs of name and value.
func (c caller) do(method, path string, body any, headers ...string) answer {
	c.w.t.Helper()
	resp := c.open(method, path, body, headers...)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{c.w.t, method + " " + path, resp.StatusCode, resp.Header, b}
}

// open makes a request and leaves its body to be read.
func (c caller) open(method, path string, body any, headers ...string) *http.Response {
	c.w.t.Helper()
	var send io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		send = strings.NewReader(b)
	case io.Reader:
		send = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			c.w.t.Fatal(err)
		}
		send = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(c.w.t.Context(), method, c.w.url+path, send)
	if err != nil {
		c.w.t.Fatal(err)
	}
	if send != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.secret != "" {
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return resp
}

// api makes a request below /api/v1.
func (c caller) api(method, path string, body any, headers ...string) answer {
	c.w.t.Helper()
	return c.do(method, "/api/v1"+path, body, headers...)
}

// want fails the test on another status.
func (a answer) want(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d: %.600s", a.what, a.status, status, a.body)
	}
	return a
}

// object is a JSON object of an answer.
type object map[string]any

func (a answer) object() object {
	a.t.Helper()
	var o object
	if err := json.Unmarshal(a.body, &o); err != nil {
		a.t.Fatalf("%s: %v: %.300s", a.what, err, a.body)
	}
	return o
}

func (o object) str(key string) string   { s, _ := o[key].(string); return s }
func (o object) num(key string) int64    { f, _ := o[key].(float64); return int64(f) }
func (o object) get(key string) object   { m, _ := o[key].(map[string]any); return m }
func (o object) list(key string) objects { return listOf(o[key]) }

type objects []object

func listOf(v any) objects {
	items, _ := v.([]any)
	out := make(objects, len(items))
	for i, x := range items {
		m, _ := x.(map[string]any)
		out[i] = m
	}
	return out
}

// column gives one field of every object.
func (os objects) column(key string) []string {
	out := make([]string, len(os))
	for i, o := range os {
		out[i] = o.str(key)
	}
	return out
}

// problem reads a refusal, holds its form and gives it.
func (a answer) problem(status int, code string) object {
	a.t.Helper()
	a.want(status)
	if ct := a.header.Get("Content-Type"); ct != "application/problem+json" {
		a.t.Fatalf("%s: the content type is %q: %s", a.what, ct, a.body)
	}
	p := a.object()
	checkShape(a.t, a.what, "problem", p)
	if p.num("status") != int64(status) || p.str("code") != code || p.str("detail") == "" || p.str("title") == "" {
		a.t.Errorf("%s: want %d %s: %s", a.what, status, code, a.body)
	}
	return p
}

// pointers gives the places that a problem names.
func (o object) pointers() []string { return o.list("errors").column("pointer") }

// session opens a conversation.
func (c caller) session() string {
	c.w.t.Helper()
	return c.api("POST", "/sessions", object{"context_type": "general"}).want(201).object().str("id")
}

// say sends a message and waits for the end of its turn; it gives the 202.
func (c caller) say(session, words string) object {
	c.w.t.Helper()
	out := c.api("POST", "/sessions/"+session+"/messages", object{"content": words}).want(202).object()
	c.events(session, "until=done")
	return out
}

// event is one frame of a stream.
type event struct {
	id, name string
	data     object
}

// events reads a stream to its end.
func (c caller) events(session, query string, headers ...string) []event {
	c.w.t.Helper()
	resp := c.open("GET", "/api/v1/sessions/"+session+"/events?"+query, nil, headers...)
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || ct != "text/event-stream" {
		c.w.t.Fatalf("the stream of %s: %d %s", session, resp.StatusCode, ct)
	}
	return readEvents(c.w.t, resp.Body, -1)
}

// readEvents reads at most n frames (-1: all).
func readEvents(t *testing.T, r io.Reader, n int) []event {
	t.Helper()
	var out []event
	var ev event
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<22)
	for len(out) != n && lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch key {
		case "id":
			ev.id = value
		case "event":
			ev.name = value
		case "data":
			if err := json.Unmarshal([]byte(value), &ev.data); err != nil {
				t.Fatalf("%v in %q", err, value)
			}
		case "":
			if ev.data != nil {
				out = append(out, ev)
			}
			ev = event{}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
