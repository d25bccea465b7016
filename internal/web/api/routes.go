package api

import (
	"net/http"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// Route is one call of the API; the OpenAPI document is made from these.
type Route struct {
	Method, Path string
	Scope        assent.TokenScope // "" where it depends on the action or the tool's effect
	Summary      string
	Handle       echo.HandlerFunc
}

// Routes is the table of all calls under /api/v1.
func (r *Resources) Routes() []Route {
	read, chat, approve, admin := assent.ScopeRead, assent.ScopeChat, assent.ScopeApprove, assent.ScopeAdmin
	out := []Route{
		{http.MethodPost, "/sessions", chat, "Open a conversation", r.createSession},
		{http.MethodGet, "/sessions", read, "List conversations", r.listSessions},
		{http.MethodGet, "/sessions/:id", read, "A conversation with messages, plans and turns", r.getSession},
		{http.MethodPatch, "/sessions/:id", chat, "Rename a conversation", r.patchSession},
		{http.MethodDelete, "/sessions/:id", chat, "Delete a conversation", r.deleteSession},
		{http.MethodPost, "/sessions/:id/messages", chat, "Send a message", r.sendMessage},
		{http.MethodGet, "/sessions/:id/events", read, "Stream the event log", r.events},
		{http.MethodPost, "/messages/:id/take-back", chat, "Take back how a message was understood", r.takeBack},
		{http.MethodGet, "/turns/:id", read, "A turn", r.getTurn},
		{http.MethodPost, "/turns/:id/cancel", chat, "Stop a turn", r.cancelTurn},
		{http.MethodGet, "/plans", read, "List plans", r.listPlans},
		{http.MethodGet, "/plans/:id", read, "A plan with versions, reviews, approvals and runs", r.getPlan},
		{http.MethodPost, "/plans/validate", chat, "Check a plan without storing it", r.validatePlan},
		{http.MethodPost, "/plans", chat, "Store a plan that waits for approval", r.createPlan},
		{http.MethodPost, "/plans/:id/runs", approve, "Approve a version in words and start it", r.startRun},
		{http.MethodGet, "/runs/:id", read, "A run with its steps", r.getRun},
		{http.MethodPost, "/runs/:id/actions", "", "Pause, resume, cancel, undo … a run", r.actOnRun},
		{http.MethodGet, "/tools", read, "List tools", r.listTools},
		{http.MethodPost, "/tools/:name/calls", "", "Call a tool", r.callTool},
		{http.MethodGet, "/tokens", read, "List your API tokens", r.listTokens},
		{http.MethodPost, "/tokens", approve, "Make an API token", r.createToken},
		{http.MethodDelete, "/tokens/:id", chat, "End an API token", r.deleteToken},
		{http.MethodGet, "/admin/people", admin, "List people", r.listPeople},
		{http.MethodPost, "/admin/people", admin, "Add a person", r.createPerson},
		{http.MethodPatch, "/admin/people/:id", admin, "Change a person", r.patchPerson},
		{http.MethodGet, "/admin/usage", admin, "Usage of models", r.usage},
		{http.MethodGet, "/admin/errors", admin, "Errors", r.errors},
		{http.MethodGet, "/admin/plan-reviews", admin, "Plan reviews", r.planReviews},
		{http.MethodGet, "/admin/models", admin, "Providers, profiles and prices", r.models},
		{http.MethodPut, "/admin/models", admin, "Set providers, profiles and prices", r.putModels},
		{http.MethodPost, "/admin/models/test", admin, "Ask a model for a word", r.testModel},
		{http.MethodGet, "/admin/tools", admin, "Tools with policy, effect and cap", r.listGoverned},
		{http.MethodPut, "/admin/tools/:name", admin, "Set policy, effect and cap of a tool", r.putPolicy},
		{http.MethodGet, "/admin/budgets", admin, "Budgets of a day, and what was used today", r.listBudgets},
		{http.MethodPut, "/admin/budgets", admin, "Set the currency of all money", r.putCurrency},
		{http.MethodPut, "/admin/budgets/:id", admin, "Set the budget of a person, or of everybody (default)", r.putBudget},
		{http.MethodDelete, "/admin/budgets/:id", admin, "Take a budget away", r.deleteBudget},
		{http.MethodGet, "/admin/secrets", admin, "Names of the secrets", r.listSecrets},
		{http.MethodPut, "/admin/secrets/:name", admin, "Set a secret", r.putSecret},
		{http.MethodDelete, "/admin/secrets/:name", admin, "Delete a secret", r.deleteSecret},
	}
	return append(out, r.workspaceRoutes()...)
}

// workspaceRoutes are the same six calls for each kind of entity; a relation has
// nothing to change, it is deleted and made anew.
func (r *Resources) workspaceRoutes() []Route {
	var out []Route
	for _, k := range assent.Kinds() {
		if k == assent.KindTemplate {
			continue
		}
		base := "/" + string(k) + "s"
		out = append(out,
			Route{http.MethodGet, base, assent.ScopeRead, "List " + string(k) + "s", r.listEntities(k)},
			Route{http.MethodPost, base, assent.ScopeChat, "Create a " + string(k), r.createEntity(k)},
			Route{http.MethodGet, base + "/:id", assent.ScopeRead, "A " + string(k), r.getEntity(k)},
			Route{http.MethodDelete, base + "/:id", assent.ScopeApprove, "Delete a " + string(k), r.deleteEntity(k)},
			Route{http.MethodGet, base + "/:id/history", assent.ScopeRead, "Revisions of a " + string(k), r.entityHistory(k)})
		if k != assent.KindRelation {
			out = append(out, Route{http.MethodPatch, base + "/:id", assent.ScopeChat, "Change a " + string(k), r.patchEntity(k)})
		}
	}
	return out
}

// Register puts the API and the health checks on the server.
func (r *Resources) Register(s *web.Server) {
	probe := []string{http.MethodGet, http.MethodHead}
	s.Match(probe, "/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "ok"}) })
	s.Match(probe, "/readyz", r.ready)
	s.GET("/metrics", echo.WrapHandler(r.Metrics))
	g := s.API("/api/v1")
	g.GET("/openapi.json", r.openAPI)
	allowed := map[string][]string{"/openapi.json": {http.MethodGet}}
	for _, route := range r.Routes() {
		g.Add(route.Method, route.Path, route.Handle, web.Require(route.Scope))
		allowed[route.Path] = append(allowed[route.Path], route.Method)
	}
	for path, methods := range allowed {
		refuseOthers(g, path, methods)
	}
	s.Any("/api/*", func(echo.Context) error {
		return assent.Errorf(assent.CodeNotFound, "There is nothing at this address.")
	})
}

// refuseOthers answers the methods that an address does not take with those that
// it does.
func refuseOthers(g *echo.Group, path string, allowed []string) {
	slices.Sort(allowed)
	var others []string
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace} {
		if !slices.Contains(allowed, m) {
			others = append(others, m)
		}
	}
	g.Match(others, path, func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
		return assent.Errorf(assent.CodeMethodNotAllowed, "This address does not take that method; it takes %s.", assent.List(allowed))
	})
}

func (r *Resources) ready(c echo.Context) error {
	if !r.Ready() {
		return assent.Errorf(assent.CodeUnavailable, "The server is starting or shutting down.")
	}
	return c.JSON(http.StatusOK, map[string]string{"status": "ready"})
}
