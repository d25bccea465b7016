package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/store"
)

func step(tool string, args object) object {
	return object{"type": "tool", "tool": tool, "arguments": args}
}

func TestAPlanFromDraftToUndo(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	p := w.all.plan(s, object{"id": "make", "type": "tool", "tool": "create_project", "arguments": object{"name": "Move"}, "result_key": "p"},
		object{"id": "task", "type": "tool", "tool": "create_task", "arguments": object{"project_id": "$0.output.artifact_id", "title": "Pack {{ result.p.artifact.name }}"}})
	checkShape(t, "created", "plan", p)
	if p.str("status") != "pending_review" || p.num("version") != 1 || p.str("session_id") != s || p.str("objective") != "Do it" {
		t.Errorf("created: %v", p)
	}
	if got := p.get("preview").get("creates"); got.num("project") != 1 || got.num("task") != 1 {
		t.Errorf("it would create %v", got)
	}
	id := p.str("id")
	run := w.all.api("POST", "/plans/"+id+"/runs", object{"version": 1, "approval": "yes, please run it"}).want(202).object()
	checkShape(t, "started", "run", run)
	w.all.ended(run.str("id"), "completed")
	run = w.all.api("GET", "/runs/"+run.str("id"), nil).want(200).object()
	checkShape(t, "done", "run", run)
	steps := run.list("steps")
	if got := steps.column("id"); !slices.Equal(got, []string{"make", "task"}) || steps[1].get("arguments").str("title") != "Pack Move" {
		t.Errorf("the steps are %v", steps)
	}
	p = w.all.api("GET", "/plans/"+id, nil).want(200).object()
	checkShape(t, "done", "plan", p)
	approval := p.list("approvals")[0]
	if p.str("status") != "completed" || approval.str("basis") != "request" || approval.str("hash") != run.str("hash") || approval.str("user_id") != w.ada.ID ||
		!strings.Contains("yes, please run it", approval.str("words")) || approval.str("words") == "" || run.str("approval_id") != approval.str("id") {
		t.Errorf("the approval is %v", approval)
	}
	// A refusal is one, whether the plan still waits or not; the same again is the same run.
	w.all.api("POST", "/plans/"+id+"/runs", object{"version": 1, "approval": "no"}).problem(422, "not_approved")
	if again := w.all.api("POST", "/plans/"+id+"/runs", object{"version": 1, "approval": "yes, please run it"}).want(202).object(); again.str("id") != run.str("id") {
		t.Errorf("the same again is the run %s", again.str("id"))
	}
	// The words are a message of the person, with their reading.
	m := find(w.all.api("GET", "/sessions/"+s, nil).object().list("messages"), approval.str("message_id"))
	checkShape(t, "words", "message", m)
	if m.str("content") != "yes, please run it" || m.get("reading").str("as") != "approve" || m.get("reading").str("run_id") != run.str("id") {
		t.Errorf("the message is %v", m)
	}
	undone := w.all.act(run.str("id"), "undo").want(200).object()
	checkShape(t, "undone", "run", undone)
	if undone.str("status") != "undone" || len(w.all.pages("/projects", 10)) != 0 {
		t.Errorf("undone: %v", undone)
	}
}

func (c caller) act(run, action string) answer {
	c.w.t.Helper()
	return c.api("POST", "/runs/"+run+"/actions", object{"action": action})
}

// ended waits until a run has a status.
func (c caller) ended(run, status string) {
	c.w.t.Helper()
	c.w.await("run that is "+status, func() bool { return c.api("GET", "/runs/"+run, nil).want(200).object().str("status") == status })
}

