package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool/workspace"
)

func TestNoProjectsSayWhatToDo(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.as(s.add("Ada", assent.RoleAdmin))
	page := b.get("/projects")
	page.one("main .empty").says("No projects yet", "Describe it in a chat", "Fill in a form")
}

func TestAProjectIsMadeFromATemplate(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	if err := workspace.EnsureTemplates(t.Context(), s.store); err != nil {
		t.Fatal(err)
	}
	b := s.as(s.add("Ada", assent.RoleAdmin))
	form := b.get("/projects/new").one("form#f")
	templates := form.all("#f-template_id option")
	if len(templates) < 2 {
		t.Fatal("no template is offered")
	}
	page := b.submit(form, "name", "Office move", "template_id", templates[1].attr("value"), "due_date", "2027-03-31")
	b.want(http.StatusOK)
	page.one("main h1").says("Office move")
	page.one("[role=status]").says("Created project")
	page.says("31 Mar 2027", "0 of ")
	if page.has("section[aria-labelledby=next-tasks] .nothing") {
		t.Error("the template brought no tasks")
	}
}

func TestARefusedProjectKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.as(s.add("Ada", assent.RoleAdmin))
	page := b.submit(b.get("/projects/new").one("form#f"), "name", "Office move", "start_date", "2027-05-01", "due_date", "2027-03-31", "description", "Two\r\nlines")
	b.want(http.StatusUnprocessableEntity)
	page.one("[role=alert]").says("Nothing was changed", "What you typed is still here")
	page.one("#f-due_date-error").says("before the start")
	if page.one("#f-due_date").attr("aria-invalid") != "true" || page.one("#f-name").attr("value") != "Office move" {
		t.Error("the field is not marked, or the name is lost")
	}
	if got := rawText(page.one("#f-description")); got != "Two\nlines" {
		t.Errorf("the description became %q", got)
	}
}

func TestProjectsAreListedByWhatIsUnderWayAndPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("complete_task", fmt.Sprintf(`{"task_id": %q}`, w.task))
	for i := range 27 {
		w.call("create_project", fmt.Sprintf(`{"name": "Later %d", "status": "on_hold"}`, i))
	}
	w.call("create_project", `{"name": "Long gone", "status": "archived"}`)
	b := s.as(ada)
	page := b.get("/projects")
	rows := page.all("tbody tr")
	if len(rows) != 25 {
		t.Fatalf("the first page shows %d projects", len(rows))
	}
	rows[0].says("Office move", "Active", "31 Mar 2027", "1 of 2", "You")
	page.one("tbody").silent("Long gone")
	page.one(".pager").says("Page 1 of 2")
	if n := len(b.get(page.one(".pager a[rel=next]").attr("href")).all("tbody tr")); n != 3 {
		t.Errorf("the second page shows %d projects", n)
	}
	if n := len(b.get("/projects?status=archived").all("tbody tr")); n != 1 {
		t.Errorf("%d projects are archived", n)
	}
}

func TestTheOverviewTellsHowAProjectStands(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("update_task", fmt.Sprintf(`{"task_id": %q, "status": "blocked", "blocker": "The bank", "priority": "urgent"}`, w.task))
	page := s.as(ada).get("/projects/" + w.id)
	page.says("0 of 2", "31 Mar 2027", "Lease signed", "15 Nov 2026", "2 overdue, 1 blocked, 1 open risk", "Blocked: The bank",
		"Nobody loses a working day", "The fit-out is late", "Leith", "Owner: Ada")
	ask := page.one("main .top a.primary")
	ask.says("Ask about this project")
	if want := "/chat?context_type=project&entity_id=" + w.id; ask.attr("href") != want {
		t.Errorf("asking leads to %s", ask.attr("href"))
	}
	page.one("nav.tabs a[aria-current]").says("Overview")
}

func TestMilestonesShowHowFarTheyAre(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("complete_task", fmt.Sprintf(`{"task_id": %q}`, w.task))
	w.call("create_task", fmt.Sprintf(`{"project_id": %q, "title": "Loose end"}`, w.id))
	page := s.as(ada).get("/projects/" + w.id + "/milestones")
	row := page.one("section[aria-labelledby=milestones] li")
	row.says("Lease signed", "1 of 2 tasks done", "15 Nov 2026", "Open")
	bar := row.one("progress")
	if bar.attr("value") != "1" || bar.attr("max") != "2" || !row.has(".overdue") {
		t.Error("the bar is wrong, or the passed date is not marked")
	}
	page.says("1 task without a milestone")
}

func TestHealthIsWhatTheToolSays(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("update_task", fmt.Sprintf(`{"task_id": %q, "status": "blocked", "blocker": "The bank"}`, w.task))
	report := w.call("project_health", fmt.Sprintf(`{"project_id": %q}`, w.id))
	page := s.as(ada).get("/projects/" + w.id + "/health")
	page.says(fmt.Sprintf("%.0f of 100", report["score"]), "overdue", "blocked")
	for _, f := range report["findings"].([]any) {
		page.says(f.(map[string]any)["text"].(string))
	}
	if page.one("meter").attr("value") != fmt.Sprintf("%.0f", report["score"]) {
		t.Error("the meter shows another score")
	}
}

