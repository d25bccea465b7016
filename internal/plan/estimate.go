package plan

import (
	"context"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
)

// How much of this installation's history an estimate looks at.
const (
	estimateRuns    = 50
	estimateAnswers = 50
)

// user is what a step calls: a tool or an agent.
type user struct{ tool, agent string }

// estimate guesses what a run of a document takes of models, from what the same
// tools and agents took in the runs before: the median of each, added up, and
// the one answer that tells of the outcome. Without history it says so.
func (s *Service) estimate(doc assent.PlanDocument) assent.Estimate {
	history, told, err := s.Store.ListStepUsage(context.Background(), estimateRuns, estimateAnswers)
	if err != nil {
		history, told = nil, nil // a preview does not fail for want of a guess
	}
	return estimateFrom(doc.Steps, history, told)
}

func estimateFrom(steps []assent.Step, history []store.StepUsage, told []store.Taken) assent.Estimate {
	of, runs := map[user][]store.Taken{}, map[user][]string{}
	for _, h := range history {
		k := user{h.Tool, h.Agent}
		of[k] = append(of[k], h.Taken)
		runs[k] = append(runs[k], h.RunID)
	}
	g := guess{cost: new(int64), from: map[string]bool{}}
	g.steps(steps, of, runs)
	if g.agents == 0 && len(g.from) == 0 {
		return assent.Estimate{LLMCalls: 1, Basis: "Steps of this plan call no model; one call tells you the outcome."}
	}
	answer := median(told)
	answer.Calls = 1
	g.add(answer)
	est := assent.Estimate{LLMCalls: g.calls, Tokens: g.tokens, CostMicros: g.cost}
	if len(told) == 0 {
		est.CostMicros = nil
	}
	est.Basis = g.basis()
	return est
}

// guess adds up medians.
type guess struct {
	calls, tokens int64
	cost          *int64 // nil once something in it has no known price
	agents        int
	unknown       []string // agents without history
	from          map[string]bool
}

func (g *guess) steps(steps []assent.Step, of map[user][]store.Taken, runs map[user][]string) {
	for _, st := range steps {
		g.steps(st.Steps, of, runs)
		if st.Type != assent.StepTool && st.Type != assent.StepAgent {
			continue
		}
		k := user{st.Tool, st.Agent}
		if st.Type == assent.StepAgent {
			g.agents++
			if len(of[k]) == 0 && !slices.Contains(g.unknown, st.Agent) {
				g.unknown = append(g.unknown, st.Agent)
			}
		}
		for _, run := range runs[k] {
			g.from[run] = true
		}
		if len(of[k]) > 0 {
			g.add(median(of[k]))
		}
	}
}

func (g *guess) add(t store.Taken) {
	g.calls += t.Calls
	g.tokens += t.Tokens
	if g.cost == nil || t.CostMicros == nil {
		g.cost = nil
		return
	}
	*g.cost += *t.CostMicros
}

// basis says what the guess rests on.
func (g *guess) basis() string {
	told := "one call tells you the outcome"
	if g.agents == 0 {
		told = "the steps of this plan call no model, " + told
	}
	switch n := len(g.from); {
	case n == 0:
		return fmt.Sprintf("No runs yet of %s, so what it takes is not in this number; %s.", assent.List(g.unknown), told)
	case len(g.unknown) > 0:
		return fmt.Sprintf("%s; there are no runs yet of %s, so what it takes is not in this number; %s.", fromRuns(n), assent.List(g.unknown), told)
	default:
		return fmt.Sprintf("%s: %s.", fromRuns(n), told)
	}
}

func fromRuns(n int) string {
	if n == 1 {
		return "From 1 earlier run"
	}
	return fmt.Sprintf("From %d earlier runs", n)
}

// median is the one in the middle of each number by itself, the lower of two.
// A price that is unknown for one is left out.
func median(all []store.Taken) store.Taken {
	var calls, tokens, costs []int64
	for _, t := range all {
		calls, tokens = append(calls, t.Calls), append(tokens, t.Tokens)
		if t.CostMicros != nil {
			costs = append(costs, *t.CostMicros)
		}
	}
	out := store.Taken{Calls: middle(calls), Tokens: middle(tokens)}
	if len(costs) > 0 {
		c := middle(costs)
		out.CostMicros = &c
	}
	return out
}

func middle(n []int64) int64 {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[(len(n)-1)/2]
}
