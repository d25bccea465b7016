package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
)

// Ids of the seeded workspace; the tools' examples name them.
const (
	projectID   = "0192f000-0000-7000-8000-000000000001"
	goalID      = "0192f000-0000-7000-8000-000000000002"
	milestoneID = "0192f000-0000-7000-8000-000000000003"
	taskID      = "0192f000-0000-7000-8000-000000000004"
	documentID  = "0192f000-0000-7000-8000-000000000005"
	riskID      = "0192f000-0000-7000-8000-000000000006"
	decisionID  = "0192f000-0000-7000-8000-000000000007"
	relationID  = "0192f000-0000-7000-8000-000000000008"
	templateID  = "0192f000-0000-7000-8000-000000000009"
	otherTaskID = "0192f000-0000-7000-8000-00000000000a"
	bobsProject = "0192f000-0000-7000-8000-00000000000b"
	bobsTask    = "0192f000-0000-7000-8000-00000000000c"
	adaID       = "0192f000-0000-7000-8000-0000000000a1"
	bobID       = "0192f000-0000-7000-8000-0000000000b1"
)

// office is a workspace on a real database with two people: Ada, who has a
// project with one thing of each kind, and Bob, who has one of his own.
type office struct {
	t     testing.TB
	store *store.Store
	tools *tool.Registry
	exec  *tool.Executor
	now   atomic.Pointer[time.Time]
	calls atomic.Int64
}

// open gives an office of one's own, copied from a seeded database: migrating
// and seeding each would take most of the tests' time.
func open(t testing.TB) *office {
	t.Helper()
	raw, err := seeded()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, store.FileName), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return openIn(t, dir, 1000)
}

// seeded is the database file of an office that was just opened.
var seeded = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "office")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	clock, ids := func() time.Time { return opened }, idsFrom(1)
	s, err := store.Open(context.Background(), dir, store.Options{Clock: clock, IDs: ids})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(seed(s), s.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, store.FileName))
})

// opened is when the office opens: a Saturday morning.
var opened = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func idsFrom(n int64) assent.IDs {
	var last atomic.Int64
	last.Store(n)
	return func() string { return fmt.Sprintf("0192f000-0000-7000-9000-%012d", last.Add(1)) }
}

