package web_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/web"
)

func TestEveryAnswerCarriesTheHeaders(t *testing.T) {
	t.Parallel()
	s, secure := newSite(t, nil), newSite(t, byHTTPS)
	want := map[string]string{
		"X-Content-Type-Options":     "nosniff",
		"Referrer-Policy":            "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Permissions-Policy":         "camera=(), microphone=(), geolocation=()",
	}
	policy := []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "font-src 'self'",
		"form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"}
	for _, path := range []string{"/chat", "/nothing", "/panic", "/api/v1/things", "/api/v1/panic", "/api/v1/nothing"} {
		a := s.send("GET", path, "", cookie("browser")...)
		for name, v := range want {
			if got := a.header.Get(name); got != v {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		got := strings.Split(a.header.Get("Content-Security-Policy"), "; ")
		for _, p := range policy {
			if !strings.Contains(strings.Join(got, "\n")+"\n", p+"\n") {
				t.Errorf("%s: the policy lacks %s", path, p)
			}
		}
		if strings.Contains(a.header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: the policy is %v", path, got)
		}
		if a.header.Get("X-Request-Id") == "" || a.header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: %v", path, a.header)
		}
		if secure.send("GET", path, "", cookie("browser")...).header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s by https does not ask for https", path)
		}
	}
	one := s.send("GET", "/chat", "", "X-Request-Id", "mine").header.Get("X-Request-Id")
	if other := s.send("GET", "/chat", "").header.Get("X-Request-Id"); one == other || one == "mine" {
		t.Errorf("two requests are %s and %s", one, other)
	}
}

func TestAPanicEndsItsRequestOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	a := s.send("GET", "/api/v1/panic", "")
	p := s.problem(a)
	if a.status != 500 || p.Code != assent.CodeInternal || strings.Contains(a.body, "boom") || strings.Contains(a.body, "goroutine") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if !strings.Contains(p.Detail, p.RequestID) || !strings.Contains(s.logs.String(), "request="+p.RequestID+" error=\"panic: boom") {
		t.Errorf("the id %s does not find the log line in %s", p.RequestID, s.logs)
	}
	if a := s.send("GET", "/panic", "", cookie("browser")...); a.status != 500 || !strings.Contains(a.body, "<h1>Internal error.") {
		t.Errorf("a page: %d %s", a.status, a.body)
	}
	if a := s.send("GET", "/chat", "", cookie("browser")...); a.status != 200 {
		t.Errorf("afterwards: %d", a.status)
	}
}

func TestTheLogTellsNoSecrets(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.send("POST", "/api/v1/bind?token=query-secret", `{"name": "body-secret"}`, bearer("ast_all")...)
	s.send("POST", "/login?back=query-secret", "csrf=csrf-secret&password=body-secret", "Content-Type", "application/x-www-form-urlencoded")
	s.send("GET", "/api/v1/odd?x=query-secret", "", bearer("ast_read")...)
	s.send("GET", "/api/v1/things", "", bearer("wrong-secret")...)
	got := s.logs.String()
	for _, line := range []string{"method=POST route=/api/v1/bind status=200", "route=/login status=403", "route=/api/v1/odd status=500", "user=ada"} {
		if !strings.Contains(got, line) {
			t.Errorf("the log lacks %q: %s", line, got)
		}
	}
	for _, secret := range []string{"query-secret", "body-secret", "csrf-secret", "wrong-secret", "ast_"} {
		if strings.Contains(got, secret) {
			t.Errorf("the log holds %q: %s", secret, got)
		}
	}
}

func TestABodyOfMoreThanAMegabyteIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, size := range map[string]int{"just under": 999_000, "far over": 3_000_000} {
		body := `{"name": "` + strings.Repeat("a", size) + `"}`
		a := s.send("POST", "/api/v1/bind", body, bearer("ast_all")...)
		if want := map[bool]int{true: 413, false: 200}[size > 1_000_000]; a.status != want {
			t.Errorf("%s: %d, want %d", name, a.status, want)
		} else if want == 413 {
			if p := s.problem(a); p.Code != assent.CodeTooLarge {
				t.Errorf("%s: %s", name, p.Code)
			}
		}
	}
}

func TestPagesAreCompressedStreamsAndTheAPIAreNot(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for path, want := range map[string]string{"/long": "gzip", "/chat": "", "/chat/1/events": "", "/api/v1/things": ""} {
		if got := s.send("GET", path, "", with(cookie("browser"), []string{"Accept-Encoding", "gzip"})...).header.Get("Content-Encoding"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestErrorsArePagesForPeopleAndProblemsForPrograms(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	if a := s.send("GET", "/nothing", "", cookie("browser")...); a.status != 404 || !strings.Contains(a.body, "<h1>There is nothing at this address.") {
		t.Errorf("a page: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/api/v1/nothing", "/api/", "/healthz", "/readyz", "/metrics"} {
		if a := s.send("GET", path, "", cookie("browser")...); a.status != 404 || s.problem(a).Code != assent.CodeNotFound {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	bare := newSite(t, func(o *web.Options) { o.ErrorPage = nil })
	if a := bare.send("GET", "/nothing", "", cookie("browser")...); bare.problem(a).Status != 404 {
		t.Errorf("without pages: %s", a.body)
	}
}
