package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

type madeProject struct {
	assent.Project
	Milestones []assent.Milestone `json:"milestones"`
	Tasks      []assent.Task      `json:"tasks"`
	Goals      []assent.Goal      `json:"goals"`
	Risks      []assent.Risk      `json:"risks"`
}

func TestCreateProject(t *testing.T) {
	o := open(t)
	out := o.do("create_project", `{"name": "  Office\tmove ", "description": "d", "due_date": "2027-03-31", "goals": ["Calm", "calm", " "],
		"milestones": [{"title": "Lease signed", "due_date": "2027-01-15", "tasks": ["View", "Sign", "view"]}, {"title": "lease SIGNED", "tasks": ["Scan"]}, {"title": "Moved"}],
		"tasks": ["Sign", "Celebrate"], "risks": ["Late"]}`)
	if want := "Created project “Office move” with 1 goal, 2 milestones, 4 tasks and 1 risk"; out.Summary != want {
		t.Errorf("summary %q, want %q", out.Summary, want)
	}
	p := artifact[madeProject](t, out)
	if p.Name != "Office move" || p.Status != "planning" || p.OwnerID != adaID || p.ProjectID != p.ID || p.Revision != 1 || p.CreatedBy != adaID || p.StartDate != "" {
		t.Errorf("project %+v", p.Project)
	}
	if got := titlesOf(p.Tasks); !slices.Equal(got, []string{"View", "Sign", "Scan", "Celebrate"}) {
		t.Errorf("tasks %v", got)
	}
	for i, want := range []struct {
		milestone string
		due       assent.Date
	}{{p.Milestones[0].ID, "2027-01-15"}, {p.Milestones[0].ID, "2027-01-15"}, {p.Milestones[0].ID, "2027-01-15"}, {"", ""}} {
		if got := p.Tasks[i]; got.MilestoneID != want.milestone || got.DueDate != want.due || got.Position != int64(i+1) || got.ProjectID != p.ID || got.Status != "todo" {
			t.Errorf("task %d: %+v, want %+v", i, got, want)
		}
	}
	if p.Milestones[1].Position != 2 || p.Milestones[1].DueDate != "" {
		t.Errorf("second milestone %+v", p.Milestones[1])
	}
	got := artifact[struct {
		OpenTasks  int                `json:"open_tasks"`
		Milestones []assent.Milestone `json:"milestones"`
	}](t, o.do("get_project", `{"project_id": "`+p.ID+`"}`))
	if got.OpenTasks != 4 || len(got.Milestones) != 2 {
		t.Errorf("get_project: %+v", got)
	}
}

func TestTemplatesAreSpreadBetweenStartAndDueDate(t *testing.T) {
	o := open(t)
	for _, tc := range []struct {
		name, args string
		half, end  assent.Date
	}{
		{"from today", `"due_date": "2026-12-21"`, "2026-12-06", "2026-12-21"},
		{"from the start", `"start_date": "2027-01-01", "due_date": "2027-01-31"`, "2027-01-16", "2027-01-31"},
		{"over a leap day", `"start_date": "2028-02-28", "due_date": "2028-03-01"`, "2028-02-29", "2028-03-01"},
		{"without a due date", `"start_date": "2027-01-01"`, "", ""},
		{"due in the past", `"due_date": "2026-11-01"`, "2026-11-01", "2026-11-01"},
		{"in one day", `"start_date": "2027-01-01", "due_date": "2027-01-01"`, "2027-01-01", "2027-01-01"},
	} {
		p := artifact[madeProject](t, o.do("create_project", `{"name": "x", "template_id": "ADA", `+tc.args+`}`))
		if p.TemplateID != templateID || len(p.Milestones) != 2 || len(p.Tasks) != 2 || len(p.Risks) != 1 || len(p.Goals) != 0 {
			t.Fatalf("%s: %+v", tc.name, p)
		}
		if p.Milestones[0].DueDate != tc.half || p.Milestones[1].DueDate != tc.end || p.Tasks[0].DueDate != tc.half {
			t.Errorf("%s: %s and %s, want %s and %s", tc.name, p.Milestones[0].DueDate, p.Milestones[1].DueDate, tc.half, tc.end)
		}
	}
	// Milestones of the call replace those of the template; risks join.
	p := artifact[madeProject](t, o.do("create_project", `{"name": "x", "template_id": "ada", "due_date": "2027-01-31", "milestones": [{"title": "Mine"}], "risks": ["Mine", "stripes"]}`))
	if len(p.Milestones) != 1 || p.Milestones[0].DueDate != "" || len(p.Tasks) != 0 || len(p.Risks) != 2 {
		t.Errorf("explicit milestones: %+v", p)
	}
}

