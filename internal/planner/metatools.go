package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/store"
	"assent/internal/tool"
)

// The meta tools: virtual tools by which the model plans. None of them lets it
// approve; design 03 §5.
const (
	createPlan  = "agent_create_plan"
	revisePlan  = "agent_revise_plan"
	executePlan = "agent_execute_plan"
	discardPlan = "agent_discard_plan"
	findTools   = "find_tools"
)

// maxFixes bounds how often a turn may send a plan that the checker refuses;
// maxReviews how often a reviewed plan may be revised before the person decides.
const (
	maxFixes   = 2
	maxReviews = 2
)

// metaSpecs describes the meta tools to models.
func metaSpecs() []assent.ToolSpec {
	return []assent.ToolSpec{
		meta(createPlan, "Plan several steps", assent.EffectWrite, `Make a plan of typed steps for an objective of several steps, and run it or let it wait for the person, as execution_mode and their settings say. Give the steps if you know them; else they are worked out for you. A step: {"id","type":"tool","label","tool","arguments","result_key"}; arguments may refer to earlier steps as "$N.output.path" or {{ result.KEY.path }}.`,
			`{"type":"object","additionalProperties":false,"required":["objective"],"properties":{"objective":{"type":"string","description":"What to accomplish end to end, as a short title."},"execution_mode":{"type":"string","enum":["auto_execute","draft_only","agent_review"]},"auto_execute":{"type":"boolean"},"requested_outputs":{"type":"array","items":{"type":"string"}},"priority_entities":{"type":"array","items":{"type":"string"}},"reasoning":{"type":"string"},"steps":{"type":"array","items":{"type":"object"}}}}`),
		meta(revisePlan, "Change the plan", assent.EffectWrite, "Change a plan that waits, as the person asked. Gives a new version, which waits for their word again.",
			`{"type":"object","additionalProperties":false,"required":["plan_id","instructions"],"properties":{"plan_id":{"type":"string"},"instructions":{"type":"string","description":"The person's words about what to change."}}}`),
		meta(executePlan, "Run the approved plan", assent.EffectWrite, "Give the outcome of a version that the person has approved. It does not approve anything.",
			`{"type":"object","additionalProperties":false,"required":["plan_id","version"],"properties":{"plan_id":{"type":"string"},"version":{"type":"integer"}}}`),
		meta(discardPlan, "Discard the plan", assent.EffectWrite, "Drop a plan that waits, because the person does not want it.",
			`{"type":"object","additionalProperties":false,"required":["plan_id"],"properties":{"plan_id":{"type":"string"}}}`),
		meta(findTools, "Look for tools", assent.EffectRead, "Find further tools by what they do; what is found can be called next.",
			`{"type":"object","additionalProperties":false,"required":["query"],"properties":{"query":{"type":"string"}}}`),
	}
}

func meta(name, title string, e assent.Effect, description, input string) assent.ToolSpec {
	return assent.ToolSpec{Name: name, Title: title, Description: description, Effect: e, Aliases: []string{}, Source: "builtin", Virtual: true,
		InputSchema: json.RawMessage(input), OutputSchema: json.RawMessage(`{"type":"object"}`)}
}

// offer gives the tools on offer at first: all of them if they are few, else
// the meta tools and those that the context prefers.
func (p *Planner) offer(row contextRow) []assent.ToolSpec {
	all, out := p.Registry.Specs(), slices.Clone(p.metas)
	if len(all) <= p.Limits.Offered {
		return append(out[:len(out)-1], all...)
	}
	for _, name := range row.preferred {
		if spec, ok := p.Registry.Spec(name); ok && len(out)-len(p.metas) < p.Limits.Offered {
			out = append(out, spec)
		}
	}
	return slices.Clip(out) // a turn that finds more tools gets a copy
}

// virtual binds the meta tools to a turn. The executor has checked the arguments
// before a handler sees them.
func (p *Planner) virtual(t *turn) map[string]loop.Virtual {
	handlers := map[string]func(context.Context, *turn, json.RawMessage) (any, string, error){
		createPlan: p.createPlan, revisePlan: p.revisePlan, executePlan: p.executePlan, discardPlan: p.discardPlan, findTools: p.findTools,
	}
	out := map[string]loop.Virtual{}
	for _, spec := range p.metas {
		h := handlers[spec.Name]
		out[spec.Name] = loop.Virtual{Spec: spec, Run: func(ctx context.Context, c tool.Call) assent.ToolResult {
			t.calls++
			if err := p.audit(ctx, t, c); err != nil {
				return failed(err)
			}
			output, summary, err := h(ctx, t, c.Arguments)
			if err != nil {
				return failed(err)
			}
			b, err := json.Marshal(output)
			if err != nil {
				return failed(err)
			}
			return assent.ToolResult{Output: b, Summary: summary}
		}}
	}
	return out
}

