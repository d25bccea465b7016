package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
)

func TestSessions(t *testing.T) {
	w := newWorld(t)
	project := w.all.api("POST", "/projects", object{"name": "Office"}).want(201).object().str("id")
	for given, want := range map[string]string{"": "general", "general": "general", "global": "general", "project_create": "project_create",
		"project": "project", "task": "task", "task_update": "task", "project_audit": "project_audit"} {
		s := w.all.api("POST", "/sessions", object{"context_type": given, "title": "T"}).want(201).object()
		checkShape(t, "created", "session", s)
		if s.str("context_type") != want || s.str("title") != "T" || len(s.list("messages")) != 0 {
			t.Errorf("context %q gives %v", given, s)
		}
	}
	about := w.all.api("POST", "/sessions", object{"context_type": "project", "entity_id": project}).want(201).object()
	if about.str("entity_id") != project {
		t.Errorf("the session is about %v", about)
	}
	for body, pointer := range map[string]string{`{"context_type": "moon"}`: "/context_type", `{"entity_id": "none"}`: "/entity_id",
		`{"title": "` + strings.Repeat("é", 101) + `"}`: "/title"} {
		if p := w.all.api("POST", "/sessions", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	id := about.str("id")
	w.all.say(id, "hello")
	s := w.all.api("GET", "/sessions/"+id, nil).want(200).object()
	checkShape(t, "read", "session", s)
	if len(s.list("messages")) != 2 || len(s.list("turns")) != 1 || s.num("last_seq") == 0 {
		t.Errorf("after one turn: %v", s)
	}
	renamed := w.all.api("PATCH", "/sessions/"+id, object{"title": "The move"}).want(200).object()
	checkShape(t, "renamed", "session", renamed)
	if renamed.str("title") != "The move" {
		t.Errorf("renamed: %v", renamed)
	}
	for _, title := range []string{"", strings.Repeat("a", 201)} {
		w.all.api("PATCH", "/sessions/"+id, object{"title": title}).problem(422, "invalid_arguments")
	}
	if a := w.all.api("DELETE", "/sessions/"+id, nil).want(204); len(a.body) != 0 {
		t.Errorf("204 with a body: %s", a.body)
	}
	for _, call := range []string{"GET", "DELETE"} {
		w.all.api(call, "/sessions/"+id, nil).problem(404, "not_found")
	}
	rows := w.all.api("GET", "/admin/usage?group_by=operation_type", nil).want(200).object().list("items")
	if len(rows) == 0 {
		t.Error("the usage rows went with the session")
	}
}

// pages reads a list to its end in pages of a size and gives the ids.
func (c caller) pages(path string, size int) []string {
	t := c.w.t
	t.Helper()
	var ids []string
	cursor, sep := "", "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	for range 100 {
		o := c.api("GET", fmt.Sprintf("%s%slimit=%d&cursor=%s", path, sep, size, cursor), nil).want(200).object()
		checkShape(t, path, "list", o)
		got := o.list("items").column("id")
		if len(got) > size {
			t.Fatalf("%s: a page of %d has %d", path, size, len(got))
		}
		ids = append(ids, got...)
		if o["next_cursor"] == nil {
			return ids
		}
		cursor = o.str("next_cursor")
	}
	t.Fatalf("%s never ends", path)
	return nil
}

func TestListsArePaged(t *testing.T) {
	w := newWorld(t)
	const n = 7
	project := w.all.api("POST", "/projects", object{"name": "P"}).want(201).object().str("id")
	made := map[string][]string{}
	for i := range n {
		s := w.all.session()
		made["/sessions"] = append(made["/sessions"], s)
		made["/plans"] = append(made["/plans"], w.all.plan(s, object{"type": "tool", "tool": "list_projects"}).str("id"))
		for _, kind := range []string{"task", "document", "milestone"} {
			path := "/" + kind + "s?project_id=" + project
			made[path] = append(made[path], w.all.api("POST", "/"+kind+"s", object{"project_id": project, "title": fmt.Sprint(i)}).want(201).object().str("id"))
		}
		w.write(func(tx *store.Tx) error {
			return tx.CreateErrorRow(assent.ErrorRow{Code: "internal", Message: "x", UserID: w.ada.ID})
		})
	}
	made["/admin/errors"] = w.all.pages("/admin/errors", 200)
	for i := range n - 2 {
		made["/admin/people"] = append(made["/admin/people"], w.person(fmt.Sprintf("p%d@example.org", i), assent.RoleMember).ID)
	}
	made["/admin/people"] = append(made["/admin/people"], w.ada.ID, w.bo.ID)
	for range n - 1 {
		w.token(w.ada, assent.ScopeRead)
	}
	made["/tokens"] = w.all.api("GET", "/tokens", nil).want(200).object().list("items").column("id")
	for path, ids := range made {
		want := slices.Sorted(slices.Values(ids))
		if len(want) != n {
			t.Errorf("%s: %d things were made", path, len(want))
		}
		for _, size := range []int{1, 3, n, 200} {
			if got := slices.Sorted(slices.Values(w.all.pages(path, size))); !slices.Equal(got, want) {
				t.Errorf("%s in pages of %d gives %v, want %v", path, size, got, want)
			}
		}
	}
	if got := w.all.pages("/plans?status=pending_review", 2); len(got) != n {
		t.Errorf("%d plans wait", len(got))
	}
	if got := w.all.pages("/plans?status=completed", 2); len(got) != 0 {
		t.Errorf("%d plans are done", len(got))
	}
	if got := w.all.pages("/plans?session_id="+made["/sessions"][3], 2); !slices.Equal(got, made["/plans"][3:4]) {
		t.Errorf("the plans of one session are %v", got)
	}
}

func TestASessionWithAnUnfinishedRunIsKept(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	run := w.all.heldRun(s)
	p := w.all.api("DELETE", "/sessions/"+s, nil).problem(409, "conflict")
	if allowed, ok := p["allowed"].([]any); !ok || len(allowed) == 0 {
		t.Errorf("it does not say what is allowed: %v", p)
	}
	w.all.api("POST", "/runs/"+run+"/actions", object{"action": "cancel"}).want(200)
	w.await("end of the report", func() bool { return w.all.api("DELETE", "/sessions/"+s, nil).status == 204 })
}

// heldRun starts a run of three steps that does not write within the hour.
func (c caller) heldRun(session string) string {
	c.w.t.Helper()
	step := object{"type": "tool", "tool": "create_project", "arguments": object{"name": "Later"}}
	p := c.plan(session, step, step, step)
	ctx, s := context.Background(), c.w.app.Store
	person, err := s.FindPlan(ctx, p.str("id"))
	if err != nil {
		c.w.t.Fatal(err)
	}
	id := app.NewIDs()
	a := assent.Approval{ID: app.NewIDs(), PlanID: p.str("id"), Version: 1, Hash: p.str("hash"), Basis: assent.BasisWords, UserID: person.UserID, At: s.Now()}
	c.w.write(func(tx *store.Tx) error {
		return tx.StartApproved(a, assent.Run{ID: id, PlanID: a.PlanID, SessionID: session, UserID: a.UserID, Version: 1, Hash: a.Hash, Status: assent.RunRunning,
			State: "plan_validated", NotBefore: s.Now() + 3_600_000, RequestedBy: a.UserID, ApprovalID: a.ID, StartedAt: s.Now()})
	})
	c.w.app.Engine.Start(ctx, assent.JobRun, id)
	return id
}

func TestHealth(t *testing.T) {
	w := newWorld(t)
	nobody := caller{w: w}
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/api/v1/openapi.json"} {
		nobody.do("GET", path, nil).want(200)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		nobody.do("HEAD", path, nil).want(200)
	}
}

