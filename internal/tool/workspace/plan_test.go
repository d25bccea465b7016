package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
)

// examplePlan is the example of design 03 §1, word for word.
const examplePlan = `{
  "objective": "Set up the office move as a project",
  "reasoning": "A relocation template exists, so ...",
  "requested_outputs": ["project", "context document"],
  "priority_entities": [],
  "steps": [
    {"id": "find",  "type": "tool",  "label": "Find a template", "tool": "list_templates",
     "arguments": {"query": "relocation"}, "result_key": "templates"},
    {"id": "make",  "type": "tool",  "label": "Create the project", "tool": "create_project",
     "arguments": {"name": "Office move", "template_id": "$0.output.artifact.templates.0.id"}, "result_key": "project"},
    {"id": "know",  "type": "parallel", "label": "Gather what we know", "max_concurrency": 2, "merge": "collect",
     "steps": [
       {"id": "r", "type": "agent", "agent": "researcher", "mode": "build", "prompt": "Removal firms near {{ result.project.artifact.name }}",
        "with": {"project_id": "$1.output.artifact_id"}, "result_key": "research"},
       {"id": "d", "type": "tool", "tool": "search_documents", "arguments": {"query": "lease"}, "result_key": "docs"}]},
    {"id": "ask",   "type": "checkpoint", "label": "Confirm before inviting people", "prompt": "Send the invitations?"},
    {"id": "doc",   "type": "tool",  "tool": "publish_document", "arguments": {"project_id": "$1.output.artifact_id", "body": "{{ result.research.artifact.content }}"}}
  ]
}`

// TestTheExamplePlanChecksAndRuns checks the example against the tools and runs
// its tool steps, with what the researcher would have written.
func TestTheExamplePlanChecksAndRuns(t *testing.T) {
	o := open(t)
	doc, report := check.New().CheckJSON(json.RawMessage(examplePlan), check.Options{ContextType: assent.ContextProjectCreate,
		Tools: func(name string) (assent.ToolSpec, string, bool) {
			s, ok := o.tools.Spec(name)
			return s, s.Name, ok
		},
		Agents: func(slug string) (check.AgentInfo, bool) {
			return check.AgentInfo{Modes: []string{"build"}, OutputSchema: json.RawMessage(`{"type":"object","required":["artifact"],"properties":{"artifact":{"type":"object","required":["content"],"properties":{"content":{"type":"string"}}}}}`)}, slug == "researcher"
		}})
	if !report.Valid() {
		t.Fatalf("errors: %+v", report.Errors)
	}
	env := lang.Env{Outputs: make([]json.RawMessage, 5), Results: map[string]json.RawMessage{"research": json.RawMessage(`{"artifact":{"content":"Three firms."}}`)}}
	run := func(step assent.Step) json.RawMessage {
		args, err := lang.Resolve(step.Arguments, env)
		if err != nil {
			t.Fatal(err)
		}
		r := o.as(scopeOf(adaID), step.Tool, string(args))
		o.must(r, step.Tool, string(args))
		return r.Output
	}
	for i, step := range doc.Steps {
		if step.Type == assent.StepTool {
			env.Outputs[i] = run(step)
			env.Results[step.ResultKey] = env.Outputs[i]
		}
	}
	run(doc.Steps[2].Steps[1])
	made := artifact[assent.Project](t, output{Artifact: artifactOf(t, env.Outputs[1])})
	published := artifact[assent.Document](t, output{Artifact: artifactOf(t, env.Outputs[4])})
	if made.TemplateID != "tpl-relocation" || made.Name != "Office move" {
		t.Errorf("project is %+v", made)
	}
	if published.ProjectID != made.ID || published.Body != "Three firms." || published.Status != "published" {
		t.Errorf("document is %+v", published)
	}
}

func artifactOf(t *testing.T, raw json.RawMessage) json.RawMessage {
	return artifact[struct {
		Artifact json.RawMessage `json:"artifact"`
	}](t, output{Artifact: raw}).Artifact
}

// TestFieldsOfOutputsCanBeReferred checks that a plan may lead every kind of
// result into the tools that take it.
func TestFieldsOfOutputsCanBeReferred(t *testing.T) {
	o := open(t)
	plan := func(steps ...string) json.RawMessage {
		return json.RawMessage(`{"objective":"x","steps":[` + strings.Join(steps, ",") + `]}`)
	}
	step := func(tool, args string) string {
		return `{"type":"tool","tool":"` + tool + `","arguments":` + args + `}`
	}
	for name, raw := range map[string]json.RawMessage{
		"milestone of a project": plan(step("create_project", `{"name":"x"}`), step("create_task", `{"project_id":"$0.output.artifact_id","title":"t","milestone_id":"$0.output.artifact.milestones.0.id"}`)),
		"tasks in order":         plan(step("create_tasks", `{"project_id":"p","tasks":[{"title":"a"},{"title":"b"}]}`), step("create_relation", `{"from_id":"$0.output.artifact.tasks.1.id","to_id":"$0.output.artifact.tasks.0.id"}`)),
		"body of a document":     plan(step("search_documents", `{"query":"x"}`), step("publish_document", `{"project_id":"p","body":"$0.output.artifact.documents.0.body"}`)),
		"outline of a template":  plan(step("list_templates", `{}`), step("create_project", `{"name":"x","goals":"$0.output.artifact.templates.0.goals"}`), step("publish_document", `{"project_id":"$1.output.artifact_id","body":"$0.output.artifact.templates.0.document_body"}`)),
		"due date of a project":  plan(step("get_project", `{"project_id":"p"}`), step("update_task", `{"task_id":"t","due_date":"$0.output.artifact.due_date"}`)),
		"revision":               plan(step("get_task", `{"task_id":"t"}`), step("update_task", `{"task_id":"t","status":"done","revision":"$0.output.artifact.revision"}`)),
		"overdue tasks":          plan(step("project_health", `{"project_id":"p"}`), step("complete_task", `{"task_id":"$0.output.artifact.overdue.0.id"}`)),
	} {
		_, report := check.New().CheckJSON(raw, check.Options{Tools: func(name string) (assent.ToolSpec, string, bool) {
			s, ok := o.tools.Spec(name)
			return s, s.Name, ok
		}})
		if !report.Valid() {
			t.Errorf("%s: %+v", name, report.Errors)
		}
		for _, w := range report.Warnings {
			if w.Code != "may_be_absent" {
				t.Errorf("%s: warning %+v", name, w)
			}
		}
	}
}
