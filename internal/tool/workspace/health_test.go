package workspace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

type health struct {
	ProjectID string `json:"project_id"`
	Score     int    `json:"score"`
	Verdict   string `json:"verdict"`
	Findings  []struct {
		Severity, Text, Rule string
		Cost                 int
		IDs                  []string
	} `json:"findings"`
	Counts     map[string]int `json:"counts"`
	Overdue    []assent.Task  `json:"overdue"`
	Blocked    []assent.Task  `json:"blocked"`
	Milestones []struct {
		assent.Milestone
		OpenTasks int  `json:"open_tasks"`
		Passed    bool `json:"passed"`
	} `json:"milestones"`
}

func (h health) rules() []string {
	out := []string{}
	for _, f := range h.Findings {
		out = append(out, f.Rule)
	}
	return out
}

func (o *office) health(project string) health {
	o.t.Helper()
	return artifact[health](o.t, o.do("project_health", `{"project_id": "`+project+`"}`))
}

// TestEachHealthRule starts from a project in which no rule finds anything and
// breaks one thing at a time.
func TestEachHealthRule(t *testing.T) {
	for _, tc := range []struct {
		rule, text, severity string
		cost                 int
		do                   func(o *office, p madeProject)
	}{
		{"", "", "", 0, func(*office, madeProject) {}},
		{"project_overdue", "was due on 2026-11-20, 1 day ago", "error", 25, func(o *office, p madeProject) {
			o.do("update_project", `{"project_id": "`+p.ID+`", "due_date": "2026-11-20"}`)
		}},
		{"milestone_passed", "“M” (2026-11-01)", "error", 8, func(o *office, p madeProject) {
			o.do("update_milestone", `{"milestone_id": "`+p.Milestones[0].ID+`", "due_date": "2026-11-01"}`)
		}},
		{"overdue_tasks", "1 task is overdue: “A” (20 days).", "warning", 4, func(o *office, p madeProject) {
			o.do("update_task", `{"task_id": "`+p.Tasks[0].ID+`", "due_date": "2026-11-01"}`)
		}},
		{"blocked_tasks", "“A” (no answer)", "warning", 5, func(o *office, p madeProject) {
			o.do("update_task", `{"task_id": "`+p.Tasks[0].ID+`", "blocker": "no answer"}`)
		}},
		{"high_risks", "“Fire”, with nothing done about it", "warning", 5, func(o *office, p madeProject) {
			o.do("create_risk", `{"project_id": "`+p.ID+`", "title": "Fire", "impact": "high"}`)
		}},
		{"", "", "", 0, func(o *office, p madeProject) {
			o.do("create_risk", `{"project_id": "`+p.ID+`", "title": "Meteor", "impact": "high", "likelihood": "low"}`)
		}},
		{"stale", "for 15 days, since 2026-11-21", "warning", 10, func(o *office, _ madeProject) {
			o.setNow(time.Date(2026, 12, 6, 10, 0, 0, 0, time.UTC))
		}},
		{"unfinished", "is done, but 2 tasks are open", "warning", 10, func(o *office, p madeProject) {
			o.do("update_project", `{"project_id": "`+p.ID+`", "status": "done"}`)
		}},
		{"no_due_date", "no due date", "warning", 5, func(o *office, p madeProject) {
			o.do("update_project", `{"project_id": "`+p.ID+`", "due_date": ""}`)
		}},
		{"no_context_document", "no published context", "warning", 5, func(o *office, p madeProject) {
			l := artifact[list](o.t, o.do("list_documents", `{"project_id": "`+p.ID+`"}`))
			o.do("update_document", `{"document_id": "`+l.Documents[0].ID+`", "status": "draft"}`)
		}},
		{"milestone_soon", "“M” (2026-11-28, 2 open tasks)", "warning", 3, func(o *office, p madeProject) {
			o.do("update_milestone", `{"milestone_id": "`+p.Milestones[0].ID+`", "due_date": "2026-11-28"}`)
		}},
		{"without_milestone", "“C”", "info", 3, func(o *office, p madeProject) {
			o.do("create_task", `{"project_id": "`+p.ID+`", "title": "C"}`)
		}},
		{"no_goals", "No goal", "info", 2, func(o *office, p madeProject) { o.do("delete_goal", `{"goal_id": "`+p.Goals[0].ID+`"}`) }},
		{"waiting_tasks", "“A”", "info", 0, func(o *office, p madeProject) {
			o.do("create_relation", `{"from_id": "`+p.Tasks[0].ID+`", "to_id": "`+p.Tasks[1].ID+`"}`)
		}},
		{"dependency_cycle", "“A” and 1 other", "error", 10, func(o *office, p madeProject) {
			// No tool closes a circle; an undo or an import may.
			for i := range 2 {
				o.put(adaID, &assent.Relation{Entity: assent.Entity{Kind: assent.KindRelation, ProjectID: p.ID}, Type: "depends_on",
					FromKind: assent.KindTask, FromID: p.Tasks[i].ID, ToKind: assent.KindTask, ToID: p.Tasks[1-i].ID})
			}
			for _, task := range p.Tasks {
				o.do("complete_task", `{"task_id": "`+task.ID+`"}`)
			}
		}},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			p := artifact[madeProject](t, o.do("create_project", `{"name": "Sound", "status": "active", "due_date": "2027-03-31", "goals": ["g"], "milestones": [{"title": "M", "due_date": "2027-03-01", "tasks": ["A", "B"]}]}`))
			o.do("publish_document", `{"project_id": "`+p.ID+`"}`)
			tc.do(o, p)
			h := o.health(p.ID)
			if tc.rule == "" {
				if h.Score != 100 || h.Verdict != "good" || len(h.Findings) > 0 {
					t.Errorf("a sound project: %+v", h)
				}
				return
			}
			if !slices.Equal(h.rules(), []string{tc.rule}) {
				t.Fatalf("findings %+v, want %s alone", h.Findings, tc.rule)
			}
			if f := h.Findings[0]; !strings.Contains(f.Text, tc.text) || f.Severity != tc.severity || f.Cost != tc.cost || h.Score != 100-tc.cost || len(f.IDs) == 0 {
				t.Errorf("%+v, want %q at %d; score %d", f, tc.text, tc.cost, h.Score)
			}
			if want := map[bool]string{true: "at_risk", false: "good"}[tc.severity == "error"]; h.Verdict != want {
				t.Errorf("verdict %s, want %s", h.Verdict, want)
			}
		})
	}
}

