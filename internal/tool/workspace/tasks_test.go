package workspace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// ref names one end of a dependency as tools show it.
type ref struct {
	ID, Kind, Title, Status string
}

func (o *office) task(title, more string) string {
	o.t.Helper()
	return o.do("create_task", `{"project_id": "`+projectID+`", "title": "`+title+`"`+more+`}`).ArtifactID
}

func TestATaskIsBlockedExactlyWhileItHasABlocker(t *testing.T) {
	o := open(t)
	for _, tc := range []struct{ args, status, blocker string }{
		{`"status": "blocked", "blocker": " No\nanswer "`, "blocked", "No answer"},
		{`"blocker": "Still none"`, "blocked", "Still none"},
		{`"priority": "urgent"`, "blocked", "Still none"},
		{`"status": "in_progress"`, "in_progress", ""},
		{`"blocker": "Again"`, "blocked", "Again"},
		{`"blocker": ""`, "todo", ""},
		{`"blocker": "Once more"`, "blocked", "Once more"},
		{`"status": "cancelled", "blocker": ""`, "cancelled", ""},
	} {
		got := artifact[assent.Task](t, o.do("update_task", `{"task_id": "`+taskID+`", `+tc.args+`}`))
		if got.Status != tc.status || got.Blocker != tc.blocker {
			t.Errorf("%s: %s %q, want %s %q", tc.args, got.Status, got.Blocker, tc.status, tc.blocker)
		}
	}
	o.do("update_task", `{"task_id": "`+taskID+`", "blocker": "x"}`)
	done := o.do("complete_task", `{"task_id": "`+taskID+`"}`)
	if got := artifact[assent.Task](t, done); got.Status != "done" || got.Blocker != "" {
		t.Errorf("completed: %+v", got)
	}
	again := o.do("complete_task", `{"task_id": "`+taskID+`"}`)
	if a, b := artifact[assent.Task](t, done), artifact[assent.Task](t, again); a.Revision != b.Revision || !strings.Contains(again.Summary, "already") {
		t.Errorf("completing twice wrote revision %d after %d: %s", b.Revision, a.Revision, again.Summary)
	}
}

func TestCreateTaskDependsAndPlaces(t *testing.T) {
	o := open(t)
	out := o.do("create_task", `{"project_id": "`+projectID+`", "title": "Move", "milestone_id": "`+milestoneID+`", "assignee_id": "me", "due_date": "2027-03-01", "depends_on": ["`+taskID+`", "`+otherTaskID+`", "`+taskID+`"]}`)
	got := artifact[assent.Task](t, out)
	if got.MilestoneID != milestoneID || got.AssigneeID != adaID || got.Priority != "normal" || got.Position != 3 {
		t.Errorf("%+v", got)
	}
	view := artifact[struct {
		DependsOn []ref `json:"depends_on"`
		Blocks    []ref `json:"blocks"`
	}](t, o.do("get_task", `{"task_id": "`+got.ID+`"}`))
	if len(view.DependsOn) != 2 || view.DependsOn[0].Title != "View offices" || len(view.Blocks) != 0 {
		t.Errorf("%+v", view)
	}
	view = artifact[struct {
		DependsOn []ref `json:"depends_on"`
		Blocks    []ref `json:"blocks"`
	}](t, o.do("get_task", `{"task_id": "`+taskID+`"}`))
	if len(view.DependsOn) != 0 || len(view.Blocks) != 1 || view.Blocks[0].ID != got.ID {
		t.Errorf("%+v", view)
	}
	// A milestone of another project of one's own is refused, and nothing is left of the call.
	other := artifact[madeProject](t, o.do("create_project", `{"name": "Other", "milestones": [{"title": "M"}]}`))
	o.refused(assent.CodeInvalid, "create_task", `{"project_id": "`+projectID+`", "title": "x", "milestone_id": "`+other.Milestones[0].ID+`"}`)
	o.refused(assent.CodeNotFound, "create_task", `{"project_id": "`+projectID+`", "title": "Half done", "depends_on": ["gone"]}`)
	if l := artifact[list](t, o.do("list_tasks", `{"query": "half done"}`)); l.Total != 0 {
		t.Errorf("a refused call left %+v", l.Tasks)
	}
}