// TestTodayIsThePersonsDay creates a project from a template shortly before
// midnight in UTC, for somebody for whom the next day has begun.
func TestTodayIsThePersonsDay(t *testing.T) {
	o := open(t)
	o.setNow(time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC))
	s := scopeOf(adaID)
	s.Zone = time.FixedZone("east", 3600)
	p := artifact[madeProject](t, o.must(o.as(s, "create_project", `{"name": "x", "template_id": "ada", "due_date": "2026-11-24"}`), "", ""))
	if p.Milestones[0].DueDate != "2026-11-23" {
		t.Errorf("half way between the 22nd and the 24th is %s", p.Milestones[0].DueDate)
	}
	d := artifact[assent.Decision](t, o.must(o.as(s, "create_decision", `{"project_id": "`+projectID+`", "title": "x"}`), "", ""))
	if d.DecidedOn != "2026-11-22" {
		t.Errorf("decided on %s", d.DecidedOn)
	}
}

// TestBadArgumentsAreRefused lists what no handler, or no handler without a
// clear answer, may let through.
func TestBadArgumentsAreRefused(t *testing.T) {
	o := open(t)
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, tc := range []struct{ tool, args, pointer string }{
		{"create_project", `{}`, "/name"},
		{"create_project", `{"name": ""}`, "/name"},
		{"create_project", `{"name": "  \n "}`, "/name"},
		{"create_project", `{"name": "\u00a0\u2003"}`, "/name"},
		{"create_project", `{"name": "` + long(201) + `"}`, "/name"},
		{"create_project", `{"name": "x", "description": "` + long(10241) + `"}`, "/description"},
		{"create_project", `{"name": "x", "status": "started"}`, "/status"},
		{"create_project", `{"name": "x", "due_date": "31.3.2027"}`, "/due_date"},
		{"create_project", `{"name": "x", "due_date": "2027-02-30"}`, "/due_date"},
		{"create_project", `{"name": "x", "due_date": ""}`, "/due_date"},
		{"create_project", `{"name": "x", "start_date": "2027-02-02", "due_date": "2027-02-01"}`, "/due_date"},
		{"create_project", `{"name": "x", "owner_id": "` + bobID + `"}`, "/owner_id"},
		{"create_project", `{"name": "x", "milestones": [{"title": " "}]}`, "/milestones/0/title"},
		{"create_project", `{"name": "x", "milestones": [{"title": "a", "due_date": "soon"}]}`, "/milestones/0/due_date"},
		{"create_project", `{"name": "x", "tasks": ["` + long(201) + `"]}`, "/tasks/0"},
		{"update_project", `{"project_id": "` + projectID + `", "due_date": "2027-02-30"}`, "/due_date"},
		{"update_project", `{"project_id": "` + projectID + `", "due_date": "tomorrow"}`, "/due_date"},
		{"update_project", `{"project_id": "` + projectID + `", "start_date": "2028-01-01"}`, "/due_date"},
		{"update_project", `{"project_id": "` + projectID + `", "name": "\u2003"}`, "/name"},
		{"update_project", `{"project_id": "` + projectID + `"}`, ""},
		{"update_task", `{"task_id": "` + taskID + `", "status": "blocked"}`, "/blocker"},
		{"update_task", `{"task_id": "` + taskID + `", "status": "blocked", "blocker": " "}`, "/blocker"},
		{"update_task", `{"task_id": "` + taskID + `", "status": "done", "blocker": "x"}`, "/blocker"},
		{"update_task", `{"task_id": "` + taskID + `", "revision": 0, "status": "done"}`, "/revision"},
		{"create_task", `{"project_id": "` + projectID + `", "title": "x", "status": "blocked"}`, "/blocker"},
		{"create_task", `{"project_id": "` + projectID + `", "title": "x", "assignee_id": "` + bobID + `"}`, "/assignee_id"},
		{"create_task", `{"project_id": "` + projectID + `", "title": "x", "priority": "highest"}`, "/priority"},
		{"create_tasks", `{"project_id": "` + projectID + `", "tasks": []}`, "/tasks"},
		{"list_tasks", `{"limit": 201}`, "/limit"},
		{"list_tasks", `{"due_before": "2026-13-01"}`, "/due_before"},
		{"search", `{"query": " "}`, "/query"},
		{"search", `{"query": "x", "kinds": ["relation"]}`, "/kinds/0"},
		{"create_document", `{"project_id": "` + projectID + `", "title": "x", "body": "` + long(128<<10+1) + `"}`, "/body"},
		{"create_document", `{"project_id": "` + projectID + `", "title": "x", "body": "` + strings.Repeat("€", 50000) + `"}`, "/body"},
		{"publish_document", `{"document_id": "` + documentID + `", "project_id": "P2"}`, "/project_id"},
		{"create_template", `{"name": "x", "milestones": [{"title": "a", "at": 1.5}]}`, "/milestones/0/at"},
		{"create_relation", `{"from_id": "` + taskID + `", "to_id": "` + taskID + `"}`, "/to_id"},
		{"create_relation", `{"from_id": "` + taskID + `", "to_id": "` + templateID + `"}`, "/to_id"},
	} {
		err := o.refused(assent.CodeInvalid, tc.tool, tc.args)
		if tc.pointer != "" && !slices.ContainsFunc(err.Fields, func(f assent.FieldError) bool { return f.Pointer == tc.pointer }) {
			t.Errorf("%s %.120s: fields %v, want %s", tc.tool, tc.args, err.Fields, tc.pointer)
		}
	}
	var milestones []map[string]any
	for i := range 13 {
		milestones = append(milestones, map[string]any{"title": fmt.Sprint("m", i), "tasks": numbered(20)})
	}
	many, err := json.Marshal(map[string]any{"name": "x", "milestones": milestones})
	if err != nil {
		t.Fatal(err)
	}
	o.refused(assent.CodeTooLarge, "create_project", string(many))
}

