package page_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/plan"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
)

// engine starts nothing: these tests look at what is stored.
type engine struct{}

func (engine) Start(context.Context, string, string)  {}
func (engine) Signal(context.Context, string, string) {}

// planSite is a site with real plans and real consent.
type planSite struct {
	*chatSite
	session string
}

func newPlanSite(t *testing.T) *planSite {
	t.Helper()
	s := &planSite{chatSite: newChatSite(t)}
	registry, err := tool.NewRegistry(workspace.Tools(s.store.Reads)...)
	if err != nil {
		t.Fatal(err)
	}
	plans := plan.New(plan.Deps{Store: s.store, Registry: registry, Executor: tool.NewExecutor(registry, schema.NewCompiler(), s.store, s.clock),
		Engine: engine{}, IDs: s.pages.IDs, Clock: s.clock, Limits: plan.Limits{Steps: 12, Parallel: 4, Depth: 3}})
	s.pages.Runs = consent.New(s.store, plans, nil, engine{}, s.pages.IDs, func() assent.Currency { return assent.DefaultCurrency })
	s.session = s.chatSite.session(s.ada, "Office move")
	return s
}

func moveSteps(name string) []assent.Step {
	return []assent.Step{
		{ID: "make", Type: assent.StepTool, Label: "Create the project", Tool: "create_project", Effect: assent.EffectWrite, Arguments: json.RawMessage(`{"name":"` + name + `"}`), ResultKey: "project"},
		{ID: "know", Type: assent.StepParallel, Label: "Gather", Steps: []assent.Step{
			{ID: "t", Type: assent.StepTool, Tool: "list_templates", Effect: assent.EffectRead, Arguments: json.RawMessage(`{"query":"move"}`)},
			{ID: "p", Type: assent.StepTool, Tool: "list_projects", Effect: assent.EffectRead, Arguments: json.RawMessage(`{}`)}}},
		{ID: "ask", Type: assent.StepCheckpoint, Label: "Confirm", Prompt: "Shall the invitations go out?"},
		{ID: "note", Type: assent.StepTool, Label: "Add a task", Tool: "create_task", Effect: assent.EffectWrite, Arguments: json.RawMessage(`{"project_id":"$0.output.artifact_id","title":"Van"}`)},
	}
}

