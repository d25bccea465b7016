// Package redact takes the values of secrets out of text: keys of providers and
// stored secrets, in the forms in which they may turn up.
//
// Guarantees: a known value of at least MinLength bytes never leaves Text or
// JSON, be it as it is, escaped as JSON or for a URL, or in base64. Shorter ones
// would be found in ordinary words and are left. What was a secret once stays
// one until the process ends. Text without a secret is given back as it is, in
// time proportional to its length and the number of values. A Redactor is safe
// for concurrent use, and a nil one knows no secrets.
package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Mark stands in the place of a secret.
const Mark = "[redacted]"

// MinLength is the shortest value that is looked for, in bytes.
const MinLength = 8

// Redactor knows the values to take out.
type Redactor struct {
	mu    sync.Mutex // adding
	forms atomic.Pointer[[]string]
}

// New makes a Redactor that knows the values given.
func New(values ...string) *Redactor {
	r := &Redactor{}
	r.Add(values...)
	return r
}

// Add makes further values known.
func (r *Redactor) Add(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Clone(r.known())
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) >= MinLength {
			all = append(all, formsOf(v)...)
		}
	}
	// Longer ones first: one secret may be a part of another.
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	all = slices.Compact(all)
	r.forms.Store(&all)
}

func (r *Redactor) known() []string {
	if r == nil {
		return nil
	}
	if p := r.forms.Load(); p != nil {
		return *p
	}
	return nil
}

// formsOf gives the forms in which a value may stand in a text.
func formsOf(v string) []string {
	html, _ := json.Marshal(v) // a string always encodes
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return []string{v, strings.Trim(string(html), `"`), strings.Trim(strings.TrimSpace(plain.String()), `"`), url.QueryEscape(v), url.PathEscape(v),
		base64.RawStdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte(v))}
}

// Text is s without secrets.
func (r *Redactor) Text(s string) string {
	for _, f := range r.known() {
		if strings.Contains(s, f) {
			s = strings.ReplaceAll(s, f, Mark)
		}
	}
	return s
}

// JSON is a JSON document without secrets; it stays valid. Bytes without any are
// given back as they are.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	for _, f := range r.known() {
		if bytes.Contains(raw, []byte(f)) {
			raw = bytes.ReplaceAll(raw, []byte(f), []byte(Mark))
		}
	}
	return raw
}
