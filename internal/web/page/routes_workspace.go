package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/views"
)

// workspaceRoutes are the pages of projects and what is in them.
func (p *Pages) workspaceRoutes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	out := []Route{
		{get, views.SearchURL, p.search},
		{get, views.PlansURL, p.plans},
		{get, "/plans/:id", p.plan},
		{get, "/plans/:id/runs/:run", p.run},
		{get, "/plans/:id/runs/:run/receipt.json", p.receiptJSON},
		{get, views.ProjectsURL, p.projects},
		{get, views.NewProjectURL, p.newProject},
		{post, views.NewProjectURL, p.createProject},
		{get, "/projects/:id", p.overview},
		{get, "/projects/:id/milestones", p.milestones},
		{get, "/projects/:id/tasks", p.tasks},
		{get, "/projects/:id/documents", p.documents},
		{get, "/projects/:id/health", p.health},
		{get, "/projects/:id/history", p.projectHistory},
		{get, "/projects/:id/members", p.members},
		{post, "/projects/:id/members", p.addMember},
		{post, "/projects/:id/members/:user/remove", p.removeMember},
		{get, "/tasks/:id", p.task},
		{post, "/tasks/:id/status", p.moveTask},
		{post, "/tasks/:id/depends", p.addDependency},
		{get, "/documents/:id", p.document},
		{get, "/documents/:id/versions", p.documentVersions},
		{get, "/documents/:id/versions/:version", p.documentVersion},
		{post, "/documents/:id/versions/:version/restore", p.restoreDocument},
		{get, "/revisions/:id", p.revision},
		{post, "/revisions/:id/undo", p.undo},
		{get, "/goals/:id", p.readEntity(assent.KindGoal)},
		{get, "/milestones/:id", p.readEntity(assent.KindMilestone)},
		{get, "/risks/:id", p.readEntity(assent.KindRisk)},
		{get, "/decisions/:id", p.readEntity(assent.KindDecision)},
		{get, "/relations/:id/delete", p.confirmDelete(assent.KindRelation)},
		{post, "/relations/:id/delete", p.deleteEntity(assent.KindRelation)},
		{get, "/projects/:id/edit", p.editEntity(assent.KindProject)},
		{post, "/projects/:id/edit", p.updateEntity(assent.KindProject)},
		{get, "/projects/:id/delete", p.confirmDelete(assent.KindProject)},
		{post, "/projects/:id/delete", p.deleteEntity(assent.KindProject)},
	}
	for _, k := range entityKinds() {
		out = append(out, p.entityRoutes(k)...)
	}
	return out
}

// entityRoutes make, change, delete and remember things of one kind.
func (p *Pages) entityRoutes(k assent.Kind) []Route {
	const get, post = http.MethodGet, http.MethodPost
	making, edit := views.ProjectsURL+"/:id/"+views.Plural(string(k), 2)+"/new", views.EntityBase(k)+"/:id"
	return []Route{
		{get, making, p.newEntity(k)},
		{post, making, p.createEntity(k)},
		{get, edit + "/edit", p.editEntity(k)},
		{post, edit + "/edit", p.updateEntity(k)},
		{get, edit + "/delete", p.confirmDelete(k)},
		{post, edit + "/delete", p.deleteEntity(k)},
		{get, edit + "/history", p.entityHistory(k)},
	}
}

// adminRoutes are the pages for admins.
func (p *Pages) adminRoutes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	out := []Route{
		{get, views.AdminUsageURL, p.usage},
		{get, views.AdminUsageCSVURL, p.usageCSV},
		{get, views.AdminErrorsURL, p.errors},
		{get, views.AdminPlansURL, p.planReviews},
		{get, views.AdminPlansURL + "/:id", p.adminPlan},
		{get, "/admin/turns/:id", p.adminTurn},
		{post, "/admin/conversations/:id", p.openConversation},
		{get, views.AdminModelsURL, p.models},
		{post, "/admin/models/profiles/:profile", p.changeProfile},
		{post, views.AdminModelTestURL, p.testModel},
		{get, views.AdminProvidersURL, p.newProvider},
		{post, views.AdminProvidersURL, p.saveProvider},
		{get, "/admin/models/providers/:name", p.provider},
		{post, "/admin/models/providers/:name", p.saveProvider},
		{post, "/admin/models/providers/:name/remove", p.removeProvider},
		{get, views.AdminPricesURL, p.price},
		{post, views.AdminPricesURL, p.savePrice},
		{post, views.PriceRemoveURL, p.removePrice},
		{get, views.AdminBudgetsURL, p.budgets},
		{post, views.AdminBudgetsURL, p.saveEverybodys},
		{post, views.AdminCurrencyURL, p.saveCurrency},
		{get, views.AdminNewBudgetURL, p.newBudget},
		{post, views.AdminNewBudgetURL, p.createBudget},
		{get, "/admin/budgets/people/:id", p.budget},
		{post, "/admin/budgets/people/:id", p.saveBudget},
		{post, "/admin/budgets/people/:id/remove", p.removeBudget},
		{get, views.AdminToolsURL, p.tools},
		{get, "/admin/tools/:name", p.governed},
		{post, "/admin/tools/:name", p.saveTool},
		{get, views.AdminSecretsURL, p.secrets},
		{post, views.AdminSecretsURL, p.saveSecret},
		{get, "/admin/secrets/:name/delete", p.confirmDeleteSecret},
		{post, "/admin/secrets/:name/delete", p.deleteSecret},
		{get, views.AdminPeopleURL, p.people},
		{post, views.AdminPeopleURL, p.addPerson},
		{get, "/admin/people/:id", p.adminPerson},
		{post, "/admin/people/:id", p.savePerson},
		{post, "/admin/people/:id/disable", p.disablePerson},
		{post, "/admin/people/:id/enable", p.enablePerson},
		{post, "/admin/people/:id/reset", p.resetPassword},
		{post, "/admin/people/:id/sign-out", p.signOutPerson},
	}
	for i := range out {
		out[i].Handle = admins(out[i].Handle)
	}
	return out
}