// plan stores a plan of two versions, the first one with a reviewer's objection.
func (s *planSite) plan(id string) {
	s.t.Helper()
	s.write(func(tx *store.Tx) error {
		p := assent.Plan{ID: id, SessionID: s.session, UserID: s.ada.ID, Objective: "Move the office", Status: assent.PlanPendingReview, Mode: assent.ModeAgentReview, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		if err := tx.CreatePlan(p); err != nil {
			return err
		}
		for n, name := range []string{"Office move", "Office move to Leith"} {
			preview := assent.NewPreview()
			preview.Creates["project"], preview.Undoable = 1, []string{"make", "note"}
			preview.Estimate = assent.Estimate{LLMCalls: 1, Basis: "Steps of this plan call no model; one call tells you the outcome."}
			v := assent.Version{PlanID: id, Version: int64(n + 1), Hash: strings.Repeat(string(rune('a'+n)), 64), Status: assent.VersionOpen, Preview: preview, CreatedAt: tx.Now(),
				Document: assent.PlanDocument{Objective: "Move the office", Reasoning: "The office moves.", Steps: moveSteps(name)}}
			if err := tx.CreatePlanVersion(v); err != nil {
				return err
			}
			if n == 1 {
				if _, err := tx.UpdateVersionStatus(id, 1, assent.VersionOpen, assent.VersionSuperseded); err != nil {
					return err
				}
				if _, err := tx.UpdatePlanVersion(id, 1, v, assent.PlanPendingReview); err != nil {
					return err
				}
			}
		}
		return tx.CreatePlanReview(assent.Review{ID: id + "-r", PlanID: id, Version: 2, Reviewer: "plan_review", Verdict: assent.VerdictNeedsChanges, At: tx.Now(),
			Findings: []assent.Finding{{Step: "t", Severity: "warning", Text: "Nobody reads that list."}, {Severity: "error", Text: "It is too early."}}})
	})
}

// approve starts a run of the second version and moves it to a status, with
// steps in the statuses given by path.
func (s *planSite) approve(id string, st assent.RunStatus, state string, steps map[string]assent.StepStatus) (runID string) {
	s.t.Helper()
	hash := strings.Repeat("b", 64)
	run := assent.Run{ID: id + "-run", PlanID: id, SessionID: s.session, UserID: s.ada.ID, Version: 2, Hash: hash, Status: assent.RunRunning, State: plan.Validated, ApprovalID: id + "-a", RequestedBy: s.ada.ID, StartedAt: assent.At(s.clock())}
	s.write(func(tx *store.Tx) error {
		return tx.StartApproved(assent.Approval{ID: id + "-a", PlanID: id, Version: 2, Hash: hash, Basis: assent.BasisWords, Words: "do it anyway", UserID: s.ada.ID, At: tx.Now()}, run)
	})
	s.wait(1500 * time.Millisecond)
	args := map[string]string{"make": `{"name":"Office move to Leith"}`, "know/t": `{"query":"move"}`, "know/p": `{}`, "note": `{"project_id":"01k","title":"Van"}`}
	s.write(func(tx *store.Tx) error {
		for path, to := range steps {
			if to == assent.StepSkipped || to == assent.StepPending {
				if _, err := tx.MarkStep(run.ID, path, assent.StepPending, to); err != nil {
					return err
				}
				continue
			}
			n, err := tx.BeginStep(run.ID, path, json.RawMessage(args[path]))
			if err != nil {
				return err
			}
			if _, err := tx.EndStep(assent.StepRun{RunID: run.ID, Path: path, Attempt: n, Status: to, Summary: "about " + path}); err != nil {
				return err
			}
		}
		to := run
		to.Status, to.State = st, state
		if st.Ended() {
			to.EndedAt = tx.Now()
		}
		if _, err := tx.MoveRun(run, to); err != nil {
			return err
		}
		_, err := tx.UpdatePlanStatus(id, assent.PlanRunning, assent.PlanStatus(st))
		return err
	})
	return run.ID
}

func allDone() map[string]assent.StepStatus {
	return map[string]assent.StepStatus{"make": assent.StepSuccess, "know": assent.StepSuccess, "know/t": assent.StepSuccess, "know/p": assent.StepSuccess, "ask": assent.StepSuccess, "note": assent.StepSuccess}
}

func TestAPlanHasAPageWithItsVersionsAndReviews(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	b := s.as(s.ada)
	page := b.get("/plans/p1")
	b.want(http.StatusOK)
	checkForm(t, "/plans/p1", page)
	page.says("Version 2 waits for your word", "in parallel", "3", "Shall the invitations go out?", "asks you", "can be undone", "Reviewer: asks for changes.", "It is too early.", "Office move to Leith", "creates 1 project", "call no model")
	page.one(".finding").says("Warning: Nobody reads that list.")
	var numbers []string
	for _, n := range page.one("ol.steps").all(".num") {
		numbers = append(numbers, strings.TrimPrefix(n.text(), "Step "))
	}
	if got := strings.Join(numbers, " "); got != "1 2 2.1 2.2 3 4" {
		t.Errorf("steps are numbered %s", got)
	}
	pairs := page.all(".pair")
	if len(pairs) != 1 {
		t.Fatalf("%d steps differ", len(pairs))
	}
	pairs[0].says("Version 1, step 1", "Version 2, step 1")
	if ins := pairs[0].one("ins").text(); ins != "to Leith" {
		t.Errorf("the difference is %q", ins)
	}
	if b.get("/plans/p1?from=2&to=2").has(".pair") || b.get("/plans/p1?from=9&to=x").has(".notice.bad") {
		t.Error("a version differs from itself")
	}
	stranger := s.as(s.add("Bo", assent.RoleAdmin))
	for _, path := range []string{"/plans/p1", "/plans/p1/runs/x", "/plans/p1/runs/x/receipt.json"} {
		stranger.get(path)
		stranger.want(http.StatusNotFound)
	}
}

func TestAReceiptTellsWhoApprovedAndWhatRan(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	run := s.approve("p1", assent.RunCompleted, "completed", allDone())
	b := s.as(s.ada)
	b.get("/plans/p1").says("“do it anyway”", "over the reviewer’s objection", "Everything ran as approved", "Take back the last step", "Ada")
	page := b.get("/plans/p1/runs/" + run)
	b.want(http.StatusOK)
	checkForm(t, "/plans/:id/runs/:run", page)
	page.says("Deviations from what was approved: none.", "“do it anyway”", "over the reviewer’s objection", "1.5 s", "0 AI calls in the run", "about 1 AI call", "$0.output.artifact_id", "01k")
	link := page.one("a[download]").attr("href")
	b.get(link)
	b.want(http.StatusOK)
	if got := b.header.Get("Content-Disposition"); got != `attachment; filename="receipt-`+run+`.json"` {
		t.Errorf("sent as %q", got)
	}
	var r plan.Receipt
	if err := json.Unmarshal([]byte(b.body), &r); err != nil || len(r.Steps) != 6 || len(r.Deviations) != 0 || !r.Approvals[0].OverObjection || r.Steps[2].Number != "2.1" {
		t.Errorf("receipt %+v, %v", r, err)
	}
	b.get("/plans/p1/runs/nonesuch")
	b.want(http.StatusNotFound)
	stranger := s.as(s.add("Bo", assent.RoleAdmin))
	stranger.get(link).silent("do it anyway")
	stranger.want(http.StatusNotFound)
}

func TestADeviationIsNamed(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	run := s.approve("p1", assent.RunFailed, "failed", map[string]assent.StepStatus{"know/t": assent.StepSuccess})
	s.write(func(tx *store.Tx) error {
		n, err := tx.BeginStep(run, "make", json.RawMessage(`{"name":"Something else"}`))
		if err != nil {
			return err
		}
		_, err = tx.EndStep(assent.StepRun{RunID: run, Path: "make", Attempt: n, Status: assent.StepFailed})
		return err
	})
	s.as(s.ada).get("/plans/p1/runs/" + run).one(".deviations").says("Step 1 ran with other arguments than the approved ones.")
}

// TestThePageOffersWhatTheRunAllows compares the buttons of both pages with the
// engine's own table.
func TestThePageOffersWhatTheRunAllows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status assent.RunStatus
		state  string
	}{{assent.RunRunning, "dispatching_step"}, {assent.RunPaused, "paused"}, {assent.RunWaitingHuman, "waiting_human"}, {assent.RunCompleted, "completed"},
		{assent.RunFailed, "failed"}, {assent.RunCancelled, "cancelled"}, {assent.RunUndone, "undone"}} {
		s := newPlanSite(t)
		s.plan("p1")
		steps := map[string]assent.StepStatus{"make": assent.StepSuccess}
		if c.status == assent.RunWaitingHuman {
			steps["ask"] = assent.StepWaitingHuman
		}
		s.approve("p1", c.status, c.state, steps)
		var offered []string
		page := s.as(s.ada).get("/plans/p1")
		for _, f := range page.one(".answer").all("form") {
			action := f.attr("action")[strings.LastIndex(f.attr("action"), "/")+1:]
			if !slices.Contains(offered, action) {
				offered = append(offered, action)
			}
			if !f.has("input[name=csrf]") {
				t.Errorf("%s: the form for %s has no token", c.status, action)
			}
		}
		want := plan.Allowed(c.state)
		want = slices.DeleteFunc(want, func(a string) bool { return a == "execute" }) // of a paused run resume does the same
		slices.Sort(want)
		slices.Sort(offered)
		if !slices.Equal(offered, want) {
			t.Errorf("%s: the page offers %v, the engine takes %v", c.status, offered, want)
		}
	}
}

