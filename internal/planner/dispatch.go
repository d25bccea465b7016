package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/store"
	"assent/internal/tool"
)

// errWatchdog is why a turn that dragged on was ended.
var errWatchdog = errors.New("watchdog")

// Drive answers a turn; the engine calls it.
func (p *Planner) Drive(ctx context.Context, turnID string) {
	t, err := p.begin(ctx, turnID)
	if err != nil {
		slog.Error("beginning a turn", "turn", turnID, "error", err)
		return
	}
	if t == nil {
		return // it ended, or waits behind another one
	}
	runCtx, cancel := context.WithTimeoutCause(ctx, p.Limits.Turn, errWatchdog)
	defer cancel()
	out, err := p.guarded(runCtx, t)
	p.finish(runCtx, t, out, err)
}

// begin loads a turn and moves it to running if it may; nil if there is nothing to do.
func (p *Planner) begin(ctx context.Context, turnID string) (*turn, error) {
	f, err := p.load(ctx, turnID)
	if err != nil || f.turn.Status.Ended() {
		return nil, err
	}
	t := &turn{Turn: f.turn, session: f.session, message: f.message, started: p.Clock()}
	if t.Status == assent.TurnQueued {
		if ok, err := p.dequeue(ctx, t, f.person); err != nil || !ok {
			return nil, err
		}
	}
	t.sink = p.Store.NewSink(t.SessionID, t.ID)
	t.scope = assent.Scope{Person: f.person, Principal: f.message.Sender(f.person), SessionID: t.SessionID, TurnID: t.ID, RequestID: t.ID, Caller: assent.CallerModel, Floor: t.ExecutionMode,
		ContextType: t.session.ContextType, EntityID: t.session.EntityID, Zone: f.person.Zone(), Sink: t.sink}
	return t, nil
}

// load gives a turn and what belongs to it.
func (p *Planner) load(ctx context.Context, turnID string) (f fresh, err error) {
	if known, ok := p.fresh.LoadAndDelete(turnID); ok {
		return known.(fresh), nil
	}
	if f.turn, f.session, f.person, err = p.Store.FindTurnWithSession(ctx, turnID); err == nil && f.turn.MessageID != "" {
		f.message, err = p.Store.FindMessage(ctx, f.turn.MessageID)
	}
	return f, err
}

// dequeue makes a queued turn the running one of its session.
func (p *Planner) dequeue(ctx context.Context, t *turn, person assent.Person) (ok bool, err error) {
	opening, err := p.opening(ctx, person, t.session, t.ID)
	if err != nil {
		return false, err
	}
	err = p.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.FindRunningTurn(context.Background(), t.SessionID); assent.ErrorCode(err) != assent.CodeNotFound {
			return err // one is running (nil) or the read failed
		}
		if ok, err = tx.StartTurn(t.ID); err != nil || !ok {
			return err
		}
		_, err = tx.Append(t.SessionID, t.ID, opening...)
		return err
	})
	return ok, err
}

// guarded answers, turning a panic into an error so that the turn still ends.
func (p *Planner) guarded(ctx context.Context, t *turn) (out loop.Outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic in a turn", "turn", t.ID, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return p.answer(ctx, t)
}

// blankQuestion answers a message without words; design 02 §2 step 5.
const blankQuestion = "Your message came without words. What would you like to do? For example: “set up the office move as a project, but show me the plan first”."

// answer is the turn itself.
func (p *Planner) answer(ctx context.Context, t *turn) (loop.Outcome, error) {
	t.pos = 1 // 0 is the person's message
	if t.Kind == assent.TurnMessage && isBlank(t.message.Content) {
		return p.say(ctx, t, blankQuestion)
	}
	if err := p.prepare(ctx, t); err != nil {
		return loop.Outcome{}, err
	}
	if t.Kind == assent.TurnReport {
		return p.narrate(ctx, t, t.RunID)
	}
	if err := p.understand(ctx, t); err != nil {
		return loop.Outcome{}, err
	}
	r := t.message.Reading
	switch {
	case r == nil:
	case r.As == assent.ReadApprove && r.Counts && r.RunID != "":
		return p.narrate(ctx, t, r.RunID)
	case r.As == assent.ReadApproveWithChanges && r.Counts:
		return p.conditional(ctx, t, *r)
	case r.As == assent.ReadControl:
		return p.say(ctx, t, controlled(*r))
	case r.As == assent.ReadReject && r.Counts && r.RunID != "":
		return p.say(ctx, t, "Stopped there. What was done so far is kept; say “undo everything” to take it back.")
	case r.As == assent.ReadUnclear:
		if text, err := p.Consent.Clarify(ctx, t.message); err != nil || text != "" {
			return p.sayOr(ctx, t, text, err)
		}
	}
	return p.converse(ctx, t, 0)
}

