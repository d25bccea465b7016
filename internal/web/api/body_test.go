package api_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"assent/internal/web/api"
)

// takesBody lists the routes with a JSON body.
func takesBody() []api.Route {
	var out []api.Route
	for _, r := range (&api.Resources{}).Routes() {
		if (r.Method == "POST" || r.Method == "PATCH") && !strings.HasSuffix(r.Path, "/cancel") && !strings.HasSuffix(r.Path, "/take-back") {
			out = append(out, r)
		}
	}
	return out
}

// unreadable are bodies that nothing can be made of.
func unreadable() map[string]string {
	return map[string]string{
		"no body":             "",
		"blanks":              " \n",
		"half an object":      `{"title": "x"`,
		"two objects":         `{} {}`,
		"trailing garbage":    `{}x`,
		"a list":              `[]`,
		"a text":              `"hello"`,
		"null":                `null`,
		"a key twice":         `{"title": "a", "title": "b"}`,
		"bad UTF-8":           "{\"title\": \"\xff\xfe\"}",
		"bad UTF-8 in a key":  "{\"\xff\": 1}",
		"a bare control":      "{\"title\": \"a\x01b\"}",
		"nested without end":  strings.Repeat(`{"a":`, 200_000),
		"nested beyond depth": strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
		"a form":              "title=x",
		"another encoding":    "\xfe\xff\x00{\x00}",
	}
}

func TestUnreadableBodiesAreMalformed(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	ids["people"] = w.bo.ID
	for _, r := range takesBody() {
		path, _ := request(r, ids)
		for name, body := range unreadable() {
			a := w.all.api(r.Method, path, body)
			if a.status != 400 {
				t.Errorf("%s %s with %s: %d %.200s", r.Method, r.Path, name, a.status, a.body)
				continue
			}
			a.problem(400, "malformed")
		}
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense;"} {
			w.all.api(r.Method, path, `{}`, "Content-Type", kind).problem(400, "malformed")
		}
		w.all.api(r.Method, path, `{"title": "`+strings.Repeat("a", 1<<20)+`"}`).problem(413, "too_large")
	}
}

// A body that does not say how long it is is cut off all the same.
func TestBodiesOfUnknownLength(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	chunks := func(n int) io.Reader {
		return io.MultiReader(strings.NewReader(`{"content": "`), strings.NewReader(strings.Repeat("a", n)), strings.NewReader(`"}`))
	}
	w.all.api("POST", "/sessions/"+s+"/messages", chunks(1<<21)).problem(413, "too_large")
	w.all.api("POST", "/sessions/"+s+"/messages", chunks(1<<16)).problem(413, "too_large")
	w.all.api("POST", "/sessions/"+s+"/messages", chunks(100)).want(202)
	w.all.events(s, "until=done")
}

// What a tool's own schema judges is checked in TestEntitiesAreChecked.
func TestUnknownFieldsAndWrongTypesAreNamed(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	ids["people"] = w.bo.ID
	for _, r := range takesBody() {
		path, _ := request(r, ids)
		p := w.all.api(r.Method, path, `{"no such": 1, "a/b~c": {"d": []}}`).problem(422, "invalid_arguments")
		for _, want := range []string{"/no such", "/a~1b~0c"} {
			if !slices.Contains(p.pointers(), want) {
				t.Errorf("%s %s does not name %s: %v", r.Method, r.Path, want, p.pointers())
			}
		}
	}
	for path, tc := range map[string]struct {
		body string
		want []string
	}{
		"/sessions": {`{"context_type": 1, "entity_id": [], "title": {}}`, []string{"/context_type", "/entity_id", "/title"}},
		"/sessions/" + ids["sessions"] + "/messages": {`{"content": 1, "execution_mode": true, "idempotency_key": 5, "seen_seq": "1"}`,
			[]string{"/content", "/execution_mode", "/idempotency_key", "/seen_seq"}},
		"/plans/validate":                   {`{"plan": {}, "context_type": 1}`, []string{"/context_type"}},
		"/plans":                            {`{"session_id": 1, "plan": {}}`, []string{"/session_id"}},
		"/plans/" + ids["plans"] + "/runs":  {`{"version": "1", "approval": true}`, []string{"/version", "/approval"}},
		"/runs/" + ids["runs"] + "/actions": {`{"action": 1, "decision": 2}`, []string{"/action", "/decision"}},
		"/tokens":                           {`{"name": 1, "scopes": "read", "expires_at": 7}`, []string{"/name", "/scopes", "/expires_at"}},
		"/admin/people":                     {`{"email": 1, "name": 2, "role": 3}`, []string{"/email", "/name", "/role"}},
		"/tools/list_projects/calls":        {`{"arguments": {}, "extra": 1}`, []string{"/extra"}},
	} {
		p := w.all.api("POST", path, tc.body).problem(422, "invalid_arguments")
		for _, want := range tc.want {
			if !slices.Contains(p.pointers(), want) {
				t.Errorf("%s does not name %s: %v", path, want, p.pointers())
			}
		}
	}
}

