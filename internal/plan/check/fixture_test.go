package check_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
)

// envelope is the output schema of a built-in tool with this artifact.
func envelope(artifact string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["artifact_id","artifact","_metadata"],"properties":{
		"artifact_id":{"type":"string"},"_metadata":{"type":"object","required":["request_id"],"properties":{"request_id":{"type":"string"}}},
		"artifact":` + artifact + `}}`)
}

func closed(required, properties string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":[` + required + `],"properties":{` + properties + `}}`)
}

const project = `{"type":"object","additionalProperties":false,"required":["id","name","revision","due_date","tasks"],"properties":{
	"id":{"type":"string"},"name":{"type":"string"},"revision":{"type":"integer"},"score":{"type":"number"},
	"due_date":{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]},
	"tasks":{"type":"array","items":{"type":"object","required":["id","title"],"properties":{"id":{"type":"string"},"title":{"type":"string"}}}}}}`

// specs are small specs shaped as the workspace's tools are.
var specs = []assent.ToolSpec{
	{Name: "list_templates", Effect: assent.EffectRead, Source: "builtin", InputSchema: closed(``, `"query":{"type":"string"},"limit":{"type":"integer","minimum":1}`),
		OutputSchema: envelope(`{"type":"object","required":["templates","total"],"properties":{"total":{"type":"integer"},
			"templates":{"type":"array","items":{"type":"object","required":["id","name"],"properties":{"id":{"type":"string"},"name":{"type":"string"}}}}}}`)},
	{Name: "create_template", Effect: assent.EffectWrite, Source: "builtin", InputSchema: closed(`"name"`, `"name":{"type":"string"}`), OutputSchema: envelope(`{"type":"object"}`)},
	{Name: "create_project", Aliases: []string{"create_onto_project"}, Effect: assent.EffectWrite, Source: "builtin",
		InputSchema: closed(`"name"`, `"name":{"type":"string","minLength":1},"template_id":{"type":"string"},"due_date":{"type":"string","format":"date"},
			"status":{"type":"string","enum":["planning","active"]},
			"milestones":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["title"],"properties":{"title":{"type":"string"},"weight":{"type":"number"}}}}`),
		OutputSchema: envelope(project)},
	{Name: "search_documents", Effect: assent.EffectRead, Source: "builtin", InputSchema: closed(`"query"`, `"query":{"type":"string"},"project_id":{"type":"string"}`),
		OutputSchema: envelope(`{"type":"object","required":["documents"],"properties":{"documents":{"type":"array","items":{"type":"object"}}}}`)},
	{Name: "publish_document", Effect: assent.EffectWrite, Source: "builtin", OutputSchema: envelope(`{"type":"object"}`),
		InputSchema: closed(``, `"project_id":{"type":"string"},"document_id":{"type":"string"},"title":{"type":"string"},"body":{"type":"string"},"type":{"type":"string"}`)},
	{Name: "update_project", Effect: assent.EffectWrite, Source: "builtin", OutputSchema: envelope(project),
		InputSchema: closed(`"project_id"`, `"project_id":{"type":"string"},"revision":{"type":"integer"},"score":{"type":"number"},"name":{"type":"string"},"due_date":{"type":["string","null"]}`)},
	{Name: "research", Effect: assent.EffectRead, Source: "mcp:web", InputSchema: closed(`"topic"`, `"topic":{"type":"string"}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["topic","sources"],"properties":{"topic":{"type":"string"},"sources":{"type":"array","items":{"type":"string"}}}}`)},
	{Name: "everything/echo", Effect: assent.EffectExternal, Source: "mcp:everything", InputSchema: json.RawMessage(`{"type":"object"}`)},
	{Name: "delete_project", Effect: assent.EffectDestructive, Source: "builtin", InputSchema: closed(`"project_id"`, `"project_id":{"type":"string"}`), OutputSchema: envelope(`{"type":"object"}`)},
	{Name: "agent_create_plan", Virtual: true, InputSchema: json.RawMessage(`{}`)},
}

func tools(name string) (assent.ToolSpec, string, bool) {
	for _, s := range specs {
		if s.Name == name || slices.Contains(s.Aliases, name) {
			return s, s.Name, true
		}
	}
	return assent.ToolSpec{}, "", false
}

func agents(slug string) (check.AgentInfo, bool) {
	switch slug {
	case "researcher":
		return check.AgentInfo{Modes: []string{"converse", "build"}, Effect: assent.EffectRead, InputSchema: json.RawMessage(`{"type":"object","properties":{"project_id":{"type":"string"}}}`),
			Actions:      map[string]check.ActionInfo{"count": {Output: json.RawMessage(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`), Input: closed(`"what"`, `"what":{"type":"string"}`)}},
			OutputSchema: envelope(`{"type":"object","required":["title","content"],"properties":{"title":{"type":"string"},"content":{"type":"string"}}}`)}, true
	case "writer":
		return check.AgentInfo{Modes: []string{"build"}, Effect: assent.EffectWrite}, true
	}
	return check.AgentInfo{}, false
}

func options() check.Options {
	return check.Options{Tools: tools, Agents: agents, Bindings: map[string]json.RawMessage{"who": json.RawMessage(`{"name":"Ada","age":36}`), "later": nil}}
}

func parse(t testing.TB, raw string) assent.PlanDocument {
	t.Helper()
	doc, errs := lang.Parse(json.RawMessage(raw))
	if len(errs) > 0 {
		t.Fatalf("%+v", errs)
	}
	return doc
}

// steps makes a plan of steps.
func steps(list ...string) string { return `{"steps":[` + strings.Join(list, ",") + `]}` }

// tool makes a tool step.
func tool(id, name, arguments string, more ...string) string {
	return `{"id":"` + id + `","type":"tool","tool":"` + name + `","arguments":` + arguments + strings.Join(more, "") + `}`
}

// told renders findings as "code pointer reference".
func told(list []assent.FieldError) []string {
	var out []string
	for _, e := range list {
		out = append(out, strings.TrimSpace(e.Code+" "+e.Pointer+" "+e.Reference))
	}
	return out
}

func example(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("../lang/testdata/office-move.json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}