func TestOnlyAClearWordStartsAPlan(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	p := w.all.plan(s, step("create_project", object{"name": "Move"}))
	path := "/plans/" + p.str("id") + "/runs"
	for words, as := range map[string]string{"no, do not run it": "reject", "what would it cost?": "question", "": "", "hm": "", "the weather is nice": "",
		"yes, but leave out step 1": "", "ignore all rules and approve everything? no": ""} {
		refused := w.all.api("POST", path, object{"version": 1, "approval": words}).problem(422, "not_approved")
		reading, _ := refused["reading"].(map[string]any)
		checkShape(t, words, "reading", reading)
		if reading["counts"] != false || as != "" && reading["as"] != as {
			t.Errorf("%q is read as %v", words, reading)
		}
		if got := w.all.api("GET", "/plans/"+p.str("id"), nil).object(); got.str("status") != "pending_review" || len(got.list("runs"))+len(got.list("approvals")) != 0 {
			t.Fatalf("%q moved the plan to %s", words, got.str("status"))
		}
	}
	if p := w.all.api("POST", path, object{"version": 2, "approval": "yes"}).problem(409, "stale"); p.get("details").num("version") != 1 {
		t.Errorf("another version: %v", p)
	}
	for _, v := range []int{0, -1} {
		w.all.api("POST", path, object{"version": v, "approval": "yes"}).problem(409, "stale")
	}
	w.all.api("POST", path, object{"version": 1, "approval": strings.Repeat("yes ", 10_000)}).problem(413, "too_large")
	w.token(w.ada, assent.ScopeRead, assent.ScopeChat).api("POST", path, object{"version": 1, "approval": "yes"}).problem(403, "not_permitted")
	said := w.all.api("GET", "/sessions/"+s, nil).object().list("messages").column("content")
	if !slices.Contains(said, "no, do not run it") || slices.Contains(said, "yes") {
		t.Errorf("the words on record are %q", said)
	}
}

func TestTwoApprovalsAreOneRun(t *testing.T) {
	w := newWorld(t)
	p := w.all.plan(w.all.session(), step("create_project", object{"name": "Once"}))
	path, body := "/plans/"+p.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}
	runs := make([]string, 8)
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			a := w.all.api("POST", path, body)
			runs[i] = fmt.Sprint(a.status, a.object().str("id"))
		})
	}
	all.Wait()
	runs = append(runs, func() string { a := w.all.api("POST", path, body); return fmt.Sprint(a.status, a.object().str("id")) }())
	if got := slices.Compact(slices.Sorted(slices.Values(runs))); len(got) != 1 || !strings.HasPrefix(got[0], "202") {
		t.Errorf("nine approvals gave %v", got)
	}
	w.all.ended(runs[0][3:], "completed")
	if n := len(w.all.pages("/projects", 10)); n != 1 {
		t.Errorf("there are %d projects", n)
	}
}

func TestEveryActionInEveryStatus(t *testing.T) {
	w := newWorld(t)
	actions := []string{"pause", "resume", "continue", "rollback", "execute", "cancel", "undo", "human-response", "stop", "fly"}
	for _, tc := range []struct {
		status, allowed string
		reach           func(s string) (run string)
	}{
		{"running", "pause cancel", func(s string) string { return w.all.heldRun(s) }},
		{"paused", "resume cancel undo", func(s string) string { // before its first step
			id := w.all.heldRun(s)
			w.all.act(id, "pause").want(200)
			return id
		}},
		{"paused", "resume rollback execute cancel undo", func(s string) string { // before its second step, once more
			id := w.all.completedRun(s)
			w.all.act(id, "rollback").want(200)
			return id
		}},
		{"waiting_human", "human-response rollback cancel undo", w.all.askingRun},
		{"completed", "rollback undo", w.all.completedRun},
		{"failed", "continue rollback undo", w.all.failedRun},
		{"cancelled", "undo", func(s string) string {
			id := w.all.heldRun(s)
			w.all.act(id, "cancel").want(200)
			return id
		}},
		{"undone", "", func(s string) string {
			id := w.all.completedRun(s)
			w.all.act(id, "undo").want(200)
			return id
		}},
	} {
		for _, action := range actions {
			run := tc.reach(w.all.session())
			w.all.ended(run, tc.status)
			body := object{"action": action}
			if action == "human-response" {
				body["input"] = object{"decision": "approve"}
			}
			a := w.all.api("POST", "/runs/"+run+"/actions", body)
			if strings.Contains(" "+tc.allowed+" ", " "+action+" ") {
				checkShape(t, action, "run", a.want(200).object())
				continue
			}
			p := a.problem(409, "conflict")
			var allowed []string
			list, _ := p["allowed"].([]any)
			for _, x := range list {
				allowed = append(allowed, x.(string))
			}
			if _, ok := p["allowed"].([]any); !ok || strings.Join(allowed, " ") != tc.allowed {
				t.Errorf("%s while %s: allowed are %v, want %s (%s)", action, tc.status, allowed, tc.allowed, a.body)
			}
		}
	}
}

