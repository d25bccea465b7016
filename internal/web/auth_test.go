package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func TestWhoMayWhat(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, tc := range map[string]struct {
		method, path string
		headers      []string
		status       int
		code         assent.Code
	}{
		"nobody reads":                     {"GET", "/api/v1/things", nil, 401, assent.CodeUnauthenticated},
		"nobody writes":                    {"POST", "/api/v1/things", nil, 401, assent.CodeUnauthenticated},
		"nobody from another site":         {"POST", "/api/v1/things", []string{"Sec-Fetch-Site", "cross-site"}, 401, assent.CodeUnauthenticated},
		"an unknown token":                 {"GET", "/api/v1/things", bearer("ast_no"), 401, assent.CodeUnauthenticated},
		"an unknown token where all may":   {"GET", "/api/v1/open", bearer("ast_no"), 401, assent.CodeUnauthenticated},
		"another scheme":                   {"GET", "/api/v1/things", []string{"Authorization", "Basic YTpi"}, 401, assent.CodeUnauthenticated},
		"no secret":                        {"GET", "/api/v1/things", []string{"Authorization", "Bearer"}, 401, assent.CodeUnauthenticated},
		"a token reads":                    {"GET", "/api/v1/things", bearer("ast_read"), 200, ""},
		"the scheme in small letters":      {"GET", "/api/v1/things", []string{"Authorization", "bearer ast_read"}, 200, ""},
		"a reader does not write":          {"POST", "/api/v1/things", bearer("ast_read"), 403, assent.CodeForbidden},
		"a token writes without csrf":      {"POST", "/api/v1/things", bearer("ast_chats"), 200, ""},
		"a token needs the scope admin":    {"GET", "/api/v1/admin", bearer("ast_chats"), 403, assent.CodeForbidden},
		"the scope admin needs the role":   {"GET", "/api/v1/admin", bearer("ast_bold"), 403, assent.CodeForbidden},
		"an admin's token":                 {"GET", "/api/v1/admin", bearer("ast_all"), 200, ""},
		"a browser reads":                  {"GET", "/api/v1/admin", cookie("browser"), 200, ""},
		"a browser writes without csrf":    {"POST", "/api/v1/things", cookie("browser"), 403, assent.CodeForbidden},
		"a browser from its own page":      {"POST", "/api/v1/things", with(cookie("browser"), []string{"Sec-Fetch-Site", "same-origin"}), 200, ""},
		"a browser from another site":      {"POST", "/api/v1/things", with(cookie("browser"), []string{"Sec-Fetch-Site", "cross-site"}), 403, assent.CodeForbidden},
		"a cookie's secret as a token":     {"GET", "/api/v1/things", bearer("browser"), 401, assent.CodeUnauthenticated},
		"a token's secret as a cookie":     {"GET", "/api/v1/things", cookie("ast_all"), 401, assent.CodeUnauthenticated},
		"an old cookie is nobody":          {"GET", "/api/v1/open", cookie("gone"), 200, ""},
		"an old cookie and no password":    {"GET", "/api/v1/things", cookie("gone"), 401, assent.CodeUnauthenticated},
		"the token counts, not the cookie": {"POST", "/api/v1/things", with(cookie("browser"), bearer("ast_read")), 403, assent.CodeForbidden},
		"a password of one's own first":    {"GET", "/api/v1/things", cookie("must-new"), 403, assent.CodeForbidden},
		"the database is gone":             {"GET", "/api/v1/things", bearer("broken"), 500, assent.CodeInternal},
		"an unknown address":               {"GET", "/api/v1/nothing", bearer("ast_all"), 404, assent.CodeNotFound},
		"another method":                   {"DELETE", "/api/v1/things", bearer("ast_all"), 404, assent.CodeNotFound},
	} {
		a := s.send(tc.method, tc.path, "", tc.headers...)
		if a.status != tc.status {
			t.Errorf("%s: %d %s, want %d", name, a.status, a.body, tc.status)
		} else if tc.code != "" {
			if p := s.problem(a); p.Code != tc.code {
				t.Errorf("%s: %s, want %s", name, p.Code, tc.code)
			}
			if got := a.header.Get("WWW-Authenticate"); (got != "") != (tc.status == 401) {
				t.Errorf("%s: WWW-Authenticate is %q", name, got)
			}
		}
		if a.header.Get("Cache-Control") != "no-store" && tc.status != 404 {
			t.Errorf("%s may be kept by a cache", name)
		}
	}
}

