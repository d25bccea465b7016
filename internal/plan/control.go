package plan

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// Act does what a person asks of a run; design 03 §6. What the run's state does
// not allow is a conflict that says what is allowed. Consent for actions that
// need it is the caller's business (package consent).
func (s *Service) Act(ctx context.Context, runID string, a assent.RunAction, by assent.Person) (assent.Run, error) {
	err := s.Store.Write(ctx, func(tx *store.Tx) error { return s.ActIn(tx, runID, a, by) })
	if err != nil {
		return assent.Run{}, err
	}
	return s.Store.FindRun(ctx, runID)
}

// ActIn is Act within a transaction under way; the engine hears of it after the
// commit.
func (s *Service) ActIn(tx *store.Tx, runID string, a assent.RunAction, by assent.Person) error {
	run, err := tx.FindRunHead(context.Background(), runID)
	if err != nil {
		return err
	}
	return s.actThenTell(tx, &run, a, by)
}

// UndoIn takes a whole run back within a transaction under way; one that still
// runs is cancelled first.
func (s *Service) UndoIn(tx *store.Tx, runID string, by assent.Person) error {
	run, err := tx.FindRunHead(context.Background(), runID)
	if err != nil {
		return err
	}
	if run.Status == assent.RunRunning {
		if err := s.act(tx, &run, assent.RunAction{Action: assent.ControlCancel}, by); err != nil {
			return err
		}
	}
	return s.actThenTell(tx, &run, assent.RunAction{Action: assent.ControlUndo}, by)
}

func (s *Service) actThenTell(tx *store.Tx, run *assent.Run, a assent.RunAction, by assent.Person) error {
	if err := s.act(tx, run, a, by); err != nil {
		return err
	}
	tx.After(func() {
		switch {
		case run.Status.Ended():
			s.Engine.Signal(context.Background(), run.ID, assent.SignalCancel)
		case run.Status == assent.RunRunning:
			s.Engine.Start(context.Background(), assent.JobRun, run.ID)
		}
	})
	return nil
}

func (s *Service) act(tx *store.Tx, run *assent.Run, a assent.RunAction, by assent.Person) error {
	steps, err := tx.ListStepRuns(context.Background(), run.ID)
	if err != nil {
		return err
	}
	now := allowed(run.State, steps)
	if !slices.Contains(now, string(a.Action)) {
		return &assent.Error{Code: assent.CodeConflict, Message: "The run does not allow that right now.", Details: map[string]any{"allowed": now}}
	}
	err = s.do(tx, run, a, steps, by)
	var e *assent.Error
	if errors.As(err, &e) && e.Code == assent.CodeConflict && e.Details["allowed"] == nil {
		said := *e
		said.Details = maps.Clone(e.Details)
		said.Details["allowed"] = now
		return &said
	}
	return err
}

// do does an action that the run's state allows.
func (s *Service) do(tx *store.Tx, run *assent.Run, a assent.RunAction, steps []assent.StepRun, by assent.Person) error {
	switch a.Action {
	case assent.ControlHuman:
		return s.answer(tx, run, steps, a)
	case assent.ControlCancel:
		return s.cancel(tx, run, steps)
	case assent.ControlContinue:
		return s.retry(tx, run, steps)
	case assent.ControlRollback:
		return s.rollback(tx, run, steps, by)
	case assent.ControlUndo:
		return s.undo(tx, run, steps, by)
	}
	if err := s.move(tx, run, eventOf(a.Action)); err != nil {
		return err
	}
	return s.reportStates(tx, *run, "")
}

// allowed lists the actions that a run takes: what its state allows, as far as
// its steps leave something to do.
func allowed(state string, steps []assent.StepRun) []string {
	return slices.DeleteFunc(Allowed(state), func(a string) bool {
		switch assent.ControlAction(a) {
		case assent.ControlRollback:
			return lastDone(steps) < 0
		case assent.ControlExecute:
			return !repeats(steps)
		}
		return false
	})
}

