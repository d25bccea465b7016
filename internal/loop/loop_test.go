package loop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/loop"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"

	"github.com/google/uuid"
)

type world struct {
	*store.Store
	loop    *loop.Loop
	model   *llmtest.Model
	scope   assent.Scope
	running atomic.Int64
	most    atomic.Int64
}

type args struct {
	Query string `json:"query"`
}

type found struct {
	Items []string `json:"items"`
}

func newWorld(t *testing.T, scripts ...llmtest.Script) *world {
	t.Helper()
	ids := func() string { return uuid.Must(uuid.NewV7()).String() }
	s, err := store.Open(context.Background(), t.TempDir(), store.Options{Clock: time.Now, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{Store: s, model: llmtest.NewModel(t, scripts...)}
	p := assent.Person{ID: ids(), Email: "a@example.org", Name: "A", Role: assent.RoleMember, TimeZone: "UTC", Locale: "en"}
	sess := assent.Session{ID: ids(), UserID: p.ID, ContextType: assent.ContextGeneral}
	turn := assent.Turn{ID: ids(), SessionID: sess.ID, UserID: p.ID, Kind: assent.TurnMessage, Status: assent.TurnRunning}
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(p, "x"); err != nil {
			return err
		}
		if err := tx.CreateSession(sess); err != nil {
			return err
		}
		return tx.CreateTurn(turn, "")
	}); err != nil {
		t.Fatal(err)
	}
	look := tool.New(tool.Def{Name: "look", Title: "Look", Description: "Looks something up.", Effect: assent.EffectRead},
		func(_ context.Context, _ tool.Call, a args) (tool.Result[found], error) {
			w.most.Store(max(w.most.Load(), w.running.Add(1)))
			time.Sleep(20 * time.Millisecond)
			w.running.Add(-1)
			return tool.Result[found]{Artifact: found{Items: []string{a.Query}}, Summary: "found " + a.Query}, nil
		})
	note := tool.NewWrite(tool.Def{Name: "note", Title: "Write a note", Description: "Writes.", Effect: assent.EffectWrite},
		func(_ context.Context, tx *store.Tx, c tool.Call, a args) (tool.Result[assent.Task], error) {
			n := &assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: a.Query}
			return tool.Result[assent.Task]{Artifact: *n, Summary: "wrote " + a.Query}, tx.CreateEntity(store.OriginOf(c.Scope, "note"), n)
		})
	reg, err := tool.NewRegistry(look, note)
	if err != nil {
		t.Fatal(err)
	}
	gw := llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{"test": w.model}, Catalog: llm.SingleModel(llm.Target{Provider: "test", Model: "m"}),
		Ledger: s.Ledger(), Clock: time.Now, IDs: ids, Random: func() float64 { return 0 }})
	w.loop = loop.New(gw, tool.NewExecutor(reg, schema.NewCompiler(), s, time.Now, tool.CapHook{}), s, ids, time.Now)
	w.scope = assent.Scope{Person: p, SessionID: sess.ID, TurnID: turn.ID, Caller: assent.CallerModel, ContextType: assent.ContextGeneral, Sink: s.NewSink(sess.ID, turn.ID)}
	return w
}

func (w *world) job() loop.Job {
	return loop.Job{Scope: w.scope, Limits: loop.Limits{ToolCalls: 8, Iterations: 12, FinalizeRetries: 2}, Caps: tool.NewCaps(tool.Limits{Default: 3}),
		Meta:     llm.Meta{Operation: assent.OpPlannerStream, Profile: llm.ProfileBalanced, UserID: w.scope.Person.ID, SessionID: w.scope.SessionID, TurnID: w.scope.TurnID},
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}, System: "be brief",
		Offer: func() []assent.ToolSpec {
			return []assent.ToolSpec{{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}}
		},
		Position: 1}
}

