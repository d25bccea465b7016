package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
)

func TestAMessageAndItsTurn(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	sent := w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "Which projects are there?", "execution_mode": "draft_only"}).want(202).object()
	checkShape(t, "sent", "accepted", sent)
	if sent.str("events_url") != "/api/v1/sessions/"+s+"/events" {
		t.Errorf("the events are at %s", sent.str("events_url"))
	}
	w.all.events(s, "until=done")
	turn := w.all.api("GET", "/turns/"+sent.str("turn_id"), nil).want(200).object()
	checkShape(t, "turn", "turn", turn)
	if turn.str("status") != "completed" || turn.str("execution_mode") != "draft_only" || turn.str("ended_at") == "" || turn["error"] != nil {
		t.Errorf("the turn is %v", turn)
	}
	messages := w.all.api("GET", "/sessions/"+s, nil).want(200).object().list("messages")
	if got := messages.column("role"); !slices.Equal(got, []string{"user", "assistant"}) || messages[0].str("id") != sent.str("message_id") {
		t.Errorf("the messages are %v", messages)
	}
	if p := w.all.api("POST", "/turns/"+sent.str("turn_id")+"/cancel", nil).problem(409, "conflict"); p["allowed"] == nil {
		t.Errorf("a turn that is over: %v", p)
	}
}

func TestMessagesAreBounded(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	path := "/sessions/" + s + "/messages"
	if p := w.all.api("POST", path, object{"content": strings.Repeat("a", 32<<10+1)}).problem(413, "too_large"); !slices.Equal(p.pointers(), []string{"/content"}) {
		t.Errorf("too long names %v", p.pointers())
	}
	w.all.api("POST", path, object{"content": strings.Repeat("é", 16<<10)}).want(202)
	for body, pointer := range map[string]string{
		`{"content": "a\u0000b"}`: "/content", `{"content": "x", "execution_mode": "wild"}`: "/execution_mode", `{"content": "x", "seen_seq": -1}`: "/seen_seq",
		`{"content": "x", "idempotency_key": "` + strings.Repeat("k", 201) + `"}`: "/idempotency_key",
	} {
		if p := w.all.api("POST", path, body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{pointer}) {
			t.Errorf("%.60s names %v", body, p.pointers())
		}
	}
	w.all.events(s, "until=done")
}

func TestABlankMessageIsAnswered(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	for _, blank := range []string{"", "  \n\t"} {
		w.all.say(s, blank)
	}
	messages := w.all.api("GET", "/sessions/"+s, nil).want(200).object().list("messages")
	if len(messages) != 4 || messages[1].str("content") == "" {
		t.Errorf("the messages are %v", messages)
	}
	rows := w.all.api("GET", "/admin/usage?group_by=operation_type", nil).want(200).object().list("items")
	for _, r := range rows {
		if r.str("operation_type") == "clarification" && r.num("calls") == 2 && r.num("tokens_in") == 0 && r.num("tokens_out") == 0 {
			return
		}
	}
	t.Errorf("the clarifications are not on the books: %v", rows)
}

func TestAKeyMakesOneTurn(t *testing.T) {
	w := newWorld(t)
	s, other := w.all.session(), w.all.session()
	body := object{"content": "hello", "idempotency_key": "k1"}
	answers := make(chan object, 8)
	for range cap(answers) {
		go func() { answers <- w.all.api("POST", "/sessions/"+s+"/messages", body).object() }()
	}
	ids := map[string]bool{}
	for range cap(answers) {
		o := <-answers
		ids[o.str("turn_id")+" "+o.str("message_id")] = true
	}
	if len(ids) != 1 {
		t.Errorf("one key made %v", ids)
	}
	w.all.api("POST", "/sessions/"+other+"/messages", body).want(202)
	w.all.events(s, "until=done")
	w.all.events(other, "until=done")
	again := w.all.api("POST", "/sessions/"+s+"/messages", body).want(202).object()
	if !ids[again.str("turn_id")+" "+again.str("message_id")] {
		t.Errorf("later the key made %v", again)
	}
	if n := len(w.all.api("GET", "/sessions/"+s, nil).object().list("turns")); n != 1 {
		t.Errorf("there are %d turns", n)
	}
}

