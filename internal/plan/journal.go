package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// begin journals a step's resolved arguments and takes the fence. What has an
// effect outside of the database begins under a commit that survives power loss.
func (s *Service) begin(ctx context.Context, j job, path string, args json.RawMessage) (attempt, error) {
	a := attempt{job: j, path: path, step: j.places[path].Step, start: s.Clock()}
	write := s.Store.Write
	if s.reachesOut(a.step) {
		write = s.Store.WriteFull
	}
	err := write(ctx, func(tx *store.Tx) error {
		cur, err := s.owned(tx, j)
		if err != nil {
			return err
		}
		if err := s.dispatch(tx, &cur, a); err != nil {
			return err
		}
		if a.number, err = tx.BeginStep(cur.ID, path, args); err != nil {
			return err
		}
		_, err = tx.Append(cur.SessionID, cur.TurnID, assent.StepStart{RunID: cur.ID, PlanID: cur.PlanID, Path: path, Attempt: a.number,
			Status: assent.StepRunning, Arguments: args})
		s.Point("beginning", path)
		return err
	})
	s.Point("begun", path)
	return a, err
}

// owned gives the run's row if it still runs as the job knows it.
func (s *Service) owned(tx *store.Tx, j job) (assent.Run, error) {
	cur, err := unended(tx, j.run)
	if err == nil && cur.Status != assent.RunRunning {
		err = errFenced
	}
	return cur, err
}

// unended gives the row of a run that has neither ended nor been set back; a
// step under way may still journal its end while the run is paused.
func unended(tx *store.Tx, run assent.Run) (assent.Run, error) {
	cur, err := tx.FindRunHead(context.Background(), run.ID)
	if err == nil && (cur.Status.Ended() || cur.Generation != run.Generation) {
		err = errFenced
	}
	return cur, err
}

// dispatch moves the run's state machine for the begin of a step. A child begins
// only while its parallel step is under way.
func (s *Service) dispatch(tx *store.Tx, cur *assent.Run, a attempt) error {
	if parent := a.parent(); parent != "" {
		container, err := tx.FindStepRun(context.Background(), cur.ID, parent)
		if err == nil && container.Status != assent.StepRunning {
			err = errFenced
		}
		return err
	}
	if a.step.Type == assent.StepParallel {
		return s.move(tx, cur, eventDispatch, eventAwait)
	}
	return s.move(tx, cur, eventDispatch)
}

// reachesOut reports a step whose effect does not lie in the database alone.
func (s *Service) reachesOut(st assent.Step) bool {
	t, ok := s.Registry.Find(st.Tool)
	return st.Type == assent.StepAgent || st.Type == assent.StepTool && ok && outside(t)
}

// outside reports a tool whose effect does not lie in the database.
func outside(t *tool.Tool) bool { return !t.Writes() && t.Spec.Effect != assent.EffectRead }

// move takes one transition of the run's state machine in tx; the row guards it.
func (s *Service) move(tx *store.Tx, run *assent.Run, events ...string) error {
	to := *run
	for _, ev := range events {
		next, err := transition(context.Background(), to.State, ev)
		if err != nil {
			return err
		}
		to.State = next
		tx.After(func() {
			slog.Debug("run", "run", run.ID, "event", ev, "state", next)
			s.Observe(ev, next)
		})
	}
	to.Status = statusOf(to.State)
	if to.Status.Ended() {
		to.EndedAt = tx.Now()
	} else {
		to.EndedAt = 0
	}
	if ok, err := tx.MoveRun(*run, to); err != nil || !ok {
		return orFenced(err)
	}
	*run = to
	return nil
}

func orFenced(err error) error {
	if err != nil {
		return err
	}
	return errFenced
}

// end journals a step's outcome in a transaction of its own (a read, or a
// failure whose write was rolled back).
func (s *Service) end(ctx context.Context, a attempt, r assent.ToolResult) error {
	return s.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return s.record(tx, a, r) })
}

// record journals a step's outcome and what follows from it. For a write it
// runs in the transaction of the effect: one commit, exactly once.
func (s *Service) record(tx *store.Tx, a attempt, r assent.ToolResult) error {
	cur, err := unended(tx, a.run)
	if err != nil {
		return err
	}
	sr := assent.StepRun{RunID: a.run.ID, Path: a.path, Attempt: a.number, Status: assent.StepSuccess, Outputs: r.Output, Summary: r.Summary}
	if r.Err != nil {
		sr.Status, sr.Error, sr.Summary = assent.StepFailed, assent.ProblemOf(r.Err), r.Err.Message
	}
	if ok, err := tx.EndStep(sr); err != nil || !ok {
		return orFenced(err)
	}
	if _, err := tx.Append(a.run.SessionID, a.run.TurnID, assent.StepComplete{RunID: a.run.ID, PlanID: a.run.PlanID, Path: a.path, Attempt: a.number,
		Status: sr.Status, Outputs: shown(r.Output), Summary: sr.Summary, Entity: s.made(a.step, r), Error: sr.Error, DurationMS: s.Clock().Sub(a.start).Milliseconds()}); err != nil {
		return err
	}
	if r.Err != nil {
		if err := recordFailure(tx, a, cur, r.Err); err != nil {
			return err
		}
	}
	err = s.follow(tx, cur, a, r, sr.Error)
	s.Point("ending", a.path)
	return err
}

