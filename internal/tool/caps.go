package tool

import (
	"context"
	"fmt"
	"sync"

	"assent/internal/assent"
)

// Caps counts the calls that a model chose within one turn or agent execution,
// and each tool's failures in a row. It is safe for concurrent use; a nil one
// counts nothing and allows everything.
type Caps struct {
	mu       sync.Mutex
	counts   map[string]int
	failures map[string]int // in a row
	limits   Limits
}

// Limits are the budgets per tool.
type Limits struct {
	Default   int
	Overrides map[string]int
	// Failures is how often a tool may fail in a row before its further calls are
	// refused; 0 is DefaultFailures, a negative number no limit.
	Failures int
}

// DefaultFailures is how often a tool may fail in a row.
const DefaultFailures = 3

// of gives the cap of a tool where no admin has set one.
func (l Limits) of(tool string) int {
	if n, set := l.Overrides[tool]; set {
		return n
	}
	return l.Default
}

// inForce gives the cap of a tool.
func (l Limits) inForce(t *Tool) int {
	if t.Cap != nil {
		return int(*t.Cap)
	}
	return l.of(t.Spec.Name)
}

func (l Limits) failures() int {
	if l.Failures == 0 {
		return DefaultFailures
	}
	return l.Failures
}

// NewCaps starts a count.
func NewCaps(l Limits) *Caps {
	return &Caps{counts: map[string]int{}, failures: map[string]int{}, limits: l}
}

// take counts a call; false means that the tool's cap is used up.
func (c *Caps) take(t *Tool) (limit int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit = c.limits.inForce(t)
	if c.counts[t.Spec.Name] >= limit {
		return limit, false
	}
	c.counts[t.Spec.Name]++
	return limit, true
}

// Use is what a model has used of one tool.
type Use struct {
	Tool  string
	Calls int // those that ran
	Cap   int
}

// Used gives what was used of a tool so far, and what its cap is.
func (c *Caps) Used(t *Tool) Use {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Use{Tool: t.Spec.Name, Calls: c.counts[t.Spec.Name], Cap: c.limits.inForce(t)}
}

// judge counts failures in a row. What says nothing about the tool (it waits for
// a person, was stopped, was refused by a budget) neither counts nor helps.
func (c *Caps) judge(tool string, r assent.ToolResult) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Err == nil {
		delete(c.failures, tool)
		return
	}
	switch r.Err.Code {
	case assent.CodeConfirmationRequired, assent.CodeCancelled, assent.CodeBudgetExceeded:
	default:
		c.failures[tool]++
	}
}

// failing refuses a call of a tool that failed too often in a row.
func (c *Caps) failing(t *Tool) *assent.Error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := c.limits.failures()
	if limit < 0 || c.failures[t.Spec.Name] < limit {
		return nil
	}
	return &assent.Error{Code: assent.CodeBudgetExceeded,
		Message: fmt.Sprintf("%s failed %d times in a row in this turn, so it is not tried again.", t.Spec.Name, c.failures[t.Spec.Name]),
		Hint:    "Go another way, or tell the person what does not work.", Details: map[string]any{"failures": c.failures[t.Spec.Name], "tool": t.Spec.Name}}
}

// CapHook refuses calls over a model's cap per tool. Steps of an approved
// version and a person's own hand are not capped. It stands first.
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