func numbered(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("t%d", i))
	}
	return out
}

// TestAnUndoRestoresEverything deletes with each tool and reverts its revisions,
// newest first: the workspace must be what it was.
func TestAnUndoRestoresEverything(t *testing.T) {
	for _, tc := range []struct{ tool, args string }{
		{"delete_project", `{"project_id": "` + projectID + `"}`},
		{"delete_milestone", `{"milestone_id": "` + milestoneID + `"}`},
		{"delete_task", `{"task_id": "` + taskID + `"}`},
		{"delete_risk", `{"risk_id": "` + riskID + `"}`},
		{"complete_task", `{"task_id": "` + taskID + `"}`},
		{"create_project", `{"name": "x", "template_id": "relocation", "due_date": "2027-03-31"}`},
		{"create_task", `{"project_id": "` + projectID + `", "title": "x", "depends_on": ["` + taskID + `"]}`},
	} {
		t.Run(tc.tool, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			o.do("create_relation", `{"from_id": "`+otherTaskID+`", "to_id": "`+taskID+`"}`)
			o.write(func(tx *store.Tx) error { return tx.AddMember(projectID, bobID) })
			// A relation from another project into this one goes with it, too.
			o.must(o.as(scopeOf(bobID), "create_relation", `{"from_id": "`+bobsTask+`", "to_id": "`+taskID+`"}`), "", "")
			before := o.everything()
			o.do(tc.tool, tc.args)
			if o.everything() == before {
				t.Fatal("nothing was changed")
			}
			o.undo(tc.tool)
			if after := o.everything(); after != before {
				t.Errorf("before\n%s\nafter the undo\n%s", before, after)
			}
		})
	}
}

