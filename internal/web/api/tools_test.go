package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/web"
	"assent/internal/web/api"
)

func TestTools(t *testing.T) {
	w := newWorld(t)
	list := w.all.api("GET", "/tools", nil).want(200).object()
	checkShape(t, "tools", "list", list)
	effects := map[string]string{}
	for _, o := range list.list("items") {
		checkShape(t, o.str("name"), "tool", o)
		if o.get("input_schema").str("type") != "object" || o.get("output_schema").str("type") != "object" {
			t.Errorf("%s has no schemas", o.str("name"))
		}
		effects[o.str("name")] = o.str("effect")
	}
	if len(effects) < 24 || effects["create_project"] != "write" || effects["delete_project"] != "destructive" || effects["search"] != "read" {
		t.Errorf("the tools are %v", effects)
	}
}

// call calls a tool and gives the envelope.
func (c caller) call(name string, args any) object {
	c.w.t.Helper()
	o := c.api("POST", "/tools/"+name+"/calls", object{"arguments": args}).want(200).object()
	if o["success"] == true {
		checkShape(c.w.t, name, "success", o)
	} else {
		checkShape(c.w.t, name, "failure", o)
	}
	return o
}

func TestToolCallsAnswerWithTheEnvelope(t *testing.T) {
	w := newWorld(t)
	made := w.all.call("create_project", object{"name": "Office"})
	id := made.get("output").str("artifact_id")
	if made["success"] != true || id == "" || made.get("output").get("artifact").str("name") != "Office" {
		t.Errorf("made: %v", made)
	}
	if alias := w.all.call("create_onto_project", object{"name": "By alias"}); alias["success"] != true {
		t.Errorf("by alias: %v", alias)
	}
	for name, tc := range map[string]struct {
		tool string
		args any
		code string
		at   []string
	}{
		"missing":        {"create_project", object{}, "invalid_arguments", []string{"/name"}},
		"unknown, wrong": {"create_project", object{"name": 5, "colour": "red"}, "invalid_arguments", []string{"/colour", "/name"}},
		"no object":      {"create_project", []int{1}, "invalid_arguments", nil},
		"text":           {"create_project", "x", "invalid_arguments", nil},
		"absent thing":   {"get_project", object{"project_id": "none"}, "not_found", nil},
		"stale":          {"update_project", object{"project_id": id, "name": "New", "revision": 9}, "stale", nil},
	} {
		o := w.all.call(tc.tool, tc.args)
		e := o.get("error")
		if o["success"] != false || e.str("code") != tc.code {
			t.Errorf("%s: %v", name, o)
		}
		if got := slices.Sorted(slices.Values(e.get("details").list("errors").column("pointer"))); tc.at != nil && !slices.Equal(got, tc.at) {
			t.Errorf("%s names %v", name, got)
		}
	}
	for _, body := range []string{`{}`, `{"arguments": null}`, `{"arguments": {}}`} {
		if o := w.all.api("POST", "/tools/list_projects/calls", body).want(200).object(); o["success"] != true {
			t.Errorf("%s: %v", body, o)
		}
	}
	for _, name := range []string{"fly", "..", "%00", "list_projects%2F", strings.Repeat("a", 3000)} {
		o := w.all.api("POST", "/tools/"+name+"/calls", object{"arguments": object{}}).want(200).object()
		if o["success"] != false || o.get("error").str("code") != "unknown_tool" {
			t.Errorf("%.20s: %v", name, o)
		}
	}
	w.all.api("POST", "/tools//calls", object{"arguments": object{}}).problem(404, "not_found")
}