// events gives the session's events as "type" or "type key".
func (w *world) events(t *testing.T) []string {
	t.Helper()
	if err := w.scope.Sink.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	evs, err := w.Store.Events(context.Background(), w.scope.SessionID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, ev := range evs {
		var d struct {
			Delta, Tool, Code, State string
			OK                       *bool
		}
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			t.Fatal(err)
		}
		s := strings.TrimSpace(ev.Type + " " + d.Delta + d.Tool + d.Code + d.State)
		if d.OK != nil {
			s += fmt.Sprintf(" ok=%t", *d.OK)
		}
		out = append(out, s)
	}
	return out
}

// toolMessages are the results that the model was shown with its n-th request.
func (w *world) toolMessages(n int) []string {
	var out []string
	for _, m := range w.model.Requests()[n].Messages {
		if m.Role == llm.RoleTool {
			out = append(out, m.Content)
		}
	}
	return out
}

func TestTextAndCallsAndResults(t *testing.T) {
	w := newWorld(t, llmtest.Text("Let me look.").Call("look", `{"query":"lease"}`), llmtest.Text("Found ", "it."))
	out, err := w.loop.Run(t.Context(), w.job())
	if err != nil || out.Text != "Let me look.\n\nFound it." || out.ToolCalls != 1 {
		t.Fatalf("outcome %+v, error %v", out, err)
	}
	want := "text Let me look.|agent_state executing_tool|tool_call look|tool_result look ok=true|agent_state thinking"
	got := w.events(t)
	if s := strings.Join(got[:5], "|"); s != want {
		t.Errorf("events\n%s\nwant\n%s", s, want)
	}
	if s := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(got[5:], " "), "text", "")), " "); s != "Found it." {
		t.Errorf("the rest is %q", s)
	}
	items, err := w.ListTurnHistory(t.Context(), w.scope.TurnID)
	if err != nil || len(items) != 2 || items[0].Position != 1 || items[1].Position != 2 || out.Position != 4 {
		t.Errorf("history %+v, next position %d, error %v", items, out.Position, err)
	}
}

func TestReadsOfOneResponseRunSideBySideInOrder(t *testing.T) {
	w := newWorld(t, llmtest.Call("look", `{"query":"a"}`).Call("look", `{"query":"b"}`).Call("look", `{"query":"c"}`), llmtest.Text("done"))
	if _, err := w.loop.Run(t.Context(), w.job()); err != nil {
		t.Fatal(err)
	}
	if w.most.Load() < 2 {
		t.Errorf("at most %d reads ran at once", w.most.Load())
	}
	for i, m := range w.toolMessages(1) {
		if !strings.Contains(m, fmt.Sprintf("%q", string(rune('a'+i)))) {
			t.Errorf("result %d is %s", i, m)
		}
	}
}

func TestAWriteAndItsResultAreOneTransaction(t *testing.T) {
	w := newWorld(t, llmtest.Call("note", `{"query":"x"}`), llmtest.Text("done"))
	if _, err := w.loop.Run(t.Context(), w.job()); err != nil {
		t.Fatal(err)
	}
	revs, err := w.ListTurnRevisions(t.Context(), w.scope.TurnID)
	if err != nil || len(revs) != 1 {
		t.Fatalf("%d revisions, error %v", len(revs), err)
	}
	if n := strings.Count(strings.Join(w.events(t), "|"), "tool_result note ok=true"); n != 1 {
		t.Errorf("%d results in the log, want one", n)
	}
}

