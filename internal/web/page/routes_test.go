package page_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// fill puts the ids of a world into a route's path.
func (w world) fill(path string) string {
	id := map[string]string{"projects": w.id, "tasks": w.task, "documents": w.document, "milestones": w.milestone, "goals": w.goal,
		"risks": w.risk, "decisions": w.decision, "chat": "session", "messages": "message"}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		switch {
		case p == ":version":
			parts[i] = "1"
		case p == ":user":
			parts[i] = w.owner.ID
		case p == ":id" && parts[i-1] == "relations":
			rels, _ := w.site.store.ListRelationsOf(w.site.t.Context(), w.task)
			parts[i] = rels[0].ID
		case p == ":id" && parts[i-1] == "revisions":
			revs, _ := w.site.store.ListRevisions(w.site.t.Context(), w.task, 0, 1)
			parts[i] = revs[0].ID
		case p == ":id" && id[parts[i-1]] != "":
			parts[i] = id[parts[i-1]]
		case strings.HasPrefix(p, ":"):
			parts[i] = "nothing"
		}
	}
	return strings.Join(parts, "/")
}

// mine are the routes that these tests know; the conversation has its own.
func mine(path string) bool {
	first := strings.Split(strings.TrimPrefix(path, "/"), "/")[0]
	return slices.Contains([]string{"projects", "tasks", "documents", "milestones", "goals", "risks", "decisions", "relations", "revisions",
		"search", "plans", "settings", "admin"}, first) && !strings.HasPrefix(path, "/plans/:id")
}

// TestEveryPageOfAProjectIsForItsPeopleOnly asks for every address that names a
// thing, to read and to write, as somebody who is not in the project.
func TestEveryPageOfAProjectIsForItsPeopleOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("create_relation", `{"from_id": "`+w.task+`", "to_id": "`+w.other+`"}`)
	owner, stranger := s.as(ada), s.as(s.add("Eve", assent.RoleMember))
	before, err := s.store.ListProjectEntities(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.pages.Routes() {
		if !mine(r.Path) || !strings.Contains(r.Path, ":") || strings.HasPrefix(r.Path, "/admin") {
			continue
		}
		path := w.fill(r.Path)
		stranger.do(r.Method, path, map[string][]string{"revision": {"1"}, "status": {"done"}})
		if stranger.status != http.StatusNotFound {
			t.Errorf("%s %s answers a stranger with %d", r.Method, r.Path, stranger.status)
		}
		if r.Method == http.MethodGet && !strings.Contains(r.Path, "/tokens/") {
			owner.get(path)
			if owner.status != http.StatusOK {
				t.Errorf("%s answers its owner with %d", r.Path, owner.status)
			}
		}
	}
	after, err := s.store.ListProjectEntities(t.Context(), w.id)
	if err != nil || len(after) != len(before) {
		t.Errorf("there were %d things, now %d (%v)", len(before), len(after), err)
	}
}

func TestTheAdministrationIsForAdminsOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	s.write(func(tx *store.Tx) error {
		return tx.CreateSession(assent.Session{ID: "session", UserID: ada.ID, Title: "Private", CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	member := s.as(s.add("Bo", assent.RoleMember))
	for _, r := range s.pages.Routes() {
		if strings.HasPrefix(r.Path, "/admin") {
			if member.do(r.Method, w.fill(r.Path), nil); member.status != http.StatusForbidden {
				t.Errorf("%s %s answers a member with %d", r.Method, r.Path, member.status)
			}
		}
	}
	member.get("/projects").silent("Administration")
}

// TestEveryPageKeepsItsForm holds for every page that is opened without words
// in the address: a title, one main heading, a language, labels for all fields,
// and nothing that the content policy forbids.
func TestEveryPageKeepsItsForm(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	w.call("create_relation", `{"from_id": "`+w.task+`", "to_id": "`+w.other+`"}`)
	b := s.as(ada)
	for _, r := range s.pages.Routes() {
		if r.Method != http.MethodGet || !mine(r.Path) || strings.HasSuffix(r.Path, ".csv") || strings.Contains(w.fill(r.Path), "nothing") {
			continue
		}
		checkForm(t, r.Path, b.get(w.fill(r.Path)))
	}
	out := s.browser()
	for _, path := range []string{"/login", "/signup"} {
		checkForm(t, path, out.get(path))
	}
}

func checkForm(t *testing.T, path string, page node) {
	t.Helper()
	if page.one("title").text() == "Assent" || page.one("html").attr("lang") != "en" {
		t.Errorf("%s has no title or no language", path)
	}
	if n := len(page.all("h1")); n != 1 {
		t.Errorf("%s has %d main headings", path, n)
	}
	if page.has("[style]") || page.has("[onclick]") || page.has("style") {
		t.Errorf("%s has inline styles or scripts", path)
	}
	for _, x := range page.all("script") {
		if x.attr("src") == "" {
			t.Errorf("%s has an inline script", path)
		}
	}
	ids := map[string]bool{}
	for _, x := range page.all("[id]") {
		if ids[x.attr("id")] {
			t.Errorf("%s has the id %q twice", path, x.attr("id"))
		}
		ids[x.attr("id")] = true
	}
	for _, name := range []string{"input", "select", "textarea"} {
		for _, f := range page.all(name) {
			if f.attr("type") != "hidden" && f.attr("aria-label") == "" && f.attr("aria-hidden") == "" && !page.has("label[for="+f.attr("id")+"]") {
				t.Errorf("%s has a %s without a label: %q", path, name, f.attr("name"))
			}
		}
	}
	for _, f := range page.all("form[method=post]") {
		if !f.has("input[name=csrf]") {
			t.Errorf("%s has a form without a token: %s", path, f.attr("action"))
		}
	}
}
