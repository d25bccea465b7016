package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/store"
)

// ending is how a turn ends.
type ending struct {
	status  assent.TurnStatus
	problem *assent.Problem
	err     error // for the error row
}

// finish gives a turn its end: message, totals and done in one transaction,
// then lets the next one begin.
func (p *Planner) finish(ctx context.Context, t *turn, out loop.Outcome, err error) {
	end := p.endingOf(ctx, t, err)
	bg := context.WithoutCancel(ctx)
	if err := t.sink.Flush(bg); err != nil && end.err == nil {
		end = ending{status: assent.TurnFailed, problem: assent.ProblemOf(err), err: err}
	}
	if err := p.offerDrafts(bg, t); err != nil {
		slog.Error("asking for a plan's word", "turn", t.ID, "error", err)
	}
	closing, err := p.closing(bg, t, out)
	if err != nil {
		slog.Error("closing line", "turn", t.ID, "error", err)
	}
	p.settle(bg, closure{turn: t, out: out, end: end, closing: closing}, retryFirst)
}

// endingOf decides how a turn ended.
func (p *Planner) endingOf(ctx context.Context, t *turn, err error) ending {
	if err == nil {
		return ending{status: assent.TurnCompleted}
	}
	if st, ok := stopped(ctx); ok {
		switch {
		case st == assent.TurnFailed && t.run != "":
			return ending{status: assent.TurnCompleted} // the run goes on; its report tells the rest
		case st == assent.TurnFailed:
			e := assent.Errorf(assent.CodeTimeout, "This took longer than %s, so it was stopped. What was said and done so far is kept; you can ask to go on.", p.Limits.Turn)
			return ending{status: st, problem: assent.ProblemOf(e), err: e}
		}
		return ending{status: st}
	}
	var budget *assent.Error
	if errors.As(err, &budget) && budget.Code == assent.CodeBudgetExceeded {
		return ending{status: assent.TurnFailed, err: err, problem: assent.ProblemOf(budget)}
	}
	var le *llm.Error
	if errors.As(err, &le) {
		return ending{status: assent.TurnFailed, err: err, problem: &assent.Problem{Code: assent.Code(le.Class), Message: le.Class.Sentence(), Details: map[string]any{}}}
	}
	problem := assent.ProblemOf(err)
	if problem.Code == assent.CodeInternal {
		problem.Message = "Something went wrong on our side. Your words and what was done so far are kept; please try again."
	}
	return ending{status: assent.TurnFailed, problem: problem, err: err}
}

