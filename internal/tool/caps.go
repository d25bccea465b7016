package tool

import (
	"context"
	"fmt"
	"sync"

	"assent/internal/assent"
)

// Caps counts the calls that a model chose within one turn or agent execution.
// It is safe for concurrent use.
type Caps struct {
	mu     sync.Mutex
	counts map[string]int
	limits Limits
}

// Limits are the caps per tool.
type Limits struct {
	Default   int
	Overrides map[string]int
}

// of gives the cap of a tool.
func (l Limits) of(tool string) int {
	if n, set := l.Overrides[tool]; set {
		return n
	}
	return l.Default
}

// NewCaps starts a count.
func NewCaps(l Limits) *Caps { return &Caps{counts: map[string]int{}, limits: l} }

// take counts a call; false means that the tool's cap is used up.
func (c *Caps) take(t *Tool) (limit int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit = c.limits.of(t.Spec.Name)
	if t.Cap != nil {
		limit = int(*t.Cap)
	}
	if c.counts[t.Spec.Name] >= limit {
		return limit, false
	}
	c.counts[t.Spec.Name]++
	return limit, true
}

// CapHook refuses calls over a model's cap per tool. Steps of an approved
// version and a person's own hand are not capped.
type CapHook struct{}

// BeforeToolExecution implements Hook.
func (CapHook) BeforeToolExecution(_ context.Context, t *Tool, c *Call) *assent.ToolResult {
	if c.Caps == nil {
		return nil
	}
	if limit, ok := c.Caps.take(t); !ok {
		return &assent.ToolResult{Err: &assent.Error{Code: assent.CodeBudgetExceeded,
			Message: fmt.Sprintf("%s was called %d times in this turn, which is its limit.", t.Spec.Name, limit),
			Hint:    "Go on with what you have, or put the rest into a plan.", Details: map[string]any{"limit": limit, "tool": t.Spec.Name}}}
	}
	return nil
}

// AfterToolExecution implements Hook.
func (CapHook) AfterToolExecution(context.Context, *Tool, *Call, *assent.ToolResult) {}