func TestBudgets(t *testing.T) {
	calls := func(n int) llmtest.Script {
		r := llmtest.Response{}
		for i := range n {
			r = r.Call("look", fmt.Sprintf(`{"query":"%d-%d"}`, n, i))
		}
		return r
	}
	same := llmtest.Call("look", `{"query":"same"}`)
	for name, tc := range map[string]struct {
		scripts []llmtest.Script
		limits  func(*loop.Job)
		stopped assent.Code
		events  string // that must stand in the log
		seen    string // that the model must have seen before its last answer
	}{
		"the cap of calls":                         {scripts: []llmtest.Script{calls(2), calls(3), llmtest.Text("enough")}, limits: func(j *loop.Job) { j.Limits.ToolCalls = 4; j.Caps = nil }, stopped: assent.CodeBudgetExceeded, events: "warning budget_exceeded", seen: "budget_exceeded"},
		"the cap of one tool":                      {scripts: []llmtest.Script{calls(4), llmtest.Text("enough")}, seen: "called 3 times"},
		"no progress":                              {scripts: []llmtest.Script{same, same, llmtest.Text("enough")}, stopped: assent.CodeNoProgress, events: "warning no_progress", seen: "same"},
		"iterations":                               {scripts: []llmtest.Script{calls(1), calls(2), llmtest.Text("enough")}, limits: func(j *loop.Job) { j.Limits.Iterations = 3; j.Caps = nil }, stopped: assent.CodeBudgetExceeded, events: "warning budget_exceeded", seen: "2-1"},
		"tokens":                                   {scripts: []llmtest.Script{calls(1), calls(2), llmtest.Text("enough")}, limits: func(j *loop.Job) { j.Limits.Tokens = 30 }, stopped: assent.CodeBudgetExceeded, events: "warning budget_exceeded", seen: "2-1"},
		"calls that cannot be read, twice":         {scripts: []llmtest.Script{llmtest.Call("look", `{"query":`), llmtest.Call("lok", `{}`), llmtest.Text("enough")}, stopped: assent.CodeInvalid, events: "warning invalid_arguments", seen: "unknown_tool"},
		"calls that are mended":                    {scripts: []llmtest.Script{llmtest.Call("look", `{"query":`), calls(1), llmtest.Call("lok", `{}`), llmtest.Text("enough")}, seen: "unknown_tool"},
		"failures of one tool in a row":            {scripts: []llmtest.Script{llmtest.Call("look", `{}`), llmtest.Call("look", `{"a":1}`), llmtest.Call("look", `{"b":1}`), calls(1), llmtest.Text("enough")}, seen: "failed 3 times in a row"},
		"a call that broke off is asked for again": {scripts: []llmtest.Script{llmtest.Call("look", `{"query":"x"}`).Cut(), calls(1), llmtest.Text("enough")}, events: "warning network", seen: "1-0"},
		"an unknown tool":                          {scripts: []llmtest.Script{llmtest.Call("lok", `{}`), llmtest.Text("enough")}, seen: "unknown_tool"},
		"wrong arguments":                          {scripts: []llmtest.Script{llmtest.Call("look", `{"colour":1}`), llmtest.Text("enough")}, seen: `/colour`},
		"arguments that are prose":                 {scripts: []llmtest.Script{llmtest.Call("look", `please`), llmtest.Text("enough")}, seen: "invalid_arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tc.scripts...)
			job := w.job()
			if tc.limits != nil {
				tc.limits(&job)
			}
			out, err := w.loop.Run(t.Context(), job)
			if err != nil || out.Stopped != tc.stopped || !strings.HasSuffix(out.Text, "enough") {
				t.Fatalf("outcome %+v, error %v; want an answer and %q", out, err, tc.stopped)
			}
			if log := strings.Join(w.events(t), "|"); !strings.Contains(log, tc.events) {
				t.Errorf("the log lacks %q: %s", tc.events, log)
			}
			requests := w.model.Requests()
			if seen := strings.Join(w.toolMessages(len(requests)-1), "\n"); !strings.Contains(seen, tc.seen) {
				t.Errorf("the model saw %s, without %q", seen, tc.seen)
			}
			if tc.stopped != "" && len(requests[len(requests)-1].Tools) != 0 {
				t.Error("the last call offered tools")
			}
			open := map[string]bool{}
			for _, m := range out.Messages {
				for _, c := range m.Calls {
					open[c.ID] = true
				}
				delete(open, m.CallID)
			}
			if len(open) > 0 {
				t.Errorf("calls without a result: %v", open)
			}
		})
	}
}

