package api_test

import (
	"regexp"
	"strings"
	"testing"
)

func TestMetricsTellWhatHappenedAndToWhomNot(t *testing.T) {
	w := newWorld(t)
	s := w.all.session()
	w.all.say(s, `Set up the office move as a project called "Leith", but show me the plan first`)
	w.all.say(s, "looks good, run it")
	w.all.api("POST", "/tools/search/calls", object{"arguments": object{"query": "Leith"}}).want(200)
	w.all.api("GET", "/sessions/no-such-session", nil).want(404)
	caller{w: w}.do("GET", "/no/such/page?q=secret", nil)
	resp := w.all.open("GET", "/api/v1/sessions/"+s+"/events", nil)
	defer resp.Body.Close()
	readEvents(t, resp.Body, 1)
	a := caller{w: w}.do("GET", "/metrics", nil).want(200)
	if ct := a.header.Get("Content-Type"); !strings.HasPrefix(ct, "text/plain; version=0.0.4") {
		t.Errorf("the content type is %q", ct)
	}
	got := string(a.body)
	for _, want := range []string{
		`assent_http_requests_total{method="POST",route="/api/v1/sessions",status="201"} 1`, `assent_http_requests_total{method="GET",route="/api/v1/sessions/:id",status="404"} 1`,
		`assent_turns_total{status="completed"} `, `assent_events_total{type="plan_created"} 1`, `assent_runs_total{status="completed"} 1`,
		`assent_model_calls_total{model="rules",operation="planner_stream",provider="offline",status="ok"} `, `assent_model_tokens_total{direction="in",model="rules",provider="offline"} `,
		`assent_model_cost_micros_total{model="rules",provider="offline"} 0`, `assent_tool_calls_total{outcome="ok",tool="search"} 1`,
		`assent_tool_calls_total{outcome="ok",tool="create_project"} 1`, `assent_open_streams 1`, "go_goroutines ", "process_resident_memory_bytes "} {
		if !strings.Contains(got, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	for _, secret := range []string{s, "no-such", "no/such", "Leith", "ada@", "@", w.all.secret, "secret", w.ada.ID} {
		if strings.Contains(got, secret) {
			t.Errorf("it tells %q: %s", secret, regexp.MustCompile(`(?m)^.*`+regexp.QuoteMeta(secret)+`.*$`).FindString(got))
		}
	}
}
