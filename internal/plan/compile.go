package plan

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/llm"
)

// Corrections allowed for answers without the right shape and for documents
// that the checker refuses; counted apart (design 03 §3).
const (
	shapeCorrections = 2
	checkCorrections = 2
)

// Intent is a wish for a plan, or for a change of one.
type Intent struct {
	Scope            assent.Scope
	Meta             llm.Meta
	Objective        string
	Instructions     string       // for a revision: the change, in words
	Base             *assent.Plan // for a revision: what is changed
	RequestedOutputs []string
	PriorityEntities []string
	History          []llm.Message
	State            StateBlock
}

// Compiled is what the model made of an Intent: a checked document, or a direct
// response when no plan is called for.
type Compiled struct {
	Document assent.PlanDocument
	Direct   string
}

// Compile asks the model for a plan, with its errors as many times as the
// corrections allow. The error names the violations that were left.
func (s *Service) Compile(ctx context.Context, in Intent) (Compiled, error) {
	in.Meta.Operation = assent.OpPlanGeneration
	shape, checks := 0, 0
	var violations []assent.FieldError
	for {
		in.Meta.FinalizeRetries = int64(shape + checks)
		c, errs, shaped, err := s.compileOnce(ctx, in, violations)
		if err != nil || len(errs) == 0 {
			return c, err
		}
		if violations = errs; shaped {
			if checks++; checks > checkCorrections {
				return c, InvalidPlan(Report{Errors: errs})
			}
		} else if shape++; shape > shapeCorrections {
			return c, &assent.Error{Code: assent.CodeInvalidPlan, Message: "The model did not give a plan in the form that was asked for.", Fields: errs}
		}
	}
}

// compileOnce makes one call. shaped is false if the answer was no plan at all.
func (s *Service) compileOnce(ctx context.Context, in Intent, violations []assent.FieldError) (c Compiled, errs []assent.FieldError, shaped bool, err error) {
	req, err := s.compileRequest(in, violations)
	if err != nil {
		return c, nil, false, err
	}
	ans, err := llm.Collect(s.Model.Stream(ctx, req))
	if err != nil {
		return c, nil, false, err
	}
	if len(ans.Calls) != 1 || ans.Calls[0].Name != planningTool {
		return c, shapeError("Answer by calling " + planningTool + " exactly once."), false, nil
	}
	return s.readPlanning(in, ans.Calls[0].Arguments)
}

func shapeError(msg string) []assent.FieldError {
	return []assent.FieldError{{Pointer: "", Code: "invalid_step", Message: msg}}
}

// planning is the argument of the __planning__ call.
type planning struct {
	Type      string          `json:"type"`
	Content   string          `json:"content"`
	Reasoning string          `json:"reasoning"`
	Objective string          `json:"objective"`
	Steps     json.RawMessage `json:"steps"`
	Calls     json.RawMessage `json:"calls"`
}

func (s *Service) readPlanning(in Intent, args json.RawMessage) (c Compiled, errs []assent.FieldError, shaped bool, err error) {
	var p planning
	if err := json.Unmarshal(args, &p); err != nil {
		return c, shapeError("The arguments of " + planningTool + " are not the object that was asked for."), false, nil
	}
	switch {
	case p.Type == "direct_response" && p.Content != "":
		return Compiled{Direct: p.Content}, nil, true, nil
	case p.Type != "tool_calls":
		return c, shapeError(`"type" must be "tool_calls" with "steps", or "direct_response" with "content".`), false, nil
	}
	doc, rep := s.parseParts(in, p)
	return Compiled{Document: doc}, rep.Errors, true, nil
}

// parseParts assembles the document from the call's parts and checks it.
func (s *Service) parseParts(in Intent, p planning) (assent.PlanDocument, Report) {
	raw := map[string]json.RawMessage{}
	if len(p.Steps) > 0 {
		raw["steps"] = p.Steps
	} else if len(p.Calls) > 0 {
		raw["calls"] = p.Calls
	}
	objective := in.Objective
	if p.Objective != "" {
		objective = p.Objective
	}
	for k, v := range map[string]any{"objective": objective, "reasoning": p.Reasoning, "requested_outputs": in.RequestedOutputs, "priority_entities": in.PriorityEntities} {
		if b, err := json.Marshal(v); err == nil && string(b) != "null" && string(b) != `""` {
			raw[k] = b
		}
	}
	b, err := json.Marshal(raw)
	if err != nil {
		return assent.PlanDocument{}, Report{Errors: shapeError("The plan is not valid JSON.")}
	}
	return s.Parse(b, in.Scope.ContextType, nil, in.Scope.Depth)
}

func (s *Service) compileRequest(in Intent, violations []assent.FieldError) (llm.Request, error) {
	task := map[string]any{"task": "compile", "objective": in.Objective, "requested_outputs": in.RequestedOutputs, "instructions": in.Instructions}
	if in.Base != nil {
		task = map[string]any{"task": "revise", "instructions": in.Instructions,
			"plan": map[string]any{"objective": in.Base.Objective, "steps": written(in.Base.Steps)}}
	}
	if len(violations) > 0 {
		task["violations"] = violations
	}
	system, err := s.compilePrompt(in.Scope.ContextType, in.State.with("planning", task))
	if err != nil {
		return llm.Request{}, err
	}
	wish := in.Objective
	if in.Base != nil {
		wish = in.Instructions
	}
	messages := append(append([]llm.Message{}, in.History...), llm.Message{Role: llm.RoleUser, Content: wish})
	return llm.Request{Meta: in.Meta, System: system, Messages: messages, ToolChoice: planningTool,
		Tools: []llm.Tool{{Name: planningTool, Description: "Give the plan, or a direct response.", Schema: s.planningSchema()}}}, nil
}

// written gives steps as the plan language has them, without what is computed.
func written(steps []assent.Step) []assent.Step {
	out := make([]assent.Step, len(steps))
	for i, st := range steps {
		st.Effect, st.Target = "", ""
		st.Steps = written(st.Steps)
		out[i] = st
	}
	return out
}
