package api_test

import (
	"slices"
	"testing"
)

// A key that was used for one message is refused for another: its words would be
// lost without a trace.
func TestAKeyIsForOneMessage(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	body := object{"content": "which templates are there?", "idempotency_key": "k1"}
	first := w.all.api("POST", "/sessions/"+s+"/messages", body).want(202).object()
	if again := w.all.api("POST", "/sessions/"+s+"/messages", body).want(202).object(); again.str("message_id") != first.str("message_id") {
		t.Errorf("the same again is another message: %v", again)
	}
	body["content"] = "delete everything"
	if p := w.all.api("POST", "/sessions/"+s+"/messages", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{"/idempotency_key"}) {
		t.Errorf("other words under the same key: %v", p)
	}
	w.all.events(s, "until=done")
}