func TestMissingFieldsAreNamed(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	for path, want := range map[string][]string{
		"/sessions/" + ids["sessions"] + "/messages": {"/content"},
		"/plans/validate":                   {"/plan"},
		"/plans":                            {"/session_id", "/plan"},
		"/plans/" + ids["plans"] + "/runs":  {"/version", "/approval"},
		"/runs/" + ids["runs"] + "/actions": {"/action"},
		"/tokens":                           {"/name"},
		"/admin/people":                     {"/email", "/name"},
		"/tasks":                            {"/project_id", "/title"},
	} {
		nulls := map[string]any{}
		for _, pointer := range want {
			nulls[pointer[1:]] = nil
		}
		for _, body := range []any{object{}, nulls} {
			if path == "/tasks" {
				body = object{} // judged by the tool's schema, to which null is a value
			}
			p := w.all.api("POST", path, body).problem(422, "invalid_arguments")
			if got := p.pointers(); !slices.Equal(got, want) {
				t.Errorf("%s of %v names %v, want %v", path, body, got, want)
			}
		}
	}
	w.all.api("PATCH", "/sessions/"+ids["sessions"], `{"title": null}`).problem(422, "invalid_arguments")
}

// Texts that are hard to store are stored as they are, or refused; never a 5xx.
func TestOddTexts(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	for name, text := range map[string]string{
		"a null character": `a\u0000b`, "half a surrogate": `\ud800`, "right to left": "\u202eabc", "emoji": "👩‍👩‍👧", "quotes": `'; DROP TABLE sessions; --`,
		"markup": "<script>alert(1)</script>", "a big number": "1e999", "nothing": "",
	} {
		for _, call := range []struct{ method, path, body string }{
			{"POST", "/sessions", `{"title": "` + text + `"}`},
			{"PATCH", "/sessions/" + s, `{"title": "` + text + `"}`},
			{"POST", "/sessions", `{"entity_id": "` + text + `", "context_type": "task"}`},
			{"POST", "/projects", `{"name": "` + text + `"}`},
			{"POST", "/sessions/" + s + "/messages", `{"content": "` + text + `", "idempotency_key": "` + text + `"}`},
			{"POST", "/plans/validate", `{"plan": {"objective": "` + text + `", "steps": [{"tool": "` + text + `"}]}}`},
			{"POST", "/plans", `{"session_id": "` + text + `", "plan": {}}`},
			{"POST", "/tools/search/calls", `{"arguments": {"query": "` + text + `"}}`},
			{"POST", "/tokens", `{"name": "` + text + `"}`},
			{"POST", "/admin/people", `{"name": "` + text + `", "email": "` + text + `"}`},
		} {
			if a := w.all.api(call.method, call.path, call.body); a.status >= 500 {
				t.Errorf("%s %s with %s: %d %s", call.method, call.path, name, a.status, a.body)
			}
		}
	}
	w.all.events(s, "until=done")
}

func TestOddQueriesAndIDs(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	for _, list := range []string{"/sessions", "/plans", "/projects", "/tasks", "/relations", "/admin/errors", "/admin/plan-reviews", "/tools", "/tokens", "/admin/people", "/admin/usage"} {
		for _, q := range []string{"limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=-99999999999999999999"} {
			if p := w.all.api("GET", list+"?"+q, nil).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{"/limit"}) {
				t.Errorf("%s?%s names %v", list, q, p.pointers())
			}
		}
		for _, q := range []string{"cursor=x", "cursor=%00", "cursor=1.", "cursor=" + strings.Repeat("a", 5000), "cursor=%ff"} {
			if a := w.all.api("GET", list+"?"+q, nil); a.status >= 500 {
				t.Errorf("%s?%s: %d %s", list, q, a.status, a.body)
			}
		}
	}
	for _, id := range []string{"x", "%00", "%ff", "..", "%2e%2e%2f", "'", "0", strings.Repeat("a", 5000), "%2F"} {
		for _, r := range (&api.Resources{}).Routes() {
			if !strings.Contains(r.Path, ":id") {
				continue
			}
			path, body := request(r, map[string]string{"sessions": id, "plans": id, "runs": id, "turns": id, "messages": id, "projects": id, "tasks": id,
				"tokens": id, "people": id, "documents": id, "goals": id, "milestones": id, "risks": id, "decisions": id, "relations": id})
			if a := w.all.api(r.Method, path, body); a.status != 404 {
				t.Errorf("%s %s: %d %.200s", r.Method, path, a.status, a.body)
			}
		}
	}
	for path, pointer := range map[string]string{
		"/sessions/" + s + "/events?after=x": "/after", "/sessions/" + s + "/events?after=-1": "/after", "/sessions/" + s + "/events?until=later": "/until",
		"/admin/usage?group_by=moon": "/group_by", "/admin/usage?from=yesterday": "/from", "/admin/usage?to=5": "/to",
		"/plans?status=odd": "/status",
	} {
		if p := w.all.api("GET", path, nil).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%s names %v", path, p.pointers())
		}
	}
}

func TestOddMethodsAndPaths(t *testing.T) {
	w := newWorld(t)
	for call, want := range map[[2]string]int{{"PUT", "/api/v1/sessions"}: 405, {"DELETE", "/api/v1/sessions"}: 405, {"GET", "/api/v1/nothing"}: 404, {"GET", "/api/v2/sessions"}: 404,
		{"POST", "/api/"}: 404, {"TRACE", "/api/v1/sessions"}: 405, {"GET", "/api/v1/sessions/"}: 404, {"GET", "/api/v1//sessions"}: 404} {
		if a := w.all.do(call[0], call[1], nil); a.status != want || a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %d %s", call[0], call[1], a.status, a.header.Get("Content-Type"))
		}
	}
}