func TestPagesAreForBrowsers(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	first := s.send("GET", "/login", "")
	var token string
	for _, c := range (&http.Response{Header: first.header}).Cookies() {
		if c.Name == "assent_csrf" {
			token = c.Value
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure || c.Path != "/" {
				t.Errorf("the csrf cookie is %s", c)
			}
		}
	}
	if token == "" {
		t.Fatal("no csrf cookie")
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	both := []string{"Cookie", "assent_session=browser; assent_csrf=" + token}
	for name, tc := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
	}{
		"nobody":                       {"GET", "/chat", "", nil, 401},
		"a token":                      {"GET", "/chat", "", bearer("ast_all"), 401},
		"a browser":                    {"GET", "/chat", "", cookie("browser"), 200},
		"a form without its field":     {"POST", "/chat", "x=1", with(form, both), 403},
		"a form with a wrong field":    {"POST", "/chat", "csrf=guess", with(form, both), 403},
		"a form with its field":        {"POST", "/chat", "csrf=" + token, with(form, both), 200},
		"a script with the header":     {"POST", "/chat", "", with(both, []string{"X-CSRF-Token", token}), 200},
		"the field without a cookie":   {"POST", "/chat", "csrf=" + token, with(form, cookie("browser")), 403},
		"signing in from elsewhere":    {"POST", "/login", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"signing in without a field":   {"POST", "/login", "", nil, 403},
		"signing in with the field":    {"POST", "/login", "csrf=" + token, with(form, []string{"Cookie", "assent_csrf=" + token}), 200},
		"from a sibling of our domain": {"POST", "/chat", "", with(both, []string{"Sec-Fetch-Site", "same-site"}), 403},
	} {
		if a := s.send(tc.method, tc.path, tc.body, tc.headers...); a.status != tc.status {
			t.Errorf("%s: %d %s, want %d", name, a.status, a.body, tc.status)
		}
	}
}

func TestTheSessionCookie(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		secret, want string
		https        bool
	}{
		"http":     {"x", "assent_session=x; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax", false},
		"https":    {"x", "assent_session=x; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax", true},
		"sign out": {"", "assent_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax", false},
	} {
		s := newSite(t, nil)
		if tc.https {
			s = newSite(t, byHTTPS)
		}
		rec := httptest.NewRecorder()
		s.SetSession(s.NewContext(httptest.NewRequest("GET", "/", nil), rec), tc.secret)
		if got := rec.Header().Get("Set-Cookie"); got != tc.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTheAddressOfWhoAsks(t *testing.T) {
	t.Parallel()
	direct, proxied := newSite(t, nil), newSite(t, behindProxy)
	for _, tc := range []struct {
		name string
		site *site
		xff  string
		want string
	}{
		{"nobody is trusted", direct, "203.0.113.9", "127.0.0.1"},
		{"a proxy is", proxied, "203.0.113.9", "203.0.113.9"},
		{"what a client made up is not", proxied, "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{"a private network is not by itself", proxied, "203.0.113.9, 10.0.0.7", "10.0.0.7"},
	} {
		if got := tc.site.send("GET", "/api/v1/ip", "", "X-Forwarded-For", tc.xff, "X-Real-IP", "192.0.2.66").body; strings.TrimSpace(got) != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// What a stream asks now and then: a secret that holds no longer ends it, a
// database that is away for a moment does not.
func TestStillLetIn(t *testing.T) {
	t.Parallel()
	known := everybody()
	s := newSite(t, func(o *web.Options) { o.Auth = known })
	var still []func(context.Context) bool
	s.API("/api/v2").GET("/still", func(c echo.Context) error {
		still = append(still, web.Still(c))
		return nil
	}, web.Require(assent.ScopeRead))
	s.send("GET", "/api/v2/still", "", bearer("ast_read")...)
	s.send("GET", "/api/v2/still", "", cookie("browser")...)
	if len(still) != 2 {
		t.Fatalf("%d requests came through", len(still))
	}
	delete(known, "ast_read")
	for i, want := range []bool{false, true} {
		if got := still[i](t.Context()); got != want {
			t.Errorf("request %d: still %v, want %v", i, got, want)
		}
	}
}
