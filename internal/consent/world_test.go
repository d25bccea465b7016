package consent_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/plan"
	"assent/internal/plan/check"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"

	"github.com/google/uuid"
)

// world is consent over real storage and the real plan engine, with two small
// tools. Runs are only driven when a test says so.
type world struct {
	*store.Store
	consent  *consent.Service
	plans    *plan.Service
	model    *llmtest.Model
	engine   *recorder
	ada      assent.Person
	session  string
	settings map[string]assent.ToolSetting // what admins say of tools
	weak     bool                          // what people say comes under a token that may not approve
}

// recorder stands in for the engine and notes what it was asked to do.
type recorder struct {
	mu      sync.Mutex
	started []string
	signals []string
}

func (r *recorder) Start(_ context.Context, kind, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = append(r.started, kind+" "+id)
}

func (r *recorder) Signal(_ context.Context, id, signal string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.signals = append(r.signals, signal+" "+id)
}

// runs are those that were started, in order.
func (r *recorder) runs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, s := range r.started {
		if len(s) > len(assent.JobRun) && s[:len(assent.JobRun)] == assent.JobRun {
			out = append(out, s[len(assent.JobRun)+1:])
		}
	}
	return out
}

type titled struct {
	Title string `json:"title"`
}

// tools look at notes, write and wipe them.
func tools(description string) []*tool.Tool {
	note := tool.NewWrite(tool.Def{Name: "note", Title: "Write a note", Description: "Writes a note.", Effect: assent.EffectWrite},
		func(_ context.Context, tx *store.Tx, c tool.Call, a titled) (tool.Result[assent.Task], error) {
			n := &assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: a.Title, Status: "todo"}
			err := tx.CreateEntity(store.OriginOf(c.Scope, "note"), n)
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: *n, Summary: "Wrote " + a.Title}, err
		})
	wipe := tool.NewWrite(tool.Def{Name: "wipe", Title: "Delete a note", Description: description, Effect: assent.EffectDestructive},
		func(context.Context, *store.Tx, tool.Call, titled) (tool.Result[titled], error) {
			return tool.Result[titled]{Summary: "Wiped"}, nil
		})
	wipe.Spec.InputSchema = json.RawMessage(`{"type":"object","required":["title"],"additionalProperties":false,"properties":{"title":{"type":"string","description":"` + description + `"}}}`)
	look := tool.New(tool.Def{Name: "look", Title: "Look at a note", Description: "Looks.", Effect: assent.EffectRead},
		func(context.Context, tool.Call, titled) (tool.Result[titled], error) {
			return tool.Result[titled]{Summary: "Looked"}, nil
		})
	repeat := tool.NewWrite(tool.Def{Name: "repeat", Title: "Repeat a note", Description: "Writes a note again.", Effect: assent.EffectWrite,
		Preview: func(string, json.RawMessage) assent.Preview {
			p := assent.NewPreview()
			p.Creates["task"] = 1
			return p
		},
		Contents: func(r store.Reads, _ tool.Look, args json.RawMessage) tool.Contents {
			var a titled
			if json.Unmarshal(args, &a) != nil {
				return tool.Contents{}
			}
			n, err := store.Find[assent.Task](context.Background(), r, a.Title)
			if err != nil {
				return tool.Contents{}
			}
			return tool.Contents{Items: []assent.PreviewItem{{Kind: assent.KindTask, Title: n.Title}}, Mark: n.Title}
		}},
		func(ctx context.Context, tx *store.Tx, c tool.Call, a titled) (tool.Result[assent.Task], error) {
			n, err := store.Find[assent.Task](ctx, tx.Reads, a.Title)
			if err != nil {
				return tool.Result[assent.Task]{}, err
			}
			n.Entity = assent.Entity{Kind: assent.KindTask, ProjectID: "p"}
			err = tx.CreateEntity(store.OriginOf(c.Scope, "repeat"), &n)
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: n, Summary: "Wrote " + n.Title}, err
		})
	return []*tool.Tool{look, note, wipe, repeat}
}

