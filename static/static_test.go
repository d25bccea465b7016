package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func get(path, encoding string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestFilesAreServedForGoodUnderTheirHash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, kind, cache string
		status            int
	}{
		{URL("app.css"), "text/css", "immutable", 200},
		{URL("app.js"), "text/javascript", "immutable", 200},
		{URL("icon.svg"), "image/svg+xml", "immutable", 200},
		{URL("vendor/inter-latin.woff2"), "font/woff2", "immutable", 200},
		{Prefix + "0123456789ab/app.css", "text/css", "no-cache", 200},
		{URL("nonesuch.css"), "", "", 404},
		{URL("static.go"), "", "", 404},
		{URL("vendor"), "", "", 404},
		{URL("../static/app.css"), "", "", 404},
		{Prefix, "", "", 404},
	} {
		res := get(c.path, "")
		if res.StatusCode != c.status {
			t.Errorf("%s: %d", c.path, res.StatusCode)
		}
		if c.status == 200 && (!strings.HasPrefix(res.Header.Get("Content-Type"), c.kind) || !strings.Contains(res.Header.Get("Cache-Control"), c.cache)) {
			t.Errorf("%s: %v", c.path, res.Header)
		}
	}
}

func TestTextsAreCompressed(t *testing.T) {
	t.Parallel()
	res := get(URL("app.css"), "br, gzip")
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("app.css")
	if err != nil || string(got) != string(want) {
		t.Error("the file is another one after unpacking")
	}
	if res := get(URL("vendor/inter-latin.woff2"), "gzip"); res.Header.Get("Content-Encoding") != "" {
		t.Error("a font was compressed twice")
	}
}

// TestOwnScriptsStaySmall holds the promise that pages are HTML first.
func TestOwnScriptsStaySmall(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range []string{"app.js", "zone.js"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		total += strings.Count(string(b), "\n")
	}
	if total > 200 {
		t.Errorf("%d lines", total)
	}
}

func TestStylesComeInOrder(t *testing.T) {
	t.Parallel()
	styles := Styles()
	if len(styles) == 0 || !strings.HasSuffix(styles[0], "/app.css") {
		t.Errorf("%v", styles)
	}
}