func TestMembersSeeTheProjectUntilTheyAreRemoved(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	w := s.project(ada, "Office move")
	owner, member, path := s.as(ada), s.as(bo), "/projects/"+w.id
	page := owner.submit(owner.get(path+"/members").one("form#member"), "email", "nobody@example.org")
	owner.want(http.StatusUnprocessableEntity)
	page.one("#member-email-error").says("Nobody with this address")
	page = owner.submit(page.one("form#member"), "email", " BO@example.org ")
	page.one("[role=status]").says("Added Bo")
	page.says("bo@example.org")

	page = member.get(path + "/members")
	member.want(http.StatusOK)
	if page.has("form#member") || page.has(".rows form") {
		t.Error("a member is offered to manage members")
	}
	member.post(path+"/members", "email", "ada@example.org")
	member.want(http.StatusForbidden)
	member.post(path + "/members/" + bo.ID + "/remove")
	member.want(http.StatusForbidden)
	member.submit(member.get("/tasks/"+w.task).one("form#f"), "status", "done")
	if find[*assent.Task](s, w.task).Status != "done" {
		t.Error("a member could not change a task")
	}
	member.post(path+"/delete", "revision", "1")
	member.want(http.StatusForbidden)
	if s.gone(w.id) {
		t.Error("a member deleted the project")
	}

	owner.submit(owner.get(path + "/members").one(".rows form"))
	member.get(path)
	member.want(http.StatusNotFound)
	member.get("/projects").one("main").silent("Office move")
}

func TestSearchFindsWhatOneMaySee(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	w := s.project(ada, "Office move")
	s.write(func(tx *store.Tx) error {
		if err := tx.CreateSession(assent.Session{ID: "s", UserID: ada.ID, ContextType: assent.ContextGeneral, Title: "About the lease", CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		return tx.CreateMessage(assent.Message{ID: "m", SessionID: "s", Role: assent.RoleUser, Content: "Is the lease signed?", CreatedAt: tx.Now()})
	})
	b := s.as(ada)
	b.get("/search").says("Searches names and texts")
	page := b.get("/search?q=leas")
	page.says("Lease signed", "Sign the lease", "About the lease", "in Office move")
	for _, m := range page.all("mark") {
		if !strings.HasPrefix(strings.ToLower(m.text()), "leas") {
			t.Errorf("%q is marked", m.text())
		}
	}
	if n := len(page.all("mark")); n < 4 {
		t.Errorf("%d words are marked", n)
	}
	page = b.get("/search?q=leas&kind=session")
	page.one(".hits li").says("About the lease", "Conversation", "Is the lease signed?")
	if page.one(".hits a").attr("href") != "/chat/s" {
		t.Error("the hit leads elsewhere")
	}
	b.get("/search?q=leas&kind=milestone").one(".hits li").says("Lease signed")
	b.get("/search?q=zzz").one("main .empty").says("Nothing found", "zzz")
	b.get("/search?q=" + `%22%29+OR+*`)
	b.want(http.StatusOK)
	s.as(bo).get("/search?q=leas").one("main").silent("Lease signed", "About the lease")
	if w.id == "" {
		t.Error("no project")
	}
}

func TestPlansAreListedByStatusAndLeadIntoTheChat(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	s.write(func(tx *store.Tx) error {
		if err := tx.CreateSession(assent.Session{ID: "s", UserID: ada.ID, Title: "Office move", CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		for i := range 35 {
			id := fmt.Sprintf("p%02d", i)
			status := assent.PlanCompleted
			if i == 3 {
				status = assent.PlanPendingReview
			}
			if err := tx.CreatePlan(assent.Plan{ID: id, SessionID: "s", UserID: ada.ID, Objective: "Objective " + id, Status: status, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
				return err
			}
			if err := tx.CreatePlanVersion(assent.Version{PlanID: id, Version: 1, Document: assent.PlanDocument{Objective: "Objective " + id, Steps: []assent.Step{{ID: "a"}, {ID: "b"}}}, Preview: assent.NewPreview()}); err != nil {
				return err
			}
		}
		return nil
	})
	b := s.as(ada)
	row := b.get("/plans?status=pending_review").one("tbody tr")
	row.says("Objective p03", "Waiting for your word", "2", "Office move")
	if got := row.one("th a").attr("href"); got != "/plans/p03" {
		t.Errorf("the plan leads to %s", got)
	}
	if got := row.one("td a").attr("href"); got != "/chat/s#plan-p03" {
		t.Errorf("its conversation is at %s", got)
	}
	page := b.get("/plans")
	page.all("tbody tr")[0].says("Objective p03") // what waits comes first
	page.one(".filters").says("All 35", "Waiting for your word 1", "Completed 34")
	if n := len(page.all("tbody tr")); n != 30 {
		t.Errorf("a page shows %d plans", n)
	}
	if n := len(b.get(page.one(".pager a[rel=next]").attr("href")).all("tbody tr")); n != 5 {
		t.Errorf("the second page shows %d plans", n)
	}
	other := s.as(bo)
	other.get("/plans").one("main .empty").says("No plans yet", "New chat")
	other.get("/plans/p03")
	other.want(http.StatusNotFound)
}