// offerDrafts asks for the person's word on plans that this turn left as
// drafts: after the rounds of review it is theirs to decide.
func (p *Planner) offerDrafts(ctx context.Context, t *turn) error {
	if t.calls == 0 {
		return nil
	}
	plans, err := p.Store.ListPlansBySession(ctx, t.SessionID)
	if err != nil {
		return err
	}
	for _, pl := range plans {
		if pl.Status == assent.PlanDraft {
			if _, err := p.Plans.Ready(ctx, pl.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// closing renders from the journal what the turn wrote and what waits now; ""
// if it neither planned nor wrote.
func (p *Planner) closing(ctx context.Context, t *turn, out loop.Outcome) (string, error) {
	if t.calls == 0 && out.ToolCalls == 0 && t.RunID == "" && (t.message.Reading == nil) {
		return "", nil
	}
	var lines []string
	if t.run != "" {
		lines = append(lines, "The plan is still running; I will tell you here when it ends.")
	}
	revs, err := p.writes(ctx, t)
	if err != nil {
		return "", err
	}
	if w := wrote(revs); w != "" {
		lines = append(lines, w)
	}
	plans, err := p.Store.ListPlansBySession(ctx, t.SessionID)
	if err != nil {
		return "", err
	}
	for _, pl := range plans {
		if pl.Status == assent.PlanPendingReview {
			lines = append(lines, fmt.Sprintf("Version %d waits for your word: %s. Say “go ahead”, say what to change, or discard it.", pl.Version, strings.TrimRight(pl.Objective, ".")))
		}
	}
	return strings.Join(lines, " "), nil
}

// writes are the revisions of this turn and of the run it reports.
func (p *Planner) writes(ctx context.Context, t *turn) ([]assent.Revision, error) {
	if t.Kind == assent.TurnReport {
		return p.Store.ListRunRevisions(ctx, t.RunID)
	}
	return p.Store.ListTurnRevisions(ctx, t.ID)
}

// wrote counts revisions in words: "Created 1 project and 9 tasks."
func wrote(revs []assent.Revision) string {
	verbs := map[string]map[assent.Kind]map[string]bool{}
	for _, r := range revs {
		verb := map[string]string{"create": "created", "update": "changed", "delete": "deleted", "restore": "restored"}[r.Op]
		if verbs[verb] == nil {
			verbs[verb] = map[assent.Kind]map[string]bool{}
		}
		if verbs[verb][r.Kind] == nil {
			verbs[verb][r.Kind] = map[string]bool{}
		}
		verbs[verb][r.Kind][r.EntityID] = true
	}
	var parts []string
	for _, verb := range []string{"created", "changed", "deleted", "restored"} {
		var kinds []string
		for _, k := range assent.Kinds() {
			if n := len(verbs[verb][k]); n > 0 {
				kinds = append(kinds, fmt.Sprintf("%d %s", n, plural(string(k), n)))
			}
		}
		if len(kinds) > 0 {
			parts = append(parts, verb+" "+assent.List(kinds))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "On record: " + strings.Join(parts, "; ") + "."
}

func plural(s string, n int) string {
	if n == 1 {
		return s
	}
	return s + "s"
}

// end writes the end of a turn.
func (p *Planner) end(tx *store.Tx, t *turn, out loop.Outcome, e ending, closing string) error {
	var events []assent.Event
	content := out.Text
	if closing != "" {
		delta := closing
		if content != "" {
			delta = "\n\n" + closing
		}
		content += delta
		events = append(events, assent.Text{Delta: delta})
	}
	var err error
	if out.Usage, err = spent(tx, t.ID); err != nil {
		return err
	}
	ok, err := tx.EndTurn(t.ID, e.status, out.Usage, e.problem)
	if err != nil || !ok {
		return err
	}
	answer, err := p.keepAnswer(tx, t, out, e, content)
	if err != nil {
		return err
	}
	waiting, err := p.waiting(tx, t)
	if err != nil {
		return err
	}
	failure, err := p.recordError(tx, t, e)
	if err != nil {
		return err
	}
	if err := tx.TouchSession(t.SessionID); err != nil {
		return err
	}
	events = append(slices.Concat(events, answer, waiting, failure), assent.Done{Status: e.status, Usage: out.Usage, Counts: p.counts(t, out), DurationMS: p.Clock().Sub(t.started).Milliseconds()})
	_, err = tx.Append(t.SessionID, t.ID, events...)
	return err
}

func (p *Planner) counts(t *turn, out loop.Outcome) map[string]int {
	return map[string]int{"tool_calls": out.ToolCalls, "model_calls": int(out.Usage.Calls)}
}

// keepAnswer stores what was said: as the message that people see and, so that
// later turns know it, as the end of the model's history.
func (p *Planner) keepAnswer(tx *store.Tx, t *turn, out loop.Outcome, e ending, content string) ([]assent.Event, error) {
	if content == "" {
		return nil, nil
	}
	m := assent.Message{ID: tx.NewID(), SessionID: t.SessionID, TurnID: t.ID, Role: assent.RoleAssistant, Content: content,
		Stopped: e.status == assent.TurnStopped || e.status == assent.TurnInterrupted, CreatedAt: tx.Now()}
	if err := tx.CreateMessage(m); err != nil {
		return nil, err
	}
	events := []assent.Event{assent.MessageEvent{MessageID: m.ID, Role: m.Role, Content: m.Content, Stopped: m.Stopped}}
	last, err := remembered(tx, t, out, content)
	if err != nil || last.Content == "" {
		return events, err
	}
	data, err := json.Marshal(last)
	if err != nil {
		return nil, err
	}
	return events, tx.CreateHistoryItem(t.SessionID, assent.HistoryItem{TurnID: t.ID, Position: max(out.Position, t.pos) + 1, Data: data})
}

// remembered is the end of a turn as later turns show it to a model: its last
// answer, or, of a turn that was broken off, what was said since its last calls.
// What was said with calls stands in the history already.
func remembered(tx *store.Tx, t *turn, out loop.Outcome, content string) (llm.Message, error) {
	if n := len(out.Messages); n > 0 && out.Messages[n-1].Role == llm.RoleAssistant && len(out.Messages[n-1].Calls) == 0 {
		return out.Messages[n-1], nil
	}
	items, err := tx.ListTurnHistory(context.Background(), t.ID)
	if err != nil {
		return llm.Message{}, err
	}
	for _, it := range items {
		var m llm.Message
		if err := json.Unmarshal(it.Data, &m); err != nil {
			return llm.Message{}, err
		}
		if m.Role == llm.RoleAssistant {
			content = strings.TrimPrefix(content, m.Content)
		}
	}
	return llm.Message{Role: llm.RoleAssistant, Content: strings.TrimSpace(content)}, nil
}

// waiting says that the conversation waits for the person, if a plan does.
func (p *Planner) waiting(tx *store.Tx, t *turn) ([]assent.Event, error) {
	n, err := tx.CountWaitingIn(context.Background(), t.SessionID)
	if err != nil || n == 0 {
		return nil, err
	}
	return []assent.Event{assent.AgentState{State: assent.StateWaitingOnUser, ContextType: t.session.ContextType}}, nil
}

// recordError tells the person in a sentence and the admins in detail. What a
// model failed with is on record already: the gateway knows more of it. A budget
// that is used up is not: many calls of a turn may meet it, and one row is enough.
func (p *Planner) recordError(tx *store.Tx, t *turn, e ending) ([]assent.Event, error) {
	if e.problem == nil {
		return nil, nil
	}
	code := e.problem.Code
	told := assent.ErrorEvent{Code: string(code), Message: e.problem.Message, Retryable: code == assent.CodeTimeout}
	var le *llm.Error
	if errors.As(e.err, &le) && code != assent.CodeBudgetExceeded {
		told.Retryable = le.Class.Retryable()
		return []assent.Event{told}, nil
	}
	if e.err != nil && code == assent.CodeInternal {
		slog.Error("turn failed", "session", t.SessionID, "turn", t.ID, "error", e.err)
	}
	class := string(code)
	if code == assent.CodeBudgetExceeded { // as when a provider's own is used up
		class = string(llm.ClassQuota)
	}
	return []assent.Event{told}, tx.CreateErrorRow(assent.ErrorRow{Code: code, Class: class, Component: "planner", Stage: "planner_loop",
		Operation: assent.OpPlannerStream, ContextType: t.session.ContextType, ExecutionMode: t.ExecutionMode, SessionID: t.SessionID, TurnID: t.ID,
		RunID: t.RunID, UserID: t.UserID, Message: e.problem.Message})
}
