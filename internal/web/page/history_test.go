package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"assent/internal/assent"
)

func TestADeletionAsksSaysWhatGoesAndIsUndone(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	page := b.get("/milestones/" + w.milestone + "/delete")
	page.one("main h1").says("Delete the milestone “Lease signed”?")
	page.says("2 tasks of it stay in the project")
	if s.gone(w.milestone) {
		t.Fatal("asking deleted it")
	}
	page = b.submit(page.one("form#f"))
	if !s.gone(w.milestone) || b.at != "/projects/"+w.id+"/milestones" {
		t.Fatalf("not deleted, or at %s", b.at)
	}
	page.one("[role=status]").says("Deleted the milestone “Lease signed”")

	page = b.get("/projects/" + w.id + "/history")
	page.one("main").says("You deleted the milestone", "by hand", "21 Nov 2026")
	for _, li := range page.all(".changes li") {
		if li.has("form") && li.one("form button").attr("aria-label") == "Undo: You deleted the milestone “Lease signed”" {
			page = b.submit(li.one("form"))
			break
		}
	}
	page.one("[role=status]").says("Undone")
	if s.gone(w.milestone) {
		t.Error("it is still gone")
	}
}

func TestAStaleDeletionAsksAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	form := b.get("/tasks/" + w.task + "/delete").one("form#f")
	w.call("update_task", fmt.Sprintf(`{"task_id": %q, "title": "View five offices"}`, w.task))
	page := b.submit(form)
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("changed by someone else", "Nothing was deleted")
	page.one("main h1").says("View five offices")
	b.submit(page.one("form#f"))
	if !s.gone(w.task) {
		t.Error("after looking again, it is still there")
	}
}

func TestHistoryTellsWhoChangedWhatAndHow(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	w := s.project(ada, "Office move")
	owner := s.as(ada)
	owner.submit(owner.get("/projects/"+w.id+"/members").one("form#member"), "email", "bo@example.org")
	member := s.as(bo)
	member.submit(member.get("/tasks/"+w.task).one("form#f"), "due_date", "2026-12-24", "assignee_id", bo.ID)
	change := owner.get("/tasks/" + w.task + "/history").all(".changes li")[0]
	change.says("Bo changed the task", "by hand", "Due", "15 November 2026", "24 December 2026", "Assigned to", "Bo")
	if !change.has("del") || !change.has("ins") {
		t.Error("the change is not marked")
	}
	made := owner.get("/tasks/" + w.task + "/history").all(".changes li")[1]
	made.says("You created the task", "in a conversation")
}

func TestUndoRestoresOneChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	b.submit(b.get("/goals/"+w.goal+"/edit").one("form#f"), "title", "Another goal", "status", "met")
	page := b.submit(b.get("/goals/" + w.goal + "/history").all(".changes li")[0].one("form"))
	page.one("[role=status]").says("Undone")
	if g := find[*assent.Goal](s, w.goal); g.Title != "Nobody loses a working day" || g.Status != "open" {
		t.Errorf("the goal is %+v", g)
	}
	page = b.get("/goals/" + w.goal + "/history")
	page.all(".changes li")[0].says("undid a change of")
	if page.all(".changes li")[1].has("form") {
		t.Error("an undone change is offered to be undone again")
	}
}

// TestUndoNeverOverwrites has somebody change the thing once more: the older
// change cannot be taken back, and the page says why and what is there now.
func TestUndoNeverOverwrites(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	b.submit(b.get("/tasks/"+w.task).one("form#f"), "title", "First")
	form := b.get("/tasks/" + w.task + "/history").all(".changes li")[0].one("form")
	w.call("update_task", fmt.Sprintf(`{"task_id": %q, "title": "Second"}`, w.task))
	page := b.submit(form)
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("This cannot be undone", "changed again since", "Nothing was changed")
	page.one("section[aria-labelledby=since]").says("Title", "First", "Second")
	if find[*assent.Task](s, w.task).Title != "Second" {
		t.Error("the later change was overwritten")
	}
}

func TestUndoOfACreationDeletes(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	b.submit(b.get("/risks/" + w.risk + "/history").one(".changes form"))
	if !s.gone(w.risk) {
		t.Error("the risk is still there")
	}
}

// TestADeletedProjectComesBackWhole: after deleting a project its pages are
// gone, so the way back is shown at once, and it brings everything back.
func TestADeletedProjectComesBackWhole(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, eve := s.add("Ada", assent.RoleAdmin), s.add("Eve", assent.RoleMember)
	w := s.project(ada, "Office move")
	w.call("create_relation", fmt.Sprintf(`{"from_id": %q, "to_id": %q}`, w.other, w.task))
	before, err := s.store.ListProjectEntities(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	b := s.as(ada)
	page := b.get("/projects/" + w.id + "/delete")
	page.says("1 goal, 1 milestone, 2 tasks, 1 document, 1 risk and 1 decision go with it")
	page = b.submit(page.one("form#f"))
	if !s.gone(w.id) || !s.gone(w.task) {
		t.Fatal("it is still there")
	}
	page.one(".change").says("You deleted the project", "Office move")
	stranger := s.as(eve)
	stranger.get(b.at)
	stranger.want(http.StatusNotFound)

	b.submit(page.one(".change form"))
	b.want(http.StatusOK)
	after, err := s.store.ListProjectEntities(t.Context(), w.id)
	if err != nil || len(after) != len(before) {
		t.Errorf("there were %d things, %d came back (%v)", len(before), len(after), err)
	}
	b.get("/tasks/" + w.other).one("section[aria-labelledby=depends] .rows").says("View offices")
}
