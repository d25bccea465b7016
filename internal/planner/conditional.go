package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/store"
)

// conditional answers an approval with changes ("yes, but leave out 3"): the
// runtime, not the model, calls for the revision. If it differs in nothing but
// what the words name it runs and is narrated; else it waits, and the product
// says what differs. Design 03 §5 item 7.
func (p *Planner) conditional(ctx context.Context, t *turn, r assent.Reading) (loop.Outcome, error) {
	call, err := p.announceRevision(ctx, t, r.PlanID)
	if err != nil {
		return loop.Outcome{}, err
	}
	output, text, err := p.carry(ctx, t, r)
	if err != nil {
		if t.message.Reading.Counts { // nothing that counts is left without its effect
			err = errors.Join(err, p.note(ctx, t, "The plan could not be changed, so it waits as it is."))
		}
		return loop.Outcome{Position: t.pos}, err
	}
	result := assent.ToolResult{Output: output, Summary: text}
	if t.message.Reading.Counts {
		result.Summary = fmt.Sprintf("version %d, approved with your changes", t.message.Reading.Version)
	}
	message := loop.ResultMessage(assent.ToolCall{ID: call.ID, Tool: call.Name}, result)
	if err := p.storeRunResult(ctx, t, call, result, message); err != nil {
		return loop.Outcome{}, err
	}
	if runID := t.message.Reading.RunID; t.message.Reading.Counts && runID != "" {
		return p.narrate(ctx, t, runID, calling(call), message)
	}
	return p.say(ctx, t, text)
}

// announceRevision stores the runtime's own call of agent_revise_plan.
func (p *Planner) announceRevision(ctx context.Context, t *turn, planID string) (llm.Call, error) {
	call, err := p.ownCall(revisePlan, map[string]any{"plan_id": planID, "instructions": t.message.Content})
	if err != nil {
		return call, err
	}
	t.calls++
	scope := t.scope
	scope.Caller = assent.CallerPerson // the words are the person's own
	return call, p.Store.Write(ctx, func(tx *store.Tx) error {
		if err := p.keep(tx, t, calling(call)); err != nil {
			return err
		}
		if err := auditIn(tx, t, scope, call.Name, call.Arguments); err != nil {
			return err
		}
		_, err := tx.Append(t.SessionID, t.ID,
			assent.AgentState{State: assent.StateExecutingTool, ContextType: t.session.ContextType, Details: "Change the plan"},
			assent.ToolCallEvent{CallID: call.ID, Tool: call.Name, Arguments: call.Arguments, Label: "Change the plan", Effect: assent.EffectWrite, Virtual: true})
		return err
	})
}

// carry has the plan changed and the approval carried over, if it may be. The
// reading of the turn's message is then what became of it; text says why it did
// not count. Only what ends the turn is an error.
func (p *Planner) carry(ctx context.Context, t *turn, r assent.Reading) (output json.RawMessage, text string, err error) {
	pl, err := p.own(ctx, t, r.PlanID)
	if err != nil {
		return nil, "", err
	}
	c, err := p.Plans.Compile(ctx, plan.Intent{Scope: t.scope, Meta: p.planning(t, revisePlan, pl.ID), Objective: pl.Objective, Instructions: t.message.Content,
		Base: &pl, History: t.history, State: t.state})
	var invalid *assent.Error
	switch {
	case errors.As(err, &invalid) && invalid.Code == assent.CodeInvalidPlan:
		text = "I could not change the plan that way. " + invalid.Message + " Nothing was run."
	case err != nil:
		return nil, "", err
	case c.Direct != "":
		text = c.Direct
	}
	if text != "" {
		if err := p.note(ctx, t, text); err != nil {
			return nil, "", err
		}
		output, err := json.Marshal(map[string]any{"plan_id": pl.ID, "version": pl.Version, "status": pl.Status, "direct_response": text})
		return output, text, err
	}
	applied, err := p.Consent.Carry(ctx, t.message, t.scope.Person, c.Document)
	if err != nil {
		return nil, "", err
	}
	t.setReading(applied)
	return p.carried(ctx, t, applied)
}

// carried tells of the version that was made.
func (p *Planner) carried(ctx context.Context, t *turn, r assent.Reading) (json.RawMessage, string, error) {
	pl, err := p.own(ctx, t, r.PlanID)
	if err != nil {
		return nil, "", err
	}
	out := planOutput{PlanID: pl.ID, Version: pl.Version, Status: pl.Status, Objective: pl.Objective, Steps: pl.Steps, Preview: pl.Preview}
	if !r.Counts {
		out = waitingOutput(out)
	}
	output, err := json.Marshal(out)
	return output, r.Reason + " Nothing has run yet.", err
}

// note keeps with the message that nothing came of its reading.
func (p *Planner) note(ctx context.Context, t *turn, reason string) error {
	r, err := p.Consent.NotCarried(context.WithoutCancel(ctx), t.message, reason)
	if err == nil {
		t.setReading(r)
	}
	return err
}

func (t *turn) setReading(r assent.Reading) {
	t.message.Reading = &r
	t.state["reading"] = &r
}

// unfulfilled says of an approval with changes, whose turn died before the plan
// was changed, that nothing came of it.
func (p *Planner) unfulfilled(ctx context.Context, row assent.Turn) error {
	if row.MessageID == "" {
		return nil
	}
	m, err := p.Store.FindMessage(ctx, row.MessageID)
	if err != nil || m.Reading == nil || m.Reading.As != assent.ReadApproveWithChanges || !m.Reading.Counts || m.Reading.RunID != "" {
		return err
	}
	_, err = p.Consent.NotCarried(ctx, m, "The server was restarted before the plan was changed, so it waits as it is.")
	return err
}
