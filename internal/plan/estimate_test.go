package plan

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

func micros(n int64) *int64 { return &n }

func TestEstimatesComeFromWhatRanHere(t *testing.T) {
	t.Parallel()
	note := assent.Step{ID: "a", Type: assent.StepTool, Tool: "note"}
	research := assent.Step{ID: "r", Type: assent.StepAgent, Agent: "researcher"}
	write := assent.Step{ID: "w", Type: assent.StepAgent, Agent: "writer"}
	both := assent.Step{ID: "p", Type: assent.StepParallel, Steps: []assent.Step{research, note}}
	took := func(run, tool, agent string, calls, tokens, cost int64) store.StepUsage {
		return store.StepUsage{RunID: run, Tool: tool, Agent: agent, Taken: store.Taken{Calls: calls, Tokens: tokens, CostMicros: micros(cost)}}
	}
	history := []store.StepUsage{took("r1", "", "researcher", 2, 100, 10), took("r2", "", "researcher", 9, 900, 90), took("r3", "", "researcher", 4, 300, 30),
		took("r3", "note", "", 0, 0, 0), took("r4", "note", "", 0, 0, 0), took("r5", "other", "", 0, 0, 0)}
	told := []store.Taken{{Calls: 1, Tokens: 50, CostMicros: micros(7)}, {Calls: 1, Tokens: 70}}
	unpriced := append([]store.StepUsage{{RunID: "r9", Agent: "writer", Taken: store.Taken{Calls: 3, Tokens: 10}}}, history...)
	for name, c := range map[string]struct {
		steps         []assent.Step
		history       []store.StepUsage
		told          []store.Taken
		calls, tokens int64
		cost          *int64
		basis         []string
	}{
		"tools, nothing known":  {[]assent.Step{note}, nil, nil, 1, 0, nil, []string{"call no model"}},
		"tools that ran":        {[]assent.Step{note, note}, history, told, 1, 50, micros(7), []string{"From 2 earlier runs", "call no model"}},
		"an agent that ran":     {[]assent.Step{both}, history, told, 5, 350, micros(37), []string{"From 4 earlier runs"}},
		"an agent twice":        {[]assent.Step{research, research}, history, told, 9, 650, micros(67), []string{"From 3 earlier runs"}},
		"an agent that did not": {[]assent.Step{write, note}, history, told, 1, 50, micros(7), []string{"From 2 earlier runs", "no runs yet of writer"}},
		"no history at all":     {[]assent.Step{research, write}, nil, nil, 1, 0, nil, []string{"No runs yet of researcher and writer"}},
		"without a price":       {[]assent.Step{write}, unpriced, told, 4, 60, nil, []string{"From 1 earlier run:"}},
	} {
		got := estimateFrom(c.steps, c.history, c.told)
		if got.LLMCalls != c.calls || got.Tokens != c.tokens || (got.CostMicros == nil) != (c.cost == nil) || c.cost != nil && *got.CostMicros != *c.cost {
			t.Errorf("%s: %+v, cost %v", name, got, got.CostMicros)
		}
		for _, want := range c.basis {
			if !strings.Contains(got.Basis, want) {
				t.Errorf("%s: %q does not say %q", name, got.Basis, want)
			}
		}
	}
}
