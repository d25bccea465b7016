package offline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
)

// opened is the day on which everything in these tests is said.
var opened = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) // a Saturday

// world is Ada's workspace on a real database, with the real tools over it. The
// tests read it and note what would be written, so that one serves all of them.
type world struct {
	store   *store.Store
	exec    *tool.Executor
	check   *schema.Compiler
	schemas map[string]json.RawMessage // of the arguments, by tool
	effects map[string]assent.Effect
	offer   []llm.Tool
}

func newWorld(t testing.TB) *world {
	t.Helper()
	var ids atomic.Int64
	clock := func() time.Time { return opened }
	s, err := store.Open(context.Background(), t.TempDir(), store.Options{Clock: clock, IDs: func() string { return fmt.Sprintf("id-%d", ids.Add(1)) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := errors.Join(workspace.EnsureTemplates(context.Background(), s), seed(s)); err != nil {
		t.Fatal(err)
	}
	tools, err := tool.NewRegistry(workspace.Tools(s.Reads)...)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{store: s, check: schema.NewCompiler(), schemas: map[string]json.RawMessage{}, effects: map[string]assent.Effect{}}
	w.exec = tool.NewExecutor(tools, w.check, s, clock)
	for _, spec := range append(metaSpecs(), tools.Specs()...) {
		w.schemas[spec.Name], w.effects[spec.Name] = spec.InputSchema, spec.Effect
		w.offer = append(w.offer, llm.Tool{Name: spec.Name, Description: spec.Description, Schema: spec.InputSchema})
	}
	return w
}

// metaSpecs are the planner's own tools as it describes them.
func metaSpecs() []assent.ToolSpec {
	object := func(required, properties string) json.RawMessage {
		return json.RawMessage(`{"type":"object","additionalProperties":false,"required":[` + required + `],"properties":{` + properties + `}}`)
	}
	return []assent.ToolSpec{
		{Name: "agent_create_plan", Effect: assent.EffectWrite, InputSchema: object(`"objective"`, `"objective":{"type":"string"},"execution_mode":{"type":"string","enum":["auto_execute","draft_only","agent_review"]},"auto_execute":{"type":"boolean"},"requested_outputs":{"type":"array","items":{"type":"string"}},"priority_entities":{"type":"array","items":{"type":"string"}},"reasoning":{"type":"string"},"steps":{"type":"array","items":{"type":"object"}}`)},
		{Name: "agent_revise_plan", Effect: assent.EffectWrite, InputSchema: object(`"plan_id","instructions"`, `"plan_id":{"type":"string"},"instructions":{"type":"string"}`)},
		{Name: "agent_execute_plan", Effect: assent.EffectWrite, InputSchema: object(`"plan_id","version"`, `"plan_id":{"type":"string"},"version":{"type":"integer"}`)},
		{Name: "agent_discard_plan", Effect: assent.EffectWrite, InputSchema: object(`"plan_id"`, `"plan_id":{"type":"string"}`)},
	}
}

var ada = assent.Person{ID: "ada", Email: "ada@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "Europe/London", Locale: "en-GB"}

// seed fills the workspace; the ids are what the corpus names.
func seed(s *store.Store) error {
	in := func(project, id string, k assent.Kind) assent.Entity {
		return assent.Entity{ID: id, Kind: k, ProjectID: project}
	}
	task := func(project, id, title, status string, due assent.Date, rest ...string) store.Noun {
		t := &assent.Task{Entity: in(project, id, assent.KindTask), Title: title, Status: status, Priority: "normal", DueDate: due}
		if len(rest) > 0 {
			t.MilestoneID = rest[0]
		}
		if len(rest) > 1 {
			t.Blocker = rest[1]
		}
		return t
	}
	milestone := func(project, id, title string, due assent.Date, at int64) store.Noun {
		return &assent.Milestone{Entity: in(project, id, assent.KindMilestone), Title: title, Status: "open", DueDate: due, Position: at}
	}
	nouns := []store.Noun{
		&assent.Project{Entity: in("office", "office", assent.KindProject), Name: "Office move", Status: "active", OwnerID: ada.ID, DueDate: "2027-03-31"},
		milestone("office", "m-premises", "Premises chosen", "2026-12-10", 1),
		milestone("office", "m-lease", "Lease signed", "2027-01-15", 2),
		milestone("office", "m-moved", "Moved in", "2027-03-31", 3),
		task("office", "t-view", "View offices", "todo", "2026-12-10", "m-premises"),
		task("office", "t-sign", "Sign the lease", "todo", "2027-01-15", "m-lease"),
		task("office", "t-desks", "Order desks", "in_progress", "2027-02-20"),
		task("office", "t-quotes", "Get three quotes from movers", "todo", "2026-11-10"),
		task("office", "t-internet", "Install internet", "blocked", "2027-03-01", "m-moved", "Waiting for the provider"),
		task("office", "t-print", "Print new stationery", "done", "2026-11-01"),
		&assent.Risk{Entity: in("office", "r-fitout", assent.KindRisk), Title: "Fit-out is late", Likelihood: "medium", Impact: "high", Status: "open"},
		&assent.Decision{Entity: in("office", "d-town", assent.KindDecision), Title: "We stay in town", Status: "decided", DecidedOn: "2026-11-01"},
		&assent.Document{Entity: in("office", "doc-floor", assent.KindDocument), Title: "Floor plan", Type: "note", Status: "draft", Body: "Twelve desks and two rooms."},
		&assent.Goal{Entity: in("office", "g-day", assent.KindGoal), Title: "Nobody loses a day", Status: "open"},
		&assent.Project{Entity: in("web", "web", assent.KindProject), Name: "Website relaunch", Status: "active", OwnerID: ada.ID, DueDate: "2027-02-28"},
		&assent.Document{Entity: in("web", "doc-context", assent.KindDocument), Title: "Context", Type: "context", Status: "published", Body: "The shop is new."},
		milestone("web", "m-design", "Design approved", "2026-12-18", 1),
		milestone("web", "m-launch", "Launch", "2027-02-28", 2),
		task("web", "t-copy", "Write the copy", "todo", "2027-01-20"),
		task("web", "t-form", "Fix the contact form", "todo", "2026-11-15"),
		task("web", "t-host", "Choose a host", "in_progress", ""),
		&assent.Project{Entity: in("party", "party", assent.KindProject), Name: "Summer party", Status: "planning", OwnerID: ada.ID},
		task("party", "t-band", "Book a band", "todo", ""),
		task("party", "t-cake", "Order cake", "todo", ""),
	}
	return s.Write(context.Background(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(ada, "x"); err != nil {
			return err
		}
		for _, n := range nouns {
			if err := tx.CreateEntity(store.Origin{UserID: ada.ID, Caller: assent.CallerPerson, Tool: "seed"}, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// scene is where a message is said.
type scene struct {
	context assent.ContextType
	entity  map[string]any
	locale  string
	plan    *assent.PlanDocument // waits for a word
	plans   []map[string]any     // several, as the state has them
	reading *assent.Reading
	empty   bool // a workspace without projects
	past    []llm.Message
}

const waitingPlan = "plan-1"

// state is the block that the planner puts at the end of its prompt.
func (s scene) state() map[string]any {
	b := map[string]any{"today": "2026-11-21", "weekday": "Saturday", "time_zone": "Europe/London", "locale": s.locale, "person": "Ada",
		"context_type": s.context, "mode": "auto_execute"}
	list := []map[string]any{}
	if !s.empty {
		list = append(list, map[string]any{"id": "party", "name": "Summer party", "status": "planning", "due_date": ""},
			map[string]any{"id": "web", "name": "Website relaunch", "status": "active", "due_date": "2027-02-28"},
			map[string]any{"id": "office", "name": "Office move", "status": "active", "due_date": "2027-03-31"})
	}
	b["projects"] = list
	if s.entity != nil {
		b["entity"] = s.entity
	}
	if s.plan != nil {
		b["plans"] = []map[string]any{{"plan_id": waitingPlan, "version": 1, "status": "pending_review", "objective": s.plan.Objective, "steps": s.plan.Steps}}
	}
	if s.plans != nil {
		b["plans"] = s.plans
	}
	if s.reading != nil {
		b["reading"] = s.reading
	}
	return b
}

// read runs a call that only reads, and gives the message that the model sees.
func (w *world) read(ctx context.Context, c llm.Call) (llm.Message, error) {
	call := assent.ToolCall{ID: c.ID, Tool: c.Name, Arguments: c.Arguments}
	scope := assent.Scope{Person: ada, Caller: assent.CallerModel, SessionID: "s", Zone: time.UTC}
	res := w.exec.Execute(ctx, tool.Call{Scope: scope, ToolCall: call})
	m := loop.ResultMessage(call, res)
	if res.Err != nil {
		return m, fmt.Errorf("%s %s: %w %v", c.Name, c.Arguments, res.Err, res.Err.Fields)
	}
	return m, nil
}
