package plan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/plan"
	"assent/internal/plan/check"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"

	"github.com/google/uuid"
)

// world is a plan engine over real storage with a few small tools.
type world struct {
	*store.Store
	plans   *plan.Service
	person  assent.Person
	session assent.Session
	model   *script
	started chan string // runs that the engine was asked to start
	fail    *failing
	rooms   *rooms
	agents  *agents
	sent    *sentLog
}

// failing lets a test break the tool "flaky" or run something inside it.
type failing struct {
	mu   sync.Mutex
	err  error
	hook func()
}

func (f *failing) do() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hook != nil {
		f.hook()
	}
	return f.err
}

func (f *failing) set(err error, hook func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.hook = err, hook
}

// script answers model calls in order.
type script struct{ answers []llm.Chunk }

func (s *script) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if len(s.answers) == 0 {
			yield(llm.Chunk{}, &llm.Error{Class: llm.ClassInternal, Detail: "script is over"})
			return
		}
		next := s.answers[0]
		s.answers = s.answers[1:]
		if yield(next, nil) {
			yield(llm.Chunk{Kind: llm.ChunkFinish}, nil)
		}
	}
}

// recorder stands in for the engine: it only notes what was started.
type recorder struct{ ch chan string }

func (r recorder) Start(_ context.Context, kind, id string) { r.ch <- kind + " " + id }
func (r recorder) Signal(context.Context, string, string)   {}

type noteArgs struct {
	Title string `json:"title"`
}

type idArgs struct {
	ID string `json:"id"`
}

func newWorld(t testing.TB) *world { return worldIn(t, t.TempDir()) }

func worldIn(t testing.TB, dir string) *world {
	t.Helper()
	ids := func() string { return uuid.Must(uuid.NewV7()).String() }
	s, err := store.Open(context.Background(), dir, store.Options{Clock: time.Now, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{Store: s, model: &script{}, started: make(chan string, 100), fail: &failing{}, rooms: newRooms(), agents: &agents{}, sent: &sentLog{file: filepath.Join(dir, "sent")}}
	w.person = assent.Person{ID: ids(), Email: ids() + "@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "Europe/London", Locale: "en"}
	w.session = assent.Session{ID: ids(), UserID: w.person.ID, ContextType: assent.ContextGeneral}
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(w.person, "x"); err != nil {
			return err
		}
		return tx.CreateSession(w.session)
	}); err != nil {
		t.Fatal(err)
	}
	registry, err := tool.NewRegistry(w.tools()...)
	if err != nil {
		t.Fatal(err)
	}
	executor := tool.NewExecutor(registry, schema.NewCompiler(), s, time.Now)
	w.plans = plan.New(plan.Deps{Store: s, Registry: registry, Executor: executor, Checker: check.New(), Model: w.model, Structured: llm.NewStructured(w.model, schema.NewCompiler().Validate, 2), Engine: recorder{w.started}, Agents: w.agents,
		IDs: ids, Clock: time.Now, Limits: plan.Limits{Steps: 12, Parallel: 4, Depth: 3, Step: 10 * time.Second}})
	return w
}

func (w *world) tools() []*tool.Tool {
	note := tool.NewWrite(tool.Def{Name: "note", Title: "Write a note", Description: "Writes a note.", Effect: assent.EffectWrite},
		func(_ context.Context, tx *store.Tx, c tool.Call, a noteArgs) (tool.Result[assent.Task], error) {
			n := &assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: a.Title, Status: "todo"}
			err := tx.CreateEntity(store.OriginOf(c.Scope, "note"), n)
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: *n, Summary: "Wrote " + a.Title}, err
		})
	mark := tool.NewWrite(tool.Def{Name: "mark", Title: "Mark done", Description: "Marks a note done.", Effect: assent.EffectWrite},
		func(ctx context.Context, tx *store.Tx, c tool.Call, a idArgs) (tool.Result[assent.Task], error) {
			n, err := store.Find[assent.Task](ctx, tx.Reads, a.ID)
			if err != nil {
				return tool.Result[assent.Task]{}, err
			}
			n.Status = "done"
			err = tx.UpdateEntity(store.OriginOf(c.Scope, "mark"), &n)
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: n, Summary: "Marked " + n.Title}, err
		})
	flaky := tool.New(tool.Def{Name: "flaky", Title: "Try something", Description: "May fail.", Effect: assent.EffectRead},
		func(context.Context, tool.Call, noteArgs) (tool.Result[noteArgs], error) {
			return tool.Result[noteArgs]{Summary: "worked"}, w.fail.do()
		})
	wipe := tool.NewWrite(tool.Def{Name: "wipe", Title: "Delete a note", Description: "Deletes.", Effect: assent.EffectDestructive},
		func(ctx context.Context, tx *store.Tx, c tool.Call, a idArgs) (tool.Result[assent.Task], error) {
			n, err := store.Find[assent.Task](ctx, tx.Reads, a.ID)
			if err != nil {
				return tool.Result[assent.Task]{}, err
			}
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: n, Summary: "Deleted " + n.Title}, tx.DeleteEntity(store.OriginOf(c.Scope, "wipe"), &n)
		})
	repeat := tool.NewWrite(tool.Def{Name: "repeat", Title: "Repeat a note", Description: "Writes a note again.", Effect: assent.EffectWrite,
		Preview: func(string, json.RawMessage) assent.Preview {
			p := assent.NewPreview()
			p.Creates["task"] = 1
			return p
		},
		Contents: func(r store.Reads, _ tool.Look, args json.RawMessage) tool.Contents {
			var a idArgs
			if json.Unmarshal(args, &a) != nil {
				return tool.Contents{}
			}
			n, err := store.Find[assent.Task](context.Background(), r, a.ID)
			if err != nil {
				return tool.Contents{}
			}
			return tool.Contents{Items: []assent.PreviewItem{{Kind: assent.KindTask, Title: n.Title}}, Mark: n.Title}
		}},
		func(ctx context.Context, tx *store.Tx, c tool.Call, a idArgs) (tool.Result[assent.Task], error) {
			n, err := store.Find[assent.Task](ctx, tx.Reads, a.ID)
			if err != nil {
				return tool.Result[assent.Task]{}, err
			}
			n.Entity = assent.Entity{Kind: assent.KindTask, ProjectID: "p"}
			err = tx.CreateEntity(store.OriginOf(c.Scope, "repeat"), &n)
			return tool.Result[assent.Task]{ArtifactID: n.ID, Artifact: n, Summary: "Wrote " + n.Title}, err
		})
	return append([]*tool.Tool{note, mark, flaky, wipe, repeat}, w.meetingTools()...)
}