// undo reverts what a tool wrote, newest first, as an undo of its run does.
func (o *office) undo(tool string) {
	o.t.Helper()
	revs, err := o.store.ListRunRevisions(context.Background(), "run")
	if err != nil {
		o.t.Fatal(err)
	}
	o.write(func(tx *store.Tx) error {
		for _, r := range revs {
			if r.Tool != tool {
				continue
			}
			if r.Op != "create" {
				if _, err := tx.RestoreEntity(store.Origin{}, r.Kind, r.Before); err != nil {
					return err
				}
				continue
			}
			n, err := tx.FindAny(context.Background(), r.EntityID)
			if err != nil {
				return err
			}
			if err := tx.DeleteEntity(store.Origin{}, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// everything renders all entities without revision and times.
func (o *office) everything() string {
	o.t.Helper()
	var lines []string
	for _, p := range []string{projectID, bobsProject} {
		nouns, err := o.store.ListProjectEntities(context.Background(), p)
		if err != nil {
			o.t.Fatal(err)
		}
		if n, err := o.store.FindAny(context.Background(), p); err == nil {
			nouns = append(nouns, n)
		}
		for _, n := range nouns {
			n.Base().Revision, n.Base().UpdatedAt = 0, 0
			b, err := json.Marshal(n)
			if err != nil {
				o.t.Fatal(err)
			}
			lines = append(lines, string(b))
		}
	}
	counts, err := o.store.CountEntities(context.Background(), adaID, "")
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.Join(lines, "\n") + fmt.Sprint(counts)
}

func TestDeleteProjectLeavesNothingBehind(t *testing.T) {
	o := open(t)
	out := o.do("delete_project", `{"project_id": "`+projectID+`"}`)
	gone := artifact[struct {
		Name    string         `json:"name"`
		Deleted map[string]int `json:"deleted"`
	}](t, out)
	if gone.Name != "Office move" || gone.Deleted["task"] != 2 || gone.Deleted["relation"] != 1 || !strings.Contains(out.Summary, "2 tasks") {
		t.Errorf("%s %+v", out.Summary, gone)
	}
	left, err := o.store.ListProjectEntities(context.Background(), projectID)
	if err != nil || len(left) > 0 {
		t.Errorf("%d left, %v", len(left), err)
	}
	if hits := artifact[list](t, o.do("search", `{"query": "lease"}`)).Hits; len(hits) > 0 {
		t.Errorf("still found: %+v", hits)
	}
	o.refused(assent.CodeNotFound, "delete_project", `{"project_id": "`+projectID+`"}`)
}

func TestUpdatesGuardTheirRevisionAndSayWhatChanged(t *testing.T) {
	o := open(t)
	out := o.do("update_project", `{"project_id": "`+projectID+`", "status": "on_hold", "due_date": "", "revision": 1}`)
	if want := "Changed the project “Office move”: status on hold, due_date removed"; out.Summary != want {
		t.Errorf("summary %q, want %q", out.Summary, want)
	}
	if p := artifact[assent.Project](t, out); p.Revision != 2 || p.DueDate != "" || p.Description != "Out of the old lease" {
		t.Errorf("%+v", p)
	}
	for tool, args := range map[string]string{
		"update_project": `{"project_id": "` + projectID + `", "status": "done", "revision": 1}`,
		"delete_project": `{"project_id": "` + projectID + `", "revision": 1}`,
		"update_task":    `{"task_id": "` + taskID + `", "status": "done", "revision": 7}`,
		"delete_task":    `{"task_id": "` + taskID + `", "revision": 7}`,
		"complete_task":  `{"task_id": "` + taskID + `", "revision": 7}`,
	} {
		if err := o.refused(assent.CodeStale, tool, args); err.Details["revision"] == nil {
			t.Errorf("%s does not say which revision is current: %v", tool, err)
		}
	}
	same := o.do("update_project", `{"project_id": "`+projectID+`", "status": "on_hold"}`)
	if p := artifact[assent.Project](t, same); p.Revision != 2 || !strings.HasPrefix(same.Summary, "Nothing to change") {
		t.Errorf("the same again wrote revision %d: %s", p.Revision, same.Summary)
	}
}

func TestListProjects(t *testing.T) {
	o := open(t)
	o.setNow(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	o.do("create_project", `{"name": "Garden party"}`)
	for _, tc := range []struct {
		args string
		want string
	}{
		{`{}`, "Garden party,Office move 2"},
		{`{"limit": 1}`, "Garden party 2"},
		{`{"status": "active"}`, "Office move 1"},
		{`{"query": "moving offices"}`, "Office move 1"},
		{`{"query": "the party"}`, "Garden party 1"},
		{`{"query": "zeppelin"}`, " 0"},
	} {
		l := artifact[list](t, o.do("list_projects", tc.args))
		var names []string
		for _, p := range l.Projects {
			names = append(names, p.Name)
		}
		if got := fmt.Sprintf("%s %d", strings.Join(names, ","), l.Total); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.args, got, tc.want)
		}
	}
}