// lastDone is the place of the last finished top-level step; -1 if none has
// finished.
func lastDone(steps []assent.StepRun) int {
	last := -1
	for i, sr := range steps {
		if done(sr) && !strings.Contains(sr.Path, "/") {
			last = i
		}
	}
	return last
}

// repeats reports whether the step that comes next has run before: it was rolled
// back, or is to be tried once more.
func repeats(steps []assent.StepRun) bool {
	for _, sr := range steps {
		if sr.Status == assent.StepPending {
			return sr.Attempt > 0
		}
	}
	return false
}

// cancel ends a run: what succeeded is kept, the rest is skipped.
func (s *Service) cancel(tx *store.Tx, run *assent.Run, steps []assent.StepRun) error {
	rest, err := skipRest(tx, steps)
	if err != nil {
		return err
	}
	if err := s.move(tx, run, eventCancel); err != nil {
		return err
	}
	if err := s.reportStates(tx, *run, "cancelled"); err != nil {
		return err
	}
	return tellMoved(tx, *run, rest)
}

// skipRest marks what a run that ends here leaves undone, and gives it.
func skipRest(tx *store.Tx, steps []assent.StepRun) (rest []assent.StepRun, err error) {
	for _, sr := range steps {
		to := assent.StepSkipped
		if sr.Status == assent.StepRunning || sr.Status == assent.StepWaitingHuman {
			to = assent.StepCancelled
		} else if sr.Status != assent.StepPending {
			continue
		}
		if rest, err = markStep(tx, rest, sr, to); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// markStep moves a step to a status and puts it at the end of moved.
func markStep(tx *store.Tx, moved []assent.StepRun, sr assent.StepRun, to assent.StepStatus) ([]assent.StepRun, error) {
	move := tx.MarkStep
	if to == assent.StepPending {
		move = func(run, path string, from, _ assent.StepStatus) (bool, error) { return tx.ResetStep(run, path, from) }
	}
	if ok, err := move(sr.RunID, sr.Path, sr.Status, to); err != nil || !ok {
		return moved, err
	}
	sr.Status = to
	return append(moved, sr), nil
}

// tellMoved appends what became of steps that something other than their own
// end has moved. It comes behind the state of the run, which explains it.
func tellMoved(tx *store.Tx, run assent.Run, steps []assent.StepRun) error {
	events := make([]assent.Event, len(steps))
	for i, sr := range steps {
		if sr.Status == assent.StepPending {
			events[i] = assent.StepStart{RunID: run.ID, PlanID: run.PlanID, Path: sr.Path, Attempt: sr.Attempt, Status: sr.Status}
		} else {
			events[i] = assent.StepComplete{RunID: run.ID, PlanID: run.PlanID, Path: sr.Path, Attempt: sr.Attempt, Status: sr.Status}
		}
	}
	_, err := tx.Append(run.SessionID, run.TurnID, events...)
	return err
}

// reset sets steps back to be run, but for those that have succeeded.
func reset(tx *store.Tx, steps []assent.StepRun, succeeded bool) (back []assent.StepRun, err error) {
	for _, sr := range steps {
		if sr.Status == assent.StepPending || sr.Status == assent.StepSuccess && !succeeded {
			continue
		}
		if back, err = markStep(tx, back, sr, assent.StepPending); err != nil {
			return nil, err
		}
	}
	return back, nil
}

// retry takes a failed run up again from the first step that is not done.
func (s *Service) retry(tx *store.Tx, run *assent.Run, steps []assent.StepRun) error {
	back, err := reset(tx, steps, false)
	if err != nil {
		return err
	}
	run.Error = nil
	if err := s.move(tx, run, eventContinue); err != nil {
		return err
	}
	if err := s.reportStates(tx, *run, ""); err != nil {
		return err
	}
	return tellMoved(tx, *run, back)
}

// rollback undoes the last finished step and sets the run back before it,
// paused. The generation rises, so that a re-run has keys of its own.
func (s *Service) rollback(tx *store.Tx, run *assent.Run, steps []assent.StepRun, by assent.Person) error {
	last := lastDone(steps)
	if err := s.undoSteps(tx, *run, steps[last:], by); err != nil {
		return err
	}
	back, err := reset(tx, steps[last:], true)
	if err != nil {
		return err
	}
	run.Generation++
	run.Error = nil
	if err := s.move(tx, run, eventRollback); err != nil {
		return err
	}
	if err := s.reportStates(tx, *run, "took back “"+labelOf(steps[last])+"”"); err != nil {
		return err
	}
	return tellMoved(tx, *run, back)
}

// done reports a step that has had an effect which can be taken back.
func done(sr assent.StepRun) bool {
	return sr.Status == assent.StepSuccess || sr.Status == assent.StepPartial
}

func labelOf(sr assent.StepRun) string {
	if sr.Label != "" {
		return sr.Label
	}
	return sr.ID
}

// undo takes back the whole run, last step first, all or nothing.
func (s *Service) undo(tx *store.Tx, run *assent.Run, steps []assent.StepRun, by assent.Person) error {
	if err := s.undoSteps(tx, *run, steps, by); err != nil {
		return err
	}
	moved, err := skipRest(tx, steps)
	if err != nil {
		return err
	}
	for _, sr := range steps {
		if !done(sr) {
			continue
		}
		if moved, err = markStep(tx, moved, sr, assent.StepUndone); err != nil {
			return err
		}
	}
	if err := s.move(tx, run, eventUndo); err != nil {
		return err
	}
	if err := s.reportStates(tx, *run, "undone"); err != nil {
		return err
	}
	return tellMoved(tx, *run, moved)
}

// TakeBack ends a run whose approval is taken back, in tx. Before the first step
// that writes has begun the plan waits again as if nothing had been said.
func (s *Service) TakeBack(tx *store.Tx, runID string, by assent.Person) (assent.TakeBack, error) {
	run, err := tx.FindRun(context.Background(), runID)
	if err != nil {
		return assent.TakeBack{}, err
	}
	if run.Status.Ended() {
		return assent.TakeBack{}, &assent.Error{Code: assent.CodeConflict, Message: "This run is over, so there is no approval left to take back. Say “undo” to take back what it did.",
			Details: map[string]any{"allowed": allowed(run.State, run.Steps)}}
	}
	v, err := tx.FindPlanVersion(context.Background(), run.PlanID, run.Version)
	if err != nil {
		return assent.TakeBack{}, err
	}
	out := assent.TakeBack{Outcome: "cancelled", PlanID: run.PlanID, RunID: run.ID}
	reads, begun := map[string]bool{}, false
	for _, p := range lang.Paths(v.Document) {
		reads[p.Path] = p.Step.Effect == assent.EffectRead || p.Step.Type == assent.StepParallel || p.Step.Type == assent.StepCheckpoint
	}
	for _, sr := range run.Steps {
		begun = begun || sr.Attempt > 0 && !reads[sr.Path]
		if sr.Status == assent.StepSuccess {
			out.Undoable = append(out.Undoable, sr.Path)
		}
	}
	if err := s.act(tx, &run, assent.RunAction{Action: assent.ControlCancel}, by); err != nil || begun {
		return out, err
	}
	out.Outcome = "returned"
	return out, s.reopen(tx, run)
}

// reopen makes an approved version that never ran wait again.
func (s *Service) reopen(tx *store.Tx, run assent.Run) error {
	if _, err := tx.UpdateVersionStatus(run.PlanID, run.Version, assent.VersionApproved, assent.VersionOpen); err != nil {
		return err
	}
	if ok, err := tx.UpdatePlanStatus(run.PlanID, assent.PlanCancelled, assent.PlanPendingReview); err != nil || !ok {
		return orConflict(err)
	}
	_, err := tx.Append(run.SessionID, run.TurnID, assent.PlanState{PlanID: run.PlanID, Version: run.Version, Status: assent.PlanPendingReview, Reason: "taken back"})
	return err
}
