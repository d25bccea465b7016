package page

import (
	"context"
	"net/http"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/models"
	"assent/internal/secret"
	"assent/internal/store"
	"assent/internal/stream"
	"assent/internal/tool"

	"github.com/labstack/echo/v4"
)

// Turns takes messages and answers them; *planner.Planner is one.
type Turns interface {
	Send(ctx context.Context, pr assent.Principal, req assent.SendRequest) (assent.SendResult, error)
	Stop(ctx context.Context, pr assent.Principal, turnID string) error
	TakeBack(ctx context.Context, pr assent.Principal, messageID string) (assent.TakeBack, error)
}

// Runs does what a person asks of a run; *consent.Service is one.
type Runs interface {
	Act(ctx context.Context, pr assent.Principal, runID string, a assent.RunAction) (assent.Run, error)
}

// Tools runs one call by the person's own hand; *tool.Executor is one.
type Tools interface {
	Execute(ctx context.Context, c tool.Call) assent.ToolResult
}

// Streams serves live feeds; *stream.Hub is one.
type Streams interface {
	Serve(w http.ResponseWriter, r *http.Request, sessionID string, open stream.Open) error
}

// Deps is what the pages are made of.
type Deps struct {
	Turns Turns
	Runs  Runs
	Tools Tools
	Store *store.Store
	Hub   Streams
	Clock assent.Clock
	IDs   assent.IDs
	// Accounts are people, their passwords, sign-ins and tokens.
	Accounts *account.Service
	// Session puts the secret of a browser session into its cookie; an empty
	// one takes the cookie away.
	Session func(c echo.Context, secret string)
	// Facts of the configuration that pages show.
	Version string
	BaseURL string
	// What admins set while the server runs.
	Models     *models.Service
	Governance *tool.Admin
	Secrets    *secret.Vault
	Budgets    *budget.Settings // with the currency of all money
}

// Pages holds the handlers.
type Pages struct{ Deps }

// New makes the pages.
func New(d Deps) *Pages { return &Pages{d} }
