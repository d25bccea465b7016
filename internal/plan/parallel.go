package plan

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"

	"golang.org/x/sync/errgroup"
)

// errLost says that a sibling has won: what this step was about to write is
// rolled back.
var errLost = &assent.Error{Code: assent.CodeCancelled, Message: "Another part was quicker."}

// open journals the begin of a parallel step.
func (s *Service) open(ctx context.Context, j job, path string) error {
	_, err := s.begin(ctx, j, path, nil)
	return err
}

// fork runs children of a parallel step side by side and waits for all of them.
// Under collect a failing child leaves the others alone; under first_success the
// winner ends them.
func (s *Service) fork(ctx context.Context, j job, c Fork) error {
	st := j.places[c.Path].Step
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var g errgroup.Group
	g.SetLimit(s.concurrency(st))
	for _, b := range c.Begins {
		g.Go(func() error {
			err := s.step(ctx, j, b.Path)
			if st.Merge == lang.MergeFirstSuccess && s.won(j, c.Path) {
				cancel(errLost)
				return nil // the winner's transaction has said how each of them ended
			}
			return err
		})
	}
	return g.Wait()
}

// concurrency is how many children of a step run at a time.
func (s *Service) concurrency(st assent.Step) int {
	n := len(st.Steps)
	if st.MaxConcurrency > 0 {
		n = min(n, st.MaxConcurrency)
	}
	if s.Limits.Parallel > 0 {
		n = min(n, s.Limits.Parallel)
	}
	return max(1, n)
}

// won reports whether a first_success has its winner.
func (s *Service) won(j job, path string) bool {
	sr, err := s.Store.FindStepRun(context.Background(), j.run.ID, path)
	return err == nil && sr.Status != assent.StepRunning
}

// wins makes a the winner of its first_success, in the transaction of its own
// end: the container ends with its output, the siblings are cancelled.
func (s *Service) wins(tx *store.Tx, cur assent.Run, a attempt, r assent.ToolResult) error {
	container, err := tx.FindStepRun(context.Background(), cur.ID, a.parent())
	if err != nil {
		return err
	}
	if container.Status != assent.StepRunning {
		return errLost
	}
	if err := s.cancelSiblings(tx, cur, a); err != nil {
		return err
	}
	return s.endContainer(tx, cur, a.job, container, assent.StepSuccess, r.Output, "“"+name(a.step)+"” was first")
}

func (s *Service) cancelSiblings(tx *store.Tx, cur assent.Run, a attempt) error {
	for _, child := range a.places[a.parent()].Step.Steps {
		path := a.parent() + "/" + child.ID
		sr, err := tx.FindStepRun(context.Background(), cur.ID, path)
		if err != nil {
			return err
		}
		if path == a.path || sr.Status != assent.StepPending && sr.Status != assent.StepRunning {
			continue
		}
		if err := s.cancelStep(tx, cur, sr, "another part was quicker"); err != nil {
			return err
		}
	}
	return nil
}

// cancelStep ends a part that another one has made needless, and says why.
func (s *Service) cancelStep(tx *store.Tx, cur assent.Run, sr assent.StepRun, why string) error {
	if _, err := tx.MarkStep(cur.ID, sr.Path, sr.Status, assent.StepCancelled); err != nil {
		return err
	}
	return s.tell(tx, cur, sr, assent.StepCancelled, why)
}

// tell appends how a step ended that nobody waited for.
func (s *Service) tell(tx *store.Tx, run assent.Run, sr assent.StepRun, status assent.StepStatus, summary string) error {
	_, err := tx.Append(run.SessionID, run.TurnID, assent.StepComplete{RunID: run.ID, PlanID: run.PlanID, Path: sr.Path, Attempt: sr.Attempt, Status: status, Summary: summary})
	return err
}

// merge ends a parallel step of which every child has ended.
func (s *Service) merge(ctx context.Context, j job, path string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		cur, err := s.owned(tx, j)
		if err != nil {
			return err
		}
		container, err := tx.FindStepRun(context.Background(), cur.ID, path)
		if err != nil {
			return err
		}
		if container.Status != assent.StepRunning {
			return nil // a winner has ended it
		}
		m, err := s.collect(tx, cur, j, path)
		if err != nil {
			return err
		}
		err = s.endContainer(tx, cur, j, container, m.status(), m.outputs, m.summary())
		s.Point("merging", path)
		return err
	})
}

// merged is what the children of a parallel step came to.
type merged struct {
	outputs   json.RawMessage
	good, bad int
}

func (m merged) status() assent.StepStatus {
	switch {
	case m.bad == 0:
		return assent.StepSuccess
	case m.good == 0:
		return assent.StepFailed
	}
	return assent.StepPartial
}

func (m merged) summary() string { return fmt.Sprintf("%d of %d parts done", m.good, m.good+m.bad) }

// collect gathers the outputs of the children that succeeded, by result key or
// id. One that waits for a person beside one that failed is cancelled.
func (s *Service) collect(tx *store.Tx, cur assent.Run, j job, path string) (m merged, err error) {
	outputs := map[string]json.RawMessage{}
	for _, child := range j.places[path].Step.Steps {
		sr, err := tx.FindStepRun(context.Background(), cur.ID, path+"/"+child.ID)
		if err != nil {
			return m, err
		}
		if sr.Status == assent.StepSuccess {
			m.good++
			outputs[lang.OutputKey(child)] = sr.Outputs
			continue
		}
		m.bad++
		if sr.Status == assent.StepWaitingHuman || sr.Status == assent.StepRunning {
			if err := s.cancelStep(tx, cur, sr, "cancelled, since another part failed"); err != nil {
				return m, err
			}
		}
	}
	m.outputs, err = json.Marshal(outputs)
	return m, err
}

// endContainer ends a parallel step and sees to what follows for the run.
func (s *Service) endContainer(tx *store.Tx, cur assent.Run, j job, container assent.StepRun, status assent.StepStatus, outputs json.RawMessage, summary string) error {
	st := j.places[container.Path].Step
	end := assent.StepRun{RunID: cur.ID, Path: container.Path, Attempt: container.Attempt, Status: status, Outputs: outputs, Summary: summary}
	if status != assent.StepSuccess {
		end.Error = &assent.Problem{Code: assent.CodeToolFailed, Message: "Not every part succeeded: " + summary + "."}
	}
	if ok, err := tx.EndStep(end); err != nil || !ok {
		return orFenced(err)
	}
	if _, err := tx.Append(cur.SessionID, cur.TurnID, assent.StepComplete{RunID: cur.ID, PlanID: cur.PlanID, Path: container.Path, Attempt: container.Attempt,
		Status: status, Outputs: shown(outputs), Summary: summary, Error: end.Error, DurationMS: int64(tx.Now() - container.StartedAt)}); err != nil {
		return err
	}
	switch {
	case status != assent.StepSuccess:
		return s.fail(tx, cur, st, container.Path, end.Error)
	case cur.Status == assent.RunPaused:
		return nil
	case j.isLast(container.Path):
		return s.complete(tx, cur, eventMerged)
	}
	return s.move(tx, &cur, eventMerged)
}
