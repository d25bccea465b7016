package llm

import (
	"context"
	"iter"
	"maps"
	"sync/atomic"
	"time"

	"assent/internal/assent"
)

// Timeouts of a gateway that was not given any; design 06.
const (
	DefaultFirstToken = 30 * time.Second
	DefaultIdle       = 20 * time.Second
)

// Bounds of one try, for models that never come to an end. No honest answer
// reaches them; callers have deadlines of their own, mostly much closer.
const (
	maxAnswer = 16 << 20 // bytes of text, thoughts and calls
	maxTry    = 15 * time.Minute
)

// GatewayConfig is what a Gateway is made of.
type GatewayConfig struct {
	// Providers by the name that targets and usage rows use.
	Providers map[string]Model
	Catalog   Catalog
	Ledger    Ledger
	Clock     assent.Clock
	IDs       assent.IDs
	// Random gives numbers in [0,1) for the jitter of retries.
	Random func() float64
	// FirstToken and Idle bound the wait for the first and each next chunk;
	// zero is the default.
	FirstToken, Idle time.Duration
	// Wait passes the time until a retry, or less if ctx ends, which it reports;
	// a timer if nil.
	Wait func(ctx context.Context, d time.Duration) error
	// Bound gives the most tokens that the answer of a call may have, where a
	// budget counts what it costs at worst; 0: it is not bounded. May be nil.
	Bound func(ctx context.Context, m Meta) (int64, error)
	// LedgerFailed is told when a row could not be closed. The answer has been
	// given by then, so it is not taken back. May be nil.
	LedgerFailed func(error)
	// Hooks stand around every call, in this order.
	Hooks []Hook
	// Failed is told of failures, for the admins' error log; it must not block.
	// May be nil.
	Failed func(assent.ErrorRow)
}

// Gateway is the one door to language models. It is safe for concurrent use.
type Gateway struct {
	cfg GatewayConfig
	set atomic.Pointer[setup]
}

// setup is what an admin can exchange while calls are under way; a call keeps
// the setup it began with.
type setup struct {
	providers map[string]Model
	catalog   Catalog
	breakers  map[string]*breaker
}

// New makes a Gateway. Ledger, Clock, IDs and Random must be set.
func New(cfg GatewayConfig) *Gateway {
	if cfg.FirstToken <= 0 {
		cfg.FirstToken = DefaultFirstToken
	}
	if cfg.Idle <= 0 {
		cfg.Idle = DefaultIdle
	}
	if cfg.Wait == nil {
		cfg.Wait = pause
	}
	if cfg.LedgerFailed == nil {
		cfg.LedgerFailed = func(error) {}
	}
	g := &Gateway{cfg: cfg}
	g.Use(cfg.Providers, cfg.Catalog)
	return g
}

// Use exchanges providers and catalog for the calls that start from now on. New
// settings are a new chance: every circuit is closed again.
func (g *Gateway) Use(providers map[string]Model, catalog Catalog) {
	s := &setup{providers: maps.Clone(providers), catalog: catalog, breakers: map[string]*breaker{}}
	for name := range providers {
		s.breakers[name] = &breaker{}
	}
	g.set.Store(s)
}

// Targets are the models that p stands for now, best first.
func (g *Gateway) Targets(p Profile) []Target { return g.set.Load().catalog.Targets(p) }

// Stream asks the models of the request's profile, one after the other, until
// one answers. See the package comment for what is promised.
func (g *Gateway) Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return g.around(ctx, req, func(req Request) iter.Seq2[Chunk, error] { return g.stream(ctx, req) })
}

func (g *Gateway) stream(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		if err := req.Meta.check(); err != nil {
			yield(Chunk{}, err)
			return
		}
		if err := g.bound(ctx, &req); err != nil {
			yield(Chunk{}, err)
			return
		}
		c := &call{g: g, set: g.set.Load(), req: req, yield: yield,
			toolSchema: toolSchemaID(req.Tools)}
		c.run(ctx)
	}
}

// check refuses what would be an anonymous cost.
func (m Meta) check() error {
	missing := ""
	switch {
	case m.Operation == "":
		missing = "operation"
	case m.UserID == "":
		missing = "user"
	case m.Operation == assent.OpProviderCheck:
	case m.Profile == "":
		missing = "profile"
	case m.TurnID == "" && m.RunID == "" && m.ExecutionID == "":
		missing = "turn, run or execution"
	}
	if missing == "" {
		return nil
	}
	return &Error{Class: ClassInvalidRequest, Detail: "the call does not say its " + missing}
}

// call is one Stream under way.
type call struct {
	g          *Gateway
	set        *setup
	req        Request
	yield      func(Chunk, error) bool
	toolSchema string

	from, reason string // the target given up before this one, and why
	told         bool   // the admins know of a failure
	streamed     bool   // the last try came to its first token
}

// run goes through the targets. At most one error is yielded, as the last thing.
func (c *call) run(ctx context.Context) {
	failure := &Error{Class: ClassInvalidRequest, Detail: "no model is set for profile " + string(c.req.Meta.Profile)}
	for i, t := range c.set.catalog.Targets(c.req.Meta.Profile) {
		err, reason, final := c.target(ctx, t)
		if err == nil {
			return
		}
		if reason != reasonCircuit {
			c.failed(ctx, err)
		}
		if i == 0 || reason != reasonCircuit { // a failure says more than a skip
			failure = err
		}
		if final || after(err) == stepEnd {
			break
		}
		c.from, c.reason = t.String(), reason
	}
	if !c.told {
		c.failed(ctx, failure)
	}
	c.yield(Chunk{}, failure)
}

// reasonCircuit is the fallback reason of a target that was not even asked.
const reasonCircuit = "circuit_open"

// target tries t, with retries. A nil error means that the consumer has what it
// wanted; final means that no other target may be asked.
func (c *call) target(ctx context.Context, t Target) (failure *Error, reason string, final bool) {
	model := c.set.providers[t.Provider]
	if model == nil {
		return &Error{Class: ClassInternal, Provider: t.Provider, Model: t.Model,
			Detail: "the provider is not set up"}, "not_set_up", false
	}
	for retry := 0; ; retry++ {
		if err := ctx.Err(); err != nil {
			return endOf(ctx, t), string(ClassCancelled), true
		}
		probe, ok := c.set.breakers[t.Provider].allow(c.g.cfg.Clock())
		if !ok {
			return &Error{Class: c.set.breakers[t.Provider].why(), Provider: t.Provider, Model: t.Model,
				Detail: "left alone after several failures in a row"}, reasonCircuit, false
		}
		failure, final = c.try(ctx, t, model, probe)
		if failure == nil || final || after(failure) != stepRetry || retry == maxRetries {
			break
		}
		wait, ok := backoff(retry, failure.RetryAfter, c.g.cfg.Random())
		if !ok {
			break
		}
		if c.g.cfg.Wait(ctx, wait) != nil {
			return endOf(ctx, t), string(ClassCancelled), true
		}
	}
	if failure == nil {
		return nil, "", true
	}
	return failure, string(failure.Class), final
}

// endOf is the error of a call whose context ended outside the gateway.
func endOf(ctx context.Context, t Target) *Error {
	cause := context.Cause(ctx)
	e := &Error{Class: ClassCancelled, Provider: t.Provider, Model: t.Model, Detail: cause.Error(), Err: cause}
	if ctx.Err() == context.DeadlineExceeded {
		e.Class = ClassTimeout
	}
	return e
}