func TestAnEmptyAnswerIsAskedAgainThenSaid(t *testing.T) {
	w := newWorld(t, llmtest.Response{}, llmtest.Text("now"))
	if out, err := w.loop.Run(t.Context(), w.job()); err != nil || out.Text != "now" {
		t.Errorf("outcome %+v, error %v", out, err)
	}
	w = newWorld(t, llmtest.Response{}, llmtest.Response{}, llmtest.Response{})
	out, err := w.loop.Run(t.Context(), w.job())
	if err != nil || !strings.Contains(out.Text, "no answer") || len(w.model.Requests()) != 3 {
		t.Errorf("outcome %+v after %d calls, error %v", out, len(w.model.Requests()), err)
	}
}

func TestAFailureKeepsWhatWasSaid(t *testing.T) {
	w := newWorld(t, llmtest.Text("I will ").Cut())
	out, err := w.loop.Run(t.Context(), w.job())
	if llm.ClassOf(err) != llm.ClassNetwork || out.Text != "I will " {
		t.Errorf("outcome %+v, error %v", out, err)
	}
}

// TestACallThatBreaksOffTwiceFails, and one after words that were shown at once:
// nothing that a person saw is said twice.
func TestACallThatBreaksOffTwiceFails(t *testing.T) {
	broken := llmtest.Call("look", `{"query":"x"}`).Cut()
	for name, scripts := range map[string][]llmtest.Script{"twice": {broken, broken}, "after words": {llmtest.Text("Let me see.").Call("look", `{"query":"x"}`).Cut()}} {
		w := newWorld(t, scripts...)
		out, err := w.loop.Run(t.Context(), w.job())
		if llm.ClassOf(err) != llm.ClassNetwork || out.ToolCalls != 0 || len(w.model.Requests()) != len(scripts) {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// TestAModelIsToldOfItsBudgetsLast: what changes stands behind the conversation,
// and what stands before it never changes.
func TestAModelIsToldOfItsBudgetsLast(t *testing.T) {
	w := newWorld(t, llmtest.Call("look", `{"query":"a"}`).Call("look", `{}`), llmtest.Call("lok", `{}`), llmtest.Text("done"))
	job := w.job()
	job.Note = func(p loop.Progress) string {
		return fmt.Sprint(p.ToolCalls, p.Iterations, p.Tokens, p.PerTool, p.Last, p.Final)
	}
	if _, err := w.loop.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 0 0 [] [] false", "2 1 15 [{look 1 3}] [{look } {look invalid_arguments}] false", "3 2 30 [{lok 0 3} {look 1 3}] [{lok unknown_tool}] false"}
	for i, r := range w.model.Requests() {
		if r.Note != want[i] {
			t.Errorf("request %d is told %q, want %q", i, r.Note, want[i])
		}
		if r.System != "be brief" || r.Has("[{look") {
			t.Errorf("request %d changes elsewhere", i)
		}
	}
}

// TestResultsAreCutWhereTheModelHasNoRoom: once, with a note, calls and results
// together; where there is nothing to cut the failure is told.
func TestResultsAreCutWhereTheModelHasNoRoom(t *testing.T) {
	long := strings.Repeat("x", 5000)
	w := newWorld(t, llmtest.Call("look", `{"query":"`+long+`"}`), llmtest.Fail(413, ""), llmtest.Text("done"))
	out, err := w.loop.Run(t.Context(), w.job())
	if err != nil || out.Text != "done" {
		t.Fatalf("outcome %q, %v", out.Text, err)
	}
	before, after := w.toolMessages(1)[0], w.toolMessages(2)[0]
	if len(before) < 5000 || len(after) > 2100 || !strings.Contains(after, "cut: the whole result had") {
		t.Errorf("a result of %d bytes becomes %d: %.60s", len(before), len(after), after[max(0, len(after)-60):])
	}
	w = newWorld(t, llmtest.Fail(413, ""))
	if _, err := w.loop.Run(t.Context(), w.job()); llm.ClassOf(err) != llm.ClassContextLength || len(w.model.Requests()) != 1 {
		t.Errorf("err = %v after %d requests", err, len(w.model.Requests()))
	}
}