// slowModel is an OpenAI-compatible endpoint that says one word and then waits
// until it is released.
func slowModel(t *testing.T) (env []string, release func()) {
	t.Helper()
	free := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // what is asked does not matter
		rw.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(rw, "data: {\"choices\":[{\"delta\":{\"content\":\"One \"}}]}\n\n")
		_ = http.NewResponseController(rw).Flush() // a client that is gone is seen below
		select {
		case <-free:
		case <-r.Context().Done():
			return
		}
		fmt.Fprint(rw, "data: {\"choices\":[{\"delta\":{\"content\":\"two.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(srv.Close)
	return []string{"ASSENT_LLM_PROVIDER=openai", "ASSENT_OPENAI_BASE_URL=" + srv.URL, "ASSENT_OPENAI_MODEL=slow"}, func() { close(free) }
}

func (c caller) turn(id string) object {
	c.w.t.Helper()
	return c.api("GET", "/turns/"+id, nil).want(200).object()
}

func TestTurnsQueueAndAreCancelled(t *testing.T) {
	env, release := slowModel(t)
	w := newWorld(t, env...)
	s := w.all.session()
	send := func(text string) object {
		return w.all.api("POST", "/sessions/"+s+"/messages", object{"content": text}).want(202).object()
	}
	first, second, third := send("one"), send("two"), send("three")
	for _, o := range []object{first, second, third} {
		checkShape(t, "unfinished", "turn", w.all.turn(o.str("turn_id")))
	}
	if got := []string{w.all.turn(first.str("turn_id")).str("status"), w.all.turn(second.str("turn_id")).str("status")}; !slices.Equal(got, []string{"running", "queued"}) {
		t.Errorf("the turns are %v", got)
	}
	w.all.api("POST", "/turns/"+second.str("turn_id")+"/cancel", nil).want(202)
	if got := w.all.turn(second.str("turn_id")).str("status"); got != "stopped" {
		t.Errorf("a queued turn that is cancelled is %s", got)
	}
	w.await("first word", func() bool {
		ev := w.all.api("GET", "/sessions/"+s, nil).object()
		return ev.num("last_seq") > 0
	})
	w.all.api("POST", "/turns/"+first.str("turn_id")+"/cancel", nil).want(202)
	w.await("stop", func() bool { return w.all.turn(first.str("turn_id")).str("status") == "stopped" })
	release()
	events := w.all.events(s, "until=done")
	if got := w.all.turn(third.str("turn_id")).str("status"); got != "completed" {
		t.Errorf("the last turn is %s", got)
	}
	ends := 0
	for _, ev := range events {
		if ev.name == "done" {
			ends++
		}
	}
	if ends != 3 {
		t.Errorf("three turns have %d ends", ends)
	}
}

func TestEveryEventHasItsForm(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, `Set up the office move as a project called "Leith" by the end of March, but show me the plan first`)
	w.all.say(s, "looks good, run it")
	events := w.all.events(s, "until=done")
	seen := map[string]bool{}
	for i, ev := range events {
		checkShape(t, ev.name, "event", ev.data)
		if ev.name != ev.data.str("type") || ev.id != fmt.Sprint(ev.data.num("seq")) || ev.data.num("seq") != int64(i+1) {
			t.Fatalf("frame %d is %v", i, ev)
		}
		seen[ev.name] = true
		checkEventFields(t, ev)
	}
	for _, want := range []string{"session", "message", "reading", "ontology_loaded", "agent_state", "text", "plan_created", "plan_ready_for_review", "plan_state",
		"run_state", "step_start", "step_complete", "tool_call", "tool_result", "done"} {
		if !seen[want] {
			t.Errorf("there is no event %s", want)
		}
	}
}

// checkEventFields holds the table of design 02 §3.
func checkEventFields(t *testing.T, ev event) {
	t.Helper()
	table := map[string]string{
		"session": "session_id context_type entity_id", "message": "message_id role content", "reading": "message_id as words counts",
		"agent_state": "state context_type", "text": "delta", "tool_call": "call_id tool arguments label effect virtual", "tool_result": "call_id tool ok summary duration_ms",
		"plan_created": "plan_id version hash mode steps preview", "plan_ready_for_review": "plan_id version hash mode steps preview reasoning suggested_replies",
		"plan_state": "plan_id version status", "run_state": "run_id plan_id status", "step_start": "run_id path attempt status arguments",
		"step_complete": "run_id path attempt status outputs summary duration_ms", "warning": "code message retryable", "error": "code message retryable",
		"done": "status usage counts duration_ms",
	}
	for _, field := range strings.Fields(table[ev.name]) {
		if _, ok := ev.data[field]; !ok {
			b, err := json.Marshal(ev.data)
			t.Errorf("a %s without %s: %.200s %v", ev.name, field, b, err)
		}
	}
}