func TestListTasks(t *testing.T) {
	o := open(t)
	o.task("Paint the walls", `, "status": "in_progress", "due_date": "2026-11-20", "description": "In the office colours"`)
	o.task("Order paint", `, "status": "done", "due_date": "2026-11-19"`)
	o.task("Call the landlord", `, "status": "cancelled"`)
	for _, tc := range []struct {
		args  string
		want  []string
		total int
	}{
		{`{}`, []string{"View offices", "Sign the lease", "Paint the walls", "Order paint", "Call the landlord"}, 5},
		{`{"limit": 2}`, []string{"View offices", "Sign the lease"}, 5},
		{`{"status": "open"}`, []string{"View offices", "Sign the lease", "Paint the walls"}, 3},
		{`{"status": "done"}`, []string{"Order paint"}, 1},
		{`{"milestone_id": "` + milestoneID + `"}`, []string{"View offices"}, 1},
		{`{"due_before": "2026-11-20"}`, []string{"Order paint"}, 1},
		{`{"due_before": "2026-12-11", "status": "open"}`, []string{"View offices", "Paint the walls"}, 2},
		{`{"query": "painting"}`, []string{"Paint the walls", "Order paint"}, 2},
		{`{"query": "office"}`, []string{"View offices", "Paint the walls"}, 2},
		{`{"query": "landlord piano"}`, []string{"Call the landlord"}, 1},
		{`{"query": "piano"}`, []string{}, 0},
	} {
		l := artifact[list](t, o.do("list_tasks", tc.args))
		if got := titlesOf(l.Tasks); !slices.Equal(got, tc.want) || l.Total != tc.total {
			t.Errorf("%s: %v of %d, want %v of %d", tc.args, got, l.Total, tc.want, tc.total)
		}
	}
}

func TestBlockedAndOverdueTasks(t *testing.T) {
	o := open(t)
	late := o.task("Late", `, "due_date": "2026-11-20"`)
	o.task("Later", `, "due_date": "2026-11-10"`)
	o.task("Late but done", `, "due_date": "2026-11-01", "status": "done"`)
	o.task("Due today", `, "due_date": "2026-11-21"`)
	stuck := o.task("Stuck", `, "status": "blocked", "blocker": "No money"`)
	o.task("Waits for late", `, "depends_on": ["`+late+`"]`)
	o.do("create_relation", `{"type": "blocks", "from_id": "`+milestoneID+`", "to_id": "`+otherTaskID+`"}`)
	if got := titlesOf(artifact[list](t, o.do("overdue_tasks", `{}`)).Tasks); !slices.Equal(got, []string{"Later", "Late"}) {
		t.Errorf("overdue: %v", got)
	}
	blocked := artifact[struct {
		Tasks []struct {
			assent.Task
			WaitsFor []ref `json:"waits_for"`
		} `json:"tasks"`
		Total int `json:"total"`
	}](t, o.do("blocked_tasks", `{"project_id": "`+projectID+`"}`))
	var got []string
	for _, b := range blocked.Tasks {
		for _, w := range append(b.WaitsFor, ref{Title: b.Blocker}) {
			got = append(got, b.Title+" < "+w.Title)
		}
	}
	if want := []string{"Sign the lease < Lease signed", "Sign the lease < ", "Stuck < No money", "Waits for late < Late", "Waits for late < "}; !slices.Equal(got, want) {
		t.Errorf("blocked: %q, want %q", got, want)
	}
	out := o.do("complete_task", `{"task_id": "`+late+`"}`)
	if want := "Completed the task “Late”; “Waits for late” can go on now"; out.Summary != want {
		t.Errorf("summary %q, want %q", out.Summary, want)
	}
	o.do("update_milestone", `{"milestone_id": "`+milestoneID+`", "status": "reached"}`)
	o.do("complete_task", `{"task_id": "`+stuck+`"}`)
	if l := artifact[list](t, o.do("blocked_tasks", `{}`)); l.Total != 0 {
		t.Errorf("still blocked: %v", titlesOf(l.Tasks))
	}
}

type dependencies struct {
	Tasks []struct {
		ID        string   `json:"id"`
		Title     string   `json:"title"`
		DependsOn []string `json:"depends_on"`
		Blocks    []string `json:"blocks"`
	} `json:"tasks"`
	Order  []string   `json:"order"`
	Cycles [][]string `json:"cycles"`
}

