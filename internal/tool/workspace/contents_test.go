package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// contents asks a tool what a call would create.
func (o *office) contents(by, name, args string, at time.Time) tool.Contents {
	o.t.Helper()
	found, ok := o.tools.Find(name)
	if !ok || found.Contents == nil {
		o.t.Fatalf("%s does not tell what it creates", name)
	}
	return found.Contents(o.store.Reads, tool.Look{By: by, Now: at}, json.RawMessage(args))
}

// line is an item as one line of text.
func line(k assent.Kind, title string, due assent.Date) string {
	return string(k) + " " + title + " " + string(due)
}

// TestContentsAreWhatIsCreated: the list on the card and the rows in the database
// come from one outline, dates included.
func TestContentsAreWhatIsCreated(t *testing.T) {
	for name, args := range map[string]string{
		"a template, dated from today": `{"name": "x", "template_id": "ada", "due_date": "2026-12-21"}`,
		"a template from its start":    `{"name": "x", "template_id": "relocation", "start_date": "2027-01-01", "due_date": "2027-03-31"}`,
		"a template without a date":    `{"name": "x", "template_id": "relocation"}`,
		"lists of its own":             `{"name": "x", "goals": ["g", "G"], "milestones": [{"title": "m", "due_date": "2027-01-01", "tasks": ["a", "b"]}, {"title": "M", "tasks": ["c"]}], "tasks": ["a", "d"], "risks": ["r"]}`,
		"both":                         `{"name": "x", "template_id": "relocation", "milestones": [{"title": "m", "tasks": ["a"]}], "risks": ["r"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			shown := map[string]int{}
			for _, it := range o.contents(adaID, "create_project", args, opened).Items {
				shown[line(it.Kind, it.Title, it.DueDate)]++
			}
			p := artifact[madeProject](t, o.do("create_project", args))
			for _, m := range p.Milestones {
				shown[line(m.Kind, m.Title, m.DueDate)]--
			}
			for _, x := range p.Tasks {
				shown[line(x.Kind, x.Title, x.DueDate)]--
			}
			for _, g := range p.Goals {
				shown[line(g.Kind, g.Title, "")]--
			}
			for _, r := range p.Risks {
				shown[line(r.Kind, r.Title, "")]--
			}
			for what, n := range shown {
				if n != 0 {
					t.Errorf("%s: shown %+d times more often than it was created", what, n)
				}
			}
			if len(shown) == 0 {
				t.Error("nothing is shown")
			}
		})
	}
}

// TestWhatDecidesContentsBesideTheArgumentsIsMarked: the mark moves with what the
// template holds and with the day that is counted from, and with nothing else.
func TestWhatDecidesContentsBesideTheArgumentsIsMarked(t *testing.T) {
	t.Parallel()
	o := open(t)
	mark := func(args string, at time.Time) string { return o.contents(adaID, "create_project", args, at).Mark }
	const dated, fixed = `{"name": "x", "template_id": "ada", "due_date": "2026-12-21"}`, `{"name": "x", "template_id": "ada", "start_date": "2026-11-21", "due_date": "2026-12-21"}`
	if mark(dated, opened) != mark(dated, opened.Add(time.Hour)) || mark(dated, opened) == mark(dated, opened.AddDate(0, 0, 1)) {
		t.Error("without a start the mark does not hold the day, or holds more of it")
	}
	if mark(fixed, opened) != mark(fixed, opened.AddDate(0, 0, 1)) || mark(fixed, opened) != mark(strings.Replace(fixed, `"x"`, `"y"`, 1), opened) {
		t.Error("the mark moves although nothing beside the arguments did")
	}
	if m := mark(`{"name": "x", "milestones": [{"title": "m"}]}`, opened) + mark(`{"name": "x", "template_id": "$0.output.artifact_id"}`, opened); m != "" {
		t.Errorf("without a known template the mark is %q", m)
	}
	before := mark(fixed, opened)
	if err := o.store.Write(t.Context(), func(tx *store.Tx) error {
		tpl, err := store.Find[assent.Template](t.Context(), tx.Reads, templateID)
		if err != nil {
			return err
		}
		tpl.Milestones[0].Tasks = append(tpl.Milestones[0].Tasks, "Sell the house")
		return tx.UpdateEntity(store.Origin{}, &tpl)
	}); err != nil {
		t.Fatal(err)
	}
	if mark(fixed, opened) == before {
		t.Error("the template has a task more, and the mark is the same")
	}
	if c := o.contents(bobID, "create_project", fixed, opened); len(c.Items) > 0 || c.Mark != "" {
		t.Errorf("somebody else's template is shown: %+v", c)
	}
}

// TestContentsOfLists: what a list of things in the arguments creates, as far as
// it is known already.
func TestContentsOfLists(t *testing.T) {
	t.Parallel()
	o := open(t)
	for _, tc := range []struct{ tool, args, want string }{
		{"create_milestones", `{"project_id": "$0.output.artifact_id", "milestones": [{"title": "m", "due_date": "2027-01-01", "tasks": ["a"]}]}`, "milestone m 2027-01-01; task a 2027-01-01"},
		{"create_milestones", `{"milestones": [{"title": "$0.output.artifact.name", "due_date": "$0.output.artifact.due_date", "tasks": "$0.output.artifact.list"}]}`, "milestone … "},
		{"create_milestones", `{"milestones": "$0.output.artifact.milestones"}`, ""},
		{"create_tasks", `{"tasks": [{"title": "For {{ result.p.artifact.name }}", "due_date": "2027-01-01"}, {"title": "b"}]}`, "task For … 2027-01-01; task b "},
		{"create_tasks", `{"tasks": 3}`, ""},
		{"create_project", `{"milestones": [{"title": 1}], "goals": {}, "risks": [[]]}`, "milestone … "},
	} {
		var got []string
		for _, it := range o.contents(adaID, tc.tool, tc.args, opened).Items {
			got = append(got, line(it.Kind, it.Title, it.DueDate))
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s %s: %q, want %q", tc.tool, tc.args, s, tc.want)
		}
	}
}

// TestAPlanThatWaitsKeepsItsDates: days are counted from when the plan was shown.
func TestAPlanThatWaitsKeepsItsDates(t *testing.T) {
	t.Parallel()
	o := open(t)
	const args = `{"name": "x", "template_id": "ada", "due_date": "2026-12-21"}`
	want := o.contents(adaID, "create_project", args, opened).Items[0].DueDate
	o.setNow(opened.AddDate(0, 0, 10))
	r := o.exec.Execute(t.Context(), tool.Call{Scope: scopeOf(adaID), Shown: opened, ToolCall: assent.ToolCall{ID: "c", Tool: "create_project", Arguments: json.RawMessage(args)}})
	if p := artifact[madeProject](t, o.must(r, "create_project", args)); p.Milestones[0].DueDate != want {
		t.Errorf("due %s, shown %s", p.Milestones[0].DueDate, want)
	}
}
