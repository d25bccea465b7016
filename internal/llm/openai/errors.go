package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// wireError is an error in any of the forms that servers use.
type wireError struct {
	message, kind, code string
	status              int // when the code is a number
}

// statusError is the error of a response whose status is not 200.
func (c *Client) statusError(resp *http.Response, body []byte) *llm.Error {
	var e *llm.Error
	if isPage(body) {
		e = c.pageError(resp.StatusCode)
	} else {
		e = c.wrap(readError(body), resp.StatusCode, string(body))
	}
	e.RetryAfter = provider.RetryAfter(resp.Header, c.clock)
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		e.Detail = fmt.Sprintf("HTTP %d: redirected elsewhere, which is not followed; set the final address as base URL", resp.StatusCode)
	}
	return e
}

// streamError is the error that came with status 200.
func (c *Client) streamError(data []byte) *llm.Error {
	w := readError(data)
	return c.wrap(w, w.status, string(data))
}

func (c *Client) wrap(w wireError, status int, raw string) *llm.Error {
	words := strings.TrimSpace(strings.Join([]string{w.kind, w.code, w.message}, " "))
	if words == "" {
		words = raw
	}
	detail := words
	if status != 0 {
		detail = fmt.Sprintf("HTTP %d: %s", status, words)
	}
	return &llm.Error{Class: classify(w, status, words), Provider: c.name, Status: status,
		Detail: provider.Detail(detail, c.key)}
}

// pageError is for an address that answers like a web site.
func (c *Client) pageError(status int) *llm.Error {
	class := llm.ClassInternal
	if status != http.StatusOK {
		class = provider.StatusClass(status)
	}
	return &llm.Error{Class: class, Provider: c.name, Status: status, Detail: fmt.Sprintf(
		"HTTP %d: the address answers with a web page, not with JSON; a base URL mostly ends in /v1", status)}
}

func isPage(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) }

// classify goes by the words first: servers use one status for many things.
func classify(w wireError, status int, words string) llm.Class {
	kind := w.kind + " " + w.code
	switch {
	case status == 429 && strings.Contains(kind, "insufficient_quota"), has(kind, "insufficient_quota", "billing_hard_limit"),
		has(words, "insufficient credits", "insufficient balance"):
		return llm.ClassQuota
	case status != 429 && provider.TooLong(words):
		return llm.ClassContextLength
	case provider.Filtered(words):
		return llm.ClassContentFiltered
	case status != 0:
		return provider.StatusClass(status)
	case has(kind, "rate_limit"):
		return llm.ClassRateLimited
	case has(kind, "overloaded", "server_error", "internal_error", "api_error", "unavailable"):
		return llm.ClassOverloaded
	case has(kind, "authentication", "invalid_api_key", "permission"):
		return llm.ClassAuth
	case has(kind, "invalid_request", "badrequest"):
		return llm.ClassInvalidRequest
	}
	return llm.ClassInternal
}

func has(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// looksLikeError reports whether a chunk that has no field of a chunk is an
// error without the usual wrapping.
func looksLikeError(data []byte) bool {
	w := readError(data)
	return w.message != ""
}

// readError finds the error in a body: {"error": {…}}, {"error": "…"}, the
// same in a list, {"message": …} or {"detail": …}.
func readError(body []byte) wireError {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if bytes.HasPrefix(body, []byte("[")) && json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return wireError{}
	}
	inner := outer
	if raw, ok := outer["error"]; ok {
		if text := plain(raw); text != "" {
			return wireError{message: text}
		}
		inner = nil
		_ = json.Unmarshal(raw, &inner) // no object: nothing is known
	}
	w := wireError{message: plain(inner["message"]), kind: plain(inner["type"]), code: plain(inner["code"])}
	if w.message == "" {
		w.message = plain(inner["detail"])
	}
	if json.Unmarshal(inner["code"], &w.status) != nil || w.status < 400 || w.status > 599 {
		w.status = 0
	}
	return w
}

// plain is a JSON string's text, or a number or list as it is written.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if len(raw) > 0 && raw[0] != '{' {
		return string(raw)
	}
	return ""
}
