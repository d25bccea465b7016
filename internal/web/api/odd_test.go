package api_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"assent/internal/web/api"
)

// oddities are JSON values that somebody may send for any other.
func oddities() []string {
	return []string{`null`, `true`, `0`, `-1`, `1.5`, `1e400`, `99999999999999999999`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"$0.output.a"`, `"{{ result.x }}"`,
		`"{{"`, `"%"`, `"' OR 1=1 --"`, `"9999-99-99"`, `"2027-02-30"`, `[]`, `[null]`, `[[]]`, `{}`, `{"a": {"b": []}}`, `"` + strings.Repeat("é", 40_000) + `"`}
}

// sound are the fields that each route reads, with values that are.
func sound(r api.Route, ids map[string]string) map[string]any {
	switch _, body := request(r, ids); {
	case r.Path == "/sessions":
		return object{"context_type": "general", "entity_id": "", "title": "T"}
	case strings.HasSuffix(r.Path, "/messages"):
		return object{"content": "hello", "execution_mode": "draft_only", "idempotency_key": "k", "seen_seq": 1}
	case r.Path == "/plans/validate", r.Path == "/plans":
		plan := object{"objective": "x", "reasoning": "y", "requested_outputs": []string{"z"}, "priority_entities": []string{}, "steps": []object{step("list_projects", object{})}}
		out := object{"plan": plan, "bindings": object{"a": 1}, "context_type": "general", "session_id": ids["sessions"]}
		delete(out, map[bool]string{true: "context_type", false: "session_id"}[r.Path == "/plans"])
		return out
	case r.Path == "/tokens":
		return object{"name": "x", "scopes": []string{"read"}, "expires_at": "2999-01-01T00:00:00Z"}
	case strings.HasPrefix(r.Path, "/admin/people"):
		return object{"email": "new@example.org", "name": "New", "role": "member", "password": "a long password", "time_zone": "UTC", "locale": "en", "disabled": false}
	default:
		return body.(object)
	}
}

func TestNoValueMakesAServerError(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	ids["people"] = w.bo.ID
	for _, r := range takesBody() {
		path, _ := request(r, ids)
		for field := range sound(r, ids) {
			for _, odd := range oddities() {
				body := map[string]any{}
				maps.Copy(body, sound(r, ids))
				body[field] = json.RawMessage(odd)
				raw, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				if a := w.all.api(r.Method, path, string(raw)); a.status >= 500 {
					t.Errorf("%s %s with %s: %.60s gives %d %.300s", r.Method, r.Path, field, odd, a.status, a.body)
				}
			}
		}
	}
	for _, session := range w.all.pages("/sessions", 200) {
		w.all.events(session, "until=done")
	}
}

func TestNoArgumentMakesAToolFail(t *testing.T) {
	w := newWorld(t)
	ids := w.all.mine()
	given := map[string]any{"name": "N", "title": "T", "query": "q", "milestones": []object{{"title": "M"}}, "tasks": []object{{"title": "T"}}, "from_id": ids["tasks"], "to_id": ids["documents"],
		"template_id": "office-move"}
	for _, kind := range []string{"project", "goal", "milestone", "task", "document", "risk", "decision", "relation"} {
		given[kind+"_id"] = ids[kind+"s"]
	}
	codes := []string{"invalid_arguments", "not_found", "conflict", "stale", "too_large", "not_permitted"}
	for _, spec := range w.all.api("GET", "/tools", nil).want(200).object().list("items") {
		if spec.str("effect") == "destructive" && spec.str("name") != "delete_relation" {
			continue // what they delete would be missing to the others
		}
		required, _ := spec.get("input_schema")["required"].([]any)
		for field := range spec.get("input_schema").get("properties") {
			for _, odd := range oddities() {
				args := map[string]any{}
				for _, name := range required {
					args[name.(string)] = given[name.(string)]
				}
				args[field] = json.RawMessage(odd)
				o := w.all.call(spec.str("name"), args)
				if code := o.get("error").str("code"); o["success"] != true && !slices.Contains(codes, code) {
					t.Errorf("%s with %s: %.60s gives %v", spec.str("name"), field, odd, o)
				}
			}
		}
	}
}
