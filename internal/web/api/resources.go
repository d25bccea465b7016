package api

import (
	"context"
	"net/http"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/models"
	"assent/internal/plan"
	"assent/internal/secret"
	"assent/internal/store"
	"assent/internal/stream"
	"assent/internal/tool"
)

// Turns takes messages and answers them; *planner.Planner is one.
type Turns interface {
	Send(ctx context.Context, pr assent.Principal, req assent.SendRequest) (assent.SendResult, error)
	Stop(ctx context.Context, pr assent.Principal, turnID string) error
	TakeBack(ctx context.Context, pr assent.Principal, messageID string) (assent.TakeBack, error)
}

// Consent starts and controls runs for a person; *consent.Service is one.
type Consent interface {
	Request(ctx context.Context, pr assent.Principal, planID string, version int64, words string) (assent.Run, error)
	Act(ctx context.Context, pr assent.Principal, runID string, a assent.RunAction) (assent.Run, error)
}

// Executor runs one call by the caller's own hand; *tool.Executor is one.
type Executor interface {
	Execute(ctx context.Context, c tool.Call) assent.ToolResult
	Registry() *tool.Registry
}

// Resources are the handlers of conversations, plans, tools, the workspace and
// the admin's reports.
type Resources struct {
	Store    *store.Store
	Turns    Turns
	Consent  Consent
	Plans    *plan.Service
	Executor Executor
	Hub      *stream.Hub
	Clock    assent.Clock
	// Models are providers, profiles and prices.
	Models   *models.Service
	Accounts *account.Service
	Secrets  *secret.Vault
	// Governance is what admins set about tools.
	Governance *tool.Admin
	// Budgets bound a person's day; they know the currency.
	Budgets *budget.Settings
	// Ready reports whether the server takes requests.
	Ready func() bool
	// Metrics tells the numbers of the server in the text format of Prometheus.
	Metrics http.Handler
}