func openIn(t testing.TB, dir string, firstID int64) *office {
	o := &office{t: t}
	o.setNow(opened)
	clock := func() time.Time { return *o.now.Load() }
	s, err := store.Open(context.Background(), dir, store.Options{Clock: clock, IDs: idsFrom(firstID)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.store = s
	if o.tools, err = tool.NewRegistry(workspace.Tools(s.Reads)...); err != nil {
		t.Fatal(err)
	}
	o.exec = tool.NewExecutor(o.tools, sharedSchemas(), s, clock)
	return o
}

// sharedSchemas compiles each schema once for all tests.
var sharedSchemas = sync.OnceValue(schema.NewCompiler)

func (o *office) setNow(at time.Time) { o.now.Store(&at) }

func person(id string) assent.Person {
	name := map[string]string{adaID: "Ada", bobID: "Bob"}[id]
	return assent.Person{ID: id, Email: name + "@example.org", Name: name, Role: assent.RoleMember, TimeZone: "UTC", Locale: "en"}
}

func seed(s *store.Store) error {
	own := func(id string, k assent.Kind) assent.Entity {
		return assent.Entity{ID: id, Kind: k, ProjectID: projectID}
	}
	ada := []store.Noun{
		&assent.Project{Entity: own(projectID, assent.KindProject), Name: "Office move", Description: "Out of the old lease", Status: "active", OwnerID: adaID, DueDate: "2027-03-31"},
		&assent.Goal{Entity: own(goalID, assent.KindGoal), Title: "Nobody loses a day", Status: "open"},
		&assent.Milestone{Entity: own(milestoneID, assent.KindMilestone), Title: "Lease signed", Status: "open", DueDate: "2027-01-15", Position: 1},
		&assent.Task{Entity: own(taskID, assent.KindTask), Title: "View offices", Status: "todo", Priority: "normal", MilestoneID: milestoneID, DueDate: "2026-12-10", Position: 1},
		&assent.Task{Entity: own(otherTaskID, assent.KindTask), Title: "Sign the lease", Status: "todo", Priority: "high", Position: 2},
		&assent.Document{Entity: own(documentID, assent.KindDocument), Title: "Lease", Type: "note", Status: "draft", Body: "The lease ends in April."},
		&assent.Risk{Entity: own(riskID, assent.KindRisk), Title: "Fit-out is late", Likelihood: "medium", Impact: "high", Status: "open"},
		&assent.Decision{Entity: own(decisionID, assent.KindDecision), Title: "We stay in town", Status: "decided", DecidedOn: "2026-11-01"},
		&assent.Relation{Entity: own(relationID, assent.KindRelation), Type: "mitigates", FromKind: assent.KindTask, FromID: taskID, ToKind: assent.KindRisk, ToID: riskID},
		&assent.Template{Entity: assent.Entity{ID: templateID, Kind: assent.KindTemplate}, Slug: "ada", Name: "Ada’s own", Keywords: []string{"zebra"},
			Goals: []string{}, Risks: []string{"Stripes"}, Milestones: []assent.TemplateMilestone{{Title: "Half", At: 0.5, Tasks: []string{"One", "Two"}}, {Title: "All", At: 1, Tasks: []string{}}}},
	}
	bob := []store.Noun{
		&assent.Project{Entity: assent.Entity{ID: bobsProject, Kind: assent.KindProject}, Name: "Bob’s shed", Status: "active", OwnerID: bobID},
		&assent.Task{Entity: assent.Entity{ID: bobsTask, Kind: assent.KindTask, ProjectID: bobsProject}, Title: "Buy nails", Status: "todo", Priority: "normal", Position: 1},
	}
	if err := workspace.EnsureTemplates(context.Background(), s); err != nil {
		return err
	}
	return s.Write(context.Background(), func(tx *store.Tx) error {
		for _, id := range []string{adaID, bobID} {
			if err := tx.CreatePerson(person(id), "x"); err != nil {
				return err
			}
		}
		return errors.Join(put(tx, adaID, ada...), put(tx, bobID, bob...))
	})
}

func (o *office) write(fn func(*store.Tx) error) {
	o.t.Helper()
	if err := o.store.Write(context.Background(), fn); err != nil {
		o.t.Fatal(err)
	}
}

// put stores entities as a person would.
func (o *office) put(by string, nouns ...store.Noun) {
	o.t.Helper()
	o.write(func(tx *store.Tx) error { return put(tx, by, nouns...) })
}

func put(tx *store.Tx, by string, nouns ...store.Noun) error {
	for _, n := range nouns {
		if err := tx.CreateEntity(store.Origin{UserID: by, Caller: assent.CallerPerson, Tool: "seed"}, n); err != nil {
			return err
		}
	}
	return nil
}

func scopeOf(who string) assent.Scope {
	return assent.Scope{Person: person(who), Caller: assent.CallerModel, SessionID: "", Zone: time.UTC, RunID: "run"}
}

// as runs a call in somebody's scope.
func (o *office) as(s assent.Scope, name, args string) assent.ToolResult {
	o.t.Helper()
	return o.exec.Execute(context.Background(), tool.Call{Scope: s, ToolCall: assent.ToolCall{ID: fmt.Sprintf("call-%d", o.calls.Add(1)), Tool: name, Arguments: json.RawMessage(args)}})
}

// output is the standard response of a tool.
type output struct {
	ArtifactID string          `json:"artifact_id"`
	Artifact   json.RawMessage `json:"artifact"`
	Metadata   tool.Metadata   `json:"_metadata"`
	Summary    string          `json:"-"`
}

// do runs a call of Ada's that must succeed.
func (o *office) do(name, args string) output {
	o.t.Helper()
	return o.must(o.as(scopeOf(adaID), name, args), name, args)
}

func (o *office) must(r assent.ToolResult, name, args string) output {
	o.t.Helper()
	if r.Err != nil {
		o.t.Fatalf("%s %s: %v %v", name, args, r.Err, r.Err.Fields)
	}
	out := output{Summary: r.Summary}
	if err := json.Unmarshal(r.Output, &out); err != nil {
		o.t.Fatal(err)
	}
	return out
}

// refused runs a call of Ada's that must fail with a code, and gives the error.
func (o *office) refused(code assent.Code, name, args string) *assent.Error {
	o.t.Helper()
	r := o.as(scopeOf(adaID), name, args)
	if r.Err == nil {
		o.t.Fatalf("%s %.300s succeeded: %.300s", name, args, r.Output)
	}
	if r.Err.Code != code {
		o.t.Fatalf("%s %.300s: %v %v, want %s", name, args, r.Err, r.Err.Fields, code)
	}
	return r.Err
}

// artifact reads an output's artifact.
func artifact[T any](t testing.TB, out output) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(out.Artifact, &v); err != nil {
		t.Fatalf("%v in %s", err, out.Artifact)
	}
	return v
}

// list is the artifact of a list, whatever it holds.
type list struct {
	Templates  []assent.Template  `json:"templates"`
	Projects   []assent.Project   `json:"projects"`
	Goals      []assent.Goal      `json:"goals"`
	Milestones []assent.Milestone `json:"milestones"`
	Tasks      []assent.Task      `json:"tasks"`
	Documents  []assent.Document  `json:"documents"`
	Risks      []assent.Risk      `json:"risks"`
	Decisions  []assent.Decision  `json:"decisions"`
	Relations  []assent.Relation  `json:"relations"`
	Hits       []assent.SearchHit `json:"hits"`
	Total      int                `json:"total"`
}

// titlesOf are the titles in a list of tasks.
func titlesOf(tasks []assent.Task) []string {
	out := []string{}
	for _, t := range tasks {
		out = append(out, t.Title)
	}
	return out
}

// revisionsOf counts by op and kind what calls of a tool wrote.
func (o *office) revisionsOf(name string) map[string]map[string]int {
	o.t.Helper()
	revs, err := o.store.ListRunRevisions(context.Background(), "run")
	if err != nil {
		o.t.Fatal(err)
	}
	out := map[string]map[string]int{"create": {}, "update": {}, "delete": {}}
	for _, r := range revs {
		if r.Tool == name {
			out[r.Op][string(r.Kind)]++
		}
	}
	return out
}