// A server that has not recovered yet says so.
func TestNotReadyWhileStarting(t *testing.T) {
	t.Parallel()
	cfg, _, err := config.Load(config.Source{Env: []string{"ASSENT_DATA_DIR=" + t.TempDir(), "ASSENT_LLM_PROVIDER=offline"}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), cfg, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(t.Context())
	srv := httptest.NewServer(a.Server)
	defer srv.Close()
	c := caller{w: &world{t: t, app: a, url: srv.URL}}
	if a := c.do("GET", "/readyz", nil); a.header.Get("Retry-After") == "" || a.problem(503, "unavailable") == nil {
		t.Errorf("while starting: %s", a.body)
	}
	c.do("GET", "/healthz", nil).want(200)
}

// A conversation may be deleted while an answer is under way: the answer ends,
// and so does whatever followed it.
func TestASessionIsDeletedInMidAnswer(t *testing.T) {
	env, release := slowModel(t)
	w := newWorld(t, env...)
	s, other := w.all.session(), w.all.session()
	sent := w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "hello"}).want(202).object()
	follower := w.all.open("GET", "/api/v1/sessions/"+s+"/events", nil)
	defer follower.Body.Close()
	readEvents(t, follower.Body, 1)
	w.all.api("DELETE", "/sessions/"+s, nil).want(204)
	release()
	w.all.api("GET", "/turns/"+sent.str("turn_id"), nil).problem(404, "not_found")
	w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "hello"}).problem(404, "not_found")
	w.all.say(other, "hello")
	w.await("end of the stream", func() bool { return w.app.Hub.Connections() == 0 })
}

