package api_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/web/api"
)

// mine are one thing of every sort that belongs to a person, by the word that
// stands in a path before its id.
func (c caller) mine() map[string]string {
	t := c.w.t
	t.Helper()
	ids := map[string]string{"sessions": c.session()}
	p := c.plan(ids["sessions"], object{"id": "s1", "type": "tool", "tool": "create_project", "arguments": object{"name": "Move"}})
	ids["plans"] = p.str("id")
	run := c.api("POST", "/plans/"+ids["plans"]+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202).object()
	ids["runs"] = run.str("id")
	c.events(ids["sessions"], "until=done")
	said := c.say(ids["sessions"], "what can you do?")
	ids["turns"], ids["messages"] = said.str("turn_id"), said.str("message_id")
	project := c.api("POST", "/projects", object{"name": "Office"}).want(201).object().str("id")
	ids["projects"] = project
	for _, kind := range []string{"goal", "milestone", "task", "document", "risk", "decision"} {
		ids[kind+"s"] = c.api("POST", "/"+kind+"s", object{"project_id": project, "title": "A " + kind}).want(201).object().str("id")
	}
	ids["relations"] = c.api("POST", "/relations", object{"type": "relates_to", "from_id": ids["tasks"], "to_id": ids["documents"]}).want(201).object().str("id")
	ids["tokens"] = c.api("POST", "/tokens", object{"name": "ci", "scopes": []string{"read"}}).want(201).object().str("id")
	return ids
}

// plan stores a plan that waits.
func (c caller) plan(session string, steps ...object) object {
	c.w.t.Helper()
	return c.api("POST", "/plans", object{"session_id": session, "plan": object{"objective": "Do it", "steps": steps}}).want(201).object()
}

// request gives a path with ids in it, and a body that is sound.
func request(r api.Route, ids map[string]string) (path string, body any) {
	parts := strings.Split(r.Path, "/")
	for i, p := range parts {
		if p == ":id" {
			parts[i] = ids[parts[i-1]]
		}
	}
	path = strings.ReplaceAll(strings.Join(parts, "/"), ":name", "list_projects")
	switch {
	case r.Method == "GET" || r.Method == "DELETE" || strings.HasSuffix(path, "/cancel") || strings.HasSuffix(path, "/take-back"):
		return path, nil
	case strings.HasSuffix(path, "/messages"):
		return path, object{"content": "hello"}
	case strings.HasSuffix(path, "/runs"):
		return path, object{"version": 1, "approval": "yes"}
	case strings.HasSuffix(path, "/actions"):
		return path, object{"action": "cancel"}
	case strings.HasSuffix(path, "/calls"):
		return path, object{"arguments": object{}}
	case r.Method == "PATCH" && (strings.HasPrefix(path, "/projects") || strings.HasPrefix(path, "/admin")):
		return path, object{"name": "New"}
	case r.Method == "PATCH":
		return path, object{"title": "New"}
	}
	return path, object{}
}

func TestEveryRouteNeedsSomebody(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	ids["people"], ids["budgets"] = w.bo.ID, w.bo.ID
	bad := caller{w: w, secret: "ast_AAAAAAAAAAAAAAAAAAAAAAAAAA"}
	for _, r := range (&api.Resources{}).Routes() {
		path, body := request(r, ids)
		for name, c := range map[string]caller{"nobody": {w: w}, "a wrong token": bad} {
			a := c.api(r.Method, path, body)
			a.problem(401, "unauthenticated")
			if !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s %s by %s: WWW-Authenticate is %q", r.Method, r.Path, name, a.header.Get("WWW-Authenticate"))
			}
		}
		if a := w.all.api(r.Method, path, body, "Authorization", "Basic YTpi"); a.status != 401 {
			t.Errorf("%s %s with a password: %d", r.Method, r.Path, a.status)
		}
	}
}

// lacking gives, for each scope, all others of a person's.
func lacking(w *world, p assent.Person) map[assent.TokenScope]caller {
	out := map[assent.TokenScope]caller{}
	for _, missing := range assent.TokenScopes() {
		var rest []assent.TokenScope
		for _, s := range assent.TokenScopes() {
			if s != missing && (s != assent.ScopeAdmin || p.Role == assent.RoleAdmin) {
				rest = append(rest, s)
			}
		}
		out[missing] = w.token(p, rest...)
	}
	return out
}

