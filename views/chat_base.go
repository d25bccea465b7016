package views

import (
	"encoding/json"
	"slices"

	"assent/internal/assent"
)

// Stored is what is kept of a conversation besides its log. It stands in for
// the part of the log that has been pruned.
type Stored struct {
	Messages []assent.Message
	Turns    []assent.Turn
	Plans    []assent.Plan // whole
	Before   assent.Time   // time of the first event still kept; 0 if none is
}

// RestoreChat folds the kept events of a log whose prefix is gone onto what the
// stored rows tell of that prefix. The rows are turned into the events that
// they came from, as far as they tell, so that there is one way to show things.
func RestoreChat(s assent.Session, st Stored, kept []assent.LoggedEvent) *Chat {
	c := NewChat(s)
	b := base{stored: st, kept: keptIDs(kept)}
	for i, ev := range b.events() {
		ev.Seq = int64(i) - 1_000_000 // before every event of a log
		c.apply(ev)
	}
	for _, ev := range kept {
		c.Apply(ev)
	}
	return c
}

// base makes events of stored rows.
type base struct {
	stored Stored
	kept   map[string]bool
	out    []assent.LoggedEvent
}

// keptIDs names what the kept events tell of already: "message m1", "done t1".
func keptIDs(events []assent.LoggedEvent) map[string]bool {
	out := map[string]bool{}
	for _, ev := range events {
		switch ev.Type {
		case "session", "done":
			out[ev.Type+" "+ev.TurnID] = true
		case "message":
			var e assent.MessageEvent
			if json.Unmarshal(ev.Data, &e) == nil {
				out["message "+e.MessageID] = true
			}
		}
	}
	return out
}

func (b *base) gone(at assent.Time) bool {
	return at != 0 && (b.stored.Before == 0 || at < b.stored.Before)
}

func (b *base) add(at assent.Time, turn string, ev assent.Event) {
	data, err := json.Marshal(ev)
	if err == nil && b.gone(at) {
		b.out = append(b.out, assent.LoggedEvent{TurnID: turn, Type: ev.EventType(), At: at, Data: data})
	}
}

// events gives what was before the log, in order of time.
func (b *base) events() []assent.LoggedEvent {
	for _, m := range b.stored.Messages {
		if m.Role == assent.RoleUser && b.kept["message "+m.ID] {
			continue
		}
		at := m.CreatedAt
		if m.Role == assent.RoleAssistant && b.cut(m.TurnID) && b.stored.Before != 0 {
			at = min(at, b.stored.Before-1) // its end may be kept, its beginning is not
		}
		if m.Role == assent.RoleUser || b.cut(m.TurnID) {
			b.add(at, m.TurnID, assent.MessageEvent{MessageID: m.ID, Role: m.Role, Content: m.Content, Stopped: m.Stopped, Reading: m.Reading})
		}
	}
	for _, p := range b.stored.Plans {
		b.plan(p)
	}
	for _, t := range b.stored.Turns {
		b.turn(t)
	}
	slices.SortStableFunc(b.out, func(x, y assent.LoggedEvent) int { return int(x.At - y.At) })
	return b.out
}

// cut reports whether the log has lost the beginning of a turn.
func (b *base) cut(turn string) bool {
	for _, t := range b.stored.Turns {
		if t.ID == turn {
			return b.gone(t.CreatedAt) && !b.kept["session "+turn]
		}
	}
	return false
}

func (b *base) turn(t assent.Turn) {
	if t.Status == assent.TurnRunning && !b.kept["session "+t.ID] {
		b.add(t.StartedAt, t.ID, assent.SessionEvent{SessionID: t.SessionID})
	}
	if !t.Status.Ended() || b.kept["done "+t.ID] {
		return
	}
	if t.Error != nil {
		b.add(t.EndedAt, t.ID, assent.ErrorEvent{Code: string(t.Error.Code), Message: t.Error.Message})
	}
	b.add(t.EndedAt, t.ID, assent.Done{Status: t.Status, Usage: t.Usage, DurationMS: int64(t.EndedAt - t.StartedAt)})
}

func (b *base) plan(p assent.Plan) {
	for _, v := range p.Versions {
		at, objective := v.CreatedAt, v.Document.Objective
		b.add(at, "", assent.PlanCreated{PlanID: p.ID, Version: v.Version, Hash: v.Hash, Objective: objective, Mode: p.Mode, Steps: v.Steps, Preview: v.Preview})
		if v.ReadySeq > 0 {
			b.add(at, "", assent.PlanReady{PlanID: p.ID, Version: v.Version, Hash: v.Hash, Objective: objective, Mode: p.Mode, Steps: v.Steps,
				Preview: v.Preview, Reasoning: v.Document.Reasoning})
		}
	}
	for _, r := range p.Reviews {
		b.add(r.At, "", assent.PlanReview{PlanID: p.ID, Version: r.Version, Reviewer: r.Reviewer, Verdict: r.Verdict, Findings: r.Findings})
	}
	for _, r := range p.Runs {
		b.run(p, r)
	}
	if len(p.Runs) == 0 && p.Status != assent.PlanDraft && p.Status != assent.PlanPendingReview {
		b.add(p.UpdatedAt, "", assent.PlanState{PlanID: p.ID, Version: p.Version, Status: p.Status})
	}
}

func (b *base) run(p assent.Plan, r assent.Run) {
	b.add(r.StartedAt, r.TurnID, assent.PlanState{PlanID: p.ID, Version: r.Version, Status: assent.PlanRunning})
	b.add(r.StartedAt, r.TurnID, assent.RunState{RunID: r.ID, PlanID: p.ID, Status: assent.RunRunning})
	for _, s := range r.Steps {
		if s.Attempt == 0 {
			continue
		}
		b.add(s.StartedAt, r.TurnID, assent.StepStart{RunID: r.ID, PlanID: p.ID, Path: s.Path, Attempt: s.Attempt, Status: assent.StepRunning, Arguments: s.Arguments})
		b.add(s.EndedAt, r.TurnID, assent.StepComplete{RunID: r.ID, PlanID: p.ID, Path: s.Path, Attempt: s.Attempt, Status: s.Status,
			Summary: s.Summary, Error: s.Error, DurationMS: int64(s.EndedAt - s.StartedAt)})
	}
	if r.Status != assent.RunRunning {
		at := r.EndedAt
		if at == 0 {
			at = p.UpdatedAt
		}
		b.add(at, r.TurnID, assent.PlanState{PlanID: p.ID, Version: r.Version, Status: planStatusOfRun(r.Status)})
		b.add(at, r.TurnID, assent.RunState{RunID: r.ID, PlanID: p.ID, Status: r.Status})
	}
}

// planStatusOfRun is what a run's status makes of its plan's.
func planStatusOfRun(s assent.RunStatus) assent.PlanStatus { return assent.PlanStatus(s) }