// failed turns a handler's error into a result.
func failed(err error) assent.ToolResult {
	var known *assent.Error
	if errors.As(err, &known) {
		return assent.ToolResult{Err: known}
	}
	var le *llm.Error
	if errors.As(err, &le) {
		return assent.ToolResult{Err: &assent.Error{Code: assent.CodeUnavailable, Message: le.Class.Sentence(), Err: err}}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return assent.ToolResult{Err: &assent.Error{Code: assent.CodeCancelled, Message: "Stopped before it was done.", Err: err}}
	}
	return assent.ToolResult{Err: &assent.Error{Code: assent.CodeInternal, Message: "Internal error.", Err: err}}
}

// audit leaves a row for each call of a meta tool.
func (p *Planner) audit(ctx context.Context, t *turn, c tool.Call) error {
	return p.Store.Write(ctx, func(tx *store.Tx) error { return auditIn(tx, t, t.scope, c.Tool, c.Arguments) })
}

// auditIn is audit in a transaction under way; by says whose call it is.
func auditIn(tx *store.Tx, t *turn, by assent.Scope, name string, args json.RawMessage) error {
	details, err := json.Marshal(map[string]any{"arguments": args, "context_type": t.session.ContextType, "floor": t.scope.Floor})
	if err != nil {
		return err
	}
	return tx.Audit(store.OriginOf(by, name), name, t.SessionID, string(details))
}

type createArgs struct {
	Objective        string          `json:"objective"`
	ExecutionMode    assent.Mode     `json:"execution_mode"`
	AutoExecute      *bool           `json:"auto_execute"`
	RequestedOutputs []string        `json:"requested_outputs"`
	PriorityEntities []string        `json:"priority_entities"`
	Reasoning        string          `json:"reasoning"`
	Steps            json.RawMessage `json:"steps"`
}

// mode is what the model asks for; the legacy flag counts where it says nothing.
func (a createArgs) mode() assent.Mode {
	if a.ExecutionMode == "" && a.AutoExecute != nil && !*a.AutoExecute {
		return assent.ModeDraftOnly
	}
	return assent.Stricter(a.ExecutionMode, "")
}

// planOutput is what the model is told about a plan.
type planOutput struct {
	PlanID    string            `json:"plan_id"`
	Version   int64             `json:"version"`
	Status    assent.PlanStatus `json:"status"`
	Objective string            `json:"objective"`
	Steps     []assent.Step     `json:"steps"`
	Preview   assent.Preview    `json:"preview"`
	Review    *assent.Review    `json:"review,omitempty"`
	Result    *plan.Result      `json:"result,omitempty"`
	Next      string            `json:"next"`
}

// createPlan handles agent_create_plan; seed 003 §4.3.
func (p *Planner) createPlan(ctx context.Context, t *turn, raw json.RawMessage) (any, string, error) {
	var a createArgs
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", err
	}
	c, err := p.document(ctx, t, a)
	if err != nil {
		return nil, "", p.capped(t, err)
	}
	if c.Direct != "" {
		return map[string]any{"direct_response": c.Direct, "next": "No plan was made. Tell the person this."}, "no plan needed", nil
	}
	mode := assent.Stricter(t.scope.Floor, a.mode())
	wait := !p.Consent.Unasked(c.Document.Steps, t.scope, mode)
	pl, err := p.Plans.Create(ctx, plan.Draft{Scope: t.scope, Document: c.Document, Mode: mode, CreatedBy: "planner", Wait: wait})
	if err != nil {
		return nil, "", err
	}
	return p.proceed(ctx, t, pl, wait)
}

// document takes the steps that the model gave, or has them compiled.
func (p *Planner) document(ctx context.Context, t *turn, a createArgs) (plan.Compiled, error) {
	if len(a.Steps) == 0 || string(a.Steps) == "null" || string(a.Steps) == "[]" {
		return p.Plans.Compile(ctx, plan.Intent{Scope: t.scope, Meta: p.planning(t, createPlan, ""), Objective: a.Objective, RequestedOutputs: a.RequestedOutputs,
			PriorityEntities: a.PriorityEntities, History: append(t.history, llm.Message{Role: llm.RoleUser, Content: t.message.Content}), State: t.state})
	}
	raw, err := json.Marshal(map[string]any{"objective": a.Objective, "reasoning": a.Reasoning, "requested_outputs": a.RequestedOutputs,
		"priority_entities": a.PriorityEntities, "steps": a.Steps})
	if err != nil {
		return plan.Compiled{}, err
	}
	doc, rep := p.Plans.Parse(raw, t.session.ContextType, nil, t.scope.Depth)
	if len(rep.Errors) > 0 {
		return plan.Compiled{}, plan.InvalidPlan(rep)
	}
	return plan.Compiled{Document: doc}, nil
}

