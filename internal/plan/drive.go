package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
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
	var b basis
	for ctx.Err() == nil {
		again, err := s.advance(ctx, runID, &b)
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
func (s *Service) advance(ctx context.Context, runID string, b *basis) (again bool, err error) {
	j, err := s.load(ctx, runID, b)
	if err != nil {
		return false, err
	}
	held := j.run.NotBefore > 0 && s.Clock().Before(j.run.NotBefore.Std())
	switch c := Next(State{Document: j.doc, Run: j.run, Held: held, Unsafe: s.unsafe(ctx, j)}).(type) {
	case Rest:
		return false, nil
	case Hold:
		return true, s.hold(ctx, j.run)
	case Finish:
		return false, s.finish(ctx, j.run, c.Status)
	case Begin:
		return true, s.step(ctx, j, c.Path)
	case Open:
		return true, s.open(ctx, j, c.Path)
	case Fork:
		return true, s.fork(ctx, j, c)
	case Merge:
		return true, s.merge(ctx, j, c.Path)
	case Ask:
		return false, s.ask(ctx, j, c.Path)
	}
	return false, nil
}

// basis is what stays the same while a run is driven: the document, where each
// step stands in it, and for whom it runs.
type basis struct {
	doc     assent.PlanDocument
	digests map[string]string // of the approved version
	shown   assent.Time       // when that version was made
	places  map[string]lang.Place
	scope   assent.Scope
}

func newBasis(doc assent.PlanDocument) basis {
	b := basis{doc: doc, places: map[string]lang.Place{}}
	for _, p := range lang.Paths(doc) {
		b.places[p.Path] = p
	}
	return b
}

// job is a run as it stood when it was loaded.
type job struct {
	basis
	run assent.Run
}

// load reads a run, and its basis if b is empty.
func (s *Service) load(ctx context.Context, runID string, b *basis) (job, error) {
	run, err := s.Store.FindRun(ctx, runID)
	if err != nil {
		return job{}, err
	}
	if b.places == nil {
		v, err := s.Store.FindPlanVersion(ctx, run.PlanID, run.Version)
		if err != nil {
			return job{}, err
		}
		*b = newBasis(v.Document)
		b.digests, b.shown = v.Digests, v.CreatedAt
		if b.scope, err = s.scope(ctx, run); err != nil {
			return job{}, err
		}
	}
	return job{basis: *b, run: run}, nil
}

// row is a step's journal as it was when the job was loaded.
func (j job) row(path string) assent.StepRun {
	for _, sr := range j.run.Steps {
		if sr.Path == path {
			return sr
		}
	}
	return assent.StepRun{}
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

// step journals a step's arguments, runs it and journals its end.
func (s *Service) step(ctx context.Context, j job, path string) (err error) {
	st := j.places[path].Step
	if st.Type == assent.StepCheckpoint {
		return s.checkpoint(ctx, j, path)
	}
	ctx, ended := s.Span(ctx, j.run, path, st)
	defer func() { ended(err) }()
	args, prompt, rerr := resolve(j, st)
	a, err := s.begin(ctx, j, path, args)
	if err != nil {
		return err
	}
	if rerr != nil {
		return s.end(ctx, a, assent.ToolResult{Err: asError(rerr)})
	}
	scope := j.scope
	scope.StepPath, scope.Generation = path, j.run.Generation
	limit, late := s.limit(j.run, st)
	if late != nil {
		return s.end(ctx, a, assent.ToolResult{Err: late})
	}
	stepCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if st.Type == assent.StepAgent {
		return s.agentStep(ctx, stepCtx, a, AgentCall{Scope: scope, Step: st, Prompt: prompt, With: args})
	}
	return s.toolStep(ctx, stepCtx, a, scope, args)
}

// resolve puts earlier outputs in the place of references: into the arguments
// of a tool, and into what an agent is given.
func resolve(j job, st assent.Step) (args json.RawMessage, prompt string, err error) {
	env := environment(j)
	if st.Type != assent.StepAgent {
		args, err = lang.Resolve(arguments(st), env)
		return args, "", err
	}
	with := st.With
	if len(with) == 0 {
		with = json.RawMessage("{}")
	}
	if args, err = lang.Resolve(with, env); err != nil {
		return args, "", err
	}
	prompt, err = lang.ResolveText(st.Prompt, env)
	return args, prompt, err
}

// toolStep runs a tool step. A write is recorded in its own transaction.
func (s *Service) toolStep(ctx, stepCtx context.Context, a attempt, scope assent.Scope, args json.RawMessage) error {
	recorded := false
	res := s.Executor.Execute(stepCtx, tool.Call{Scope: scope, Shown: a.shownAt(), Guard: s.fence(a),
		ToolCall: assent.ToolCall{ID: a.key(), Tool: a.step.Tool, Arguments: args},
		Record: func(tx *store.Tx, r assent.ToolResult) error {
			recorded = true
			return s.record(tx, a, r)
		}})
	s.Point("ran", a.path)
	switch {
	case res.Err == nil && recorded:
		return nil
	case res.Err != nil && errors.Is(res.Err, errFenced):
		return errFenced
	case ctx.Err() != nil:
		return ctx.Err() // a shutdown: the step stays running and is taken up again
	case res.Err != nil && stepCtx.Err() != nil:
		res.Err = s.tooLate(a.step)
	}
	return s.end(ctx, a, res)
}

// limit is how long a step may take: its own limit, or what is left of the
// run's, which counts the time in which steps ran. late: nothing is left.
func (s *Service) limit(run assent.Run, st assent.Step) (limit time.Duration, late *assent.Error) {
	limit = s.Limits.Step
	if st.TimeoutMS > 0 {
		limit = min(limit, time.Duration(st.TimeoutMS)*time.Millisecond)
	}
	if s.Limits.Run <= 0 {
		return limit, nil
	}
	left := s.Limits.Run - active(run)
	if left <= 0 {
		return 0, assent.Errorf(assent.CodeTimeout, "The run has used up its %s. What was done is kept.", s.Limits.Run)
	}
	return min(limit, left), nil
}

// active is how long the steps of a run have run, one at a time or side by side;
// what passes while a container waits for a person or a process is gone is not in
// it.
func active(run assent.Run) (sum time.Duration) {
	spans := slices.DeleteFunc(slices.Clone(run.Steps), func(sr assent.StepRun) bool {
		return sr.EndedAt == 0 || sr.StartedAt == 0 || sr.Type == assent.StepCheckpoint || sr.Type == assent.StepParallel
	})
	slices.SortFunc(spans, func(a, b assent.StepRun) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	until := assent.Time(0)
	for _, sr := range spans {
		if from := max(sr.StartedAt, until); sr.EndedAt > from {
			sum += sr.EndedAt.Std().Sub(from.Std())
			until = sr.EndedAt
		}
	}
	return sum
}

func (s *Service) tooLate(st assent.Step) *assent.Error {
	return assent.Errorf(assent.CodeTimeout, "The step “%s” did not finish in the time it had.", name(st))
}

func arguments(st assent.Step) json.RawMessage {
	if len(st.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return st.Arguments
}

// environment is what references may see: the journal of earlier steps. What
// the children of a first_success put out is seen through the winner alone.
func environment(j job) lang.Env {
	env := lang.Env{Outputs: make([]json.RawMessage, len(j.doc.Steps)), Results: map[string]json.RawMessage{}, Bindings: map[string]json.RawMessage{}}
	for _, sr := range j.run.Steps {
		p := j.places[sr.Path]
		if sr.Status != assent.StepSuccess || p.Parent != "" && j.places[p.Parent].Step.Merge == lang.MergeFirstSuccess {
			continue
		}
		if p.Parent == "" {
			env.Outputs[p.Top] = sr.Outputs
		}
		if key := p.Step.ResultKey; key != "" {
			env.Results[key] = sr.Outputs
		}
	}
	if len(j.run.Bindings) > 0 {
		// A run's bindings were checked when the plan was stored.
		_ = json.Unmarshal(j.run.Bindings, &env.Bindings)
	}
	return env
}

// scope is for whom and with what rights the steps of a run are run.
func (s *Service) scope(ctx context.Context, run assent.Run) (assent.Scope, error) {
	p, err := s.Store.FindPerson(ctx, run.UserID)
	if err != nil {
		return assent.Scope{}, err
	}
	plan, err := s.Store.FindPlan(ctx, run.PlanID)
	if err != nil {
		return assent.Scope{}, err
	}
	return assent.Scope{Person: p, SessionID: run.SessionID, TurnID: run.TurnID, RunID: run.ID, PlanID: run.PlanID,
		RequestID: run.ID, Caller: assent.CallerPlan, ContextType: plan.ContextType, Zone: p.Zone()}, nil
}

func asError(err error) *assent.Error {
	var e *assent.Error
	if errors.As(err, &e) {
		return e
	}
	return &assent.Error{Code: assent.CodeInternal, Message: "Internal error.", Err: err}
}
