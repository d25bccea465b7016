package check

import (
	"encoding/json"

	"assent/internal/assent"
)

// Limits of a plan; design 03 §1. Zero means the default.
type Limits struct {
	MaxSteps    int // 12; a parallel step counts as its children
	MaxParallel int // 4
	MaxDepth    int // 3: how deep agents may call agents
	Depth       int // how deep the plan itself stands
}

func (l Limits) orDefaults() Limits {
	def := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	def(&l.MaxSteps, 12)
	def(&l.MaxParallel, 4)
	def(&l.MaxDepth, 3)
	return l
}

// ActionInfo is what the checker needs to know about a named job of an agent.
type ActionInfo struct {
	Input, Output json.RawMessage // schemas; may be empty
}

// AgentInfo is what the checker needs to know about an agent.
type AgentInfo struct {
	Modes        []string
	Actions      map[string]ActionInfo
	InputSchema  json.RawMessage // of `with`; empty accepts anything
	OutputSchema json.RawMessage // empty: nothing is known of the output
	Effect       assent.Effect   // the strictest of its tools
}

// Options are what a plan is checked against.
type Options struct {
	// Tools finds a tool by name or alias and gives its canonical name.
	Tools func(name string) (spec assent.ToolSpec, canonical string, ok bool)
	// Agents finds an agent that is enabled; nil: there is none.
	Agents func(slug string) (AgentInfo, bool)
	// Permitted says whether this person may use a tool or agent; nil: any.
	Permitted func(kind assent.StepType, name string) bool

	Limits      Limits
	ContextType assent.ContextType
	// Bindings are what the caller passes in, by name; nil for a value that is
	// not known yet.
	Bindings map[string]json.RawMessage
}

func (o Options) tool(name string) (assent.ToolSpec, bool) {
	if o.Tools == nil {
		return assent.ToolSpec{}, false
	}
	spec, canonical, ok := o.Tools(name)
	if ok && canonical != "" {
		spec.Name = canonical
	}
	return spec, ok
}

func (o Options) agent(slug string) (AgentInfo, bool) {
	if o.Agents == nil {
		return AgentInfo{}, false
	}
	return o.Agents(slug)
}

func (o Options) permitted(kind assent.StepType, name string) bool {
	return o.Permitted == nil || o.Permitted(kind, name)
}

// MaxFindings is how many errors, and how many warnings, a report holds.
const MaxFindings = 100

// Report is what was found. A plan with errors never runs; warnings say what
// only the run can tell.
type Report struct {
	Errors    []assent.FieldError `json:"errors"`
	Warnings  []assent.FieldError `json:"warnings"`
	Truncated bool                `json:"truncated,omitempty"` // there is more than is told
}

// Valid reports whether the plan may run.
func (r Report) Valid() bool { return len(r.Errors) == 0 }