func TestARunIsControlledFromItsPage(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	s.plan("p1")
	run := s.approve("p1", assent.RunPaused, "paused", map[string]assent.StepStatus{"make": assent.StepSuccess})
	b := s.as(s.ada)
	form := func(page node, action string) node { return page.one("form[action=/runs/" + run + "/" + action + "]") }
	page := b.get("/plans/p1")
	stale := form(page, "resume")
	page = b.submit(form(page, "cancel"))
	b.want(http.StatusOK)
	if b.at != "/plans/p1" {
		t.Errorf("at %s", b.at)
	}
	page.one(".answer").says("What was done so far is kept", "Undo everything")
	page = b.submit(stale)
	b.want(http.StatusConflict)
	page.one(".notice.bad").says("The run does not allow that right now. Nothing was changed. What can be done now: “Undo everything”.")
	checkForm(t, "a refusal", page)
	b.post("/runs/" + run + "/resume").one("#trouble").says("“Undo everything”")
	b.want(http.StatusConflict)
	b.post("/runs/"+run+"/human-response", "decision", "approve")
	b.want(http.StatusConflict)
	b.post("/runs/"+run+"/undo", "back", "//elsewhere.example")
	b.want(http.StatusOK)
	if !strings.HasPrefix(b.at, "/chat/") {
		t.Errorf("led to %s", b.at)
	}
	b.get("/plans/p1").one(".answer").says("taken back")
}