func TestEveryRouteNeedsItsScope(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	ids["people"], ids["budgets"] = w.bo.ID, w.bo.ID
	without := lacking(w, w.ada)
	for _, r := range (&api.Resources{}).Routes() {
		path, body := request(r, ids)
		if r.Scope == "" {
			continue // TestAChatTokenMayStopButNotGoOn, TestToolCallsNeedTheScopeOfTheirEffect
		}
		without[r.Scope].api(r.Method, path, body).problem(403, "not_permitted")
		if strings.HasPrefix(r.Path, "/admin") != (r.Scope == assent.ScopeAdmin) {
			t.Errorf("%s %s needs the scope %s", r.Method, r.Path, r.Scope)
		}
		if r.Scope == assent.ScopeAdmin {
			w.theirs.api(r.Method, path, body).problem(403, "not_permitted")
		}
		if r.Method == "GET" && r.Scope != assent.ScopeAdmin && r.Scope != assent.ScopeRead {
			t.Errorf("%s %s needs %s, not read", r.Method, r.Path, r.Scope)
		}
	}
}

// A role that is taken away takes the admin's token with it.
func TestAnAdminsTokenIsWorthWhatItsPersonIs(t *testing.T) {
	w := newWorld(t)
	w.all.api("PATCH", "/admin/people/"+w.bo.ID, object{"role": "admin"}).want(200)
	c := w.token(assent.Person{ID: w.bo.ID, Role: assent.RoleAdmin}, assent.TokenScopes()...)
	c.api("GET", "/admin/people", nil).want(200)
	w.all.api("PATCH", "/admin/people/"+w.bo.ID, object{"role": "member"}).want(200)
	c.api("GET", "/admin/people", nil).problem(403, "not_permitted")
	c.api("GET", "/sessions", nil).want(200)
	w.all.api("PATCH", "/admin/people/"+w.bo.ID, object{"disabled": true}).want(200)
	c.api("GET", "/sessions", nil).problem(401, "unauthenticated")
}

func TestSomeoneElsesThingsAreNotThere(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	for _, r := range (&api.Resources{}).Routes() {
		if !strings.Contains(r.Path, ":id") || r.Scope == assent.ScopeAdmin {
			continue
		}
		path, body := request(r, ids)
		theirs := w.theirs.api(r.Method, path, body).problem(404, "not_found")
		absent := map[string]string{}
		for k := range ids {
			absent[k] = "01234567-89ab-7def-8123-456789abcdef"
		}
		path, _ = request(r, absent)
		if none := w.theirs.api(r.Method, path, body).problem(404, "not_found"); none.str("detail") != theirs.str("detail") {
			t.Errorf("%s %s: someone else's %q, absent %q", r.Method, r.Path, theirs.str("detail"), none.str("detail"))
		}
	}
	for _, list := range []string{"/sessions", "/plans", "/plans?session_id=" + ids["sessions"], "/projects", "/tasks", "/tasks?project_id=" + ids["projects"],
		"/documents", "/relations", "/tokens"} {
		items := w.theirs.api("GET", list, nil).want(200).object().list("items")
		if n := len(items); n > 1 || n == 1 && list != "/tokens" {
			t.Errorf("%s shows %d things of someone else: %v", list, n, items)
		}
	}
	for name, call := range map[string]struct {
		path string
		body object
	}{
		"a plan in their session":   {"/plans", object{"session_id": ids["sessions"], "plan": object{"objective": "x", "steps": []object{}}}},
		"a session on their things": {"/sessions", object{"context_type": "project", "entity_id": ids["projects"]}},
		"a task in their project":   {"/tasks", object{"project_id": ids["projects"], "title": "x"}},
		"a link to their task":      {"/relations", object{"from_id": ids["tasks"], "to_id": ids["documents"]}},
	} {
		if a := w.theirs.api("POST", call.path, call.body); a.status != 404 && a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	for _, tool := range []string{"get_project", "project_health", "delete_project"} {
		e := w.theirs.api("POST", "/tools/"+tool+"/calls", object{"arguments": object{"project_id": ids["projects"]}}).want(200).object()
		if e["success"] != false || e.get("error").str("code") != "not_found" {
			t.Errorf("%s of someone else's project: %v", tool, e)
		}
	}
}