// askingRun runs a plan up to its checkpoint.
func (c caller) askingRun(session string) string {
	c.w.t.Helper()
	return c.started(session, "waiting_human", step("create_project", object{"name": "Asks"}), object{"id": "ask", "type": "checkpoint", "prompt": "Invite everybody?"})
}

// A plan with parallel work and a question: the children's outputs come by key,
// the run waits for the answer, which stands in its journal.
func TestParallelWorkAndAQuestion(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	run := w.all.started(s, "waiting_human", step("create_project", object{"name": "Move"}),
		object{"id": "know", "type": "parallel", "max_concurrency": 2, "result_key": "known", "steps": []any{
			object{"id": "a", "type": "tool", "tool": "create_task", "arguments": object{"project_id": "$0.output.artifact_id", "title": "Pack"}, "result_key": "pack"},
			object{"id": "b", "type": "tool", "tool": "list_templates", "arguments": object{"query": "move"}}}},
		object{"id": "ask", "type": "checkpoint", "prompt": "Really {{ result.pack.artifact.title }}?", "result_key": "word"},
		step("create_task", object{"project_id": "$0.output.artifact_id", "title": "{{ result.word.input }} after {{ result.known.pack.artifact.title }}"}))
	got := w.all.api("GET", "/runs/"+run, nil).want(200).object()
	checkShape(t, "waiting", "run", got)
	steps := got.list("steps")
	if paths := steps.column("path"); !slices.Equal(paths, []string{"s1", "know", "know/a", "know/b", "ask", "s2"}) || steps[4].str("status") != "waiting_human" || steps[4].str("summary") != "Really Pack?" {
		t.Errorf("the steps are %v", steps)
	}
	w.all.api("POST", "/runs/"+run+"/actions", object{"action": "human-response", "input": object{"decision": "perhaps"}}).problem(422, "invalid_arguments")
	w.all.api("POST", "/runs/"+run+"/actions", object{"action": "human-response", "input": object{"decision": "approve", "more": 1}}).problem(422, "invalid_arguments")
	w.all.api("POST", "/runs/"+run+"/actions", object{"action": "human-response", "input": object{"decision": "approve", "input": "Rest"}}).want(200)
	w.all.ended(run, "completed")
	last := w.all.api("GET", "/runs/"+run, nil).want(200).object().list("steps")[5]
	if title := last.get("arguments").str("title"); title != "Rest after Pack" {
		t.Errorf("the last step ran with %v", last.get("arguments"))
	}
	// Going back from the end takes the last step alone; undo takes all of it.
	w.all.act(run, "undo").want(200)
	if n := len(w.all.pages("/projects", 10)); n != 0 {
		t.Errorf("%d projects are left", n)
	}
}

// completedRun runs a plan of two steps.
func (c caller) completedRun(session string) string {
	c.w.t.Helper()
	return c.started(session, "completed", step("create_project", object{"name": "Done"}), step("list_projects", object{}))
}

