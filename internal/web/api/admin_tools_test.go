package api_test

import (
	"slices"
	"testing"
)

// governed gives a tool as admins see it.
func (c caller) governed(name string) object {
	c.w.t.Helper()
	for _, o := range c.api("GET", "/admin/tools", nil).want(200).object().list("items") {
		if o.str("name") == name {
			return o
		}
	}
	c.w.t.Fatalf("there is no tool %s", name)
	return nil
}

func TestToolsAreGoverned(t *testing.T) {
	w := newWorld(t, "ASSENT_TOOL_CALL_CAPS=search=5")
	list := w.all.api("GET", "/admin/tools", nil).want(200).object()
	checkShape(t, "governed tools", "list", list)
	for _, o := range list.list("items") {
		checkShape(t, "a governed tool", "tool", o)
		want := int64(3)
		if o.str("name") == "search" {
			want = 5
		}
		if o.str("policy") != "allow" || o.num("cap") != want || o.str("effect") != o.str("defined_effect") {
			t.Errorf("at first %v", o)
		}
	}
	set := w.all.api("PUT", "/admin/tools/create_onto_project", object{"policy": "ask", "effect": "external", "cap": 2}).want(200).object()
	if set.str("name") != "create_project" || set.str("policy") != "ask" || set.str("effect") != "external" || set.num("cap") != 2 {
		t.Errorf("set: %v", set)
	}
	if o := w.all.governed("create_project"); o.str("policy") != "ask" || o.str("defined_effect") != "write" {
		t.Errorf("listed: %v", o)
	}
	// What is left out is as defined again.
	if o := w.all.api("PUT", "/admin/tools/create_project", object{"policy": "allow"}).want(200).object(); o.str("effect") != "write" || o.num("cap") != 3 {
		t.Errorf("set back: %v", o)
	}
	for body, pointers := range map[string][]string{`{}`: {"/policy"}, `{"policy": "perhaps"}`: {"/policy"}, `{"policy": "allow", "effect": "read"}`: {"/effect"},
		`{"policy": "allow", "effect": "wild"}`: {"/effect"}, `{"policy": "allow", "cap": -1}`: {"/cap"}, `{"policy": "allow", "cap": "many"}`: {"/cap"},
		`{"policy": "allow", "cap": 1.5}`: {"/cap"}, `{"policy": "allow", "limit": 2}`: {"/limit"}, `{"policy": "no", "effect": "no", "cap": 5000}`: {"/policy", "/effect", "/cap"}} {
		if p := w.all.api("PUT", "/admin/tools/create_project", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), pointers) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	w.all.api("PUT", "/admin/tools/nothing", object{"policy": "allow"}).problem(404, "not_found")
}

// TestADeniedToolIsRefusedAtEveryDoor: by token, by the workspace's calls, in a
// plan that is checked, and in one that waits already.
func TestADeniedToolIsRefusedAtEveryDoor(t *testing.T) {
	w := newWorld(t)
	session := w.all.session()
	waiting := w.all.plan(session, step("create_project", object{"name": "Move"}))
	w.all.api("PUT", "/admin/tools/create_project", object{"policy": "deny"}).want(200)
	for name, args := range map[string]object{"sound": {"name": "X"}, "wrong": {"nmae": 1}} {
		e := w.theirs.api("POST", "/tools/create_project/calls", object{"arguments": args}).want(200).object()
		if e["success"] != false || e.get("error").str("code") != "not_permitted" {
			t.Errorf("a call with %s arguments: %v", name, e)
		}
	}
	w.theirs.api("POST", "/projects", object{"name": "X"}).problem(403, "not_permitted")
	v := w.all.api("POST", "/plans/validate", object{"plan": object{"objective": "x", "steps": []object{step("create_project", object{"name": "Y"})}}}).want(200).object()
	if v["valid"] != false || !slices.Contains(v.list("errors").column("code"), "not_permitted") {
		t.Errorf("checked: %v", v)
	}
	w.all.api("POST", "/plans/"+waiting.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).problem(409, "conflict")
	if n := len(w.all.api("GET", "/projects", nil).want(200).object().list("items")); n != 0 {
		t.Errorf("%d projects were made", n)
	}
	w.all.api("PUT", "/admin/tools/create_project", object{"policy": "allow"}).want(200)
	w.theirs.api("POST", "/projects", object{"name": "X"}).want(201)
	w.all.api("POST", "/plans/"+waiting.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202)
}

// A tool that counts as more than it did is looked at again before a plan that
// uses it runs.
func TestAStricterEffectIsShownBeforeItRuns(t *testing.T) {
	w := newWorld(t)
	waiting := w.all.plan(w.all.session(), step("create_project", object{"name": "Move"}))
	w.all.api("PUT", "/admin/tools/create_project", object{"policy": "allow", "effect": "destructive"}).want(200)
	a := w.all.api("POST", "/plans/"+waiting.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"})
	if a.status != 409 {
		t.Errorf("it answers %d %s", a.status, a.body)
	}
	// The scope that a call needs goes with the effect in force.
	w.token(w.bo, "read", "chat").api("POST", "/tools/create_project/calls", object{"arguments": object{"name": "X"}}).problem(403, "not_permitted")
}
