package api_test

import (
	"slices"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// null tells that a field is there and null.
func null(o object, key string) bool {
	v, ok := o[key]
	return ok && v == nil
}

func TestBudgetsAreSetAndUsed(t *testing.T) {
	w := newWorld(t)
	got := w.all.api("GET", "/admin/budgets", nil).want(200).object()
	if got.str("currency") != "USD" || !null(got.get("default"), "calls_per_day") || !null(got.get("default"), "cost_micros_per_day") || got["people"] == nil || len(got.list("people")) != 0 {
		t.Errorf("at first: %v", got)
	}
	if o := w.all.api("PUT", "/admin/budgets/default", object{"calls_per_day": 100}).want(200).object(); o.num("calls_per_day") != 100 || !null(o, "cost_micros_per_day") {
		t.Errorf("set for everybody: %v", o)
	}
	o := w.all.api("PUT", "/admin/budgets/"+w.bo.ID, object{"calls_per_day": 1, "cost_micros_per_day": 2_000_000}).want(200).object()
	if o.str("email") != w.bo.Email || o.num("calls_per_day") != 1 || o.num("cost_micros_per_day") != 2_000_000 || o["own"] != true || o.num("calls_today") != 0 {
		t.Errorf("set for Bo: %v", o)
	}
	w.all.say(w.all.session(), "what can you do?")
	theirs := w.theirs.session()
	w.theirs.say(theirs, "what can you do?")
	people := w.all.api("GET", "/admin/budgets", nil).want(200).object().list("people")
	if !slices.Equal(people.column("email"), []string{w.ada.Email, w.bo.Email}) {
		t.Fatalf("people: %v", people)
	}
	for i, want := range []struct {
		own   bool
		calls int64
	}{{false, 100}, {true, 1}} {
		if p := people[i]; p["own"] != want.own || p.num("calls_per_day") != want.calls || p.num("calls_today") < 1 || null(p, "cost_micros_today") || p.num("cost_micros_today") != 0 {
			t.Errorf("%s: %v", p.str("name"), p)
		}
	}
	// Bo's is used up, Ada's is not.
	w.theirs.say(theirs, "list my projects")
	if turn := w.theirs.lastTurn(theirs); turn.str("status") != "failed" || turn.get("error").str("code") != "budget_exceeded" {
		t.Errorf("Bo's turn: %v", turn)
	}
	w.all.api("DELETE", "/admin/budgets/"+w.bo.ID, nil).want(204)
	w.theirs.say(theirs, "list my projects")
	if turn := w.theirs.lastTurn(theirs); turn.str("status") != "completed" {
		t.Errorf("Bo's turn under everybody's budget: %v", turn)
	}
	w.all.api("DELETE", "/admin/budgets/"+w.bo.ID, nil).problem(404, "not_found")
	w.all.api("DELETE", "/admin/budgets/default", nil).want(204)
	if got := w.all.api("GET", "/admin/budgets", nil).want(200).object(); !null(got.get("default"), "calls_per_day") {
		t.Errorf("in the end: %v", got)
	}
}

// lastTurn is the newest turn of a session.
func (c caller) lastTurn(session string) object {
	c.w.t.Helper()
	turns := c.api("GET", "/sessions/"+session, nil).want(200).object().list("turns")
	if len(turns) == 0 {
		c.w.t.Fatal("there is no turn")
	}
	return turns[len(turns)-1]
}

func TestBadBudgetsAreNamed(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/admin/budgets/default", "/admin/budgets/" + w.bo.ID} {
		for body, pointers := range map[string][]string{`{"calls_per_day": -1, "cost_micros_per_day": -1}`: {"/calls_per_day", "/cost_micros_per_day"},
			`{"calls_per_day": "many"}`: {"/calls_per_day"}, `{"cost_micros_per_day": 1.5}`: {"/cost_micros_per_day"}, `{"calls": 3}`: {"/calls"},
			`{"cost_micros_per_day": 1000000000001}`: {"/cost_micros_per_day"}} {
			if p := w.all.api("PUT", path, body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), pointers) {
				t.Errorf("%s %s names %v", path, body, p.pointers())
			}
		}
		w.all.api("PUT", path, `[]`).problem(400, "malformed")
	}
	for _, unknown := range []string{"01234567-89ab-7def-8123-456789abcdef", "nobody"} {
		w.all.api("PUT", "/admin/budgets/"+unknown, object{"calls_per_day": 1}).problem(404, "not_found")
		w.all.api("DELETE", "/admin/budgets/"+unknown, nil).problem(404, "not_found")
	}
	if people := w.all.api("GET", "/admin/budgets", nil).want(200).object().list("people"); len(people) != 0 {
		t.Errorf("something was set: %v", people)
	}
}

func TestTheCurrencyIsSet(t *testing.T) {
	w := newWorld(t)
	for body, pointer := range map[string]string{`{}`: "/currency", `{"currency": "euro"}`: "/currency", `{"currency": 5}`: "/currency", `{"curency": "EUR", "currency": "EUR"}`: "/curency"} {
		if p := w.all.api("PUT", "/admin/budgets", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	if o := w.all.api("PUT", "/admin/budgets", object{"currency": "EUR"}).want(200).object(); o.str("currency") != "EUR" {
		t.Errorf("set: %v", o)
	}
	// An approval in words is read in it.
	waiting := w.all.plan(w.all.session(), step("create_project", object{"name": "Move"}))
	w.all.api("POST", "/plans/"+waiting.str("id")+"/runs", object{"version": 1, "approval": "yes, but not over two dollars"}).problem(422, "not_approved")
	w.all.api("POST", "/plans/"+waiting.str("id")+"/runs", object{"version": 1, "approval": "yes, but not over two euros"}).want(202)
	approvals := w.all.api("GET", "/plans/"+waiting.str("id"), nil).want(200).object().list("approvals")
	if len(approvals) != 1 || approvals[0].num("cost_limit_micros") != 2_000_000 {
		t.Errorf("approved: %v", approvals)
	}
}

// TestADisabledPersonKeepsTheirBudget: who cannot work now may again later.
func TestADisabledPersonKeepsTheirBudget(t *testing.T) {
	w := newWorld(t)
	w.all.api("PUT", "/admin/budgets/"+w.bo.ID, object{"calls_per_day": 5}).want(200)
	w.all.api("PATCH", "/admin/people/"+w.bo.ID, object{"disabled": true}).want(200)
	w.write(func(tx *store.Tx) error { // what nobody with an account did is nobody's budget
		return tx.OpenUsage(assent.CallUsage{ID: tx.NewID(), At: tx.Now(), UserID: "gone", Provider: "test", Status: assent.CallOpen})
	})
	people := w.all.api("GET", "/admin/budgets", nil).want(200).object().list("people")
	if !slices.Equal(people.column("user_id"), []string{w.bo.ID}) {
		t.Errorf("people: %v", people)
	}
}