// A tool of a server has a slash in its name, which stands in a path as %2F.
func TestAToolNameMayHaveASlash(t *testing.T) {
	w := newWorld(t)
	type said struct {
		Text string `json:"text"`
	}
	echoes := func(name string) *tool.Tool {
		return tool.New(tool.Def{Name: name, Description: "Says it again.", Effect: assent.EffectRead}, func(_ context.Context, _ tool.Call, a said) (tool.Result[said], error) {
			return tool.Result[said]{ArtifactID: "1", Artifact: a}, nil
		})
	}
	names := []string{"demo/echo", "100%", "a b", "é"}
	var tools []*tool.Tool
	for _, n := range names {
		tools = append(tools, echoes(n))
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Options{Auth: w.app.Accounts, IDs: app.NewIDs, Log: slog.New(slog.DiscardHandler)})
	(&api.Resources{Store: w.app.Store, Executor: tool.NewExecutor(registry, w.app.Schemas, w.app.Store, time.Now), Metrics: http.NotFoundHandler()}).Register(server)
	srv := httptest.NewServer(server)
	defer srv.Close()
	c := caller{w: &world{t: t, url: srv.URL}, secret: w.all.secret}
	for _, n := range names {
		if o := c.call(url.PathEscape(n), object{"text": "hi"}); o.get("output").get("artifact").str("text") != "hi" {
			t.Errorf("%s: %v", n, o)
		}
	}
	c.api("POST", "/tools/demo/echo/calls", object{"arguments": object{"text": "hi"}}).problem(404, "not_found")
}

// The scopes are those of design 06: reads are read, built-in writes chat,
// destructive calls approve.
func TestToolCallsNeedTheScopeOfTheirEffect(t *testing.T) {
	w := newWorld(t)
	id := w.all.call("create_project", object{"name": "Office"}).get("output").str("artifact_id")
	read, chat, approve := w.token(w.ada, assent.ScopeRead), w.token(w.ada, assent.ScopeChat), w.token(w.ada, assent.ScopeApprove)
	call := func(c caller, tool string, args object) answer {
		return c.api("POST", "/tools/"+tool+"/calls", object{"arguments": args})
	}
	call(read, "list_projects", object{}).want(200)
	call(read, "create_project", object{"name": "x"}).problem(403, "not_permitted")
	call(chat, "list_projects", object{}).problem(403, "not_permitted")
	call(approve, "create_project", object{"name": "x"}).problem(403, "not_permitted")
	call(chat, "create_project", object{"name": "x"}).want(200)
	call(chat, "delete_project", object{"project_id": id}).problem(403, "not_permitted")
	chat.api("DELETE", "/projects/"+id, nil).problem(403, "not_permitted")
	w.all.api("GET", "/projects/"+id, nil).want(200)
	// With approve, the request is the person's word.
	if o := approve.call("delete_project", object{"project_id": id}); o["success"] != true {
		t.Errorf("deleting: %v", o)
	}
	w.all.api("GET", "/projects/"+id, nil).problem(404, "not_found")
}

// A model that calls a destructive tool gets a plan of one step that waits.
func TestAModelsDestructiveCallWaitsAsAPlan(t *testing.T) {
	w := newWorld(t)
	id := w.all.call("create_project", object{"name": "Office"}).get("output").str("artifact_id")
	s := w.all.session()
	r := w.app.Executor.Execute(t.Context(), tool.Call{ToolCall: assent.ToolCall{ID: "c", Tool: "delete_project", Arguments: []byte(`{"project_id": "` + id + `"}`)},
		Scope: assent.Scope{Person: w.ada, SessionID: s, Caller: assent.CallerModel}})
	if r.Err == nil || r.Err.Code != assent.CodeConfirmationRequired || r.Err.Details["plan_id"] == "" || r.Err.Details["version"] != int64(1) {
		t.Fatalf("the call gives %v", r)
	}
	p := w.all.api("GET", "/plans?session_id="+s+"&status=pending_review", nil).want(200).object().list("items")
	if len(p) != 1 || p[0].str("id") != r.Err.Details["plan_id"] {
		t.Fatalf("what waits is %v", p)
	}
	if got := p[0].get("preview").get("deletes").num("project"); got != 1 {
		t.Errorf("the card says that %d projects go", got)
	}
	w.all.api("GET", "/projects/"+id, nil).want(200)
	run := w.all.api("POST", "/plans/"+p[0].str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202).object().str("id")
	w.all.ended(run, "completed")
	w.all.api("GET", "/projects/"+id, nil).problem(404, "not_found")
}

