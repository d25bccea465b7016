package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/plan/check"
	"assent/internal/tool"
)

// rooms let steps wait for each other: a room is free once as many are in it as
// it takes, so steps that run one after the other never get out.
type rooms struct {
	mu     sync.Mutex
	inside map[string]int
	free   map[string]chan struct{}
}

func newRooms() *rooms { return &rooms{inside: map[string]int{}, free: map[string]chan struct{}{}} }

func (r *rooms) enter(ctx context.Context, name string, takes int) error {
	r.mu.Lock()
	if r.free[name] == nil {
		r.free[name] = make(chan struct{})
	}
	free := r.free[name]
	if r.inside[name]++; r.inside[name] == takes {
		close(free)
	}
	r.mu.Unlock()
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sentLog is the world outside: what was sent cannot be taken back. It is a file
// as well, so that it outlives the process that sends.
type sentLog struct {
	mu   sync.Mutex
	file string
	keys []string
}

func (l *sentLog) add(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys = append(l.keys, key)
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(key + "\n")
	return errors.Join(err, f.Close())
}

// count is how often something was sent, by any process.
func (l *sentLog) count(t testing.TB) int {
	t.Helper()
	b, err := os.ReadFile(l.file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

func (l *sentLog) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.keys...)
}

type meetArgs struct {
	Room  string `json:"room"`
	Takes int    `json:"takes"`
}

type failArgs struct {
	Why string `json:"why"`
}

func (w *world) meetingTools() []*tool.Tool {
	meet := tool.New(tool.Def{Name: "meet", Title: "Meet", Description: "Waits for others.", Effect: assent.EffectRead},
		func(ctx context.Context, _ tool.Call, a meetArgs) (tool.Result[meetArgs], error) {
			return tool.Result[meetArgs]{Artifact: a, Summary: "met"}, w.rooms.enter(ctx, a.Room, a.Takes)
		})
	fail := tool.New(tool.Def{Name: "fail", Title: "Fail", Description: "Fails.", Effect: assent.EffectRead},
		func(_ context.Context, _ tool.Call, a failArgs) (tool.Result[failArgs], error) {
			if a.Why == "panic" {
				panic("broken")
			}
			return tool.Result[failArgs]{}, assent.Errorf(assent.CodeUnavailable, "%s", a.Why)
		})
	send := tool.New(tool.Def{Name: "send", Title: "Send a letter", Description: "Sends.", Effect: assent.EffectExternal},
		func(_ context.Context, c tool.Call, a noteArgs) (tool.Result[noteArgs], error) {
			return tool.Result[noteArgs]{Artifact: a, Summary: "sent"}, errors.Join(w.sent.add(c.ID), w.fail.do())
		})
	return []*tool.Tool{meet, fail, send}
}

// agents is a runner whose agents do what their prompt says: "say X", "ask X",
// "fail X", "panic", "meet ROOM".
type agents struct {
	mu    sync.Mutex
	calls []plan.AgentCall
	known string // what is known of an interrupted step; "": it may run again
}

func (a *agents) Find(slug string) (check.AgentInfo, string, bool) {
	info := check.AgentInfo{Modes: []string{"build"}, Effect: assent.EffectRead,
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"said":{"type":"string"}},"required":["said"],"additionalProperties":false}`)}
	return info, "digest of " + slug, slug == "helper"
}

func (a *agents) Again(context.Context, string) (bool, string) { return a.known == "", a.known }

func (a *agents) Run(_ context.Context, c plan.AgentCall) plan.AgentResult {
	a.mu.Lock()
	a.calls = append(a.calls, c)
	a.mu.Unlock()
	verb, rest, _ := strings.Cut(c.Prompt, " ")
	switch {
	case verb == "panic":
		panic("broken")
	case verb == "fail":
		return plan.AgentResult{ToolResult: assent.ToolResult{Err: assent.Errorf(assent.CodeToolFailed, "%s", rest)}}
	case verb == "ask" && c.Answer == nil:
		return plan.AgentResult{Question: rest}
	case verb == "ask":
		rest = c.Answer.Decision + " " + c.Answer.Input
	}
	out, _ := json.Marshal(map[string]string{"said": strings.TrimSpace(rest)})
	return plan.AgentResult{ToolResult: assent.ToolResult{Output: out, Summary: "said it"}}
}

func agentStep(id, prompt string) assent.Step {
	return assent.Step{ID: id, Type: assent.StepAgent, Agent: "helper", Mode: "build", Prompt: prompt, ResultKey: id}
}

func parallel(id, merge string, steps ...assent.Step) assent.Step {
	return assent.Step{ID: id, Type: assent.StepParallel, Merge: merge, Steps: steps, ResultKey: id}
}