// capped counts refused plans; after the last correction the model is told to stop.
func (p *Planner) capped(t *turn, err error) error {
	var known *assent.Error
	if errors.As(err, &known) && known.Code == assent.CodeInvalidPlan {
		if t.fixes++; t.fixes > maxFixes {
			known.Hint = "The corrections are used up. Tell the person plainly that no valid plan came of it, and what was wrong."
		}
	}
	return err
}

// proceed does with a stored plan what its mode says.
func (p *Planner) proceed(ctx context.Context, t *turn, pl assent.Plan, waits bool) (any, string, error) {
	out := planOutput{PlanID: pl.ID, Version: pl.Version, Status: pl.Status, Objective: pl.Objective, Steps: pl.Steps, Preview: pl.Preview}
	if waits {
		return waitingOutput(out), fmt.Sprintf("draft, %d steps, checked", len(pl.Steps)), nil
	}
	if pl.Mode == assent.ModeAgentReview {
		if done, err := p.review(ctx, t, pl, &out); err != nil || done {
			return out, "reviewed: " + verdictOf(out), err
		}
	}
	return p.run(ctx, t, pl, out)
}

func waitingOutput(out planOutput) planOutput {
	out.Status = assent.PlanPendingReview
	out.Next = "Nothing was done yet. The plan is shown to the person and waits for their word; say so in a sentence and end your answer."
	return out
}

func verdictOf(out planOutput) string {
	if out.Review == nil {
		return "no verdict"
	}
	return out.Review.Verdict
}

// review has the plan judged. done is true when it does not run now: the model
// may revise it, or the rounds are used up and the person decides.
func (p *Planner) review(ctx context.Context, t *turn, pl assent.Plan, out *planOutput) (done bool, err error) {
	r, err := p.Plans.Review(ctx, pl, p.meta(t, assent.OpPlanReview), t.state)
	if err != nil {
		return true, err
	}
	out.Review = &r
	if r.Verdict == assent.VerdictApproved {
		return false, nil
	}
	if t.reviews++; t.reviews <= maxReviews && r.Verdict == assent.VerdictNeedsChanges {
		out.Next = "The reviewer wants changes. Revise the plan with agent_revise_plan, or leave it: then the person is asked."
		return true, nil
	}
	if pl.Status == assent.PlanDraft {
		if _, err := p.Plans.Ready(ctx, pl.ID); err != nil {
			return true, err
		}
	}
	*out = waitingOutput(*out)
	return true, nil
}

// run starts a plan under the person's own setting and waits for its end.
func (p *Planner) run(ctx context.Context, t *turn, pl assent.Plan, out planOutput) (any, string, error) {
	runID, err := p.Consent.BySetting(ctx, pl, t.scope, pl.Mode)
	if err != nil {
		return nil, "", err
	}
	if err := t.scope.Emit(ctx, assent.AgentState{State: assent.StateExecutingPlan, ContextType: t.session.ContextType}); err != nil {
		return nil, "", err
	}
	return p.awaited(ctx, t, runID, out)
}

func (p *Planner) awaited(ctx context.Context, t *turn, runID string, out planOutput) (any, string, error) {
	run, err := p.Store.FindRunHead(ctx, runID)
	if err != nil {
		return nil, "", err
	}
	t.run = runID
	res, err := p.Plans.Await(ctx, run)
	switch {
	case err != nil && ctx.Err() != nil: // the turn ends; the run goes on and is reported
		res, err = p.Plans.Result(context.WithoutCancel(ctx), runID)
	case err == nil:
		t.run = ""
	}
	if err != nil {
		return nil, "", err
	}
	out.Result, out.Status = &res, assent.PlanStatus(res.Status)
	out.Next = "Tell the person the outcome from the result, step by step only where it matters."
	return out, runResult(res).Summary, nil
}

// own gives a plan of this session.
func (p *Planner) own(ctx context.Context, t *turn, id string) (assent.Plan, error) {
	pl, err := p.Store.FindPlanWhole(ctx, id)
	if err == nil && pl.SessionID != t.SessionID {
		return pl, assent.NotFound("plan in this conversation")
	}
	return pl, err
}

