package planner

import (
	"context"
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/plan"
	"assent/internal/store"
)

// Recover sees to what a dead process left: turns that ran become interrupted
// with everything kept, queued ones begin, runs go on by themselves.
func (p *Planner) Recover(ctx context.Context) error {
	if err := p.Store.Write(ctx, func(tx *store.Tx) error { return tx.CloseOpenUsage() }); err != nil {
		return err
	}
	running, err := p.Store.ListTurnsByStatus(ctx, assent.TurnRunning)
	if err != nil {
		return err
	}
	for _, t := range running {
		if err := p.interrupt(ctx, t); err != nil {
			return err
		}
	}
	return p.resume(ctx)
}

// resume starts what waits to be driven.
func (p *Planner) resume(ctx context.Context) error {
	runs, err := p.Store.ListRunsByStatus(ctx, assent.RunRunning)
	if err != nil {
		return err
	}
	for _, r := range runs {
		p.Engine.Start(ctx, assent.JobRun, r.ID)
	}
	queued, err := p.Store.ListTurnsByStatus(ctx, assent.TurnQueued)
	if err != nil {
		return err
	}
	started := map[string]bool{}
	for _, t := range queued {
		if !started[t.SessionID] {
			started[t.SessionID] = true
			p.Engine.Start(ctx, assent.JobTurn, t.ID)
		}
	}
	return nil
}

// interrupt ends a turn whose process died: its text stays, each open call is
// answered, and the person may say "continue".
func (p *Planner) interrupt(ctx context.Context, row assent.Turn) error {
	items, err := p.Store.ListTurnHistory(ctx, row.ID)
	if err != nil {
		return err
	}
	events, err := p.Store.TurnEvents(ctx, row.SessionID, row.ID)
	if err != nil {
		return err
	}
	return p.Store.Write(ctx, func(tx *store.Tx) error {
		pos, err := p.answerOpenCalls(ctx, tx, row, items)
		if err != nil {
			return err
		}
		t := &turn{Turn: row, pos: pos, started: row.StartedAt.Std()}
		out := loop.Outcome{Text: textOf(events), Position: pos}
		return p.end(tx, t, out, ending{status: assent.TurnInterrupted}, "")
	})
}

// textOf joins what a turn had said.
func textOf(events []assent.LoggedEvent) string {
	var b strings.Builder
	for _, ev := range events {
		var t assent.Text
		if ev.Type == t.EventType() && json.Unmarshal(ev.Data, &t) == nil {
			b.WriteString(t.Delta)
		}
	}
	return b.String()
}

// answerOpenCalls gives each call without a result one: the run's state for a
// run, cancelled for everything else. It returns the next free position.
func (p *Planner) answerOpenCalls(ctx context.Context, tx *store.Tx, row assent.Turn, items []assent.HistoryItem) (int64, error) {
	open := map[string]llm.Call{}
	var order []string
	pos := int64(0)
	for _, it := range items {
		var m llm.Message
		if err := json.Unmarshal(it.Data, &m); err != nil {
			return 0, err
		}
		for _, c := range m.Calls {
			open[c.ID] = c
			order = append(order, c.ID)
			pos = max(pos, it.Position+int64(len(m.Calls)))
		}
		delete(open, m.CallID)
		pos = max(pos, it.Position)
	}
	for _, id := range order {
		c, ok := open[id]
		if !ok {
			continue
		}
		pos++
		if err := p.answerCall(ctx, tx, row, c, pos); err != nil {
			return 0, err
		}
	}
	return pos + 1, nil
}

func (p *Planner) answerCall(ctx context.Context, tx *store.Tx, row assent.Turn, c llm.Call, pos int64) error {
	call := assent.ToolCall{ID: c.ID, Tool: c.Name, Arguments: c.Arguments}
	res := assent.ToolResult{Err: &assent.Error{Code: assent.CodeCancelled, Message: "The server was restarted before this was done."}}
	if c.Name == executePlan {
		if r, ok := runState(ctx, tx, c.Arguments); ok {
			res = r
		}
	}
	data, err := json.Marshal(loop.ResultMessage(call, res))
	if err != nil {
		return err
	}
	if err := tx.CreateHistoryItem(row.SessionID, assent.HistoryItem{TurnID: row.ID, Position: pos, Data: data}); err != nil {
		return err
	}
	_, err = tx.Append(row.SessionID, row.ID, loop.ResultEvent(call, res, 0))
	return err
}

// runState is the state of the run that an open agent_execute_plan awaited.
func runState(ctx context.Context, tx *store.Tx, args json.RawMessage) (assent.ToolResult, bool) {
	var a struct {
		PlanID string `json:"plan_id"`
	}
	if json.Unmarshal(args, &a) != nil {
		return assent.ToolResult{}, false
	}
	pl, err := tx.FindPlanWhole(ctx, a.PlanID)
	if err != nil || len(pl.Runs) == 0 {
		return assent.ToolResult{}, false
	}
	return runResult(plan.ResultOf(pl.Runs[len(pl.Runs)-1], assent.PlanDocument{Steps: pl.Steps})), true
}