// While turns end, readers are answered and nothing new is taken.
func TestShuttingDown(t *testing.T) {
	env, release := slowModel(t)
	w := newWorld(t, env...)
	s := w.all.session()
	sent := w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "hello"}).want(202).object()
	w.stop()
	w.await("drain", func() bool { return w.all.do("GET", "/readyz", nil).status == 503 })
	a := w.all.do("GET", "/readyz", nil)
	a.problem(503, "unavailable")
	if a.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
	w.all.do("GET", "/healthz", nil).want(200)
	if got := w.all.turn(sent.str("turn_id")).str("status"); got != "running" {
		t.Errorf("the turn is %s", got)
	}
	w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "more"}).problem(503, "unavailable")
	w.all.api("DELETE", "/sessions/"+s, nil).problem(503, "unavailable")
	w.all.api("GET", "/sessions/"+s+"/events", nil).problem(503, "unavailable")
	release()
}

func TestTheDescriptionNamesEveryCall(t *testing.T) {
	w := newWorld(t)
	doc := caller{w: w}.api("GET", "/openapi.json", nil).want(200).object()
	if v := doc.str("openapi"); !strings.HasPrefix(v, "3.") {
		t.Errorf("the version is %q", v)
	}
	paths := doc.get("paths")
	for _, want := range []string{"post /sessions", "get /sessions", "get /sessions/{id}", "patch /sessions/{id}", "delete /sessions/{id}", "post /sessions/{id}/messages",
		"get /sessions/{id}/events", "post /messages/{id}/take-back", "get /turns/{id}", "post /turns/{id}/cancel", "get /plans", "get /plans/{id}", "post /plans/validate",
		"post /plans", "post /plans/{id}/runs", "get /runs/{id}", "post /runs/{id}/actions", "get /tools", "post /tools/{name}/calls", "get /projects", "post /projects",
		"get /tasks/{id}", "patch /tasks/{id}", "delete /tasks/{id}", "get /tasks/{id}/history", "get /documents", "post /milestones", "get /tokens", "post /tokens",
		"delete /tokens/{id}", "get /admin/people", "post /admin/people", "patch /admin/people/{id}", "get /admin/usage", "get /admin/errors", "get /admin/plan-reviews",
		"get /admin/models"} {
		method, path, _ := strings.Cut(want, " ")
		op := paths.get("/api/v1" + path).get(method)
		if op.str("summary") == "" || op.get("responses") == nil {
			t.Errorf("%s is not described: %v", want, op)
		}
	}
}
