package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"assent/internal/assent"
)

func TestATaskIsMadeChangedAndShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	page := b.submit(b.get("/projects/"+w.id+"/tasks/new").one("form#f"), "title", " Book the  removal firm ", "priority", "high",
		"milestone_id", w.milestone, "assignee_id", ada.ID, "due_date", "2027-02-01")
	b.want(http.StatusOK)
	page.one("main h1").says("Book the removal firm")
	page = b.submit(page.one("form#f"), "status", "blocked", "blocker", "Waiting for quotes", "due_date", "")
	b.want(http.StatusOK)
	page.one("[role=status]").says("Changed the task")
	page.says("Blocked. Waiting for quotes")
	b.submit(page.one("form#f"))
	b.want(http.StatusOK)
	list := b.get("/projects/" + w.id + "/tasks?status=blocked")
	list.one("tbody tr").says("Book the removal firm", "Blocked: Waiting for quotes", "High", "Ada")
	list.one("tbody tr").silent("2027")
}

// TestAStaleFormKeepsWhatWasTyped has two people open the same task. The second
// to save sees both versions, loses nothing and overwrites nothing.
func TestAStaleFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	form := b.get("/tasks/" + w.task).one("form#f")
	w.call("update_task", fmt.Sprintf(`{"task_id": %q, "title": "View five offices", "priority": "urgent", "assignee_id": "me"}`, w.task))

	page := b.submit(form, "title", "View three offices", "description", "On Monday")
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("Somebody else changed this task", "Nothing was overwritten")
	if got := page.one("#f-title").attr("value"); got != "View three offices" {
		t.Errorf("the title typed became %q", got)
	}
	page.one("#f-title-now").says("Stored now", "View five offices")
	if page.has("#f-description-now") {
		t.Error("a field that only this person changed is shown as a conflict")
	}
	if got := page.one("#f-priority option[selected]").attr("value"); got != "urgent" {
		t.Errorf("a field that only the other changed shows %q", got)
	}
	page.one("#f-priority-hint").says("taken over")
	page.one("#f-assignee_id-hint").says("taken over")
	if find[*assent.Task](s, w.task).Title != "View five offices" {
		t.Fatal("the other change was overwritten")
	}

	b.submit(page.one("form#f"))
	b.want(http.StatusOK)
	got := find[*assent.Task](s, w.task)
	if got.Title != "View three offices" || got.Description != "On Monday" || got.Priority != "urgent" {
		t.Errorf("after looking, it is %+v", got)
	}
}

func TestTasksMoveOnTheBoard(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	board := "/projects/" + w.id + "/tasks?view=board"
	page := b.get(board)
	if n := len(page.all(".column")); n != 5 {
		t.Fatalf("the board has %d columns", n)
	}
	ticket := page.one("#task-" + w.task)
	page = b.submit(ticket.one("form"), "status", "in_progress")
	if b.at != board {
		t.Errorf("moving leads to %s", b.at)
	}
	page.one("section[aria-labelledby=col-in_progress]").says("View offices")
	page.one("section[aria-labelledby=col-todo]").silent("View offices")

	page = b.submit(ticket.one("form"), "status", "done")
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("Somebody else changed this task")
	page.one("#f-status-now").says("In progress")
	b.submit(ticket.one("form"), "status", "nonsense")
	if b.status == http.StatusOK || find[*assent.Task](s, w.task).Status != "in_progress" {
		t.Error("an unknown status was taken")
	}
}

func TestTheListShowsOpenTasksAndPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("complete_task", fmt.Sprintf(`{"task_id": %q}`, w.task))
	for i := range 60 {
		w.call("create_task", fmt.Sprintf(`{"project_id": %q, "title": "Box %d"}`, w.id, i))
	}
	b := s.as(ada)
	path := "/projects/" + w.id + "/tasks"
	page := b.get(path)
	if n := len(page.all("tbody tr")); n != 50 {
		t.Errorf("a page shows %d tasks", n)
	}
	page.one("tbody").silent("View offices")
	if n := len(b.get(page.one(".pager a[rel=next]").attr("href")).all("tbody tr")); n != 11 {
		t.Errorf("the second page shows %d tasks", n)
	}
	b.get(path + "?status=done").one("tbody tr").says("View offices")
	b.get(path+"?milestone="+w.milestone).one("main").says("tasks of “Lease signed”", "Sign the lease")
	b.get(path + "?milestone=none").one("tbody").silent("Sign the lease")
	column := b.get(path + "?view=board").one("section[aria-labelledby=col-todo]")
	if n := len(column.all("li.ticket")); n != 40 {
		t.Errorf("a column shows %d tasks", n)
	}
	column.one("a.more").says("All 61")
}

func TestDependenciesAreAddedRefusedAndRemoved(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	first, second := "/tasks/"+w.task, "/tasks/"+w.other
	page := b.submit(b.get(second).one("form.inline"), "to_id", w.task)
	b.want(http.StatusOK)
	page.one("section[aria-labelledby=depends] .rows").says("View offices")
	b.get(first).one("section[aria-labelledby=blocks] .rows").says("Sign the lease")

	page = b.submit(b.get(first).one("form.inline"), "to_id", w.other)
	if b.status == http.StatusOK {
		t.Fatal("a circle was allowed")
	}
	page.one("section[aria-labelledby=depends] [role=alert]").says("Nothing was changed")

	page = b.get(b.get(second).one("section[aria-labelledby=depends] a.icon").attr("href"))
	page.one("main h1").says("Sign the lease", "View offices")
	page = b.submit(page.one("form#f"))
	if b.at != second {
		t.Errorf("removing leads to %s", b.at)
	}
	page.one("section[aria-labelledby=depends]").says("It can start at once")
}
