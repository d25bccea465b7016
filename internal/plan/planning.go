package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// planningTool is the one tool that a compiling model may call.
const planningTool = "__planning__"

// object is a JSON Schema, or a part of one.
type object = map[string]any

// planningSchema is the schema of the planning call: the plan language of
// design 03 §1 as a model is to write it, with the names of what is on offer as
// enums. It is flat, since not every provider reads alternatives; the checker
// says what does not go together.
func (s *Service) planningSchema() json.RawMessage {
	names, guide := s.guide()
	tool := object{"type": "string", "enum": names}
	arguments := object{"type": "object", "description": "The tool's arguments; strings may be references."}
	part := object{
		"id": says("Short unique id."), "label": says("What a person reads."), "result_key": says("Name under which later steps find the output."),
		"tool": tool, "arguments": arguments, "timeout_ms": object{"type": "integer", "minimum": 1},
	}
	child := with(part, "type", object{"type": "string", "enum": []assent.StepType{assent.StepTool}})
	step := with(part, "type", object{"type": "string", "enum": []assent.StepType{assent.StepTool, assent.StepParallel, assent.StepCheckpoint}})
	step["tool"] = object{"type": "string", "enum": names, "description": "The tools on offer:\n" + guide}
	step["prompt"] = says("For checkpoint: the question that the person answers before the plan goes on.")
	step["steps"] = object{"type": "array", "description": "For parallel: steps that run side by side and do not see each other.",
		"items": object{"type": "object", "required": []string{"type", "tool", "arguments"}, "properties": child}}
	step["merge"] = object{"type": "string", "enum": []string{lang.MergeCollect, lang.MergeFirstSuccess}, "description": "For parallel: all results, or the first."}
	step["max_concurrency"] = object{"type": "integer", "minimum": 1, "maximum": s.Limits.Parallel}
	b, err := json.Marshal(object{"type": "object", "required": []string{"type"}, "properties": object{
		"type":      object{"type": "string", "enum": []string{"direct_response", "tool_calls"}},
		"content":   says("For direct_response: the answer."),
		"reasoning": says("For tool_calls: why these steps, in one or two sentences."),
		"objective": says("What the plan achieves, as a short title."),
		"steps":     object{"type": "array", "items": object{"type": "object", "required": []string{"type"}, "properties": step}},
		"calls": object{"type": "array", "description": "Short form of steps: tool calls in order.", "items": object{"type": "object",
			"required": []string{"tool_name", "arguments"}, "properties": object{"tool_name": tool, "arguments": arguments}}},
	}})
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return b
}

// guide gives the names of the tools on offer and what a model must know to use
// each of them.
func (s *Service) guide() (names []string, text string) {
	var b strings.Builder
	for _, spec := range s.Registry.Specs() {
		if s.Policy(spec.Name) == assent.PolicyDeny {
			continue
		}
		names = append(names, spec.Name)
		fmt.Fprintf(&b, "%s (%s): %s Arguments: %s\n", spec.Name, spec.Effect, spec.Description, spec.InputSchema)
	}
	return names, b.String()
}

func says(description string) object { return object{"type": "string", "description": description} }

// with gives a copy of properties with one more.
func with(properties object, name string, schema any) object {
	out := object{name: schema}
	for k, v := range properties {
		out[k] = v
	}
	return out
}
