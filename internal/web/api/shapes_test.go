package api_test

import (
	"regexp"
	"strings"
	"testing"
)

// shapes are the fields of design 06, each with its type: s text, S text that is
// not empty, i a whole number, b a truth value, t a time, o an object, l a list,
// * anything. "?" after the name: the field may be absent. "|n": it may be null.
// A name instead of a letter is another shape, with [] a list of them.
var shapes = map[string]string{
	"session": "id S, context_type S, entity_id s, title s, last_seq i, messages []message, plans []plan, turns []turn",
	"message": "id S, role S, content s, turn_id s, seen_seq i, reading? reading, created_at t",
	"reading": "as S, action? S, plan_id? S, version? i, run_id? S, words s, changes? l, counts b, reason? S, taken_back? b",
	"turn":    "id S, session_id S, execution_mode S, status S, usage usage, error? error, started_at t|n, ended_at t|n",
	"usage":   "calls i, tokens_in i, tokens_out i, tokens_cached i, cost_micros i|n",
	"plan": "id S, session_id S, objective S, status S, mode S, version i, hash S, context_type S, steps []step, preview preview, " +
		"versions []version, reviews []review, approvals []approval, runs []run",
	"step":     "id S, type S, tool? S, arguments? o",
	"version":  "version i, hash S, status S, steps []step, created_by S, created_at t",
	"review":   "reviewer S, version i, verdict S, findings []finding",
	"finding":  "step s, severity S, text S",
	"approval": "id S, version i, hash S, basis S, message_id s, words s, reading reading|n, user_id S, at t, step? S, cost_limit_micros? i",
	"preview":  "creates o, updates o, deletes o, external l, undoable l, open l, estimate estimate",
	"estimate": "llm_calls i, tokens i, cost_micros i|n, basis s",
	"run":      "id S, plan_id S, version i, hash S, status S, steps []stepRun, bindings *, usage usage, not_before? t|n, requested_by S, approval_id S",
	"stepRun":  "id S, path S, type S, tool? S, agent? S, status S, attempt i, arguments *, outputs *, error? error, started_at t|n, ended_at t|n",
	"problem":  "type S, title S, status i, detail S, code S, errors []fault",
	"fault":    "pointer s, step? S, argument? S, reference? S, code S, message S, available_fields? l",
	"error":    "code S, message S, details o",
	"success":  "success b, output o",
	"failure":  "success b, error error, remediation_hint? s",
	"usageRow": "calls i, failures i, unpriced_calls i, tokens_in i, tokens_out i, tokens_cached i, cost_micros i|n, latency_ms_p50 i, latency_ms_p95 i, ttft_ms_p50 i",
	"errorRow": "id S, at t, code S, class s, operation_type s, provider s, model s, session_id s, turn_id s, user_id s, message S, details o",
	"tool":     "name S, aliases l, description S, effect S, idempotent b, input_schema o, output_schema o, source S",
	"list":     "items l, next_cursor s|n",
	"accepted": "turn_id S, message_id S, events_url S",
	"event":    "seq i, type S, turn_id s|n, at t",
	"person":   "id S, email S, name S, role S, disabled b, created_at t",
	"token":    "id S, name S, scopes l, created_at t, last_used_at t|n, expires_at t|n",
}

// enums are the closed sets of design 06 and 03, by shape and field.
var enums = map[string]string{
	"message.role":     "user assistant",
	"turn.status":      "queued running completed stopped failed interrupted",
	"plan.status":      "draft pending_review approved running paused waiting_human completed failed rejected cancelled undone",
	"plan.mode":        "auto_execute agent_review draft_only",
	"run.status":       "running paused waiting_human completed failed cancelled undone",
	"stepRun.status":   "pending running success failed partial skipped cancelled waiting_human undone",
	"version.status":   "open approved superseded",
	"approval.basis":   "words setting carried request parent",
	"tool.effect":      "read write destructive external",
	"finding.severity": "info warning error",
	"reading.as":       "approve approve_with_changes change reject question unrelated unclear control",
}

var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)

// checkShape holds that a JSON object has every field of a shape, of its type.
func checkShape(t *testing.T, where, shape string, o object) {
	t.Helper()
	if o == nil {
		t.Errorf("%s: no %s", where, shape)
		return
	}
	for _, field := range strings.Split(shapes[shape], ", ") {
		name, kind, _ := strings.Cut(field, " ")
		name, optional := strings.CutSuffix(name, "?")
		v, there := o[name]
		switch {
		case !there && !optional:
			t.Errorf("%s: a %s without %s", where, shape, name)
		case there:
			checkField(t, where+"/"+name, kind, v)
			checkEnum(t, where, shape+"."+name, v)
		}
	}
}

func checkEnum(t *testing.T, where, field string, v any) {
	t.Helper()
	if set, closed := enums[field]; closed && !strings.Contains(" "+set+" ", " "+v.(string)+" ") {
		t.Errorf("%s: %s is %v, not one of %s", where, field, v, set)
	}
}

func checkField(t *testing.T, where, kind string, v any) {
	t.Helper()
	kind, nullable := strings.CutSuffix(kind, "|n")
	if v == nil && (nullable || kind == "*") {
		return
	}
	if of, isList := strings.CutPrefix(kind, "[]"); isList {
		if _, ok := v.([]any); !ok {
			t.Errorf("%s is %v, not a list", where, v)
		}
		for _, o := range listOf(v) {
			checkShape(t, where, of, o)
		}
		return
	}
	if shapes[kind] != "" {
		o, _ := v.(map[string]any)
		checkShape(t, where, kind, o)
		return
	}
	if !isKind(kind, v) {
		t.Errorf("%s is %v, want %s", where, v, kind)
	}
}

func isKind(kind string, v any) (ok bool) {
	switch kind {
	case "s":
		_, ok = v.(string)
	case "S":
		s, _ := v.(string)
		ok = s != ""
	case "i":
		f, is := v.(float64)
		ok = is && f == float64(int64(f))
	case "b":
		_, ok = v.(bool)
	case "t":
		s, _ := v.(string)
		ok = rfc3339.MatchString(s)
	case "o":
		_, ok = v.(map[string]any)
	case "l":
		_, ok = v.([]any)
	case "*":
		ok = true
	}
	return ok
}

// TestTheShapesAreChecked holds that checkShape can say no.
func TestTheShapesAreChecked(t *testing.T) {
	t.Parallel()
	for kind, wrong := range map[string]any{"s": 1.0, "S": "", "i": 1.5, "b": "true", "t": "2026-11-21", "o": []any{}, "l": map[string]any{}} {
		if isKind(kind, wrong) {
			t.Errorf("%v passes as %s", wrong, kind)
		}
	}
	for kind, right := range map[string]any{"s": "", "S": "x", "i": 2.0, "b": false, "t": "2026-11-21T10:00:00.000Z", "o": map[string]any{}, "l": []any{}} {
		if !isKind(kind, right) {
			t.Errorf("%v does not pass as %s", right, kind)
		}
	}
}