func TestEntities(t *testing.T) {
	w := newWorld(t)
	project := w.all.api("POST", "/projects", object{"name": "Office", "due_date": "2027-03-31"}).want(201).object()
	entity(t, project, "project", 1)
	id := project.str("id")
	for kind, change := range map[string]object{
		"goal": {"title": "New"}, "milestone": {"title": "New", "due_date": "2027-01-01"}, "task": {"status": "in_progress", "priority": "high"},
		"document": {"body": "# New"}, "risk": {"impact": "high"}, "decision": {"rationale": "Because."},
	} {
		base := "/" + kind + "s"
		made := w.all.api("POST", base, object{"project_id": id, "title": "First"}).want(201).object()
		entity(t, made, kind, 1)
		one := base + "/" + made.str("id")
		a := w.all.api("GET", one, nil).want(200)
		entity(t, a.object(), kind, 1)
		if tag := a.header.Get("ETag"); tag != `"1"` {
			t.Errorf("%s: the ETag is %s", kind, tag)
		}
		changed := w.all.api("PATCH", one, change, "If-Match", `"1"`).want(200).object()
		entity(t, changed, kind, 2)
		for key, want := range change {
			if changed[key] != want {
				t.Errorf("%s: %s is %v, want %v", kind, key, changed[key], want)
			}
		}
		for _, tag := range []string{`"1"`, `1`, `W/"1"`, `"99"`} {
			w.all.api("PATCH", one, change, "If-Match", tag).problem(412, "precondition_failed")
			w.all.api("DELETE", one, nil, "If-Match", tag).problem(412, "precondition_failed")
		}
		for _, tag := range []string{`"x"`, `""`, `"1", "2"`, `"1.5"`} {
			w.all.api("PATCH", one, change, "If-Match", tag).problem(422, "invalid_arguments")
		}
		w.all.api("PATCH", one, change, "If-Match", "*").want(200) // changes nothing, so there is no revision 3
		history := w.all.api("GET", one+"/history?limit=1", nil).want(200).object()
		checkShape(t, "history", "list", history)
		if got := w.all.revisions(one); !slices.Equal(got, []int64{2, 1}) {
			t.Errorf("%s: the revisions are %v", kind, got)
		}
		if got := w.all.api("GET", base+"?project_id="+id, nil).object().list("items").column("id"); !slices.Equal(got, []string{made.str("id")}) {
			t.Errorf("%s: the list is %v", kind, got)
		}
		if got := w.all.api("GET", base+"?project_id=none", nil).want(200).object().list("items"); len(got) != 0 {
			t.Errorf("%s: the list of no project is %v", kind, got)
		}
		w.all.api("DELETE", one, nil, "If-Match", `"2"`).want(204)
		w.all.api("GET", one, nil).problem(404, "not_found")
		w.all.api("DELETE", one, nil).problem(404, "not_found")
	}
	w.all.api("PATCH", "/projects/"+id, object{"status": "active"}, "If-Match", `"1"`).want(200)
	w.all.api("DELETE", "/projects/"+id, nil).want(204)
}

// Of several who change the same revision one wins.
func TestOneOfManyWritersWins(t *testing.T) {
	w := newWorld(t)
	one := "/projects/" + w.all.api("POST", "/projects", object{"name": "Office"}).want(201).object().str("id")
	statuses := make([]int, 12)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			statuses[i] = w.all.api("PATCH", one, object{"name": fmt.Sprint("Name ", i)}, "If-Match", `"1"`).status
		})
	}
	all.Wait()
	slices.Sort(statuses)
	if statuses[0] != 200 || slices.ContainsFunc(statuses[1:], func(s int) bool { return s != 412 }) {
		t.Errorf("the answers are %v", statuses)
	}
	if got := w.all.revisions(one); !slices.Equal(got, []int64{2, 1}) {
		t.Errorf("the revisions are %v", got)
	}
}

// Who is made a member sees a project and its things; who no longer is does not.
func TestMembersSeeAProject(t *testing.T) {
	w := newWorld(t)
	id := w.all.api("POST", "/projects", object{"name": "Office"}).want(201).object().str("id")
	task := w.all.api("POST", "/tasks", object{"project_id": id, "title": "T"}).want(201).object().str("id")
	w.write(func(tx *store.Tx) error { return tx.AddMember(id, w.bo.ID) })
	w.theirs.api("GET", "/tasks/"+task, nil).want(200)
	w.theirs.api("PATCH", "/tasks/"+task, object{"title": "By Bo"}).want(200)
	if got := w.theirs.pages("/projects", 5); !slices.Equal(got, []string{id}) {
		t.Errorf("a member sees %v", got)
	}
	w.write(func(tx *store.Tx) error { return tx.RemoveMember(id, w.bo.ID) })
	w.theirs.api("GET", "/tasks/"+task, nil).problem(404, "not_found")
	if got := w.theirs.pages("/tasks", 5); len(got) != 0 {
		t.Errorf("somebody who is no member sees %v", got)
	}
}