func TestHealthOfAProjectInTrouble(t *testing.T) {
	o := open(t)
	o.do("update_project", `{"project_id": "`+projectID+`", "due_date": "2026-11-01"}`)
	o.do("update_milestone", `{"milestone_id": "`+milestoneID+`", "due_date": "2026-10-01"}`)
	for i := range 8 {
		o.task(fmt.Sprint("Late ", i), `, "due_date": "2026-11-0`+fmt.Sprint(i+1)+`"`)
	}
	o.task("Stuck", `, "status": "blocked", "blocker": "x"`)
	h := o.health(projectID)
	if h.Verdict != "critical" || h.Score != 100-25-8-30-5-5-5-3 {
		t.Errorf("%d %s: %+v", h.Score, h.Verdict, h.Findings)
	}
	if len(h.Overdue) != 8 || h.Overdue[0].Title != "Late 0" || len(h.Blocked) != 1 || len(h.Milestones) != 1 || !h.Milestones[0].Passed || h.Milestones[0].OpenTasks != 1 {
		t.Errorf("%+v", h)
	}
	if c := h.Counts; c["tasks"] != 11 || c["open"] != 11 || c["overdue"] != 8 || c["milestones_passed"] != 1 || c["open_risks"] != 1 || c["documents"] != 1 {
		t.Errorf("counts %v", c)
	}
}

// TestHealthOfAnEmptyProject holds that a project without anything in it has
// arrays, not nulls, and that one on hold or archived is left in peace.
func TestHealthOfAnEmptyProject(t *testing.T) {
	o := open(t)
	p := &assent.Project{Entity: assent.Entity{ID: "empty", Kind: assent.KindProject}, Name: "Empty", Status: "archived", OwnerID: adaID, DueDate: "2020-01-01"}
	o.put(adaID, p)
	if h := o.health("empty"); h.Score != 100 || len(h.Findings) > 0 {
		t.Errorf("archived: %+v", h)
	}
	p.Status = "planning"
	o.write(func(tx *store.Tx) error { return tx.UpdateEntity(store.Origin{UserID: adaID}, p) })
	if h := o.health("empty"); !slices.Equal(h.rules(), []string{"project_overdue", "no_tasks", "no_context_document", "no_goals"}) {
		t.Errorf("planning: %+v", h)
	}
}
