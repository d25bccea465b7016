package check

import (
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// output is the type of what a step puts out.
type output struct {
	forms []form
	// silent says that nothing is known for a reason that is reported elsewhere
	// or holds for every step of this type.
	silent bool
	tool   string // the tool or agent, for findings
	from   string // the same in words; of other steps their id
}

// output gives the type of a step's output.
func (r *run) output(st assent.Step) output {
	if o, ok := r.outputs[st.ID]; ok {
		return o
	}
	node, known := r.outputNode(st)
	o := output{forms: []form{unknown}, silent: !known, tool: st.Tool + st.Agent, from: st.Tool + st.Agent}
	if o.from == "" {
		o.from = fmt.Sprintf("step %q", st.ID)
	}
	if node != nil {
		o.forms, _ = r.forms([]*jsonschema.Schema{node})
	}
	r.outputs[st.ID] = o
	return o
}

// outputNode gives the schema of a step's output; nil if nothing is said about
// it. known is false if the step itself is not.
func (r *run) outputNode(st assent.Step) (node *jsonschema.Schema, known bool) {
	switch st.Type {
	case assent.StepTool:
		spec, ok := r.o.tool(st.Tool)
		return r.root(spec.OutputSchema), ok
	case assent.StepAgent:
		info, ok := r.o.agent(st.Agent)
		if action, has := info.Actions[st.Action]; has && len(action.Output) > 0 {
			info.OutputSchema = action.Output
		}
		return r.root(info.OutputSchema), ok
	case assent.StepParallel:
		return r.merged(st), true
	}
	return nil, true
}

// merged gives the type of a parallel step's output: all of them by key, or
// any of them.
func (r *run) merged(st assent.Step) *jsonschema.Schema {
	yes := true
	children := make([]*jsonschema.Schema, len(st.Steps))
	for i, child := range st.Steps {
		if children[i], _ = r.outputNode(child); children[i] == nil || child.Type == assent.StepParallel {
			children[i] = &jsonschema.Schema{Bool: &yes}
		}
	}
	if st.Merge == lang.MergeFirstSuccess {
		return &jsonschema.Schema{AnyOf: children}
	}
	types := jsonschema.Types(0)
	types.Add("object")
	out := &jsonschema.Schema{DraftVersion: 2020, Types: &types, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: false}
	for i, child := range st.Steps {
		out.Properties[lang.OutputKey(child)] = children[i]
		out.Required = append(out.Required, lang.OutputKey(child))
	}
	return out
}

func (r *run) root(raw []byte) *jsonschema.Schema {
	if len(raw) == 0 {
		return nil
	}
	s, err := r.schemas.Get(raw)
	if err != nil {
		return nil
	}
	return s.Root()
}