func entity(t *testing.T, o object, kind string, revision int64) {
	t.Helper()
	if o.str("kind") != kind || o.num("revision") != revision || o.str("id") == "" || o.str("project_id") == "" || !rfc3339.MatchString(o.str("updated_at")) {
		t.Errorf("want revision %d of a %s: %v", revision, kind, o)
	}
}

// revisions reads a history in pages of one.
func (c caller) revisions(one string) []int64 {
	var out []int64
	cursor := ""
	for range 10 {
		o := c.api("GET", one+"/history?limit=1&cursor="+cursor, nil).want(200).object()
		for _, r := range o.list("items") {
			out = append(out, r.num("revision"))
		}
		if o["next_cursor"] == nil {
			break
		}
		cursor = o.str("next_cursor")
	}
	return out
}

func TestEntitiesAreChecked(t *testing.T) {
	w := newWorld(t)
	id := w.all.api("POST", "/projects", object{"name": "Office"}).want(201).object().str("id")
	task := w.all.api("POST", "/tasks", object{"project_id": id, "title": "T"}).want(201).object().str("id")
	for name, tc := range map[string]struct {
		method, path string
		body         object
		at           []string
	}{
		"a date that is none":   {"POST", "/projects", object{"name": "x", "due_date": "soon"}, []string{"/due_date"}},
		"a day that is none":    {"POST", "/projects", object{"name": "x", "due_date": "2027-02-30"}, []string{"/due_date"}},
		"a status that is none": {"PATCH", "/tasks/" + task, object{"status": "flying"}, []string{"/status"}},
		"several":               {"PATCH", "/tasks/" + task, object{"status": "flying", "priority": 7, "colour": 1}, []string{"/colour", "/priority", "/status"}},
		"an empty name":         {"POST", "/projects", object{"name": ""}, []string{"/name"}},
	} {
		p := w.all.api(tc.method, tc.path, tc.body).problem(422, "invalid_arguments")
		if got := slices.Compact(slices.Sorted(slices.Values(p.pointers()))); !slices.Equal(got, tc.at) {
			t.Errorf("%s names %v, want %v", name, got, tc.at)
		}
	}
	w.all.api("POST", "/tasks", object{"project_id": "none", "title": "x"}).problem(404, "not_found")
	// The id of another thing in the body is not another way in.
	other := w.all.api("POST", "/tasks", object{"project_id": id, "title": "Other"}).want(201).object().str("id")
	if a := w.all.api("PATCH", "/tasks/"+task, object{"task_id": other, "title": "X"}); a.status == 200 && a.object().str("id") != task {
		t.Errorf("the body led to another task: %s", a.body)
	}
	if got := w.all.api("GET", "/tasks/"+other, nil).object().str("title"); got != "Other" {
		t.Errorf("the other task is %q", got)
	}
	w.all.api("GET", "/projects/"+task, nil).problem(404, "not_found")
	w.all.api("DELETE", "/documents/"+task, nil).problem(404, "not_found")
}

func TestModelsAreShownWithoutKeys(t *testing.T) {
	w := newWorld(t, "ASSENT_LLM_PROVIDER=openai", "OPENAI_API_KEY=very-secret", "ASSENT_OPENAI_BASE_URL=http://127.0.0.1:1", "ASSENT_OPENAI_MODEL=m1")
	a := w.all.api("GET", "/admin/models", nil).want(200)
	o := a.object()
	if o.get("providers").get("openai").str("base_url") == "" || o.get("profiles") == nil || o.get("prices") == nil || strings.Contains(string(a.body), "very-secret") {
		t.Errorf("the models are %s", a.body)
	}
	for _, profile := range []string{"speed", "balanced", "quality"} {
		if targets := o.get("profiles").list(profile); len(targets) != 1 || targets[0].str("provider") != "openai" || targets[0].str("model") != "m1" {
			t.Errorf("profile %s is %v", profile, o.get("profiles"))
		}
	}
}
