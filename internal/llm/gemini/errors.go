package gemini

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/genai"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// failure turns an error of the SDK into ours.
func (c *Client) failure(ctx context.Context, rec *received, err error) *llm.Error {
	var page *pageReceived
	var api genai.APIError // a value, never a pointer
	var transport *url.Error
	switch {
	case ctx.Err() != nil:
		return c.broken(ctx, err)
	case errors.As(err, &page):
		return c.pageError(page)
	case errors.As(err, &api):
		return c.apiError(rec, api)
	case errors.Is(rec.err, provider.ErrNoStream), errors.Is(rec.err, provider.ErrEventTooLarge):
		return &llm.Error{Class: llm.ClassInternal, Provider: c.name, Detail: rec.err.Error(), Err: rec.err}
	case rec.err != nil:
		return c.broken(ctx, rec.err)
	case rec.last: // the last event stops in the middle
		return c.broken(ctx, io.ErrUnexpectedEOF)
	case rec.header != nil:
		return &llm.Error{Class: llm.ClassInternal, Provider: c.name,
			Detail: provider.Detail("the stream holds what is no chunk: "+err.Error(), c.key)}
	case errors.As(err, &transport):
		return c.broken(ctx, err)
	}
	return &llm.Error{Class: llm.ClassInvalidRequest, Provider: c.name,
		Detail: provider.Detail("the request cannot be made: "+err.Error(), c.key)}
}

func (c *Client) apiError(rec *received, api genai.APIError) *llm.Error {
	api.Code = status(rec, api)
	words := strings.TrimSpace(api.Status + " " + api.Message)
	e := &llm.Error{Class: classify(api), Provider: c.name, Status: api.Code,
		RetryAfter: retryDelay(api), Detail: provider.Detail(fmt.Sprintf("HTTP %d: %s", api.Code, words), c.key)}
	if e.RetryAfter == 0 {
		e.RetryAfter = provider.RetryAfter(rec.header, c.clock)
	}
	return e
}

// status is the HTTP status of an error: as its body says, or its response, or
// what goes with its word when it came in a stream without one.
func status(rec *received, api genai.APIError) int {
	switch {
	case api.Code >= 400 && api.Code < 600:
		return api.Code
	case rec.status != 0 && rec.status != http.StatusOK:
		return rec.status
	}
	return statusWords[api.Status]
}

// statusWords are the words of google.rpc.Code; https://google.aip.dev/193.
var statusWords = map[string]int{
	"INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "OUT_OF_RANGE": 400, "UNAUTHENTICATED": 401,
	"PERMISSION_DENIED": 403, "NOT_FOUND": 404, "ABORTED": 409, "RESOURCE_EXHAUSTED": 429, "CANCELLED": 499,
	"INTERNAL": 500, "UNKNOWN": 500, "DATA_LOSS": 500, "UNIMPLEMENTED": 501, "UNAVAILABLE": 503, "DEADLINE_EXCEEDED": 504,
}

// classify goes by the words where the API uses one status for many things.
func classify(api genai.APIError) llm.Class {
	switch {
	case strings.Contains(api.Message, "API key"), api.Code == 400 && strings.Contains(api.Message, "API_KEY"):
		return llm.ClassAuth
	case api.Code == 400 && (provider.TooLong(api.Message) || strings.Contains(api.Message, "number of tokens")):
		return llm.ClassContextLength
	case api.Code == 400 && api.Status == "FAILED_PRECONDITION":
		return llm.ClassAuth // the region, or billing, is not in order
	case api.Code == 429 && daily(api):
		return llm.ClassQuota
	case api.Code == 499: // cancelled over there, not by us
		return llm.ClassNetwork
	}
	return provider.StatusClass(api.Code)
}

// daily reports whether the quota that was hit will not be there in a minute.
func daily(api genai.APIError) bool {
	for _, d := range api.Details {
		violations, _ := d["violations"].([]any)
		for _, v := range violations {
			one, _ := v.(map[string]any)
			if id, _ := one["quotaId"].(string); strings.Contains(id, "PerDay") {
				return true
			}
		}
	}
	return false
}

// retryDelay is what google.rpc.RetryInfo asks for.
func retryDelay(api genai.APIError) time.Duration {
	for _, d := range api.Details {
		if kind, _ := d["@type"].(string); !strings.HasSuffix(kind, "google.rpc.RetryInfo") {
			continue
		}
		text, _ := d["retryDelay"].(string)
		if delay, err := time.ParseDuration(text); err == nil && delay > 0 {
			return delay
		}
	}
	return 0
}

// pageError is for an address that answers like a web site.
func (c *Client) pageError(p *pageReceived) *llm.Error {
	class := llm.ClassInternal
	if p.status != http.StatusOK {
		class = provider.StatusClass(p.status)
	}
	return &llm.Error{Class: class, Provider: c.name, Status: p.status, RetryAfter: provider.RetryAfter(p.header, c.clock),
		Detail: provider.Detail(fmt.Sprintf("HTTP %d: the address answers with a web page, not with the Gemini API; check the base URL", p.status), c.key)}
}

// blocked is the error of a prompt that a filter declined; nil if none did.
func (c *Client) blocked(f *genai.GenerateContentResponsePromptFeedback) *llm.Error {
	if f == nil || f.BlockReason == "" || f.BlockReason == genai.BlockedReasonUnspecified {
		return nil
	}
	return &llm.Error{Class: llm.ClassContentFiltered, Provider: c.name,
		Detail: provider.Detail(strings.TrimSpace("the prompt was blocked: "+string(f.BlockReason)+" "+f.BlockReasonMessage), c.key)}
}
