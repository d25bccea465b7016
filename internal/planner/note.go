package planner

import (
	"fmt"
	"strings"

	"assent/internal/loop"
)

// budgetNote tells the model last, where the setting allows it, what is used of each
// budget and what came of the last calls. A turn that only tells of a run has
// one call and no tools, so there is nothing to tell.
func (p *Planner) budgetNote(t *turn) func(loop.Progress) string {
	if !p.Limits.DynamicPromptState || len(t.offered) == 0 {
		return nil
	}
	return budgets
}

// budgets renders what was used, the same for the same progress.
func budgets(pr loop.Progress) string {
	var b strings.Builder
	b.WriteString("<budget>\n")
	fmt.Fprintf(&b, "Used in this turn: %d of %d tool calls, %d of %d model calls", min(pr.ToolCalls, pr.Limits.ToolCalls), pr.Limits.ToolCalls, pr.Iterations, pr.Limits.Iterations)
	if pr.Limits.Tokens > 0 {
		fmt.Fprintf(&b, ", %d of %d tokens", pr.Tokens, pr.Limits.Tokens)
	}
	b.WriteString(".\n")
	var tools []string
	for _, u := range pr.PerTool {
		tools = append(tools, fmt.Sprintf("%s %d of %d", u.Tool, u.Calls, u.Cap))
	}
	if len(tools) > 0 {
		fmt.Fprintf(&b, "Per tool: %s.\n", strings.Join(tools, ", "))
	}
	var last []string
	for _, c := range pr.Last {
		if c.Code == "" {
			last = append(last, c.Tool+" worked")
		} else {
			last = append(last, fmt.Sprintf("%s failed (%s)", c.Tool, c.Code))
		}
	}
	if len(last) > 0 {
		fmt.Fprintf(&b, "Last calls: %s.\n", strings.Join(last, ", "))
	}
	if pr.Final {
		b.WriteString("No tools are left: answer the person now with what you have, and say what is missing.\n")
	}
	b.WriteString("</budget>")
	return b.String()
}
