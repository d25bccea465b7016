package api_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

func TestUsageIsGrouped(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, "which projects are there?")
	w.theirs.say(w.theirs.session(), "hello")
	keys := []string{"day", "operation_type", "model", "provider", "user", "context_type", "execution_mode", "profile", "tool", "plan", "step", "status",
		"error_class", "fallback_from"}
	for _, group := range append(keys, "user,operation_type", strings.Join(keys, ","), "") {
		o := w.all.api("GET", "/admin/usage?group_by="+group, nil).want(200).object()
		checkShape(t, group, "list", o)
		rows := o.list("items")
		if len(rows) == 0 {
			t.Errorf("%s: no rows", group)
		}
		calls := int64(0)
		for _, r := range rows {
			checkShape(t, group, "usageRow", r)
			calls += r.num("calls")
			for _, k := range strings.FieldsFunc(group, func(r rune) bool { return r == ',' }) {
				if _, ok := r[k].(string); !ok {
					t.Errorf("%s: a row without %s: %v", group, k, r)
				}
			}
		}
		if total := w.all.api("GET", "/admin/usage", nil).object().list("items")[0].num("calls"); calls != total || total < 2 {
			t.Errorf("%s: %d calls of %d", group, calls, total)
		}
	}
	a := w.all.api("GET", "/admin/usage?group_by=user&group_by=status", nil).want(200).object().list("items")
	b := w.all.api("GET", "/admin/usage?group_by=user,status", nil).want(200).object().list("items")
	if len(a) != 2 || len(b) != 2 || a[0].str("user") != b[0].str("user") {
		t.Errorf("two ways to say two keys give %v and %v", a, b)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	for q, want := range map[string]bool{
		"from=" + today: true, "from=2020-01-01&to=2020-12-31": false, "from=2999-01-01T00:00:00Z": false,
		"from=" + time.Now().Add(-time.Hour).UTC().Format(time.RFC3339): true, "to=2999-01-01": true,
	} {
		if rows := w.all.api("GET", "/admin/usage?group_by=day&"+q, nil).want(200).object().list("items"); (len(rows) > 0) != want {
			t.Errorf("%s gives %v", q, rows)
		}
	}
	// A day that is the end is in it.
	if rows := w.all.api("GET", "/admin/usage?group_by=day&from="+today+"&to="+today, nil).want(200).object().list("items"); len(rows) != 1 {
		t.Errorf("from today to today gives %v", rows)
	}
}

func TestErrorsAndReviewsAreListed(t *testing.T) {
	w := newWorld(t, "ASSENT_LLM_PROVIDER=openai", "ASSENT_OPENAI_BASE_URL=http://127.0.0.1:1", "ASSENT_OPENAI_MODEL=m1")
	s := w.all.session()
	sent := w.all.say(s, "hello")
	turn := w.all.turn(sent.str("turn_id"))
	checkShape(t, "failed", "turn", turn)
	if turn.str("status") != "failed" || turn.get("error").str("message") == "" {
		t.Errorf("the turn is %v", turn)
	}
	rows := w.all.api("GET", "/admin/errors", nil).want(200).object().list("items")
	if len(rows) == 0 {
		t.Fatal("no error is on record")
	}
	for _, r := range rows {
		checkShape(t, "error", "errorRow", r)
	}
	if r := rows[0]; r.str("turn_id") != sent.str("turn_id") || r.str("session_id") != s || r.str("user_id") != w.ada.ID || r.str("provider") != "openai" || r.str("class") != "network" {
		t.Errorf("the row is %v", r)
	}
	plan := w.all.plan(s, step("list_projects", object{}))
	w.write(func(tx *store.Tx) error {
		return tx.CreatePlanReview(assent.Review{ID: tx.NewID(), PlanID: plan.str("id"), Version: 1, Reviewer: "openai/m1", Verdict: "needs_changes", At: tx.Now(),
			Findings: []assent.Finding{{Step: "s1", Severity: "warning", Text: "Look twice."}}})
	})
	list := w.all.api("GET", "/admin/plan-reviews", nil).want(200).object()
	checkShape(t, "reviews", "list", list)
	if r := list.list("items"); len(r) != 1 || r[0].str("plan_id") != plan.str("id") {
		t.Errorf("the reviews are %v", r)
	}
	checkShape(t, "review", "review", list.list("items")[0])
	checkShape(t, "plan", "plan", w.all.api("GET", "/plans/"+plan.str("id"), nil).object())
}