// revisePlan handles agent_revise_plan.
func (p *Planner) revisePlan(ctx context.Context, t *turn, raw json.RawMessage) (any, string, error) {
	var a struct {
		PlanID       string `json:"plan_id"`
		Instructions string `json:"instructions"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", err
	}
	pl, err := p.own(ctx, t, a.PlanID)
	if err != nil {
		return nil, "", err
	}
	if pl.Status != assent.PlanPendingReview && pl.Status != assent.PlanDraft {
		return nil, "", &assent.Error{Code: assent.CodeConflict, Message: "Only a plan that waits can be changed; this one is " + string(pl.Status) + "."}
	}
	c, err := p.Plans.Compile(ctx, plan.Intent{Scope: t.scope, Meta: p.planning(t, revisePlan, pl.ID), Objective: pl.Objective, Instructions: a.Instructions,
		Base: &pl, History: t.history, State: t.state})
	if err != nil {
		return nil, "", p.capped(t, err)
	}
	if c.Direct != "" {
		return map[string]any{"direct_response": c.Direct, "plan_id": pl.ID, "version": pl.Version, "status": pl.Status, "next": "The plan was not changed. Tell the person this."}, "not changed", nil
	}
	next, err := p.Plans.Revise(ctx, t.scope, pl.ID, pl.Version, c.Document, "planner")
	if err != nil {
		return nil, "", err
	}
	if next.Status == assent.PlanDraft {
		return p.again(ctx, t, next)
	}
	out := planOutput{PlanID: next.ID, Version: next.Version, Status: next.Status, Objective: next.Objective, Steps: next.Steps, Preview: next.Preview}
	return waitingOutput(out), fmt.Sprintf("version %d, %d steps, checked", next.Version, len(next.Steps)), nil
}

// again has a draft that was sent back judged once more, unless it needs the
// person's word now.
func (p *Planner) again(ctx context.Context, t *turn, pl assent.Plan) (any, string, error) {
	waits := !p.Consent.Unasked(pl.Steps, t.scope, pl.Mode)
	if waits {
		var err error
		if pl, err = p.Plans.Ready(ctx, pl.ID); err != nil {
			return nil, "", err
		}
	}
	return p.proceed(ctx, t, pl, waits)
}

// executePlan handles agent_execute_plan: it succeeds only where an approval of
// exactly that version exists.
func (p *Planner) executePlan(ctx context.Context, t *turn, raw json.RawMessage) (any, string, error) {
	var a struct {
		PlanID  string `json:"plan_id"`
		Version int64  `json:"version"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", err
	}
	pl, err := p.own(ctx, t, a.PlanID)
	if err != nil {
		return nil, "", err
	}
	for i := len(pl.Runs) - 1; i >= 0; i-- {
		if pl.Runs[i].Version == a.Version && pl.Status != assent.PlanPendingReview {
			out := planOutput{PlanID: pl.ID, Version: a.Version, Objective: pl.Objective, Steps: pl.Steps, Preview: pl.Preview}
			return p.awaited(ctx, t, pl.Runs[i].ID, out)
		}
	}
	return nil, "", &assent.Error{Code: assent.CodeNotApproved, Message: "The person has not approved this version. Nothing was run.",
		Hint: "Say what waits and let the person answer in their own words.", Details: map[string]any{"plan_id": pl.ID, "version": pl.Version}}
}

// discardPlan handles agent_discard_plan.
func (p *Planner) discardPlan(ctx context.Context, t *turn, raw json.RawMessage) (any, string, error) {
	var a struct {
		PlanID string `json:"plan_id"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", err
	}
	pl, err := p.own(ctx, t, a.PlanID)
	if err != nil {
		return nil, "", err
	}
	if r := t.message.Reading; r != nil && r.As == assent.ReadQuestion {
		return nil, "", &assent.Error{Code: assent.CodeConflict, Message: "The person only asked something; the plan keeps waiting.", Hint: "Answer the question."}
	}
	if err := p.Plans.Discard(ctx, pl.ID, t.ID, "discarded"); err != nil {
		return nil, "", err
	}
	return map[string]any{"plan_id": pl.ID, "version": pl.Version, "status": assent.PlanRejected}, "discarded", nil
}

// findTools handles find_tools: what is found is on offer from the next
// iteration on.
func (p *Planner) findTools(_ context.Context, t *turn, raw json.RawMessage) (any, string, error) {
	var a struct {
		Query string `json:"query"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", err
	}
	offered := map[string]bool{}
	for _, s := range t.offered {
		offered[s.Name] = true
	}
	found := []map[string]any{}
	for _, s := range p.Registry.Match(a.Query, 8) {
		found = append(found, map[string]any{"name": s.Name, "description": s.Description, "effect": s.Effect})
		if !offered[s.Name] {
			t.offered = append(t.offered, s)
		}
	}
	return map[string]any{"tools": found}, fmt.Sprintf("%d found", len(found)), nil
}