func step(id, toolName, args string) assent.Step {
	return assent.Step{ID: id, Type: assent.StepTool, Tool: toolName, Arguments: json.RawMessage(args), ResultKey: id}
}

func (w *world) scope() assent.Scope {
	return assent.Scope{Person: w.person, SessionID: w.session.ID, ContextType: assent.ContextGeneral, Caller: assent.CallerModel, Zone: time.UTC}
}

// approved stores a plan and starts it as consent would.
func (w *world) approved(t testing.TB, steps ...assent.Step) assent.Run {
	t.Helper()
	doc := assent.PlanDocument{Objective: "Test", Steps: steps}
	if r := w.plans.Check(doc, assent.ContextGeneral, nil, 0); len(r.Errors) > 0 {
		t.Fatalf("the plan is not valid: %+v", r.Errors)
	}
	p, err := w.plans.Create(context.Background(), plan.Draft{Scope: w.scope(), Document: doc, Mode: assent.ModeDraftOnly, CreatedBy: "test", Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	a := assent.Approval{ID: w.NewID(), PlanID: p.ID, Version: p.Version, Hash: p.Hash, Basis: assent.BasisWords, UserID: w.person.ID}
	run := assent.Run{ID: w.NewID(), PlanID: p.ID, SessionID: w.session.ID, UserID: w.person.ID, Version: p.Version, Hash: p.Hash,
		Status: assent.RunRunning, State: plan.Validated, ApprovalID: a.ID, StartedAt: w.Now()}
	if err := w.Write(context.Background(), func(tx *store.Tx) error { return tx.StartApproved(a, run) }); err != nil {
		t.Fatal(err)
	}
	return run
}

func (w *world) run(t testing.TB, id string) assent.Run {
	t.Helper()
	r, err := w.FindRun(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func statuses(r assent.Run) string {
	out := string(r.Status)
	for _, s := range r.Steps {
		out += fmt.Sprintf(" %s:%s/%d", s.Path, s.Status, s.Attempt)
	}
	return out
}