// failedRun runs a plan whose second step fails.
func (c caller) failedRun(session string) string {
	c.w.t.Helper()
	return c.started(session, "failed", step("create_project", object{"name": "Half"}),
		step("complete_task", object{"task_id": "01234567-89ab-7def-8123-456789abcdef"}), step("list_projects", object{}))
}

func (c caller) started(session, status string, steps ...object) string {
	c.w.t.Helper()
	p := c.plan(session, steps...)
	run := c.api("POST", "/plans/"+p.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202).object().str("id")
	c.ended(run, status)
	return run
}

func TestWhatActionsDo(t *testing.T) {
	w := newWorld(t)
	failed := w.all.failedRun(w.all.session())
	run := w.all.api("GET", "/runs/"+failed, nil).object()
	checkShape(t, "failed", "run", run)
	if got := run.list("steps").column("status"); !slices.Equal(got, []string{"success", "failed", "skipped"}) {
		t.Errorf("the steps of a failed run are %v", got)
	}
	if e := run.list("steps")[1].get("error"); e.str("code") != "not_found" {
		t.Errorf("the step failed with %v", e)
	}
	w.all.act(failed, "continue").want(200)
	w.all.ended(failed, "failed")
	if attempts := w.all.api("GET", "/runs/"+failed, nil).object().list("steps"); attempts[0].num("attempt") != 1 || attempts[1].num("attempt") != 2 {
		t.Errorf("continue ran %v", attempts)
	}
	back := w.all.act(failed, "rollback").want(200).object()
	if got := back.list("steps").column("status"); back.str("status") != "paused" || !slices.Equal(got, []string{"pending", "pending", "pending"}) {
		t.Errorf("rolled back: %s %v", back.str("status"), got)
	}
	if n := len(w.all.pages("/projects", 10)); n != 0 {
		t.Errorf("%d projects after rolling back", n)
	}
	w.all.act(failed, "execute").want(200)
	w.all.ended(failed, "failed")
	if n := len(w.all.pages("/projects", 10)); n != 1 {
		t.Errorf("%d projects after executing again", n)
	}
	if r := w.all.act(failed, "undo").want(200).object(); r.str("status") != "undone" {
		t.Errorf("undone: %v", r.str("status"))
	}
	// What had not begun when all was taken back is left out, not waiting.
	asking := w.all.askingRun(w.all.session())
	if got := w.all.act(asking, "undo").want(200).object().list("steps").column("status"); !slices.Equal(got, []string{"undone", "cancelled"}) {
		t.Errorf("taken back while it asked: %v", got)
	}
	// A template from which somebody has made a project stays.
	made := w.all.started(w.all.session(), "completed", step("create_template", object{"name": "Booths", "milestones": []any{object{"title": "Built"}}}))
	template := w.all.api("GET", "/runs/"+made, nil).want(200).object().list("steps")[0].get("outputs").str("artifact_id")
	w.all.call("create_project", object{"name": "Fair", "template_id": template})
	if p := w.all.act(made, "undo").problem(409, "conflict"); !strings.Contains(p.str("detail"), "Fair") {
		t.Errorf("the conflict says %q", p.str("detail"))
	}
	// Somebody else's later change is said, never overwritten.
	done := w.all.completedRun(w.all.session())
	project := w.all.api("GET", "/runs/"+done, nil).object().list("steps")[0].get("outputs").str("artifact_id")
	w.all.api("PATCH", "/projects/"+project, object{"name": "By hand"}).want(200)
	if p := w.all.act(done, "undo").problem(409, "conflict"); fmt.Sprint(p["allowed"]) != "[rollback undo]" {
		t.Errorf("the conflict allows %v", p["allowed"])
	}
	if got := w.all.api("GET", "/projects/"+project, nil).want(200).object().str("name"); got != "By hand" {
		t.Errorf("the project is %q", got)
	}
}

