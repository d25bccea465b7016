package offline_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"assent/internal/assent"
)

func keys(m map[string]any) iter.Seq[string] { return maps.Keys(m) }

// compareRevision compares what a revision adds to a plan and takes from it with
// the lines that were wanted, each of which begins with + or -; lines of what is said
// come before.
func compareRevision(sc scene, got said, want []string) string {
	if len(got.writes) != 1 || got.writes[0].Name != "agent_revise_plan" {
		return "want a revision, got " + strings.Join(renderCalls(got.writes), "; ")
	}
	for len(want) > 0 && strings.HasPrefix(want[0], "says ") {
		if text := strings.Trim(strings.TrimPrefix(want[0], "says "), `"`); !strings.Contains(got.text, text) {
			return "want it to say " + text
		}
		want = want[1:]
	}
	before, after := facts(sc.plan.Steps), facts(got.steps)
	var diff []string
	for _, f := range before {
		if !slices.Contains(after, f) {
			diff = append(diff, "- "+f)
		}
	}
	for _, f := range after {
		if !slices.Contains(before, f) {
			diff = append(diff, "+ "+f)
		}
	}
	slices.Sort(diff)
	sorted := slices.Sorted(slices.Values(want))
	if !slices.Equal(diff, sorted) {
		return fmt.Sprintf("want %s\ngot  %s", strings.Join(sorted, "\n     "), strings.Join(diff, "\n     "))
	}
	return ""
}

// facts are the single statements of a plan, in words; the text of documents and
// the order of things are left out.
func facts(steps []assent.Step) []string {
	var out []string
	for _, st := range steps {
		var args map[string]any
		if json.Unmarshal(st.Arguments, &args) != nil {
			continue
		}
		switch st.Tool {
		case "list_templates":
		case "publish_document", "create_document":
			out = append(out, fmt.Sprintf("document %v", args["title"]))
		case "create_project":
			out = append(out, projectFacts(args)...)
		default:
			out = append(out, factsOf(strings.TrimPrefix(strings.TrimPrefix(st.Tool, "create_"), "publish_"), args)...)
		}
	}
	return out
}

func projectFacts(args map[string]any) []string {
	var out []string
	for _, k := range []string{"name", "start_date", "due_date", "template_id", "status"} {
		if v, ok := args[k]; ok {
			out = append(out, fmt.Sprintf("%s %v", k, v))
		}
	}
	for _, k := range []string{"goals", "milestones", "tasks", "risks"} {
		list, _ := args[k].([]any)
		for _, item := range list {
			out = append(out, itemFacts(strings.TrimSuffix(k, "s"), item)...)
		}
	}
	return out
}

func itemFacts(kind string, item any) []string {
	m, ok := item.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s %v", kind, item)}
	}
	return factsOf(kind, m)
}

// factsOf describes one thing that a plan creates, and what lies in it.
func factsOf(kind string, m map[string]any) []string {
	var out []string
	for _, list := range []string{"milestones", "tasks"} {
		items, _ := m[list].([]any)
		for _, item := range items {
			for _, f := range itemFacts(strings.TrimSuffix(list, "s"), item) {
				if title, ok := m["title"]; ok {
					f += fmt.Sprintf(" in %v", title)
				}
				out = append(out, f)
			}
		}
	}
	if m["title"] == nil {
		return out
	}
	line := fmt.Sprintf("%s %v", kind, m["title"])
	for _, k := range []string{"due_date", "priority", "likelihood", "impact", "mitigation"} {
		if v, ok := m[k]; ok {
			line += fmt.Sprintf(" %v", v)
		}
	}
	return append([]string{line}, out...)
}