func TestPeople(t *testing.T) {
	w := newWorld(t)
	list := w.all.api("GET", "/admin/people", nil).want(200).object()
	checkShape(t, "people", "list", list)
	for _, p := range list.list("items") {
		checkShape(t, "person", "person", p)
	}
	made := w.all.api("POST", "/admin/people", object{"email": "Cy@Example.org ", "name": "Cy"}).want(201).object()
	checkShape(t, "made", "person", made)
	if made.str("email") != "cy@example.org" || made.str("role") != "member" || len(made.str("one_time_password")) < 10 {
		t.Errorf("made: %v", made)
	}
	if again := w.all.api("POST", "/admin/people", object{"email": "cy@example.org", "name": "Cy"}).problem(409, "conflict"); !slices.Equal(again.pointers(), []string{"/email"}) {
		t.Errorf("an address twice: %v", again)
	}
	given := w.all.api("POST", "/admin/people", object{"email": "di@example.org", "name": "Di", "password": "a long password", "role": "admin", "time_zone": "Europe/London", "locale": "en-GB"}).want(201)
	if o := given.object(); o["one_time_password"] != nil || strings.Contains(string(given.body), "a long password") || o.str("role") != "admin" {
		t.Errorf("with a password: %s", given.body)
	}
	for body, pointer := range map[string]string{`{"email": "x", "name": "X"}`: "/email", `{"email": "x@example.org", "name": ""}`: "/name",
		`{"email": "x@example.org", "name": "X", "role": "king"}`: "/role", `{"email": "x@example.org", "name": "X", "password": "short"}`: "/password",
		`{"email": "x@example.org", "name": "X", "time_zone": "Moon"}`: "/time_zone"} {
		if p := w.all.api("POST", "/admin/people", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	one := "/admin/people/" + made.str("id")
	if o := w.all.api("PATCH", one, object{"name": "Cyd", "disabled": true}).want(200).object(); o.str("name") != "Cyd" || o["disabled"] != true {
		t.Errorf("changed: %v", o)
	}
	w.all.api("PATCH", "/admin/people/none", object{"name": "X"}).problem(404, "not_found")
	w.all.api("PATCH", "/admin/people/"+given.object().str("id"), object{"role": "member"}).want(200)
	for _, change := range []object{{"role": "member"}, {"disabled": true}} {
		w.all.api("PATCH", "/admin/people/"+w.ada.ID, change).problem(409, "conflict")
	}
	all := w.all.api("GET", "/admin/people", nil).want(200)
	for _, secret := range []string{"password_hash", "argon2", "no password"} {
		if strings.Contains(string(all.body), secret) {
			t.Errorf("the list tells %q", secret)
		}
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t)
	made := w.all.api("POST", "/tokens", object{"name": "ci"}).want(201).object()
	checkShape(t, "made", "token", made)
	if scopes, _ := made["scopes"].([]any); len(scopes) != 2 || scopes[0] != "read" || scopes[1] != "chat" {
		t.Errorf("the default scopes are %v", made["scopes"])
	}
	c := caller{w: w, secret: made.str("token")}
	c.api("GET", "/sessions", nil).want(200)
	list := w.all.api("GET", "/tokens", nil).want(200)
	for _, o := range list.object().list("items") {
		checkShape(t, "listed", "token", o)
	}
	if strings.Contains(string(list.body), made.str("token")) || strings.Contains(string(list.body), `"ast_`) {
		t.Errorf("the list tells the secret: %s", list.body)
	}
	for body, pointer := range map[string]string{`{"name": ""}`: "/name", `{"name": "x", "scopes": ["root"]}`: "/scopes", `{"name": "x", "expires_at": "2001-01-01T00:00:00Z"}`: "/expires_at"} {
		if p := w.all.api("POST", "/tokens", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	w.theirs.api("POST", "/tokens", object{"name": "x", "scopes": []string{"admin"}}).problem(403, "not_permitted")
	// A token that may not approve makes none at all; one that may gives no more than it has.
	c.api("POST", "/tokens", object{"name": "x", "scopes": []string{"read"}}).problem(403, "not_permitted")
	approver := w.token(w.ada, assent.ScopeRead, assent.ScopeApprove)
	approver.api("POST", "/tokens", object{"name": "x", "scopes": []string{"chat"}}).problem(403, "not_permitted")
	w.all.api("DELETE", "/tokens/"+made.str("id"), nil).want(204)
	c.api("GET", "/sessions", nil).problem(401, "unauthenticated")
	w.all.api("DELETE", "/tokens/"+made.str("id"), nil).problem(404, "not_found")
}