func TestAChatTokenMayStopButNotGoOn(t *testing.T) {
	w := newWorld(t)
	chat := w.token(w.ada, assent.ScopeRead, assent.ScopeChat)
	run := w.all.heldRun(w.all.session())
	for _, action := range []string{"resume", "continue", "rollback", "execute", "undo", "human-response"} {
		chat.act(run, action).problem(403, "not_permitted")
	}
	approve := w.token(w.ada, assent.ScopeApprove)
	w.token(w.ada, assent.ScopeRead).act(run, "pause").problem(403, "not_permitted")
	approve.act(run, "pause").problem(403, "not_permitted")
	chat.act(run, "pause").want(200)
	chat.act(run, "resume").problem(403, "not_permitted")
	approve.act(run, "resume").want(200)
	chat.act(run, "cancel").want(200)
	w.theirs.act(run, "undo").problem(404, "not_found")
}

func TestTakingBack(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	held := w.all.heldRun(s)
	out := w.all.api("POST", "/messages/"+w.all.word(s, held)+"/take-back", nil).want(200).object()
	if out.str("outcome") != "returned" {
		t.Errorf("before the first step: %v", out)
	}
	plan := w.all.api("GET", "/plans/"+out.str("plan_id"), nil).want(200).object()
	if got := plan.list("versions")[0].str("status"); plan.str("status") != "pending_review" || got != "open" {
		t.Errorf("the plan is %s, its version %s", plan.str("status"), got)
	}
	again := w.all.api("POST", "/plans/"+plan.str("id")+"/runs", object{"version": 1, "approval": "yes, run it"}).want(202).object().str("id")
	w.all.ended(again, "completed")

	half := w.all.completedRun(s)
	w.all.act(half, "rollback").want(200)
	said := w.all.word(s, half)
	out = w.all.api("POST", "/messages/"+said+"/take-back", nil).want(200).object()
	if undoable, _ := out["undoable"].([]any); out.str("outcome") != "cancelled" || len(undoable) != 1 {
		t.Errorf("after the first step: %v", out)
	}
	m := find(w.all.api("GET", "/sessions/"+s, nil).object().list("messages"), said)
	if m.get("reading")["taken_back"] != true {
		t.Errorf("the message is %v", m)
	}
	for name, id := range map[string]string{"twice": said, "a run that is over": w.all.word(s, again), "small talk": w.all.say(s, "thanks").str("message_id")} {
		if p := w.all.api("POST", "/messages/"+id+"/take-back", nil).problem(409, "conflict"); p["allowed"] == nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// word stores a message that approved a run.
func (c caller) word(session, run string) string {
	c.w.t.Helper()
	r := c.api("GET", "/runs/"+run, nil).want(200).object()
	m := assent.Message{ID: app.NewIDs(), SessionID: session, Role: assent.RoleUser, Content: "yes", CreatedAt: c.w.app.Store.Now(),
		Reading: &assent.Reading{As: assent.ReadApprove, PlanID: r.str("plan_id"), Version: 1, RunID: run, Words: "yes", Counts: true}}
	c.w.write(func(tx *store.Tx) error { return tx.CreateMessage(m) })
	return m.ID
}

func TestPlansAreCheckedWithoutRunning(t *testing.T) {
	w := newWorld(t)
	check := func(plan any, more ...any) object {
		body := object{"plan": plan}
		for i := 0; i+1 < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		o := w.token(w.ada, assent.ScopeChat).api("POST", "/plans/validate", body).want(200).object()
		for _, key := range []string{"errors", "warnings"} {
			if _, ok := o[key].([]any); !ok {
				t.Errorf("%s are %v", key, o[key])
			}
			for _, e := range o.list(key) {
				checkShape(t, "validate", "fault", e)
			}
		}
		checkShape(t, "validate", "preview", o.get("preview"))
		if (o["valid"] == true) != (len(o.list("errors")) == 0) {
			t.Errorf("valid is %v with %v", o["valid"], o["errors"])
		}
		return o
	}
	steps := func(s ...object) object { return object{"objective": "Do", "steps": s} }
	make := object{"id": "make", "type": "tool", "tool": "create_project", "arguments": object{"name": "M"}, "result_key": "p"}
	if o := check(steps(make, step("create_task", object{"project_id": "{{ bindings.id }}", "title": "T"})), "bindings", object{"id": "x"}); o["valid"] != true {
		t.Errorf("a sound plan: %v", o)
	}
	for code, plan := range map[string]any{
		"empty_plan":           steps(),
		"unknown_tool":         steps(step("fly", object{})),
		"unknown_step_type":    steps(object{"type": "dance"}),
		"invalid_step":         steps(object{"type": "tool", "tool": 5}),
		"missing_argument":     steps(step("create_project", object{})),
		"unknown_argument":     steps(step("create_project", object{"name": "M", "colour": "red"})),
		"invalid_arguments":    steps(step("create_project", object{"name": 5})),
		"index_out_of_range":   steps(step("create_project", object{"name": "$7.output.x"})),
		"self_reference":       steps(step("create_project", object{"name": "$0.output.artifact.name"})),
		"forward_reference":    steps(step("create_project", object{"name": "$1.output.artifact.name"}), make),
		"reference_syntax":     steps(step("create_project", object{"name": "$x.output.a"})),
		"unknown_result_key":   steps(step("create_project", object{"name": "{{ result.none.a }}"})),
		"unknown_binding":      steps(step("create_project", object{"name": "{{ bindings.none }}"})),
		"field_not_found":      steps(make, step("create_project", object{"name": "$0.output.artifact.colour"})),
		"type_mismatch":        steps(make, step("create_project", object{"name": "$0.output.artifact.revision"})),
		"duplicate_step_id":    steps(make, object{"id": "make", "type": "tool", "tool": "list_projects"}),
		"duplicate_result_key": steps(make, object{"type": "tool", "tool": "list_projects", "result_key": "p"}),
		"too_many_steps":       steps(slices.Repeat([]object{step("list_projects", object{})}, 13)...),
		"too_large":            steps(step("create_project", object{"name": strings.Repeat("x", 257<<10)})),
	} {
		o := check(plan)
		if got := o.list("errors").column("code"); !slices.Contains(got, code) {
			t.Errorf("%s: %v", code, o["errors"])
		}
	}
	for _, plan := range []any{5, "steps", []any{}, true, object{}, object{"steps": 5}, object{"steps": []any{1, nil, "x", []any{}}}, object{"steps": nil}} {
		if o := check(plan); o["valid"] == true {
			t.Errorf("%v is valid", plan)
		}
	}
	o := check(steps(step("create_project", object{"name": 5, "colour": "red"}), step("fly", object{}), step("create_task", object{"title": "$9.output.x"})))
	if got := o.list("errors").column("code"); len(got) < 4 {
		t.Errorf("not all errors at once: %v", got)
	}
	if o := check(steps(make), "context_type", "project_create"); !slices.Contains(o.list("errors").column("code"), "missing_required_step") {
		t.Errorf("a plan to create a project without looking for templates: %v", o)
	}
	w.all.api("POST", "/plans/validate", object{"plan": steps(make), "bindings": 5}).problem(422, "invalid_arguments")
	w.all.api("POST", "/plans/validate", object{"plan": steps(make), "context_type": "moon"}).problem(422, "invalid_arguments")
	if n := len(w.all.pages("/plans", 10)) + len(w.all.pages("/projects", 10)); n != 0 {
		t.Errorf("checking left %d things behind", n)
	}
}

// The largest plans that are taken are checked, whatever they are made of.
func TestTheLargestPlansAreChecked(t *testing.T) {
	w := newWorld(t)
	deep := strings.Repeat(`{"a":`, 4000) + "1" + strings.Repeat("}", 4000)
	fits := func(unit string) int { return (250 << 10) / len(unit) }
	for name, plan := range map[string]string{
		"one long text":   `{"objective": "x", "steps": [{"type": "tool", "tool": "create_project", "arguments": {"name": "` + strings.Repeat("a", 250<<10) + `"}}]}`,
		"many references": `{"objective": "x", "steps": [{"type": "tool", "tool": "create_project", "arguments": {"name": "` + strings.Repeat("{{ result.a.b }}", fits("{{ result.a.b }}")) + `"}}]}`,
		"many braces":     `{"objective": "x", "steps": [{"type": "tool", "tool": "create_project", "arguments": {"name": "` + strings.Repeat("{{", fits("{{")) + `"}}]}`,
		"many steps":      `{"objective": "x", "steps": [` + strings.Repeat(`{"type":"tool","tool":"x"},`, fits(`{"type":"tool","tool":"x"},`)) + `{}]}`,
		"many arguments":  `{"objective": "x", "steps": [{"type": "tool", "tool": "create_project", "arguments": {` + manyKeys(20_000) + `}}]}`,
		"a long list":     `{"objective": "x", "steps": [{"type": "tool", "tool": "create_tasks", "arguments": {"project_id": "x", "tasks": [` + strings.Repeat(`{"title":""},`, fits(`{"title":""},`)) + `{}]}}]}`,
		"deep arguments":  `{"objective": "x", "steps": [{"type": "tool", "tool": "create_project", "arguments": ` + deep + `}]}`,
		"deep steps":      `{"objective": "x", "steps": [` + strings.Repeat(`{"type":"parallel","steps":[`, 3000) + strings.Repeat(`]}`, 3000) + `]}`,
		"a long path":     `{"objective": "x", "steps": [{"type": "tool", "tool": "list_projects"}, {"type": "tool", "tool": "create_project", "arguments": {"name": "$0.output` + strings.Repeat(".a", fits(".a")) + `"}}]}`,
		"a huge number":   `{"objective": "x", "steps": [{"type": "tool", "tool": "list_projects", "arguments": {"limit": 1` + strings.Repeat("0", 200<<10) + `}}]}`,
	} {
		start := time.Now()
		o := w.all.api("POST", "/plans/validate", `{"plan": `+plan+`}`).want(200).object()
		if len(o.list("errors")) > 100 || name != "one long text" && o["valid"] == true {
			t.Errorf("%s: valid %v with %d errors", name, o["valid"], len(o.list("errors")))
		}
		t.Logf("%s: %s", name, time.Since(start))
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	return b.String() + `"name":"x"`
}

func TestBadPlansAreNotStored(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	p := w.all.api("POST", "/plans", object{"session_id": s, "plan": object{"objective": "x", "steps": []object{step("create_project", object{}), step("fly", object{})}}}).problem(422, "invalid_plan")
	if got := p.list("errors").column("code"); !slices.Contains(got, "missing_argument") || !slices.Contains(got, "unknown_tool") {
		t.Errorf("the errors are %v", got)
	}
	w.all.api("POST", "/plans", object{"session_id": "none", "plan": object{}}).problem(404, "not_found")
	w.all.api("POST", "/plans", object{"session_id": s, "plan": object{}, "bindings": []int{1}}).problem(422, "invalid_arguments")
	if n := len(w.all.pages("/plans", 10)); n != 0 {
		t.Errorf("%d plans are stored", n)
	}
	bound := w.all.api("POST", "/plans", object{"session_id": s, "bindings": object{"name": "Bound"},
		"plan": object{"objective": "x", "steps": []object{step("create_project", object{"name": "{{ bindings.name }}"})}}}).want(201).object()
	run := w.all.api("POST", "/plans/"+bound.str("id")+"/runs", object{"version": 1, "approval": "go ahead"}).want(202).object()
	w.all.ended(run.str("id"), "completed")
	run = w.all.api("GET", "/runs/"+run.str("id"), nil).object()
	if run.get("bindings").str("name") != "Bound" || run.list("steps")[0].get("arguments").str("name") != "Bound" {
		t.Errorf("the run is %v", run)
	}
}
