package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// spendOnPlan records the calls for a plan: its drafting, its review, and two of
// its steps.
func (s *planSite) spendOnPlan(plan, run string) {
	s.t.Helper()
	l := s.store.Ledger()
	for i, u := range []assent.CallUsage{
		{Operation: assent.OpPlanGeneration, Tool: "agent_create_plan", CostMicros: micros(500_000), TokensIn: 2000, TokensOut: 100},
		{Operation: assent.OpPlanReview, CostMicros: micros(250_000), TokensIn: 900},
		{Operation: assent.OpAgentConverse, RunID: run, Step: "make", Tool: "create_project", CostMicros: micros(1_000_000)},
		{Operation: assent.OpAgentConverse, RunID: run, Step: "make", Tool: "create_project", CostMicros: micros(1_000_000)},
		{Operation: assent.OpArgumentExtraction, RunID: run, Step: "know/t"},
	} {
		u.ID, u.PlanID, u.At, u.UserID, u.Status, u.TurnID = fmt.Sprint("c", i), plan, assent.At(s.clock()), s.ada.ID, assent.CallOK, "turn-1"
		if err := l.Open(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
		if err := l.Close(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
	}
	s.write(func(*store.Tx) error { return nil }) // writes are in order: the ledger's are done
}

// What a plan cost stands on its page for its owner, step by step; what a run
// cost on its receipt.
func TestAPlanTellsItsOwnerWhatItCost(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	run := s.approve("p1", assent.RunCompleted, "completed", allDone())
	b := s.as(s.ada)
	if b.get("/plans/p1").has("section[aria-labelledby=costs]") {
		t.Error("a plan that took nothing of models has a table of costs")
	}
	s.spendOnPlan("p1", run)
	page := b.get("/plans/p1")
	checkForm(t, "/plans/:id", page)
	rows := page.all("section[aria-labelledby=costs] tbody tr")
	if len(rows) != 5 {
		t.Fatalf("%d lines of costs", len(rows))
	}
	rows[0].says("Plan generation", "agent_create_plan", "$0.50")
	rows[1].says("Plan review", "$0.25")
	rows[2].says("Create the project", "create_project", "2", "$2.00")
	rows[3].says("Step know/t", "no price")
	rows[4].says("Together", "5", "$2.75, 1 call without a price")
	receipt := b.get("/plans/p1/runs/" + run)
	receipt.says("What it took of models", "Create the project", "$2.00")
	receipt.silent("Plan generation")
	other := s.as(s.add("Bo", assent.RoleMember))
	other.get("/plans/p1")
	other.want(http.StatusNotFound)
}

// From an error there is a way to the turn, the plan and the step, and back. An
// admin reads no words of somebody else's on it.
func TestAnErrorLeadsToItsTurnPlanAndStepAndBack(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	run := s.approve("p1", assent.RunFailed, "failed", map[string]assent.StepStatus{"make": assent.StepFailed, "know": assent.StepSkipped, "know/t": assent.StepSkipped,
		"know/p": assent.StepSkipped, "ask": assent.StepSkipped, "note": assent.StepSkipped})
	s.spendOnPlan("p1", run)
	s.write(func(tx *store.Tx) error {
		if err := tx.CreateTurn(assent.Turn{ID: "turn-1", SessionID: s.session, UserID: s.ada.ID, Kind: assent.TurnMessage, Status: assent.TurnRunning, CreatedAt: tx.Now()}, ""); err != nil {
			return err
		}
		if err := tx.CreateErrorRow(assent.ErrorRow{Code: "budget_exceeded", Class: "budget_exceeded", Component: "loop", SessionID: s.session, UserID: s.ada.ID, Message: "Elsewhere."}); err != nil {
			return err
		}
		return tx.CreateErrorRow(assent.ErrorRow{Code: assent.CodeUnavailable, Class: "unavailable", Component: "plan", Stage: "step", Tool: "create_project",
			SessionID: s.session, TurnID: "turn-1", PlanID: "p1", RunID: run, Step: "make", UserID: s.ada.ID, Message: "It is down."})
	})
	b := s.as(s.add("Chief", assent.RoleAdmin))
	page := b.get("/admin/errors")
	page.one("nav.filters").says("Unavailable 1", "Budget exceeded 1", "Rate limited")
	page = b.get("/admin/errors?class=unavailable")
	page.says("could not be reached")
	links := page.all(".errors li a.btn")
	if len(links) != 3 {
		t.Fatalf("%d links", len(links))
	}
	turn := b.get(links[0].attr("href"))
	b.want(http.StatusOK)
	leadsBack(b, turn.one("main a[href=/admin/errors?turn=turn-1]"))
	plan := b.get(links[1].attr("href"))
	b.want(http.StatusOK)
	checkForm(t, "/admin/plans/:id", plan)
	plan.says("Ada", "Failed", "Plan generation", "Step make", "$2.00", "create_project")
	plan.silent("Move the office", "Shall the invitations go out", "Leith", "Create the project")
	if plan.one("main [id=step-" + run + "-make]"); links[2].attr("href") != "/admin/plans/p1#step-"+run+"-make" {
		t.Errorf("the way to the step is %s", links[2].attr("href"))
	}
	leadsBack(b, plan.one("main a[href=/admin/errors?plan=p1]"))
	b.get("/admin/plans/nonesuch")
	b.want(http.StatusNotFound)
	member := s.as(s.ada)
	member.get("/admin/plans/p1")
	member.want(http.StatusForbidden)
}

// leadsBack follows a link from a turn or plan to its errors, and no others.
func leadsBack(b *browser, link node) {
	b.t.Helper()
	list := b.get(link.attr("href")).one(".errors")
	list.says("It is down.")
	list.silent("Elsewhere.")
}