func TestDependenciesComeInOrder(t *testing.T) {
	o := open(t)
	ids := map[string]string{}
	for _, name := range []string{"D", "C", "B", "A", "alone"} {
		ids[name] = o.task(name, "")
	}
	for _, edge := range []string{"DC", "DB", "CA", "BA"} {
		o.do("add_dependency", `{"from_id": "`+ids[edge[:1]]+`", "to_id": "`+ids[edge[1:]]+`"}`)
	}
	all := artifact[dependencies](t, o.do("task_dependencies", `{"project_id": "`+projectID+`"}`))
	if len(all.Tasks) != 7 || len(all.Order) != 7 || len(all.Cycles) != 0 {
		t.Fatalf("%+v", all)
	}
	for _, task := range all.Tasks {
		for _, d := range task.DependsOn {
			if slices.Index(all.Order, d) > slices.Index(all.Order, task.ID) {
				t.Errorf("%s comes before what it depends on", task.Title)
			}
		}
	}
	near := artifact[dependencies](t, o.do("task_dependencies", `{"task_id": "`+ids["B"]+`"}`))
	var titles []string
	for _, task := range near.Tasks {
		titles = append(titles, task.Title)
	}
	slices.Sort(titles)
	if strings.Join(titles, "") != "ABCD" {
		t.Errorf("around B: %v", titles)
	}
}

func TestRelationsRefuseCirclesAndRepetitions(t *testing.T) {
	o := open(t)
	a, b, c := o.task("A", ""), o.task("B", ""), o.task("C", "")
	relate := func(kind, from, to string) string {
		return fmt.Sprintf(`{"type": %q, "from_id": %q, "to_id": %q}`, kind, from, to)
	}
	first := o.do("create_relation", `{"from_id": "`+a+`", "to_id": "`+b+`", "note": "paint first"}`)
	if r := artifact[assent.Relation](t, first); r.Type != "depends_on" || r.FromKind != "task" || r.ToKind != "task" || r.ProjectID != projectID || r.Note != "paint first" ||
		first.Summary != "Noted that “A” depends on “B”" {
		t.Errorf("%s %+v", first.Summary, r)
	}
	o.do("create_relation", relate("blocks", c, b))
	err := o.refused(assent.CodeConflict, "create_relation", relate("depends_on", c, a))
	if want := "“C” → “A” → “B” → “C”"; !strings.Contains(err.Message, want) {
		t.Errorf("message %q does not name the circle %s", err.Message, want)
	}
	o.refused(assent.CodeConflict, "create_relation", relate("blocks", a, c))
	for _, again := range []string{relate("depends_on", a, b), relate("blocks", b, a), relate("depends_on", b, c)} {
		if err := o.refused(assent.CodeConflict, "create_relation", again); !strings.Contains(err.Message, "already") {
			t.Errorf("%s: %s", again, err.Message)
		}
	}
	o.do("create_relation", relate("relates_to", a, documentID))
	o.refused(assent.CodeConflict, "create_relation", relate("relates_to", documentID, a))
	o.do("create_relation", relate("documents", documentID, a))
	if l := artifact[list](t, o.do("list_relations", `{"entity_id": "`+a+`"}`)); l.Total != 3 {
		t.Errorf("relations of A: %+v", l.Relations)
	}
	if l := artifact[list](t, o.do("list_relations", `{"project_id": "`+projectID+`"}`)); l.Total != 5 {
		t.Errorf("relations of the project: %+v", l.Relations)
	}
	out := o.do("delete_task", `{"task_id": "`+a+`"}`)
	if out.Summary != "Deleted the task “A” and 3 relations of it" {
		t.Errorf("summary %q", out.Summary)
	}
}

