package check

import (
	"maps"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// step checks one step itself; children have their own places.
func (r *run) step(p lang.Place) {
	refs := r.references(p)
	switch p.Step.Type {
	case assent.StepTool:
		r.toolStep(p, refs)
	case assent.StepAgent:
		r.agentStep(p, refs)
	case assent.StepParallel:
		r.parallelStep(p)
	}
}

func (r *run) toolStep(p lang.Place, refs resolved) {
	name := p.Step.Tool
	if name == "" {
		return // said by package lang
	}
	spec, ok := r.o.tool(name)
	if !ok {
		r.tell(at(p, "/tool", codeUnknownTool, "There is no tool %q.", name))
		return
	}
	if spec.Virtual {
		r.tell(at(p, "/tool", codeNotPermitted, "%q is not a step of a plan; it is called in the conversation only.", name))
		return
	}
	if !r.o.permitted(assent.StepTool, spec.Name) {
		r.tell(at(p, "/tool", codeNotPermitted, "You may not use the tool %q.", name))
	}
	r.values(p, "/arguments", p.Step.Arguments, r.compiled(p, "/arguments", spec.InputSchema, name), refs)
}

func (r *run) agentStep(p lang.Place, refs resolved) {
	st := p.Step
	if st.Agent == "" {
		return
	}
	info, ok := r.o.agent(st.Agent)
	if !ok {
		r.tell(at(p, "/agent", codeUnknownAgent, "There is no agent %q, or it is switched off.", st.Agent))
		return
	}
	if !r.o.permitted(assent.StepAgent, st.Agent) {
		r.tell(at(p, "/agent", codeNotPermitted, "You may not use the agent %q.", st.Agent))
	}
	if r.o.Limits.Depth+1 > r.o.Limits.MaxDepth {
		r.tell(at(p, "/agent", codeDepthExceeded, "Agents may call agents %d levels deep; this would be level %d.", r.o.Limits.MaxDepth, r.o.Limits.Depth+1))
	}
	if st.Mode != "" && !slices.Contains(info.Modes, st.Mode) {
		e := at(p, "/mode", codeUnsupportedMode, "The agent %q has no mode %q; it has %s.", st.Agent, st.Mode, strings.Join(info.Modes, ", "))
		e.AvailableFields = info.Modes
		r.tell(e)
	}
	input := info.InputSchema
	if st.Action != "" {
		action, ok := info.Actions[st.Action]
		if !ok {
			e := at(p, "/action", codeInvalidStep, "The agent %q has no action %q.", st.Agent, st.Action)
			e.AvailableFields = slices.Sorted(maps.Keys(info.Actions))
			r.tell(e)
			return
		}
		if len(action.Input) > 0 {
			input = action.Input
		}
	}
	r.values(p, "/with", st.With, r.compiled(p, "/with", input, st.Agent), refs)
}

func (r *run) parallelStep(p lang.Place) {
	st := p.Step
	if st.MaxConcurrency > r.o.Limits.MaxParallel {
		r.tell(at(p, "/max_concurrency", codeTooManyParallel, "At most %d steps run at the same time; max_concurrency is %d.", r.o.Limits.MaxParallel, st.MaxConcurrency))
	}
	if st.Merge != lang.MergeFirstSuccess {
		return
	}
	for _, child := range r.places {
		if child.Parent == st.ID && child.Top == p.Top && !r.canLose(child.Step) {
			r.tell(at(child, "", codeInvalidMerge, "Under first_success a step may be dropped after it has begun, so it must only read or write built-in data; %q does more.", child.Step.Tool+child.Step.Agent))
		}
	}
}

// canLose reports whether a step leaves nothing behind when another one wins.
// Steps that do not exist are reported elsewhere.
func (r *run) canLose(st assent.Step) bool {
	switch st.Type {
	case assent.StepTool:
		spec, ok := r.o.tool(st.Tool)
		return !ok || spec.Effect == assent.EffectRead || spec.Effect == assent.EffectWrite && spec.Source == "builtin"
	case assent.StepAgent:
		info, ok := r.o.agent(st.Agent)
		return !ok || info.Effect == assent.EffectRead
	}
	return true
}
