package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed *.css *.js *.svg vendor
var files embed.FS

// Prefix is where Handler is mounted.
const Prefix = "/static/"

// hash is one hash over all files, so that files may refer to each other by
// relative addresses.
var hash = sync.OnceValue(func() string {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := files.ReadFile(name)
		sum.Write([]byte(name + "\x00"))
		sum.Write(b)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the binary
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})

// URL is the address of an embedded file, e.g. URL("app.css").
func URL(name string) string { return Prefix + hash() + "/" + name }

// Styles lists the addresses of all style sheets, in order.
func Styles() []string {
	names, err := fs.Glob(files, "*.css") // sorted; a constant pattern cannot be wrong
	if err != nil {
		panic(err)
	}
	for i, n := range names {
		names[i] = URL(n)
	}
	return names
}

// Handler serves the embedded files under Prefix.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		b, err := files.ReadFile(name)
		if err != nil || name != path.Clean(name) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		w.Header().Set("Cache-Control", "no-cache")
		if given == hash() {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if z := packed()[name]; z != nil {
			w.Header().Set("Vary", "Accept-Encoding")
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				w.Header().Set("Content-Encoding", "gzip")
				b = z
			}
		}
		_, _ = w.Write(b) // a client that went away is nobody's error
	})
}

// packed holds the texts compressed, once for all requests.
var packed = sync.OnceValue(func() map[string][]byte {
	out := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".woff2" {
			return err
		}
		b, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		var z bytes.Buffer
		w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		out[name] = z.Bytes()
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the binary
	}
	return out
})

func contentType(name string) string {
	switch path.Ext(name) {
	case ".woff2":
		return "font/woff2"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".md", ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}