func isBlank(s string) bool {
	for _, r := range s {
		if r > ' ' && r != '\u00a0' && r != '\u200b' {
			return false
		}
	}
	return true
}

// controlled says what became of a control word.
func controlled(r assent.Reading) string {
	if !r.Counts {
		if r.Reason != "" {
			return r.Reason
		}
		return "There is nothing right now that this could be about."
	}
	switch r.Action {
	case assent.ControlStop:
		return "Stopped. What was said and done so far is kept."
	case assent.ControlPause:
		return "Paused. A step under way finishes first; say “resume” to go on."
	case assent.ControlResume, assent.ControlContinue, assent.ControlExecute:
		return "Going on."
	case assent.ControlRollback:
		return "The last step is taken back, and the run is paused before it. Say “resume” to run it again."
	case assent.ControlCancel:
		return "Cancelled. What was done so far is kept; say “undo everything” to take it back."
	case assent.ControlUndo:
		return "Everything that the run did is taken back."
	}
	return "Done."
}

// prepare gathers what the model is shown.
func (p *Planner) prepare(ctx context.Context, t *turn) (err error) {
	if t.state, err = p.stateBlock(ctx, t); err != nil {
		return err
	}
	t.offered = p.Registry.Permitted(p.row(t.session.ContextType).offered)
	if t.session.LastSeq == 0 {
		return nil // the first message: there is no history yet
	}
	items, err := p.Store.ListHistory(ctx, t.SessionID)
	if err != nil {
		return err
	}
	t.history, err = p.remember(ctx, t, items)
	return err
}

// meta attributes the model calls of a turn.
func (p *Planner) meta(t *turn, op assent.Operation) llm.Meta {
	return llm.Meta{Operation: op, Profile: p.row(t.session.ContextType).profile, ContextType: t.session.ContextType, ExecutionMode: t.ExecutionMode,
		UserID: t.UserID, SessionID: t.SessionID, TurnID: t.ID}
}

// planning attributes the model calls that a tool makes to draft a plan, or to
// change the one given.
func (p *Planner) planning(t *turn, tool, planID string) llm.Meta {
	m := p.meta(t, assent.OpPlanGeneration)
	m.Tool, m.PlanID = tool, planID
	return m
}

// say answers with a text of the product's own, recorded through the gateway.
func (p *Planner) say(ctx context.Context, t *turn, text string) (loop.Outcome, error) {
	out := loop.Outcome{Position: t.pos}
	for chunk, err := range p.Gateway.Canned(ctx, p.meta(t, assent.OpClarification), text) {
		if err != nil {
			return out, err
		}
		if chunk.Kind == llm.ChunkText {
			out.Text += chunk.Text
			if err := t.sink.Emit(ctx, assent.Text{Delta: chunk.Text}); err != nil {
				return out, err
			}
		}
	}
	out.Messages = []llm.Message{{Role: llm.RoleAssistant, Content: out.Text}}
	out.Position++
	return out, nil
}

// sayOr is say, unless err ends the turn.
func (p *Planner) sayOr(ctx context.Context, t *turn, text string, err error) (loop.Outcome, error) {
	if err != nil {
		return loop.Outcome{Position: t.pos}, err
	}
	return p.say(ctx, t, text)
}

// converse runs the loop over the conversation. Its first narrated messages
// stand in t.history already; iterations caps the model calls (0: the default).
func (p *Planner) converse(ctx context.Context, t *turn, iterations int, more ...llm.Message) (loop.Outcome, error) {
	system, err := p.system(t)
	if err != nil {
		return loop.Outcome{}, err
	}
	messages := t.history
	if t.Kind == assent.TurnMessage {
		messages = append(messages, llm.Message{Role: llm.RoleUser, Content: t.message.Content})
	}
	limits := p.Limits.Loop
	if iterations > 0 {
		limits.Iterations = iterations
	}
	return p.Loop.Run(ctx, loop.Job{Scope: t.scope, Meta: p.meta(t, assent.OpPlannerStream), Limits: limits, Caps: tool.NewCaps(p.Limits.Caps),
		Messages: append(messages, more...), Position: t.pos, Virtual: p.virtual(t), Offer: func() []assent.ToolSpec { return t.offered },
		System: system, Note: p.budgetNote(t)})
}

