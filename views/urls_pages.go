package views

import (
	"net/url"
	"strconv"

	"assent/internal/assent"
)

// Addresses of the pages about people, the workspace and the administration.
const (
	SignUpURL           = "/signup"
	ChangePasswordURL   = "/password"
	SearchURL           = "/search"
	NewProjectURL       = "/projects/new"
	SettingsSecurityURL = "/settings/security"
	SettingsPasswordURL = "/settings/password"
	SettingsEverywhere  = "/settings/sign-out-everywhere"
	SettingsTokensURL   = "/settings/tokens"
	AdminUsageURL       = "/admin/usage"
	AdminUsageCSVURL    = "/admin/usage.csv"
	AdminErrorsURL      = "/admin/errors"
	AdminPeopleURL      = "/admin/people"
	AdminPlansURL       = "/admin/plans"
	AdminModelsURL      = "/admin/models"
	AdminProvidersURL   = "/admin/models/providers"
	AdminPricesURL      = "/admin/models/prices"
	AdminModelTestURL   = "/admin/models/test"
	AdminToolsURL       = "/admin/tools"
	AdminSecretsURL     = "/admin/secrets"
	AdminBudgetsURL     = "/admin/budgets"
	AdminCurrencyURL    = "/admin/budgets/currency"
	AdminNewBudgetURL   = "/admin/budgets/new"
)

// Sections of a project's pages.
const (
	TabOverview   = ""
	TabMilestones = "milestones"
	TabTasks      = "tasks"
	TabDocuments  = "documents"
	TabHealth     = "health"
	TabHistory    = "history"
	TabMembers    = "members"
)

// ProjectTabURL is one section of a project.
func ProjectTabURL(id, tab string) string {
	if tab == TabOverview {
		return ProjectURL(id)
	}
	return ProjectURL(id) + "/" + tab
}

// MemberRemoveURL ends a membership.
func MemberRemoveURL(project, user string) string {
	return under(ProjectTabURL(project, TabMembers), user) + "/remove"
}

// EntityBase is where entities of a kind live: "/tasks".
func EntityBase(k assent.Kind) string { return "/" + Plural(string(k), 2) }

// EntityURL is the page of any entity.
func EntityURL(k assent.Kind, id string) string { return under(EntityBase(k), id) }

// EntityEditURL changes an entity.
func EntityEditURL(k assent.Kind, id string) string { return EntityURL(k, id) + "/edit" }

// EntityDeleteURL asks for confirmation (GET) and deletes an entity (POST).
func EntityDeleteURL(k assent.Kind, id string) string { return EntityURL(k, id) + "/delete" }

// EntityHistoryURL lists an entity's revisions.
func EntityHistoryURL(k assent.Kind, id string) string { return EntityURL(k, id) + "/history" }

// NewEntityURL makes something in a project.
func NewEntityURL(project string, k assent.Kind) string {
	return ProjectURL(project) + "/" + Plural(string(k), 2) + "/new"
}

// TaskStatusURL moves a task.
func TaskStatusURL(id string) string { return EntityURL(assent.KindTask, id) + "/status" }

// TaskDependsURL adds a dependency to a task.
func TaskDependsURL(id string) string { return EntityURL(assent.KindTask, id) + "/depends" }

// DocumentVersionURL is one version of a document.
func DocumentVersionURL(id string, revision int64) string {
	return EntityURL(assent.KindDocument, id) + "/versions/" + strconv.FormatInt(revision, 10)
}

// DocumentVersionsURL lists a document's versions.
func DocumentVersionsURL(id string) string { return EntityURL(assent.KindDocument, id) + "/versions" }

// RevisionURL shows one change; its /undo takes it back.
func RevisionURL(id string) string { return under("/revisions", id) }

// TokenDeleteURL deletes an API token.
func TokenDeleteURL(id string) string { return under(SettingsTokensURL, id) + "/delete" }

// PersonURL is the page of a person for admins.
func PersonURL(id string) string { return under(AdminPeopleURL, id) }

// AdminTurnURL is what an admin sees of a turn: no content.
func AdminTurnURL(id string) string { return under("/admin/turns", id) }

// AdminConversationURL opens somebody's conversation, which is logged.
func AdminConversationURL(session string) string { return under("/admin/conversations", session) }

// PlanInChatURL is where a plan stands in its conversation.
func PlanInChatURL(session, plan string) string { return ChatURL(session) + "#plan-" + plan }

// WithQuery adds parameters to an address; empty values are left out.
func WithQuery(base string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}

// ProviderURL changes a provider of models.
func ProviderURL(name string) string { return under(AdminProvidersURL, name) }

// ProviderRemoveURL takes a provider away.
func ProviderRemoveURL(name string) string { return ProviderURL(name) + "/remove" }

// ProfileURL changes the models of a profile.
func ProfileURL(name string) string { return under(AdminModelsURL+"/profiles", name) }

// PriceURL changes the price of a model.
func PriceURL(model string) string {
	return AdminPricesURL + "?" + url.Values{"model": {model}}.Encode()
}

// PriceRemoveURL takes a price away.
const PriceRemoveURL = AdminPricesURL + "/remove"

// AdminToolURL changes what admins say about a tool.
func AdminToolURL(name string) string { return under(AdminToolsURL, name) }

// BudgetURL is the budget of a person.
func BudgetURL(user string) string { return under(AdminBudgetsURL+"/people", user) }

// BudgetRemoveURL takes a person's own budget away.
func BudgetRemoveURL(user string) string { return BudgetURL(user) + "/remove" }

// SecretDeleteURL asks for confirmation (GET) and deletes a secret (POST).
func SecretDeleteURL(name string) string { return under(AdminSecretsURL, name) + "/delete" }
