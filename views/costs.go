package views

import (
	"slices"

	"assent/internal/assent"
)

// CostLine is what one step of a plan, or the drafting of it, took of models.
type CostLine struct {
	Name  string
	Step  string // path; empty for what came before the run
	Tool  string
	Usage assent.Usage
}

// CostsOf sums the model calls for a plan by what they were for: drafting and
// reviewing it first, then its steps, each in the order of their first call. A
// step is told by its label where it has one.
func CostsOf(calls []assent.CallUsage, label func(step string) string) []CostLine {
	var out []CostLine
	for _, u := range calls {
		name := Words(string(u.Operation))
		if u.Step != "" {
			if name = label(u.Step); name == "" {
				name = "Step " + u.Step
			}
		}
		i := slices.IndexFunc(out, func(l CostLine) bool { return l.Name == name && l.Step == u.Step && l.Tool == u.Tool })
		if i < 0 {
			i, out = len(out), append(out, CostLine{Name: name, Step: u.Step, Tool: u.Tool})
		}
		one := assent.Usage{Calls: 1, LLMCalls: 1, TokensIn: u.TokensIn, TokensOut: u.TokensOut, TokensCached: u.TokensCached, CostMicros: u.CostMicros}
		if u.CostMicros == nil {
			one.Unpriced = 1
		}
		out[i].Usage.Add(one)
	}
	slices.SortStableFunc(out, func(a, b CostLine) int {
		switch {
		case a.Step == "" && b.Step != "":
			return -1
		case a.Step != "" && b.Step == "":
			return 1
		}
		return 0
	})
	return out
}

// costTotal is what all lines took together.
func costTotal(lines []CostLine) (sum assent.Usage) {
	for _, l := range lines {
		sum.Add(l.Usage)
	}
	return sum
}

// costWords says a cost, and how many calls have no known price.
func costWords(u assent.Usage, r Reader) string {
	switch {
	case u.CostMicros == nil:
		return "no price"
	case u.Unpriced > 0:
		return r.Money(u.CostMicros) + ", " + r.Count(u.Unpriced, "call") + " without a price"
	}
	return r.Money(u.CostMicros)
}

// StepLabels tells the steps of a plan by their labels; a part of a parallel step
// has its path behind a slash.
func StepLabels(steps []assent.Step) func(path string) string {
	labels := map[string]string{}
	for _, st := range steps {
		labels[st.ID] = st.Label
		for _, part := range st.Steps {
			labels[st.ID+"/"+part.ID] = part.Label
		}
	}
	return func(path string) string { return labels[path] }
}
