package provider

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assent/internal/assent"
	"assent/internal/llm"
)

const maxDetail = 600 // bytes of a provider's words in an error

// keyLike are the forms of keys and tokens of others, which a server between us
// and the model may repeat: its own, or one that was ours before.
var keyLike = regexp.MustCompile(`(?i:bearer)\s+[\w.~+/=-]{8,}|\b(?:sk|gsk|xai|rk|pk)-[\w-]{12,}|\bAIza[\w-]{20,}|[?&](?:key|api_key)=[^\s&"]+`)

// Detail makes text fit for an admin's eyes: short, valid UTF-8, and without
// the key, which some servers repeat in their refusal.
func Detail(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	text = keyLike.ReplaceAllString(text[:min(len(text), 8*maxDetail)], "[key]")
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= maxDetail {
		return text
	}
	cut := maxDetail
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Transport is the error of a call that broke below HTTP: cancelled or timeout
// if ctx says so, else network.
func Transport(ctx context.Context, name, key string, err error) *llm.Error {
	e := &llm.Error{Class: llm.ClassNetwork, Provider: name, Detail: Detail(err.Error(), key)}
	if ctx.Err() == nil {
		return e
	}
	e.Class, e.Err = llm.ClassCancelled, context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Class = llm.ClassTimeout
	}
	e.Detail = e.Err.Error()
	return e
}

// StatusClass is what an HTTP status says when the body says nothing better.
func StatusClass(status int) llm.Class {
	switch {
	case status == 401 || status == 403:
		return llm.ClassAuth
	case status == 402:
		return llm.ClassQuota
	case status == 408:
		return llm.ClassTimeout
	case status == 409 || status == 425: // a conflict with another call over there; it passes
		return llm.ClassOverloaded
	case status == 413:
		return llm.ClassContextLength
	case status == 429:
		return llm.ClassRateLimited
	case status == 501:
		return llm.ClassInvalidRequest
	case status >= 500:
		return llm.ClassOverloaded
	case status >= 300:
		return llm.ClassInvalidRequest
	}
	return llm.ClassInternal
}

// tooLong are the words with which servers say that a prompt does not fit.
var tooLong = []string{
	"context_length_exceeded", "exceed_context_size", "maximum context length", "context length",
	"context window", "context size", "prompt is too long", "input is too long", "too many input tokens",
	"maximum number of tokens allowed", "input token count", "reduce the length of the messages",
}

// TooLong reports whether text says that a prompt does not fit the model.
func TooLong(text string) bool { return containsAny(text, tooLong) }

// filtered are the words with which servers say that they decline.
var filtered = []string{
	"content_filter", "content_policy", "content policy", "content management policy",
	"responsibleai", "safety system", "flagged by", "requires moderation",
}

// Filtered reports whether text says that a filter declined.
func Filtered(text string) bool { return containsAny(text, filtered) }

func containsAny(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// RetryAfter reads how long a server asks us to wait: retry-after-ms, or
// Retry-After in seconds or as a date, which is compared with the server's own
// Date, or with clock if it sends none. 0 if it does not ask.
func RetryAfter(h http.Header, clock assent.Clock) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(s)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = clock()
	}
	return min(max(0, at.Sub(now)), day)
}

const day = 24 * time.Hour

// seconds is s as a duration of at most a day; NaN and less than 0 are 0.
func seconds(s float64) time.Duration {
	if !(s > 0) {
		return 0
	}
	return time.Duration(min(s, day.Seconds()) * float64(time.Second))
}
