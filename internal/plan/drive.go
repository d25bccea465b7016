package plan

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
	"assent/internal/tool"
)

// errFenced says that this attempt is not the step's owner any more.
var errFenced = &assent.Error{Code: assent.CodeCancelled, Message: "This step has a newer owner."}

// fullPause is how long a run waits on a full disk before it looks again.
const fullPause = 5 * time.Second

// Drive runs a run until it ends or waits for a person. It is the one executor
// of plans; the engine calls it, after a crash as well.
func (s *Service) Drive(ctx context.Context, runID string) {
	for ctx.Err() == nil {
		again, err := s.advance(ctx, runID)
		if errors.Is(err, errFenced) {
			return
		}
		if err != nil {
			if ctx.Err() == nil && assent.ErrorCode(err) != assent.CodeNotFound {
				slog.Error("driving a run", "run", runID, "error", err)
			}
			if assent.ErrorCode(err) == assent.CodeStorageFull {
				// Nothing of the step is stored, so it can begin again when there is room.
				time.AfterFunc(fullPause, func() { s.Engine.Start(context.Background(), assent.JobRun, runID) })
			}
			return
		}
		if !again {
			return
		}
	}
}

// advance does what Next says once; again is false when there is nothing to do.
func (s *Service) advance(ctx context.Context, runID string) (again bool, err error) {
	run, err := s.Store.FindRun(ctx, runID)
	if err != nil {
		return false, err
	}
	v, err := s.Store.FindPlanVersion(ctx, run.PlanID, run.Version)
	if err != nil {
		return false, err
	}
	held := run.NotBefore > 0 && s.Clock().Before(run.NotBefore.Std())
	for _, cmd := range Next(State{Document: v.Document, Run: run, Held: held}) {
		switch c := cmd.(type) {
		case Rest:
			return false, nil
		case Hold:
			return true, s.hold(ctx, run)
		case Finish:
			return false, s.finish(ctx, run, c.Status)
		case Begin:
			if err := s.step(ctx, run, v.Document, c); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// hold waits until the run may write, or until somebody changes its mind.
func (s *Service) hold(ctx context.Context, run assent.Run) error {
	bell, cancel := s.Store.Watch(run.SessionID)
	defer cancel()
	t := time.NewTimer(run.NotBefore.Std().Sub(s.Clock()))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-bell:
	case <-t.C:
	}
	return nil
}

// attempt is one try at one step.
type attempt struct {
	run    assent.Run
	step   assent.Step
	number int64
	start  time.Time
}

// step journals a step's arguments, runs it and journals its end.
func (s *Service) step(ctx context.Context, run assent.Run, doc assent.PlanDocument, c Begin) error {
	st := doc.Steps[c.Index]
	args, rerr := lang.Resolve(arguments(st), environment(run, doc))
	a, err := s.begin(ctx, run, st, args)
	if err != nil {
		return err
	}
	if rerr != nil {
		return s.end(ctx, a, assent.ToolResult{Err: asError(rerr)})
	}
	scope, err := s.scope(ctx, run, st)
	if err != nil {
		return err
	}
	limit := s.Limits.Step
	if st.TimeoutMS > 0 {
		limit = min(limit, time.Duration(st.TimeoutMS)*time.Millisecond)
	}
	stepCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	recorded := false
	res := s.Executor.Execute(stepCtx, tool.Call{Scope: scope,
		ToolCall: assent.ToolCall{ID: run.ID + "/" + st.ID, Tool: st.Tool, Arguments: args},
		Record: func(tx *store.Tx, r assent.ToolResult) error {
			recorded = true
			return s.record(tx, a, r)
		}})
	switch {
	case res.Err == nil && recorded:
		return nil
	case res.Err != nil && errors.Is(res.Err, errFenced):
		return errFenced
	case ctx.Err() != nil:
		return ctx.Err() // a shutdown: the step stays running and is taken up again
	}
	return s.end(ctx, a, res)
}

func arguments(st assent.Step) json.RawMessage {
	if len(st.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return st.Arguments
}

// environment is what references may see: the journal of earlier steps.
func environment(run assent.Run, doc assent.PlanDocument) lang.Env {
	env := lang.Env{Outputs: make([]json.RawMessage, len(doc.Steps)), Results: map[string]json.RawMessage{}, Bindings: map[string]json.RawMessage{}}
	for i, sr := range run.Steps {
		if sr.Status != assent.StepSuccess {
			continue
		}
		env.Outputs[i] = sr.Outputs
		if key := doc.Steps[i].ResultKey; key != "" {
			env.Results[key] = sr.Outputs
		}
	}
	if len(run.Bindings) > 0 {
		// A run's bindings were checked when the plan was stored.
		_ = json.Unmarshal(run.Bindings, &env.Bindings)
	}
	return env
}

// scope is for whom and with what rights a step runs.
func (s *Service) scope(ctx context.Context, run assent.Run, st assent.Step) (assent.Scope, error) {
	p, err := s.Store.FindPerson(ctx, run.UserID)
	if err != nil {
		return assent.Scope{}, err
	}
	plan, err := s.Store.FindPlan(ctx, run.PlanID)
	if err != nil {
		return assent.Scope{}, err
	}
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return assent.Scope{Person: p, SessionID: run.SessionID, TurnID: run.TurnID, RunID: run.ID, PlanID: run.PlanID, StepPath: st.ID,
		Generation: run.Generation, RequestID: run.ID, Caller: assent.CallerPlan, ContextType: plan.ContextType, Zone: zone}, nil
}

func asError(err error) *assent.Error {
	var e *assent.Error
	if errors.As(err, &e) {
		return e
	}
	return &assent.Error{Code: assent.CodeInternal, Message: "Internal error.", Err: err}
}
