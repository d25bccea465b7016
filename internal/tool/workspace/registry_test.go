package workspace_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
)

// names are the tools of the contract.
func names() []string {
	return strings.Fields(`list_templates get_template list_projects get_project project_health list_goals list_milestones list_risks list_decisions
		list_tasks get_task blocked_tasks overdue_tasks task_dependencies list_documents get_document search_documents list_relations search
		create_template create_project update_project create_goal update_goal create_milestone create_milestones update_milestone
		create_task create_tasks update_task complete_task create_document update_document publish_document create_risk update_risk
		create_decision update_decision create_relation
		delete_project delete_goal delete_milestone delete_task delete_document delete_risk delete_decision delete_relation delete_template`)
}

func TestTheToolsAreThoseOfTheContract(t *testing.T) {
	r, err := tool.NewRegistry(workspace.Tools(store.Reads{})...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Specs() {
		got = append(got, s.Name)
	}
	want := names()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	for alias, name := range map[string]string{"create_onto_project": "create_project", "add_dependency": "create_relation"} {
		if found, ok := r.Find(alias); !ok || found.Spec.Name != name {
			t.Errorf("alias %s does not lead to %s", alias, name)
		}
	}
}

func TestEveryToolIsComplete(t *testing.T) {
	check := schema.NewCompiler()
	line := regexp.MustCompile(`^[A-Z][^\n]+[^.]$`)
	for _, tl := range workspace.Tools(store.Reads{}) {
		t.Run(tl.Spec.Name, func(t *testing.T) {
			s := tl.Spec
			if len(s.Description) < 40 || !strings.Contains(s.Description, "Returns") || strings.Count(s.Description, ". ") > 3 {
				t.Errorf("description must say in one to three sentences what it does and returns: %q", s.Description)
			}
			if !line.MatchString(s.Title) {
				t.Errorf("title %q is no line for people", s.Title)
			}
			for what, raw := range map[string]json.RawMessage{"input": s.InputSchema, "output": s.OutputSchema} {
				if err := check.Compile(raw); err != nil {
					t.Errorf("%s schema: %v", what, err)
				}
			}
			if want := effectOf(s.Name); s.Effect != want {
				t.Errorf("effect is %s, want %s", s.Effect, want)
			}
			if s.Effect != assent.EffectRead && (tl.Preview == nil || tl.Target == nil || !tl.Writes()) {
				t.Error("a write needs a preview and a target")
			}
			if v := check.Validate(s.InputSchema, tl.Example); len(tl.Example) == 0 || len(v) > 0 {
				t.Errorf("example %s: %v", tl.Example, v)
			}
			for _, p := range undescribed("", s.InputSchema) {
				t.Errorf("argument %s has no description", p)
			}
		})
	}
}

func effectOf(name string) assent.Effect {
	switch {
	case strings.HasPrefix(name, "delete_"):
		return assent.EffectDestructive
	case strings.HasPrefix(name, "create_"), strings.HasPrefix(name, "update_"), strings.HasPrefix(name, "complete_"), strings.HasPrefix(name, "publish_"):
		return assent.EffectWrite
	}
	return assent.EffectRead
}

// undescribed lists the properties without a description, at any depth, and
// long texts without a bound.
func undescribed(at string, raw json.RawMessage) []string {
	var s struct {
		Type        string                     `json:"type"`
		Properties  map[string]json.RawMessage `json:"properties"`
		Items       json.RawMessage            `json:"items"`
		Description string                     `json:"description"`
		MaxLength   *int                       `json:"maxLength"`
		Enum        []string                   `json:"enum"`
		Format      string                     `json:"format"`
		AnyOf       []json.RawMessage          `json:"anyOf"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return []string{at + ": " + err.Error()}
	}
	var out []string
	if at != "" && !strings.HasSuffix(at, "/") && s.Description == "" {
		out = append(out, at)
	}
	if s.Type == "string" && s.MaxLength == nil && s.Enum == nil && s.Format == "" && s.AnyOf == nil {
		out = append(out, at+" (unbounded)")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		out = append(out, undescribed(strings.TrimSuffix(at, "/")+"/"+name, s.Properties[name])...)
	}
	if len(s.Items) > 0 {
		out = append(out, undescribed(at+"[]/", s.Items)...)
	}
	return out
}

// TestExamplesRunAndDoWhatTheirPreviewSays runs each example on a workspace of
// its own and compares the preview with the revisions that were written.
func TestExamplesRunAndDoWhatTheirPreviewSays(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			tl, _ := o.tools.Find(name)
			args := string(tl.Example)
			if name == "create_project" {
				args = strings.Replace(args, `"name"`, `"template_id": "ada", "name"`, 1)
			}
			var preview assent.Preview
			if tl.Preview != nil {
				preview = tl.Preview(adaID, json.RawMessage(args))
				if target := tl.Target(adaID, json.RawMessage(args)); !strings.HasPrefix(target, "“") {
					t.Errorf("target is %q", target)
				}
			}
			out := o.do(name, args)
			if out.ArtifactID == "" || out.Summary == "" || strings.ContainsAny(out.Summary, "\n") || out.Metadata.ToolName != name || out.Metadata.UserID != adaID {
				t.Errorf("incomplete answer: %+v", out)
			}
			revs := o.revisionsOf(name)
			if tl.Preview == nil {
				if len(revs["create"])+len(revs["update"])+len(revs["delete"]) > 0 {
					t.Errorf("a read wrote: %v", revs)
				}
				return
			}
			if len(preview.Open) > 0 {
				t.Errorf("preview of literal arguments is open: %v", preview)
			}
			for op, counts := range map[string]map[string]int{"create": preview.Creates, "update": preview.Updates, "delete": preview.Deletes} {
				if !maps.Equal(counts, revs[op]) {
					t.Errorf("preview says %s %v, written were %v", op, counts, revs[op])
				}
			}
		})
	}
}

// TestPreviewsOfReferencesAreOpen holds the convention: what a reference will be
// is not guessed, Open has one empty entry, and nothing panics on odd types.
func TestPreviewsOfReferencesAreOpen(t *testing.T) {
	o := open(t)
	for i, tc := range []struct {
		tool, args string
		creates    map[string]int
		deletes    map[string]int
		open       bool
	}{
		{"create_project", `{"name": "x", "template_id": "$0.output.artifact.templates.0.id", "goals": ["a", "A", "b"]}`, map[string]int{"project": 1, "goal": 2}, nil, true},
		{"create_project", `{"name": "x", "template_id": "ada"}`, map[string]int{"project": 1, "milestone": 2, "task": 2, "risk": 1}, nil, false},
		{"create_project", `{"name": "x", "template_id": "` + templateID + `", "milestones": [{"title": "m", "tasks": ["t"]}], "tasks": ["t", "u"]}`, map[string]int{"project": 1, "milestone": 1, "task": 2, "risk": 1}, nil, false},
		{"create_project", `{"name": "x", "template_id": "nobody knows"}`, map[string]int{"project": 1}, nil, true},
		{"create_project", `{"name": "x", "milestones": "{{ result.plan.milestones }}"}`, map[string]int{"project": 1}, nil, true},
		{"create_project", `{"name": "x", "milestones": [{"title": "$0.output.a", "tasks": "$0.output.b"}, {"title": 5}]}`, map[string]int{"project": 1, "milestone": 2}, nil, true},
		{"create_milestones", `{"project_id": "$0.output.artifact_id", "milestones": [{"title": "a", "tasks": ["x", "y"]}, {"title": "b"}]}`, map[string]int{"milestone": 2, "task": 2}, nil, false},
		{"create_tasks", `{"project_id": "$0.output.artifact_id", "tasks": "$1.output.artifact.tasks"}`, nil, nil, true},
		{"create_task", `{"title": "x", "depends_on": ["a", "$0.output.artifact_id"]}`, map[string]int{"task": 1, "relation": 2}, nil, false},
		{"delete_project", `{"project_id": "$0.output.artifact_id"}`, nil, map[string]int{"project": 1}, true},
		{"delete_project", `{"project_id": "` + projectID + `"}`, nil, map[string]int{"project": 1, "goal": 1, "milestone": 1, "task": 2, "document": 1, "risk": 1, "decision": 1, "relation": 1}, false},
		{"delete_task", `{"task_id": "gone"}`, nil, map[string]int{"task": 1}, true},
		{"delete_template", `{"template_id": "$0.output.artifact_id"}`, nil, map[string]int{"template": 1}, true},
		{"delete_template", `not even JSON`, nil, map[string]int{"template": 1}, true},
	} {
		t.Run(fmt.Sprintf("%d %s", i, tc.tool), func(t *testing.T) {
			tl, _ := o.tools.Find(tc.tool)
			p := tl.Preview(adaID, json.RawMessage(tc.args))
			if !maps.Equal(p.Creates, tc.creates) || !maps.Equal(p.Deletes, tc.deletes) || len(p.Updates) > 0 {
				t.Errorf("got %+v", p)
			}
			if want := map[bool][]string{true: {""}, false: {}}[tc.open]; !slices.Equal(p.Open, want) {
				t.Errorf("open is %q, want %q", p.Open, want)
			}
		})
	}
}

func TestTargetsNameWhatIsActedOn(t *testing.T) {
	o := open(t)
	for _, tc := range []struct{ tool, args, want string }{
		{"create_project", `{"name": " Office\n move "}`, "“Office move”"},
		{"create_project", `{"name": "$$1.a costs"}`, "“$1.a costs”"},
		{"create_project", `{"name": "Plan {{{{b}} of {{ result.x.name }}"}`, "“Plan {{b}} of …”"},
		{"create_project", `{"name": "$0.output.artifact.name"}`, ""},
		{"delete_project", `{"project_id": "` + projectID + `"}`, "“Office move”"},
		{"delete_project", `{"project_id": "$0.output.artifact_id"}`, ""},
		{"update_task", `{"task_id": "` + taskID + `", "status": "done"}`, "“View offices”"},
		{"delete_relation", `{"relation_id": "` + relationID + `"}`, "“View offices” mitigates “Fit-out is late”"},
		{"create_relation", `{"from_id": "` + otherTaskID + `", "to_id": "` + taskID + `"}`, "“Sign the lease” depends on “View offices”"},
		{"create_relation", `{"from_id": "$0.output.artifact_id", "to_id": "` + taskID + `"}`, ""},
		{"create_milestones", `{"milestones": [{"title": "a"}, {"title": "b"}, {"title": "c"}, {"title": "d"}]}`, "“a”, “b”, “c” and 1 more"},
		{"publish_document", `{"project_id": "x"}`, "“Context”"},
		{"publish_document", `{"document_id": "` + documentID + `", "title": "New"}`, "“Lease”"},
		{"delete_template", `{"template_id": "ada"}`, "“Ada’s own”"},
		{"delete_task", `{}`, ""},
	} {
		tl, _ := o.tools.Find(tc.tool)
		if got := tl.Target(adaID, json.RawMessage(tc.args)); got != tc.want {
			t.Errorf("%s %s: target %q, want %q", tc.tool, tc.args, got, tc.want)
		}
	}
}

// TestCardsTellNobodyWhatTheyMayNotSee: who writes a plan about someone else's
// things is neither told their titles nor how many there are.
func TestCardsTellNobodyWhatTheyMayNotSee(t *testing.T) {
	o := open(t)
	for tool, args := range map[string]string{
		"delete_project": `{"project_id": "` + projectID + `"}`, "update_task": `{"task_id": "` + taskID + `", "status": "done"}`,
		"delete_relation": `{"relation_id": "` + relationID + `"}`, "publish_document": `{"document_id": "` + documentID + `"}`,
	} {
		tl, _ := o.tools.Find(tool)
		if got := tl.Target("a stranger", json.RawMessage(args)); strings.Contains(got, "“") {
			t.Errorf("%s: a stranger sees the target %q", tool, got)
		}
		if p := tl.Preview("a stranger", json.RawMessage(args)); len(p.Deletes) > 1 {
			t.Errorf("%s: a stranger sees that it deletes %v", tool, p.Deletes)
		}
	}
}

// TestPreviewsAndTargetsSurviveAnything feeds arguments of every wrong type: a
// card is drawn from whatever a model wrote, before any check.
func TestPreviewsAndTargetsSurviveAnything(t *testing.T) {
	o := open(t)
	for _, s := range o.tools.Specs() {
		tl, _ := o.tools.Find(s.Name)
		if tl.Preview == nil {
			continue
		}
		var in struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(s.InputSchema, &in); err != nil {
			t.Fatal(err)
		}
		wrong := []string{``, `null`, `[]`, `5`, `"x"`, `{`}
		for _, v := range []string{`null`, `5`, `""`, `"x"`, `"{{"`, `"$0.x"`, `"$1.output.a"`, `[]`, `[null]`, `[5]`, `[[]]`, `["x"]`, `{}`, `[{"title": []}]`, `[{"title": null, "tasks": {}}]`, `{"title": {"a": 1}}`} {
			all := map[string]json.RawMessage{}
			for name := range in.Properties {
				all[name] = json.RawMessage(v)
			}
			b, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			wrong = append(wrong, string(b))
		}
		for _, args := range wrong {
			p := tl.Preview(adaID, json.RawMessage(args))
			if p.Creates == nil || p.Updates == nil || p.Deletes == nil || p.Open == nil || p.External == nil {
				t.Errorf("%s %s: a preview with nulls: %+v", s.Name, args, p)
			}
			tl.Target(adaID, json.RawMessage(args))
		}
	}
}
