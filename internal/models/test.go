package models

import (
	"context"
	"errors"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
)

// testTime is how long a model that is tested may take in all.
const testTime = time.Minute

// TestResult is how a model answered an admin.
type TestResult struct {
	llm.Target
	OK           bool      `json:"ok"`
	FirstTokenMS int64     `json:"first_token_ms"`
	TookMS       int64     `json:"took_ms"`
	TokensIn     int64     `json:"tokens_in"`
	TokensOut    int64     `json:"tokens_out"`
	CostMicros   *int64    `json:"cost_micros"`
	Class        llm.Class `json:"class,omitempty"`
	Message      string    `json:"message,omitempty"` // what went wrong, in a plain sentence
	Detail       string    `json:"detail,omitempty"`  // as the provider said it, without any key
}

// Test asks a model for a word, for somebody: the call is accounted for like any
// other, as operation provider_check.
func (s *Service) Test(ctx context.Context, by string, t llm.Target) TestResult {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	out, began := TestResult{Target: t, OK: true}, s.Clock()
	since := func() int64 { return max(1, s.Clock().Sub(began).Milliseconds()) }
	var used llm.Tokens
	for chunk, err := range s.Prober.Probe(ctx, llm.Meta{UserID: by}, t) {
		switch {
		case err != nil:
			out.fail(err)
		case chunk.Kind == llm.ChunkUsage:
			used = chunk.Usage
		case out.FirstTokenMS == 0:
			out.FirstTokenMS = since()
		}
	}
	out.TookMS, out.TokensIn, out.TokensOut = since(), used.In, used.Out
	if out.OK {
		out.CostMicros = llm.Catalog{Prices: s.InForce().Prices}.Cost(t, used)
	}
	return out
}

// fail files the failure under its class.
func (r *TestResult) fail(err error) {
	r.OK, r.Class = false, llm.ClassOf(err)
	// The sentence is for somebody in a conversation; its middle tells of their words.
	r.Message, _, _ = strings.Cut(r.Class.Sentence(), " Your words")
	var e *llm.Error
	if errors.As(err, &e) {
		r.Detail = e.Detail
	}
	var budget *assent.Error
	if errors.As(err, &budget) && budget.Code == assent.CodeBudgetExceeded { // the admin's own
		r.Message, r.Detail = budget.Message, ""
	}
}
