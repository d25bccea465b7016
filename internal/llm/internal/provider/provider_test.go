package provider

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assent/internal/llm"
)

func narrow(c byte) bool { return AlphaNumeric(c) || c == '_' || c == '-' }

func TestNames(t *testing.T) {
	t.Parallel()
	n := NewNames(narrow, 64)
	long := strings.Repeat("x", 64)
	for _, fits := range []string{"list_tasks", "a", "_x-1", long} {
		if got := n.Out(fits); got != fits || n.Back(got) != fits {
			t.Errorf("%q became %q and %q", fits, got, n.Back(got))
		}
	}
	seen := map[string]string{}
	for _, wide := range []string{"a/b", "a.b", "a_b ", "", "1st", "-x", "größe", "日本", long + "x", long + "y", "mcp/files/" + long} {
		got := n.Out(wide)
		if other, taken := seen[got]; taken || len(got) > 64 || got == "" || !first(got) || strings.ContainsFunc(got, func(r rune) bool { return r > 127 || !narrow(byte(r)) }) {
			t.Errorf("%q became %q, as %q did", wide, got, other)
		}
		seen[got] = wide
		if n.Back(got) != wide || NewNames(narrow, 64).Out(wide) != got {
			t.Errorf("%q: back %q, elsewhere %q", wide, n.Back(got), NewNames(narrow, 64).Out(wide))
		}
	}
	const taken = "b_c_88647327" // what b/c becomes
	for _, order := range [][2]string{{"b/c", taken}, {taken, "b/c"}} {
		n := NewNames(narrow, 64)
		one, two := n.Out(order[0]), n.Out(order[1])
		if one != taken || one == two || !n.fits(two) || n.Back(one) != order[0] || n.Back(two) != order[1] || n.Out(order[1]) != two {
			t.Errorf("%q became %q and %q", order, one, two)
		}
	}
	if n.Back("never_seen") != "never_seen" {
		t.Error("a name that nobody gave is changed")
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want, sent string }{
		{``, `{}`, `{}`}, {` null `, `{}`, `{}`}, {`{}`, `{}`, `{}`},
		{" {\"a\": 1}\n", `{"a": 1}`, `{"a": 1}`},
		{`[1]`, `"[1]"`, `{"_malformed":"[1]"}`},
		{`{"a":`, `"{\"a\":"`, `{"_malformed":"{\"a\":"}`},
		{`"x"`, `"\"x\""`, `{"_malformed":"\"x\""}`},
		{"{\"a\":\xff", `"{\"a\":\ufffd"`, `{"_malformed":"{\"a\":` + "\uFFFD" + `"}`},
	}
	for _, tt := range tests {
		got := Arguments([]byte(tt.in))
		if string(got) != tt.want || !json.Valid(got) {
			t.Errorf("Arguments(%q) = %s, want %s", tt.in, got, tt.want)
		}
		if sent := SentArguments(got); string(sent) != tt.sent {
			t.Errorf("SentArguments(%s) = %s, want %s", got, sent, tt.sent)
		}
	}
	if got := SentArguments(json.RawMessage(`{"a":`)); string(got) != `{"_malformed":"{\"a\":"}` {
		t.Errorf("broken history: %s", got)
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	got := Detail(" you sent sk-1 twice: sk-1\xff "+strings.Repeat("ü", 400), "sk-1")
	if strings.Contains(got, "sk-1") || !strings.HasPrefix(got, "you sent [key] twice: [key]") || !utf8.ValidString(got) || len(got) > maxDetail+3 {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
	for in, want := range map[string]string{
		"upstream refused sk-proj-abcdefghijkl_1234.": "upstream refused [key].",
		`{"Authorization":"Bearer abc.def-ghi/jkl="}`: `{"Authorization":"[key]"}`,
		"GET /v1/models?key=AIzaSyAbcdefghijklmnopqr": "GET /v1/models[key]",
		"AIzaSyAbcdefghijklmnopqrstu is not valid":    "[key] is not valid",
		"the task-list has sk-ills; bearer of news":   "the task-list has sk-ills; bearer of news",
	} {
		if got := Detail(in, ""); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
	if Detail("x", "") != "x" {
		t.Error("no key changes the text")
	}
}

func TestTransport(t *testing.T) {
	t.Parallel()
	why := errors.New("stop")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	tests := []struct {
		ctx  context.Context
		want llm.Class
		is   error
	}{{t.Context(), llm.ClassNetwork, nil}, {cancelled, llm.ClassCancelled, why}, {late, llm.ClassTimeout, context.DeadlineExceeded}}
	for _, tt := range tests {
		e := Transport(tt.ctx, "p", "sk-1", errors.New("broken at sk-1"))
		if e.Class != tt.want || tt.is != nil && !errors.Is(e, tt.is) || e.Provider != "p" || strings.Contains(e.Detail, "sk-1") {
			t.Errorf("%s: %+v", tt.want, e)
		}
	}
}

func TestStatusClass(t *testing.T) {
	t.Parallel()
	want := map[int]llm.Class{
		0: llm.ClassInternal, 200: llm.ClassInternal, 302: llm.ClassInvalidRequest, 400: llm.ClassInvalidRequest, 401: llm.ClassAuth,
		402: llm.ClassQuota, 403: llm.ClassAuth, 404: llm.ClassInvalidRequest, 408: llm.ClassTimeout, 409: llm.ClassOverloaded, 413: llm.ClassContextLength,
		422: llm.ClassInvalidRequest, 429: llm.ClassRateLimited, 500: llm.ClassOverloaded, 501: llm.ClassInvalidRequest, 503: llm.ClassOverloaded, 529: llm.ClassOverloaded,
	}
	for status, class := range want {
		if got := StatusClass(status); got != class {
			t.Errorf("%d: %s, want %s", status, got, class)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const date = "Sat, 21 Nov 2026 10:00:00 GMT"
	tests := []struct {
		name string
		h    map[string]string
		want time.Duration
	}{
		{"nothing", nil, 0},
		{"seconds", map[string]string{"Retry-After": "2"}, 2 * time.Second},
		{"parts of seconds", map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond},
		{"less than nothing", map[string]string{"Retry-After": "-5"}, 0},
		{"no number", map[string]string{"Retry-After": "NaN"}, 0},
		{"endless", map[string]string{"Retry-After": "1e300"}, 24 * time.Hour},
		{"milliseconds first", map[string]string{"Retry-After": "2", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond},
		{"date", map[string]string{"Retry-After": "Sat, 21 Nov 2026 10:01:00 GMT", "Date": date}, time.Minute},
		{"date gone by", map[string]string{"Retry-After": "Sat, 21 Nov 2026 09:01:00 GMT", "Date": date}, 0},
		{"date alone, by our clock", map[string]string{"Retry-After": "Sat, 21 Nov 2026 10:00:20 GMT"}, 30 * time.Second},
		{"date in a year", map[string]string{"Retry-After": "Sun, 21 Nov 2027 10:00:20 GMT"}, 24 * time.Hour},
		{"words", map[string]string{"Retry-After": "soon"}, 0},
	}
	clock := func() time.Time { return time.Date(2026, 11, 21, 9, 59, 50, 0, time.UTC) }
	for _, tt := range tests {
		h := http.Header{}
		for k, v := range tt.h {
			h.Set(k, v)
		}
		if got := RetryAfter(h, clock); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestNoRedirects: a redirect would carry key and conversation elsewhere.
func TestNoRedirects(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusFound))
	defer srv.Close()
	c := HTTPClient()
	resp, err := WithoutRedirects(c).Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusFound || c.CheckRedirect != nil {
		t.Errorf("status %d; the given client was changed: %t", resp.StatusCode, c.CheckRedirect != nil)
	}
}
