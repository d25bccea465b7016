package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// people knows a few secrets.
type people map[string]assent.Principal

func (p people) Authenticate(_ context.Context, secret string) (assent.Principal, error) {
	if secret == "broken" {
		return assent.Principal{}, fmt.Errorf("the database is gone")
	}
	pr, ok := p[secret]
	if !ok {
		return pr, assent.Errorf(assent.CodeUnauthenticated, "Please sign in.")
	}
	return pr, nil
}

func somebody(role assent.Role, session, token string, scopes ...assent.TokenScope) assent.Principal {
	return assent.Principal{Person: assent.Person{ID: "ada", Role: role}, SessionID: session, TokenID: token, Scopes: scopes}
}

func everybody() people {
	fresh := somebody(assent.RoleAdmin, "s2", "", assent.TokenScopes()...)
	fresh.Person.MustChange = true
	return people{
		"ast_read":  somebody(assent.RoleMember, "", "t1", "read"),
		"ast_all":   somebody(assent.RoleAdmin, "", "t2", assent.TokenScopes()...),
		"ast_bold":  somebody(assent.RoleMember, "", "t3", assent.TokenScopes()...), // admin in the token, not in the role
		"browser":   somebody(assent.RoleAdmin, "s1", "", assent.TokenScopes()...),
		"must-new":  fresh,
		"ast_chats": somebody(assent.RoleMember, "", "t4", "read", "chat"),
	}
}

// logs collects what is logged.
type logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// site is a server with a few routes.
type site struct {
	*web.Server
	t    *testing.T
	logs *logs
	url  string
}

func newSite(t *testing.T, change func(*web.Options)) *site {
	t.Helper()
	s := &site{t: t, logs: &logs{}}
	n := 0
	var mu sync.Mutex
	o := web.Options{Auth: everybody(), Log: slog.New(slog.NewTextHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		IDs: func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprintf("id-%d", n) },
		ErrorPage: func(c echo.Context, status int, p web.Problem) error {
			return c.HTML(status, "<h1>"+p.Detail+"</h1>")
		}}
	if change != nil {
		change(&o)
	}
	s.Server = web.New(o)
	s.routes()
	ts := httptest.NewServer(s.Server)
	t.Cleanup(ts.Close)
	s.url = ts.URL
	return s
}

func ok(c echo.Context) error { return c.String(http.StatusOK, "ok "+web.Principal(c).Person.ID) }

func (s *site) routes() {
	g := s.API("/api/v1")
	g.GET("/things", ok, web.Require(assent.ScopeRead))
	g.POST("/things", ok, web.Require(assent.ScopeChat))
	g.GET("/admin", ok, web.Require(assent.ScopeAdmin))
	g.GET("/open", ok)
	g.GET("/panic", func(echo.Context) error { panic("boom") })
	g.GET("/odd", func(echo.Context) error { return fmt.Errorf("secret detail") })
	g.GET("/ip", func(c echo.Context) error { return c.String(http.StatusOK, c.RealIP()) })
	g.GET("/list", func(c echo.Context) error {
		p, err := web.Page(c)
		if err != nil {
			return err
		}
		var items []string
		if p.Cursor != "" {
			items = []string{p.Cursor, fmt.Sprint(p.Limit)}
		}
		return web.List(c, items, p.Cursor)
	})
	g.POST("/bind", bind)
	g.POST("/needs", func(c echo.Context) error {
		var in struct {
			Title string `json:"title" required:"true"`
			Lines []struct {
				N int `json:"n" required:"true"`
			} `json:"lines"`
		}
		return web.Bind(c, &in)
	})
	public, members := s.Pages()
	public.GET("/login", ok)
	public.POST("/login", ok)
	members.GET("/chat", ok)
	members.POST("/chat", ok)
	members.GET("/long", func(c echo.Context) error { return c.HTML(http.StatusOK, strings.Repeat("<p>paper</p>", 1000)) })
	members.GET("/chat/1/events", func(c echo.Context) error { return c.String(http.StatusOK, strings.Repeat("data: x\n", 1000)) })
	members.GET("/panic", func(echo.Context) error { panic("boom") })
}

type bound struct {
	Name   string              `json:"name"`
	Count  *int                `json:"count"`
	Small  int8                `json:"small"`
	Ratio  float64             `json:"ratio"`
	On     bool                `json:"on"`
	At     assent.Time         `json:"at"`
	Raw    json.RawMessage     `json:"raw"`
	Scopes []assent.TokenScope `json:"scopes"`
	Nested *struct {
		Items []struct {
			Title string `json:"title"`
		} `json:"items"`
		Free map[string]int `json:"free"`
	} `json:"nested"`
	Any    any    `json:"any"`
	Hidden string `json:"-"`
}

func bind(c echo.Context) error {
	var in bound
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, in)
}

// answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	body   string
}

// send makes a request; headers are pairs of name and value.
func (s *site) send(method, path, body string, headers ...string) answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

// problem reads the answer as one.
func (s *site) problem(a answer) web.Problem {
	s.t.Helper()
	var p web.Problem
	if ct := a.header.Get("Content-Type"); ct != "application/problem+json" {
		s.t.Fatalf("the content type is %q: %s", ct, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		s.t.Fatal(err)
	}
	if p.Status != a.status || p.Type == "" || p.Title == "" || p.Detail == "" || p.Code == "" || p.Errors == nil || p.RequestID == "" {
		s.t.Errorf("half a problem under status %d: %s", a.status, a.body)
	}
	return p
}

func bearer(secret string) []string   { return []string{"Authorization", "Bearer " + secret} }
func cookie(secret string) []string   { return []string{"Cookie", "assent_session=" + secret} }
func networks() []netip.Prefix        { return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
func with(a, b []string) []string     { return append(append([]string{}, a...), b...) }
func byHTTPS(o *web.Options)          { o.BaseURL = "https://plans.example.org" }
func behindProxy(o *web.Options)      { o.TrustedProxies = networks() }
func json1(name, value string) string { return fmt.Sprintf(`{%q: %s}`, name, value) }
