package planner

import (
	"context"
	"iter"
	"sync"
	"text/template"
	"time"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/redact"
	"assent/internal/store"
	"assent/internal/tool"
)

// Gateway is what the planner needs of the model gateway.
type Gateway interface {
	Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error]
	// Canned records a fixed text as a call without tokens.
	Canned(ctx context.Context, meta llm.Meta, text string) iter.Seq2[llm.Chunk, error]
}

// Limits bound a turn; design 05 §3.
type Limits struct {
	Loop               loop.Limits
	Caps               tool.Limits
	Turn               time.Duration // watchdog
	Offered            int           // tools on offer beside find_tools
	History            int           // bytes of earlier turns that a model is shown; 0: 160,000
	DynamicPromptState bool
}

// Deps are what a Planner is made of.
type Deps struct {
	Store    *store.Store
	Gateway  Gateway
	Loop     *loop.Loop
	Plans    *plan.Service
	Consent  *consent.Service
	Registry *tool.Registry
	Engine   assent.Engine
	// Secrets are taken out of what people say before it is kept; may be nil.
	Secrets *redact.Redactor
	IDs     assent.IDs
	Clock   assent.Clock
	Limits  Limits
}

// Planner takes messages and drives turns. It is safe for concurrent use.
type Planner struct {
	Deps
	prompt   *template.Template
	contexts map[assent.ContextType]contextRow
	metas    []assent.ToolSpec
	fresh    sync.Map // turn id → fresh, until the turn is driven
}

// New makes a planner. The registry is complete by then.
func New(d Deps) (*Planner, error) {
	t, err := parsePrompt()
	p := &Planner{Deps: d, prompt: t, contexts: contextTable(), metas: metaSpecs()}
	for ct, row := range p.contexts {
		row.offered = p.offer(row)
		p.contexts[ct] = row
	}
	return p, err
}

// row gives the row of a context type; an unknown one counts as general.
func (p *Planner) row(ct assent.ContextType) contextRow {
	if r, ok := p.contexts[ct]; ok {
		return r
	}
	return p.contexts[assent.ContextGeneral]
}

// turn is one turn under way.
type turn struct {
	assent.Turn
	session assent.Session
	message assent.Message // what is answered; empty for a report
	scope   assent.Scope
	sink    *store.TurnSink
	state   plan.StateBlock
	offered []assent.ToolSpec
	history []llm.Message // earlier turns, fitted
	started time.Time
	run     string // the run that this turn awaits
	reviews int    // rounds of agent_review so far
	fixes   int    // corrections of plans that the checker refused
	pos     int64  // next history position
	calls   int
}