func TestAQuestionIsAnsweredFromThePage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, question, decision, input, status string }{
		{"ask", "about ask", "approve", "", "running"},
		{"ask", "about ask", "reject", "", "cancelled"},
		{"note", "about note", "approve", "done", "running"},
	} {
		s := newPlanSite(t)
		s.plan("p1")
		run := s.approve("p1", assent.RunWaitingHuman, "waiting_human", map[string]assent.StepStatus{"make": assent.StepSuccess, c.path: assent.StepWaitingHuman})
		b := s.as(s.ada)
		page := b.get("/plans/p1")
		if n := b.get("/plans").one("title").text(); !strings.HasPrefix(n, "(1) ") {
			t.Errorf("the title does not count what waits: %s", n)
		}
		page.one(".answer.wait").says(c.question, "Yes, go on", "No, stop here")
		if page.one(".answer").has("input[value=done]") != (c.path == "note") {
			t.Errorf("%s: “it is done already” is offered wrongly", c.path)
		}
		for _, f := range page.one(".answer").all("form[action=/runs/" + run + "/human-response]") {
			if f.one("input[name=decision]").attr("value") == c.decision && f.one("input[name=input]").attr("value") == c.input {
				b.submit(f)
				b.want(http.StatusOK)
			}
		}
		got, err := s.store.FindRun(t.Context(), run)
		if err != nil || string(got.Status) != c.status {
			t.Errorf("%s %s: the run is %s, %v", c.path, c.decision, got.Status, err)
		}
	}
}

func TestAdminsSeeWhatCameOfReviews(t *testing.T) {
	t.Parallel()
	s := newPlanSite(t)
	b := s.as(s.add("Chief", assent.RoleAdmin))
	b.get("/admin/plans").says("No reviews yet")
	s.plan("p1")
	s.approve("p1", assent.RunCompleted, "completed", allDone())
	page := b.get("/admin/plans")
	b.want(http.StatusOK)
	checkForm(t, "/admin/plans", page)
	page.one("tbody tr").says("Ada", "Needs changes", "1 error and 1 warning", "Have plans reviewed", "approved over the objection")
	page.silent("It is too early", "Move the office") // what a plan says is its person's
}