// follow sees to what a step's end means for the run. A child's end means
// nothing yet, unless it wins.
func (s *Service) follow(tx *store.Tx, cur assent.Run, a attempt, r assent.ToolResult, p *assent.Problem) error {
	switch {
	case a.parent() != "":
		if p == nil && a.races() {
			return s.wins(tx, cur, a, r)
		}
		return nil
	case p != nil:
		return s.fail(tx, cur, a.step, a.path, p)
	case cur.Status == assent.RunPaused:
		return nil // a pause came in meanwhile; it takes effect here
	case a.isLast(a.path):
		return s.complete(tx, cur, eventSuccess)
	}
	return s.move(tx, &cur, eventSuccess)
}

// made names what a built-in write made or changed; nil for reads, for what is
// gone now and for lists.
func (s *Service) made(st assent.Step, r assent.ToolResult) *assent.EntityRef {
	t, ok := s.Registry.Find(st.Tool)
	if !ok || r.Err != nil || st.Type != assent.StepTool || t.Spec.Effect != assent.EffectWrite {
		return nil
	}
	var out struct {
		Artifact struct {
			assent.EntityRef
			Name string `json:"name"`
		} `json:"artifact"`
	}
	if json.Unmarshal(r.Output, &out) != nil || out.Artifact.ID == "" || out.Artifact.Kind == "" {
		return nil
	}
	ref := out.Artifact.EntityRef
	if ref.Title == "" {
		ref.Title = out.Artifact.Name
	}
	return &ref
}

// maxShown bounds the outputs that a step_complete event carries.
const maxShown = 8 << 10

func shown(out json.RawMessage) json.RawMessage {
	if len(out) > maxShown {
		return nil
	}
	return out
}

// fail halts the run: what succeeded is kept, the rest is skipped.
func (s *Service) fail(tx *store.Tx, cur assent.Run, st assent.Step, path string, p *assent.Problem) error {
	steps, err := tx.ListStepRuns(context.Background(), cur.ID)
	if err != nil {
		return err
	}
	var rest []assent.StepRun
	for _, sr := range steps {
		if sr.Status != assent.StepPending {
			continue
		}
		if rest, err = markStep(tx, rest, sr, assent.StepSkipped); err != nil {
			return err
		}
	}
	cur.Error = p
	event := eventFailure
	if p.Code == assent.CodeTimeout {
		event = eventTimeout
	}
	if err := s.move(tx, &cur, event); err != nil {
		return err
	}
	if err := s.ended(tx, cur, fmt.Sprintf("Step “%s” failed: %s", name(st), p.Message)); err != nil {
		return err
	}
	return tellMoved(tx, cur, rest)
}

func name(st assent.Step) string {
	if st.Label != "" {
		return st.Label
	}
	return st.ID
}

func (s *Service) complete(tx *store.Tx, cur assent.Run, last string) error {
	if err := s.move(tx, &cur, last, eventFinish); err != nil {
		return err
	}
	return s.ended(tx, cur, "")
}

// finish ends a run for which Next found nothing more to do.
func (s *Service) finish(ctx context.Context, run assent.Run, st assent.RunStatus) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		event := eventFinish
		if st == assent.RunFailed {
			event = eventFailure
		}
		if run.State == stateValidated && event == eventFailure {
			event = eventInvalid
		}
		if err := s.move(tx, &run, event); err != nil {
			return err
		}
		return s.ended(tx, run, "")
	})
}

// ended tells everyone that a run has come to an end, and sees to the closing
// message where no turn awaits it.
func (s *Service) ended(tx *store.Tx, run assent.Run, reason string) error {
	if err := tx.SettleRunUsage(run.ID); err != nil {
		return err
	}
	if err := s.reportStates(tx, run, reason); err != nil {
		return err
	}
	if run.TurnID != "" {
		t, err := tx.FindTurn(context.Background(), run.TurnID)
		if err != nil {
			return err
		}
		if !t.Status.Ended() {
			return nil // it awaits the run and tells the rest itself
		}
	}
	return s.report(tx, run)
}

// reportStates writes the plan's status and both events.
func (s *Service) reportStates(tx *store.Tx, run assent.Run, reason string) error {
	p, err := tx.FindPlan(context.Background(), run.PlanID)
	if err != nil {
		return err
	}
	if to := planStatusOf(run.Status); p.Status != to {
		if _, err := tx.UpdatePlanStatus(p.ID, p.Status, to); err != nil {
			return err
		}
		if _, err := tx.Append(run.SessionID, run.TurnID, assent.PlanState{PlanID: p.ID, Version: run.Version, Status: to, Reason: reason}); err != nil {
			return err
		}
	}
	_, err = tx.Append(run.SessionID, run.TurnID, assent.RunState{RunID: run.ID, PlanID: run.PlanID, Status: run.Status, Reason: reason})
	return err
}

// ReportIn sees to the closing message of a run that has ended while the turn
// that awaited it could not tell of it any more.
func (s *Service) ReportIn(tx *store.Tx, runID string) error {
	run, err := tx.FindRunHead(context.Background(), runID)
	if err != nil || run.Status != assent.RunCompleted && run.Status != assent.RunFailed {
		return err
	}
	return s.report(tx, run)
}

// report queues the turn that tells how a run ended; unique per run.
func (s *Service) report(tx *store.Tx, run assent.Run) error {
	if has, err := tx.HasReport(run.ID); err != nil || has {
		return err
	}
	t := assent.Turn{ID: s.IDs(), SessionID: run.SessionID, UserID: run.UserID, RunID: run.ID, Kind: assent.TurnReport,
		ExecutionMode: assent.ModeAutoExecute, Status: assent.TurnQueued, CreatedAt: tx.Now()}
	if err := tx.CreateTurn(t, ""); err != nil {
		return err
	}
	tx.After(func() { s.Engine.Start(context.Background(), assent.JobTurn, t.ID) })
	return nil
}
