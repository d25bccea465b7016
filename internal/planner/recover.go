package planner

import (
	"context"
	"encoding/json"
	"slices"
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
	err := p.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SumUpMissing(); err != nil {
			return err
		}
		return tx.CloseOpenUsage()
	})
	if err != nil {
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
// answered, and the person may say "continue". What it wrote is told from the
// journal; a run of its that has ended since is told by a turn of its own.
func (p *Planner) interrupt(ctx context.Context, row assent.Turn) error {
	t := &turn{Turn: row, started: row.StartedAt.Std()}
	var err error
	if t.session, err = p.Store.FindSession(ctx, row.SessionID); err != nil {
		return err
	}
	events, err := p.Store.TurnEvents(ctx, row.SessionID, row.ID)
	if err != nil {
		return err
	}
	out := loop.Outcome{Text: textOf(events), ToolCalls: callsIn(events)}
	closing, err := p.ofRecord(ctx, t, out)
	if err != nil {
		return err
	}
	if err := p.unfulfilled(ctx, row); err != nil {
		return err
	}
	return p.Store.Write(ctx, func(tx *store.Tx) error {
		if err := p.closeCalls(tx, t, &out, "The server was restarted before this was done."); err != nil {
			return err
		}
		if err := p.end(tx, t, out, ending{status: assent.TurnInterrupted}, closing); err != nil {
			return err
		}
		return p.tellRuns(tx, row)
	})
}

// conclude writes the end of a turn that this process drove. One that was broken
// off leaves no call without its result, and no run that ended meanwhile untold.
func (p *Planner) conclude(tx *store.Tx, t *turn, out loop.Outcome, e ending, closing string) error {
	if e.status != assent.TurnCompleted || t.run != "" {
		if err := p.closeCalls(tx, t, &out, "This was stopped before it was done."); err != nil {
			return err
		}
	}
	if err := p.end(tx, t, out, e, closing); err != nil || t.run == "" {
		return err
	}
	return p.Plans.ReportIn(tx, t.run)
}

// ofRecord is the last line of an interrupted turn. A report is unique, so the
// outcome that it could not tell stands here.
func (p *Planner) ofRecord(ctx context.Context, t *turn, out loop.Outcome) (string, error) {
	closing, err := p.closing(ctx, t, out)
	if err != nil || t.Kind != assent.TurnReport {
		return closing, err
	}
	res, err := p.Plans.Result(ctx, t.RunID)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace("The plan has ended: " + runResult(res).Summary + ". " + closing), nil
}

// tellRuns sees to it that the runs of an interrupted turn are told of, if they
// ended before anybody could.
func (p *Planner) tellRuns(tx *store.Tx, row assent.Turn) error {
	plans, err := tx.ListPlansBySession(context.Background(), row.SessionID)
	if err != nil || row.Kind == assent.TurnReport {
		return err
	}
	for _, pl := range plans {
		for _, run := range pl.Runs {
			if run.TurnID == row.ID {
				if err := p.Plans.ReportIn(tx, run.ID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// callsIn counts the tool calls of a turn.
func callsIn(events []assent.LoggedEvent) int {
	n := 0
	for _, ev := range events {
		if ev.Type == (assent.ToolCallEvent{}).EventType() {
			n++
		}
	}
	return n
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

// closeCalls gives each call of a turn that has no result one: the state of the
// plan for one that planned or awaited a run, cancelled for everything else. A
// call without its result would make every later request invalid.
func (p *Planner) closeCalls(tx *store.Tx, t *turn, out *loop.Outcome, reason string) error {
	items, err := tx.ListTurnHistory(context.Background(), t.ID)
	if err != nil {
		return err
	}
	open, told, pos, err := openCalls(items)
	if err != nil {
		return err
	}
	for _, c := range open {
		pos++
		if err := p.answerCall(tx, t.Turn, c, pos, told, reason); err != nil {
			return err
		}
	}
	t.pos, out.Position = max(t.pos, pos+1), max(out.Position, pos+1)
	return nil
}

// openCalls gives the calls without a result in order, what the results so far
// say, and the last position that is taken.
func openCalls(items []assent.HistoryItem) (open []llm.Call, told string, pos int64, err error) {
	answered := map[string]bool{}
	var calls []llm.Call
	for _, it := range items {
		var m llm.Message
		if err := json.Unmarshal(it.Data, &m); err != nil {
			return nil, "", 0, err
		}
		calls = append(calls, m.Calls...)
		if m.Role == llm.RoleTool {
			answered[m.CallID] = true
			told += m.Content
		}
		pos = max(pos, it.Position+int64(len(m.Calls)))
	}
	for _, c := range calls {
		if !answered[c.ID] {
			open = append(open, c)
		}
	}
	return open, told, pos, nil
}

func (p *Planner) answerCall(tx *store.Tx, row assent.Turn, c llm.Call, pos int64, told, reason string) error {
	call := assent.ToolCall{ID: c.ID, Tool: c.Name, Arguments: c.Arguments}
	res, ok := assent.ToolResult{}, false
	switch c.Name {
	case executePlan:
		res, ok = runState(tx, c.Arguments)
	case createPlan:
		res, ok = madePlan(tx, row, told)
	}
	if !ok {
		res = assent.ToolResult{Err: &assent.Error{Code: assent.CodeCancelled, Message: reason}}
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
func runState(tx *store.Tx, args json.RawMessage) (assent.ToolResult, bool) {
	var a struct {
		PlanID string `json:"plan_id"`
	}
	if json.Unmarshal(args, &a) != nil {
		return assent.ToolResult{}, false
	}
	pl, err := tx.FindPlanWhole(context.Background(), a.PlanID)
	if err != nil || len(pl.Runs) == 0 {
		return assent.ToolResult{}, false
	}
	return runResult(plan.ResultOf(pl.Runs[len(pl.Runs)-1], assent.PlanDocument{Steps: pl.Steps})), true
}

// madePlan is the plan that an open agent_create_plan had made already: the
// newest of its turn that no result has told of. Were the call cancelled, the
// model would plan the same again.
func madePlan(tx *store.Tx, row assent.Turn, told string) (assent.ToolResult, bool) {
	plans, err := tx.ListPlansBySession(context.Background(), row.SessionID)
	if err != nil {
		return assent.ToolResult{}, false
	}
	for _, pl := range slices.Backward(plans) {
		if pl.TurnID != row.ID || strings.Contains(told, pl.ID) {
			continue
		}
		out := planOutput{PlanID: pl.ID, Version: pl.Version, Status: pl.Status, Objective: pl.Objective, Steps: pl.Steps, Preview: pl.Preview,
			Next: "This is how it stands. Do not plan it again."}
		if n := len(pl.Runs); n > 0 {
			res := plan.ResultOf(pl.Runs[n-1], assent.PlanDocument{Steps: pl.Steps})
			out.Result = &res
		}
		b, err := json.Marshal(out)
		return assent.ToolResult{Output: b, Summary: string(pl.Status)}, err == nil
	}
	return assent.ToolResult{}, false
}
