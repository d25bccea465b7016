package tool_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/tool"
)

func described(name, title, description string, aliases ...string) *tool.Tool {
	return tool.New(tool.Def{Name: name, Title: title, Description: description, Aliases: aliases, Effect: assent.EffectRead},
		func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) })
}

func TestARegistryRefusesANameTwice(t *testing.T) {
	for _, tc := range []struct {
		name  string
		tools []*tool.Tool
		twice string
	}{
		{"two names", []*tool.Tool{described("a", "", ""), described("a", "", "")}, `"a"`},
		{"an alias that is a name", []*tool.Tool{described("a", "", ""), described("b", "", "", "a")}, `"a"`},
		{"two aliases", []*tool.Tool{described("a", "", "", "x"), described("b", "", "", "x")}, `"x"`},
		{"a tool with its own name as alias", []*tool.Tool{described("a", "", "", "a")}, `"a"`},
	} {
		if _, err := tool.NewRegistry(tc.tools...); err == nil || !strings.Contains(err.Error(), tc.twice) {
			t.Errorf("%s: error %v, want one that names %s", tc.name, err, tc.twice)
		}
	}
}

func TestARegistryFindsAndLists(t *testing.T) {
	r, err := tool.NewRegistry(described("zoom", "", ""), described("add", "", "", "plus"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Specs() {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"add", "zoom"}) {
		t.Errorf("specs %v are not sorted or hold aliases", names)
	}
	for asked, want := range map[string]string{"add": "add", "plus": "add", "zoom": "zoom", "Add": "", "": ""} {
		found, ok := r.Find(asked)
		spec, ok2 := r.Spec(asked)
		if ok != (want != "") || ok2 != ok || ok && (found.Spec.Name != want || spec.Name != want) {
			t.Errorf("%q: %v, want %q", asked, ok, want)
		}
	}
}

func TestMatchPutsNamesBeforeDescriptions(t *testing.T) {
	r, err := tool.NewRegistry(
		described("list_tasks", "List tasks", "Lists tasks by project."),
		described("create_task", "Add a task", "Adds a task."),
		described("project_health", "Check health", "Judges overdue tasks."),
		described("search", "Search", "Searches everything."))
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"list tasks": "list_tasks create_task project_health",
		"LIST_TASKS": "list_tasks create_task project_health",
		"overdue":    "project_health",
		"everything": "search",
		"zebra":      "",
		"":           "",
	} {
		var got []string
		for _, s := range r.Match(query, 5) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", query, got, want)
		}
	}
	if n := len(r.Match("tasks", 2)); n != 2 {
		t.Errorf("%d matches, want the limit", n)
	}
}

// TestDefaultsOfADefinition holds what a spec says without being told.
func TestDefaultsOfADefinition(t *testing.T) {
	got := described("a", "", "")
	if got.Spec.Aliases == nil || !got.Spec.Idempotent || got.Spec.Source != "builtin" || got.Timeout <= 0 || got.Writes() {
		t.Errorf("%+v", got)
	}
	w := write("b", ok)
	if w.Spec.Idempotent || !w.Writes() {
		t.Errorf("%+v", w)
	}
	for _, s := range []string{string(got.Spec.InputSchema), string(got.Spec.OutputSchema)} {
		if !strings.Contains(s, `"additionalProperties":false`) {
			t.Errorf("schema %s lets anything in", s)
		}
	}
}
