package plan

import (
	"context"
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
	"assent/internal/tool"
)

// Confirm is the consent hook of the tool executor: a call that needs a
// person's word, and was not chosen by a person's own hand or an approved plan,
// is stored as a one-step plan that waits, and is answered with
// confirmation_required; design 03 §5 items 2 and 9. It stands last.
type Confirm struct{ Plans *Service }

// BeforeToolExecution implements tool.Hook.
func (c Confirm) BeforeToolExecution(ctx context.Context, t *tool.Tool, call *tool.Call) *assent.ToolResult {
	if byHand(call.Scope) || t.Spec.Virtual { // a meta tool asks for the word itself
		return nil
	}
	if c.Plans.Policy(t.Spec.Name) != assent.PolicyAsk && !needsWord(t.Spec, call.Scope) {
		return nil
	}
	p, err := c.Plans.single(ctx, t, *call)
	if err != nil {
		return &assent.ToolResult{Err: asError(err)}
	}
	return &assent.ToolResult{Err: &assent.Error{Code: assent.CodeConfirmationRequired,
		Message: fmt.Sprintf("%s needs the person's word. It waits as a plan of one step; nothing was done.", t.Spec.Title),
		Hint:    "Tell the person what waits and that they can answer in their own words. Do not call the tool again.",
		Details: map[string]any{"plan_id": p.ID, "version": p.Version}}}
}

// AfterToolExecution implements tool.Hook.
func (Confirm) AfterToolExecution(context.Context, *tool.Tool, *tool.Call, *assent.ToolResult) {}

// byHand: a person's own hand and an approved plan are the word.
func byHand(s assent.Scope) bool {
	return s.Caller == assent.CallerPerson || s.Caller == assent.CallerPlan
}

// needsWord: destructive and external calls always do; under a floor stricter
// than auto_execute every write does.
func needsWord(spec assent.ToolSpec, s assent.Scope) bool {
	return spec.Effect.NeedsWord() || spec.Effect == assent.EffectWrite && s.Floor != "" && s.Floor != assent.ModeAutoExecute
}

// single stores a call as a one-step plan in pending_review.
func (s *Service) single(ctx context.Context, t *tool.Tool, call tool.Call) (assent.Plan, error) {
	label := t.Spec.Title
	if t.Target != nil {
		if target := t.Target(call.Scope.Person.ID, call.Arguments); target != "" {
			label += " " + target
		}
	}
	literal, err := lang.Literal(call.Arguments) // what looks like a reference in a direct call is plain text
	if err != nil {
		return assent.Plan{}, err
	}
	doc := assent.PlanDocument{Objective: label, Steps: []assent.Step{{ID: "s1", Type: assent.StepTool, Label: label, Tool: t.Spec.Name, Arguments: literal}}}
	scope := call.Scope
	scope.ContextType = assent.ContextGeneral // the required shape of project_create is for whole plans
	if r := s.Check(doc, scope.ContextType, nil, 0); len(r.Errors) > 0 {
		return assent.Plan{}, InvalidPlan(r)
	}
	var p assent.Plan
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		p, err = s.CreateIn(tx, Draft{Scope: scope, Document: doc, Mode: assent.ModeDraftOnly, IntentLabel: "single call", CreatedBy: string(call.Scope.Caller), Wait: true})
		return err
	})
	return p, err
}