// narrate awaits a run as a finished agent_execute_plan call and asks the model
// once to tell of it; design 03 §5 item 6. before is what the turn had done.
func (p *Planner) narrate(ctx context.Context, t *turn, runID string, before ...llm.Message) (loop.Outcome, error) {
	run, err := p.Store.FindRun(ctx, runID)
	if err != nil {
		return loop.Outcome{}, err
	}
	call, err := p.ownCall(executePlan, map[string]any{"plan_id": run.PlanID, "version": run.Version})
	if err != nil {
		return loop.Outcome{}, err
	}
	if err := p.announceRun(ctx, t, call); err != nil {
		return loop.Outcome{}, err
	}
	t.run = runID
	res, err := p.Plans.Await(ctx, run)
	if err != nil {
		return loop.Outcome{Position: t.pos}, err
	}
	result := runResult(res)
	message := loop.ResultMessage(assent.ToolCall{ID: call.ID, Tool: call.Name}, result)
	if err := p.storeRunResult(ctx, t, call, result, message); err != nil {
		return loop.Outcome{}, err
	}
	t.run = ""
	if t.state, err = p.stateBlock(ctx, t); err != nil {
		return loop.Outcome{}, err
	}
	t.offered = nil
	return p.converse(ctx, t, 1, append(before, calling(call), message)...)
}

func runResult(res plan.Result) assent.ToolResult {
	out, err := json.Marshal(res)
	if err != nil {
		return assent.ToolResult{Err: &assent.Error{Code: assent.CodeInternal, Message: "Internal error.", Err: err}}
	}
	done := 0
	for _, s := range res.Steps {
		if s.Status == assent.StepSuccess {
			done++
		}
	}
	return assent.ToolResult{Output: out, Summary: fmt.Sprintf("%s, %d of %d steps done", res.Status, done, len(res.Steps))}
}

// ownCall is a call that the runtime makes itself, not the model.
func (p *Planner) ownCall(name string, args map[string]any) (llm.Call, error) {
	b, err := json.Marshal(args)
	return llm.Call{ID: "call_" + p.IDs(), Name: name, Arguments: b}, err
}

// calling is a call as an entry of the conversation.
func calling(call llm.Call) llm.Message {
	return llm.Message{Role: llm.RoleAssistant, Calls: []llm.Call{call}}
}

// announceRun stores the synthetic call and tells that the plan runs.
func (p *Planner) announceRun(ctx context.Context, t *turn, call llm.Call) error {
	return p.Store.Write(ctx, func(tx *store.Tx) error {
		if err := p.keep(tx, t, calling(call)); err != nil {
			return err
		}
		_, err := tx.Append(t.SessionID, t.ID,
			assent.ToolCallEvent{CallID: call.ID, Tool: call.Name, Arguments: call.Arguments, Label: "Run the approved plan", Effect: assent.EffectWrite, Virtual: true},
			assent.AgentState{State: assent.StateExecutingPlan, ContextType: t.session.ContextType})
		return err
	})
}

func (p *Planner) storeRunResult(ctx context.Context, t *turn, call llm.Call, res assent.ToolResult, m llm.Message) error {
	return p.Store.Write(ctx, func(tx *store.Tx) error {
		if err := p.keep(tx, t, m); err != nil {
			return err
		}
		ev := loop.ResultEvent(assent.ToolCall{ID: call.ID, Tool: call.Name, Arguments: call.Arguments}, res, p.Clock().Sub(t.started))
		_, err := tx.Append(t.SessionID, t.ID, ev, assent.AgentState{State: assent.StateThinking, ContextType: t.session.ContextType})
		return err
	})
}

// keep stores a model-side message at the turn's next history position.
func (p *Planner) keep(tx *store.Tx, t *turn, m llm.Message) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	err = tx.CreateHistoryItem(t.SessionID, assent.HistoryItem{TurnID: t.ID, Position: t.pos, Data: data})
	t.pos++
	return err
}

// understand asks a model how the message is meant, where the rules were not
// sure, and makes the reading take effect.
func (p *Planner) understand(ctx context.Context, t *turn) error {
	r := t.message.Reading
	if r == nil || r.Counts || r.As != assent.ReadUnclear || r.Reason != "" {
		return nil
	}
	sit, empty, err := p.Consent.Situation(ctx, t.SessionID, t.message.SeenSeq)
	if err != nil || empty {
		return err
	}
	better, err := p.Consent.ReadWithModel(ctx, t.message.Content, sit, *r, p.meta(t, assent.OpConsentReading))
	if err != nil {
		return err
	}
	applied, err := p.Consent.Record(ctx, t.message, t.scope.Person, better)
	if err != nil {
		return err
	}
	t.setReading(applied)
	return nil
}

// stopped reports why ctx ended, for finish.
func stopped(ctx context.Context) (assent.TurnStatus, bool) {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, assent.ErrCancelled):
		return assent.TurnStopped, true
	case errors.Is(cause, assent.ErrStopping):
		return assent.TurnInterrupted, true
	case errors.Is(cause, errWatchdog):
		return assent.TurnFailed, true
	}
	return "", false
}