func newWorld(t *testing.T, answers ...llmtest.Script) *world {
	t.Helper()
	ids := func() string { return uuid.Must(uuid.NewV7()).String() }
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{Clock: time.Now, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{Store: s, model: llmtest.NewModel(t, answers...), engine: &recorder{}, session: ids(), settings: map[string]assent.ToolSetting{}}
	w.ada = w.person(t, "Ada")
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.CreateSession(assent.Session{ID: w.session, UserID: w.ada.ID, ContextType: assent.ContextGeneral})
	}); err != nil {
		t.Fatal(err)
	}
	w.wire(t, "Deletes a note.")
	return w
}

// wire builds the services anew; another description makes the tool wipe
// another tool than the one that a plan was shown with.
func (w *world) wire(t *testing.T, description string) {
	t.Helper()
	registry, err := tool.NewRegistry(tools(description)...)
	if err != nil {
		t.Fatal(err)
	}
	gw := llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{"test": w.model}, Catalog: llm.SingleModel(llm.Target{Provider: "test", Model: "m"}),
		Ledger: w.Ledger(), Clock: time.Now, IDs: w.NewID, Random: func() float64 { return 0 }})
	w.plans = plan.New(plan.Deps{Store: w.Store, Registry: registry, Executor: tool.NewExecutor(registry, schema.NewCompiler(), w.Store, time.Now),
		Checker: check.New(), Model: gw, Engine: w.engine, IDs: w.NewID, Clock: time.Now, Limits: plan.Limits{Steps: 12, Parallel: 4, Depth: 3, Step: time.Minute}})
	w.consent = consent.New(w.Store, w.plans, llm.NewStructured(gw, schema.NewCompiler().Validate, 2), w.engine, w.NewID, func() assent.Currency { return assent.DefaultCurrency })
}

// govern says what admins say of a tool.
func (w *world) govern(tool string, p assent.ToolPolicy) {
	w.settings[tool] = assent.ToolSetting{Policy: p}
	w.plans.Registry.Apply(w.settings)
}

// call asks the consent hook about a direct call; nil: it may run.
func (w *world) call(t *testing.T, scope assent.Scope, name string) *assent.ToolResult {
	t.Helper()
	found, ok := w.plans.Registry.Find(name)
	if !ok {
		t.Fatal(name)
	}
	return plan.Confirm{Plans: w.plans}.BeforeToolExecution(t.Context(), found, &tool.Call{ToolCall: assent.ToolCall{Tool: name, Arguments: []byte(`{"title":"x"}`)}, Scope: scope})
}

func (w *world) person(t *testing.T, name string) assent.Person {
	t.Helper()
	p := assent.Person{ID: w.NewID(), Email: w.NewID() + "@example.org", Name: name, Role: assent.RoleMember, TimeZone: "UTC", Locale: "en"}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { return tx.CreatePerson(p, "x") }); err != nil {
		t.Fatal(err)
	}
	return p
}

func principal(p assent.Person, scopes ...assent.TokenScope) assent.Principal {
	if len(scopes) == 0 {
		scopes = assent.TokenScopes()
	}
	return assent.Principal{Person: p, Scopes: scopes}
}

func (w *world) scope() assent.Scope {
	return assent.Scope{Person: w.ada, Principal: principal(w.ada), SessionID: w.session, Caller: assent.CallerModel, ContextType: assent.ContextGeneral, Zone: time.UTC}
}

// step is one call of a tool.
func step(id, name string) assent.Step {
	return assent.Step{ID: id, Type: assent.StepTool, Tool: name, Arguments: json.RawMessage(`{"title":"` + id + `"}`)}
}

// waiting stores a plan that waits for Ada's word.
func (w *world) waiting(t *testing.T, objective string, steps ...assent.Step) assent.Plan {
	t.Helper()
	p, err := w.plans.Create(t.Context(), plan.Draft{Scope: w.scope(), Document: assent.PlanDocument{Objective: objective, Steps: steps},
		Mode: assent.ModeDraftOnly, CreatedBy: "test", Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// whole gives a plan with all that hangs on it.
func (w *world) whole(t *testing.T, id string) assent.Plan {
	t.Helper()
	p, err := w.FindPlanWhole(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// said gives Ada's messages as they are stored.
func (w *world) said(t *testing.T) []assent.Message {
	t.Helper()
	m, err := w.ListMessages(t.Context(), w.session)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
