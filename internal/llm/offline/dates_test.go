package offline_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/tool"
)

// created is what create_project tells of the project that it made.
type created struct {
	StartDate  assent.Date `json:"start_date"`
	DueDate    assent.Date `json:"due_date"`
	Milestones []struct {
		Title   string      `json:"title"`
		DueDate assent.Date `json:"due_date"`
	} `json:"milestones"`
	Tasks []struct {
		Title   string      `json:"title"`
		DueDate assent.Date `json:"due_date"`
	} `json:"tasks"`
}

// From every template that ships, over any span, the dates of a new project stand
// in order, none before its start and none after its due date.
func TestDatesOfEveryTemplateAreInOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := templateNames(t, w)
	for _, name := range names {
		for _, days := range []int{7, 365} {
			for _, count := range []string{"", " with three milestones"} {
				for _, wait := range []int{0, 40} {
					start, due := opened.AddDate(0, 0, wait), opened.AddDate(0, 0, wait+days)
					when := " by " + due.Format(spoken)
					if wait > 0 {
						when = " from " + start.Format(spoken) + " to " + due.Format(spoken)
					}
					t.Run(name+count+when, func(t *testing.T) {
						p := w.create(t, "set up a project called “Trial” from the "+name+" template"+count+when)
						if len(p.Milestones) == 0 {
							t.Fatal("it has no milestones")
						}
						inOrder(t, p, date(start), date(due))
					})
				}
			}
		}
	}
}

const spoken = "2 January 2006"

func date(t time.Time) assent.Date { return assent.Date(t.Format(time.DateOnly)) }

// templateNames are the templates that ship, as words name them.
func templateNames(t *testing.T, w *world) []string {
	t.Helper()
	var list struct {
		Templates []struct {
			Name string `json:"name"`
		} `json:"templates"`
	}
	w.run(t, "list_templates", json.RawMessage(`{"limit":50}`), &list)
	var out []string
	for _, tpl := range list.Templates {
		out = append(out, tpl.Name)
	}
	if len(out) < 14 {
		t.Fatalf("only %d templates ship: %v", len(out), out)
	}
	return out
}

// create says words, and carries the steps of the plan out that make the project
// and its milestones.
func (w *world) create(t *testing.T, words string) created {
	t.Helper()
	got, err := w.tell(t.Context(), scene{context: assent.ContextGeneral, locale: "en-GB"}, words)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	var p created
	var id string
	for _, st := range got.steps {
		var more created
		switch st.Tool {
		case "create_project":
			id = w.run(t, st.Tool, st.Arguments, &p)
		case "create_milestones":
			w.run(t, st.Tool, json.RawMessage(strings.ReplaceAll(string(st.Arguments), "$1.output.artifact_id", id)), &more)
			p.Milestones = append(p.Milestones, more.Milestones...)
		}
	}
	return p
}

// run calls a tool and reads its artifact.
func (w *world) run(t *testing.T, name string, arguments json.RawMessage, into any) (id string) {
	t.Helper()
	scope := assent.Scope{Person: ada, Caller: assent.CallerPerson, SessionID: "s", Zone: time.UTC}
	res := w.exec.Execute(t.Context(), tool.Call{Scope: scope, ToolCall: assent.ToolCall{ID: "c", Tool: name, Arguments: arguments}})
	if res.Err != nil {
		t.Fatalf("%s %s: %v %v", name, arguments, res.Err, res.Err.Fields)
	}
	var out struct {
		ID       string          `json:"artifact_id"`
		Artifact json.RawMessage `json:"artifact"`
	}
	if err := json.Unmarshal(res.Output, &out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Artifact, into); err != nil {
		t.Fatal(err)
	}
	return out.ID
}

// inOrder checks the dates of what was created.
func inOrder(t *testing.T, p created, start, due assent.Date) {
	t.Helper()
	if p.DueDate != due {
		t.Errorf("the project is due %s, want %s", p.DueDate, due)
	}
	last := start
	for _, m := range p.Milestones {
		if m.DueDate < last || m.DueDate > due {
			t.Errorf("%q is due %s, which is not between %s and %s", m.Title, m.DueDate, last, due)
		}
		last = max(last, m.DueDate)
	}
	for _, task := range p.Tasks {
		if task.DueDate != "" && (task.DueDate < start || task.DueDate > due) {
			t.Errorf("the task %q is due %s, outside of the project", task.Title, task.DueDate)
		}
	}
}