// TestWhatIsNotOnesOwnHasNoName lets a task wait for one of another project that
// its reader may not see.
func TestWhatIsNotOnesOwnHasNoName(t *testing.T) {
	o := open(t)
	o.write(func(tx *store.Tx) error { return tx.AddMember(projectID, bobID) })
	o.must(o.as(scopeOf(bobID), "create_relation", `{"from_id": "`+taskID+`", "to_id": "`+bobsTask+`"}`), "", "")
	for _, call := range []string{"blocked_tasks", "task_dependencies", "project_health"} {
		out := o.do(call, `{"project_id": "`+projectID+`"}`)
		if strings.Contains(string(out.Artifact), "nails") || !strings.Contains(string(out.Artifact), "something in another project") {
			t.Errorf("%s: %s", call, out.Artifact)
		}
	}
	o.must(o.as(scopeOf(bobID), "complete_task", `{"task_id": "`+bobsTask+`"}`), "", "")
	if l := artifact[list](t, o.do("blocked_tasks", `{}`)); l.Total != 0 {
		t.Errorf("still waiting: %+v", l.Tasks)
	}
}

func TestSeveralAtOnce(t *testing.T) {
	o := open(t)
	out := o.do("create_milestones", `{"project_id": "`+projectID+`", "milestones": [{"title": "A", "due_date": "2027-02-01", "tasks": ["x", "y"]}, {"title": "B"}]}`)
	made := artifact[madeProject](t, out)
	if out.Summary != "Added 2 milestones and 2 tasks to “Office move”" || made.Milestones[1].Position != 3 || made.Tasks[0].Position != 3 || made.Tasks[1].DueDate != "2027-02-01" {
		t.Errorf("%s %+v", out.Summary, made)
	}
	tasks := artifact[list](t, o.do("create_tasks", `{"project_id": "`+projectID+`", "milestone_id": "`+made.Milestones[1].ID+`", "tasks": [{"title": "p", "priority": "high"}, {"title": "q", "due_date": "2027-02-02"}]}`))
	if tasks.Total != 2 || tasks.Tasks[0].Priority != "high" || tasks.Tasks[1].DueDate != "2027-02-02" || tasks.Tasks[1].MilestoneID != made.Milestones[1].ID || tasks.Tasks[1].Position != 6 {
		t.Errorf("%+v", tasks.Tasks)
	}
}

// TestVeryLargeProjectsStillAnswer holds the bounds of the views over a project
// of more tasks than anybody looks at.
func TestVeryLargeProjectsStillAnswer(t *testing.T) {
	o := open(t)
	var nouns []store.Noun
	for i := range 450 {
		nouns = append(nouns, &assent.Task{Entity: assent.Entity{ID: fmt.Sprintf("0192f000-0000-7000-a000-%012d", i), Kind: assent.KindTask, ProjectID: projectID},
			Title: strings.Repeat("x", 190), Description: strings.Repeat("y", 400), Status: "blocked", Blocker: strings.Repeat("z", 1000), Priority: "normal", DueDate: "2026-01-01", Position: int64(i + 10)})
	}
	chain := func(from, to int) *assent.Relation {
		a, b := nouns[from].Base().ID, nouns[to].Base().ID
		return &assent.Relation{Entity: assent.Entity{Kind: assent.KindRelation, ProjectID: projectID}, Type: "depends_on", FromKind: assent.KindTask, FromID: a, ToKind: assent.KindTask, ToID: b}
	}
	o.put(adaID, nouns...)
	var rels []store.Noun
	for i := range 299 {
		rels = append(rels, chain(i, i+1))
	}
	o.put(adaID, rels...)
	for name, want := range map[string]int{"list_tasks": 452, "blocked_tasks": 450, "overdue_tasks": 450} {
		if l := artifact[list](t, o.do(name, `{"project_id": "`+projectID+`"}`)); l.Total != want || len(l.Tasks) < 40 {
			t.Errorf("%s: %d of %d", name, len(l.Tasks), l.Total)
		}
	}
	o.do("get_project", `{"project_id": "`+projectID+`"}`)
	o.do("project_health", `{"project_id": "`+projectID+`"}`)
	if d := artifact[dependencies](t, o.do("task_dependencies", `{"project_id": "`+projectID+`"}`)); len(d.Tasks) != 300 || len(d.Order) != 300 || d.Order[0] != nouns[299].Base().ID {
		t.Errorf("%d tasks, %d in order", len(d.Tasks), len(d.Order))
	}
	rels = nil
	for i := 299; i < 449; i++ {
		rels = append(rels, chain(i, i+1))
	}
	o.put(adaID, rels...)
	o.refused(assent.CodeTooLarge, "task_dependencies", `{"project_id": "`+projectID+`"}`)
}