func TestStreamsBeginWhereTheReaderWas(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, "hello")
	all := w.all.events(s, "until=done")
	n := len(all)
	for name, tc := range map[string]struct {
		query  string
		header []string
		want   int // frames
	}{
		"from the start":    {"until=done&after=0", nil, n},
		"after":             {"until=done&after=2", nil, n - 2},
		"last event id":     {"until=done", []string{"Last-Event-ID", "3"}, n - 3},
		"the larger counts": {"until=done&after=2", []string{"Last-Event-ID", "4"}, n - 4},
		"either way":        {"until=done&after=4", []string{"Last-Event-ID", "2"}, n - 4},
		"nothing new":       {fmt.Sprintf("until=done&after=%d", n), nil, 0},
	} {
		got := w.all.events(s, tc.query, tc.header...)
		if len(got) != tc.want || len(got) > 0 && got[0].data.num("seq") != int64(n-tc.want+1) {
			t.Errorf("%s: %d frames, want %d", name, len(got), tc.want)
		}
	}
	beyond := w.all.events(s, fmt.Sprintf("after=%d", n+5))
	if len(beyond) != 1 || beyond[0].name != "reset" || beyond[0].data.num("last_seq") != int64(n) {
		t.Errorf("a position that does not exist: %v", beyond)
	}
	// Without until the stream stays open and follows.
	resp := w.all.open("GET", fmt.Sprintf("/api/v1/sessions/%s/events?after=%d", s, n), nil)
	defer resp.Body.Close()
	w.all.say(s, "hello again")
	if got := readEvents(t, resp.Body, 1); len(got) != 1 || got[0].data.num("seq") != int64(n+1) {
		t.Errorf("following gives %v", got)
	}
}

func TestASenderWhoHasNotSeenThePlanApprovesNothing(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, `Set up the office move as a project called "Leith", but show me the plan first`)
	before := w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "looks good, run it", "seen_seq": 1}).want(202).object()
	w.all.events(s, "until=done")
	v := w.all.api("GET", "/sessions/"+s, nil).object()
	if got := v.list("plans")[0]; got.str("status") != "pending_review" || len(got.list("runs")) != 0 {
		t.Errorf("what was not seen was approved: %v", got.str("status"))
	}
	m := find(v.list("messages"), before.str("message_id"))
	if m.num("seen_seq") != 1 || m.get("reading")["counts"] == true {
		t.Errorf("the message is %v", m)
	}
	w.all.api("POST", "/sessions/"+s+"/messages", object{"content": "looks good, run it", "seen_seq": v.num("last_seq")}).want(202)
	w.all.events(s, "until=done")
	if got := w.all.api("GET", "/sessions/"+s, nil).object().list("plans")[0]; got.str("status") != "completed" {
		t.Errorf("what was seen and approved is %v", got.str("status"))
	}
}

func find(os objects, id string) object {
	for _, o := range os {
		if o.str("id") == id {
			return o
		}
	}
	return nil
}

func TestATokenWithoutApproveOnlyAsks(t *testing.T) {
	w := newWorld(t)
	chat := w.token(w.ada, assent.ScopeRead, assent.ScopeChat)
	s := w.all.session()
	w.all.say(s, `Set up the office move as a project called "Leith", but show me the plan first`)
	for _, words := range []string{"looks good, run it", "yes", "go ahead with version 1"} {
		sent := chat.say(s, words)
		v := chat.api("GET", "/sessions/"+s, nil).want(200).object()
		reading := find(v.list("messages"), sent.str("message_id")).get("reading")
		if reading == nil || reading["counts"] != false || reading.str("reason") == "" {
			t.Errorf("%q is read as %v", words, reading)
		}
		if p := v.list("plans")[0]; p.str("status") != "pending_review" || len(p.list("runs"))+len(p.list("approvals")) != 0 {
			t.Errorf("%q moved the plan: %v", words, p.str("status"))
		}
	}
	plan := w.all.api("GET", "/sessions/"+s, nil).object().list("plans")[0].str("id")
	chat.api("POST", "/plans/"+plan+"/runs", object{"version": 1, "approval": "yes"}).problem(403, "not_permitted")
	if sent := w.all.say(s, "looks good, run it"); sent == nil {
		t.Error("not sent")
	}
	// Undo is a control that needs approve, too.
	sent := chat.say(s, "undo that")
	v := chat.api("GET", "/sessions/"+s, nil).want(200).object()
	if r := find(v.list("messages"), sent.str("message_id")).get("reading"); r["counts"] != false || r.str("reason") == "" {
		t.Errorf("undo is read as %v", r)
	}
	if got := v.list("plans")[0].str("status"); got != "completed" {
		t.Errorf("undo without approve left the plan %s", got)
	}
	// To say no, chat is enough.
	s = w.all.session()
	w.all.say(s, `Set up the office move as a project called "Leith", but show me the plan first`)
	chat.say(s, "no, forget it, discard this plan")
	if got := chat.api("GET", "/sessions/"+s, nil).object().list("plans")[0].str("status"); got != "rejected" {
		t.Errorf("a refusal left the plan %s", got)
	}
}
