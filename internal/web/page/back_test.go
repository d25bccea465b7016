package page

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/labstack/echo/v4"
)

// A form leads back to a page of our own, whatever it was sent with.
func TestBackToOurOwnPages(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"/projects": "/projects", "/projects?q=a%20b#end": "/projects?q=a%20b#end", "/": "/",
		"": "else", "projects": "else", "//evil.example": "else", "/\t/evil.example": "else", "/\\evil.example": "else", "https://evil.example/": "else",
		"/\n/evil.example": "else", "/%09/evil.example": "else", "\t//evil.example": "else", "javascript:alert(1)": "else", "/\x00": "else", "///evil.example": "else",
	} {
		r := httptest.NewRequest(http.MethodGet, "/login?back="+url.QueryEscape(to), nil)
		if got := backTo(echo.New().NewContext(r, httptest.NewRecorder()), "else"); got != want {
			t.Errorf("back to %q leads to %q, want %q", to, got, want)
		}
	}
}

// The first account of a server without a code is created at its own address.
func TestOwnHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{"localhost:8080": true, "LOCALHOST": true, "127.0.0.1:9": true, "[::1]:8080": true, "::1": true, "assent.example:8443": true,
		"evil.example": false, "evil.example:8080": false, "localhost.evil.example": false, "10.0.0.5:8080": false, "": false, "assent.example": false} {
		if got := ownHost(host, "https://assent.example:8443"); got != want {
			t.Errorf("%q is ours: %v, want %v", host, got, want)
		}
	}
}
