package api_test

import (
	"slices"
	"strings"
	"testing"
)

// TestAWrongMethodIsToldWhichOnesThereAre: 405 with Allow, as a problem, at every
// depth; an address that is none stays 404.
func TestAWrongMethodIsToldWhichOnesThereAre(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string][]string{"/sessions": {"GET", "POST"}, "/plans/x": {"GET"}, "/tasks/x": {"DELETE", "GET", "PATCH"}, "/tools": {"GET"}, "/plans/x/runs": {"POST"}} {
		a := w.all.api("PUT", path, object{})
		a.problem(405, "method_not_allowed")
		for _, m := range want {
			if !slices.Contains(strings.Split(a.header.Get("Allow"), ", "), m) {
				t.Errorf("%s: Allow is %q without %s", path, a.header.Get("Allow"), m)
			}
		}
	}
	w.all.api("PUT", "/nothing", object{}).problem(404, "not_found")
	w.all.api("GET", "/sessions/x/y/z", nil).problem(404, "not_found")
}

// TestAnUnknownToolIsAnEnvelope: what happens to a call is in the envelope, also
// when there is no such tool.
func TestAnUnknownToolIsAnEnvelope(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"fly", "mcp:none%2Ffly"} {
		got := w.all.api("POST", "/tools/"+name+"/calls", object{"arguments": object{}}).want(200).object()
		if got["success"] != false || got.get("error").str("code") != "unknown_tool" || got.str("remediation_hint") == "" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestASeqThatIsNotThereYetCannotHaveBeenSeen: a wrong position is refused, and
// nothing is sent.
func TestASeqThatIsNotThereYetCannotHaveBeenSeen(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	p := w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "hello", "seen_seq": 1 << 40}).problem(422, "invalid_arguments")
	if !slices.Equal(p.pointers(), []string{"/seen_seq"}) {
		t.Errorf("names %v", p.pointers())
	}
	if n := len(w.all.api("GET", "/sessions/"+s, nil).want(200).object().list("messages")); n != 0 {
		t.Errorf("%d messages were stored", n)
	}
}

// TestAListOfPlansHoldsThemWhole: the same answer as for one plan.
func TestAListOfPlansHoldsThemWhole(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, "Create a project called Pond")
	listed := w.all.api("GET", "/plans?session_id="+s, nil).want(200).object().list("items")
	if len(listed) == 0 {
		p := w.all.api("POST", "/plans", object{"session_id": s, "plan": object{"objective": "x", "steps": []object{{"type": "tool", "tool": "list_projects"}}}}).want(201).object()
		w.all.api("POST", "/plans/"+p.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202)
		listed = w.all.api("GET", "/plans?session_id="+s, nil).want(200).object().list("items")
	}
	if len(listed) != 1 {
		t.Fatalf("%d plans", len(listed))
	}
	one := w.all.api("GET", "/plans/"+listed[0].str("id"), nil).want(200).object()
	for _, key := range []string{"versions", "approvals", "runs"} {
		if n := len(listed[0].list(key)); n == 0 || n != len(one.list(key)) {
			t.Errorf("%s: %d in the list, %d in the plan", key, n, len(one.list(key)))
		}
	}
}

// TestWhatIsNoPlanHasAPlansErrors: from the codes of design 06, in the list, at
// both doors.
func TestWhatIsNoPlanHasAPlansErrors(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for plan, code := range map[string]string{`"abc"`: "invalid_step", `[]`: "invalid_step", `5`: "invalid_step", `{}`: "empty_plan", deep: "too_large", `{"steps":` + deep + `}`: "too_large"} {
		v := w.all.api("POST", "/plans/validate", `{"plan": `+plan+`}`).want(200).object()
		if got := v.list("errors").column("code"); v["valid"] != false || !slices.Contains(got, code) {
			t.Errorf("%.20s: %v", plan, v)
		}
		p := w.all.api("POST", "/plans", `{"session_id": "`+s+`", "plan": `+plan+`}`).problem(422, "invalid_plan")
		if got := p.list("errors").column("code"); !slices.Contains(got, code) {
			t.Errorf("%.20s: %v", plan, got)
		}
	}
	w.all.api("POST", "/plans/validate", `{"plan": {}, "bindings": `+deep+`}`).problem(400, "malformed")
}

// TestWhatStaysUnclearIsNotAskedAboutForEver: one question, then how to answer
// plainly, and after that the conversation goes on while the plan waits.
func TestWhatStaysUnclearIsNotAskedAboutForEver(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, "Create a project called Pond, but show me the plan first")
	for i, words := range []string{"maybe", "hmm, perhaps", "not sure", "dunno"} {
		w.all.say(s, words)
		messages := w.all.api("GET", "/sessions/"+s, nil).want(200).object().list("messages")
		answer, _, _ := strings.Cut(messages[len(messages)-1].str("content"), "\n\nVersion 1 waits")
		if asks := strings.Contains(answer, "?"); asks != (i == 0) {
			t.Errorf("%d. %q is answered with %q", i+1, words, answer)
		}
	}
	if p := w.all.api("GET", "/plans?session_id="+s, nil).want(200).object().list("items")[0]; p.str("status") != "pending_review" || len(p.list("runs")) > 0 {
		t.Errorf("the plan is %s", p.str("status"))
	}
}
