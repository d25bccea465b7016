package plan

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// InputDone counts an interrupted step as done; design 03 §6.
const InputDone = "done"

// checkpoint lets the run wait for a person's word.
func (s *Service) checkpoint(ctx context.Context, j job, path string) error {
	st := j.places[path].Step
	question, err := lang.ResolveText(st.Prompt, environment(j))
	if err != nil {
		question = st.Prompt // it was checked; what it refers to is gone
	}
	defer s.Point("asked", path)
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		cur, err := s.owned(tx, j)
		if err != nil {
			return err
		}
		if err := s.move(tx, &cur, eventDispatch); err != nil {
			return err
		}
		sr := assent.StepRun{RunID: cur.ID, Path: path, Status: assent.StepWaitingHuman, Summary: question}
		if sr.Attempt, err = tx.BeginStep(cur.ID, path, nil); err != nil {
			return err
		}
		if ok, err := tx.EndStep(sr); err != nil || !ok {
			return orFenced(err)
		}
		if _, err := tx.Append(cur.SessionID, cur.TurnID, assent.StepStart{RunID: cur.ID, PlanID: cur.PlanID, Path: path, Attempt: sr.Attempt, Status: assent.StepWaitingHuman}); err != nil {
			return err
		}
		return s.await(tx, cur, question)
	})
}

// suspend lets a step under way wait for a person's word; why is the problem that
// the question is about, if it is about one.
func (s *Service) suspend(ctx context.Context, a attempt, question string, why *assent.Problem) error {
	return s.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		cur, err := unended(tx, a.run)
		if err != nil {
			return err
		}
		return s.wait(tx, cur, assent.StepRun{RunID: cur.ID, Path: a.path, Attempt: a.number, Error: why}, question)
	})
}

// wait journals that a step waits for a person's word.
func (s *Service) wait(tx *store.Tx, cur assent.Run, sr assent.StepRun, question string) error {
	sr.Status, sr.Summary = assent.StepWaitingHuman, question
	if ok, err := tx.EndStep(sr); err != nil || !ok {
		return orFenced(err)
	}
	return s.tell(tx, cur, sr, sr.Status, question)
}

// ask lets the run wait: a step of it does so already, or was interrupted and
// may not simply run once more.
func (s *Service) ask(ctx context.Context, j job, path string) error {
	sr := j.row(path)
	question := sr.Summary
	if sr.Status == assent.StepRunning {
		_, known := s.again(ctx, j, sr)
		question = fmt.Sprintf("The step “%s” was interrupted. %s Shall I run it once more, or is it done?", name(j.places[path].Step), known)
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		cur, err := s.owned(tx, j)
		if err != nil {
			return err
		}
		if sr.Status == assent.StepRunning {
			sr.RunID = cur.ID
			if err := s.wait(tx, cur, sr, question); err != nil {
				return err
			}
		}
		return s.await(tx, cur, question)
	})
}

// await moves the run to waiting_human and says what is asked.
func (s *Service) await(tx *store.Tx, cur assent.Run, question string) error {
	if err := s.move(tx, &cur, eventAsk); err != nil {
		return err
	}
	s.Point("asking", "")
	return s.reportStates(tx, cur, question)
}

// answer takes a person's word on the step that waits; design 03 §6.
func (s *Service) answer(tx *store.Tx, run *assent.Run, steps []assent.StepRun, a assent.RunAction) error {
	switch a.Decision {
	case DecisionReject:
		return s.cancel(tx, run, steps)
	case DecisionApprove:
	default:
		return assent.Invalid("/decision", "invalid", "Must be approve or reject.")
	}
	sr, ok := Waiting(steps)
	if !ok {
		return assent.Errorf(assent.CodeConflict, "No step of this run waits for you.")
	}
	if err := s.settle(tx, *run, &sr, Answer{Decision: a.Decision, Input: a.Input}); err != nil {
		return err
	}
	if err := s.move(tx, run, eventHuman); err != nil {
		return err
	}
	return s.reportStates(tx, *run, "")
}

// Waiting gives the first step that waits for a person: the one that an answer
// is about.
func Waiting(steps []assent.StepRun) (assent.StepRun, bool) {
	for _, sr := range steps {
		if sr.Status == assent.StepWaitingHuman {
			return sr, true
		}
	}
	return assent.StepRun{}, false
}

// settle makes of a waiting step what the person said: a checkpoint is passed, an
// agent step goes on with the answer, an interrupted step is done or runs again.
func (s *Service) settle(tx *store.Tx, run assent.Run, sr *assent.StepRun, a Answer) error {
	said, err := json.Marshal(a)
	if err != nil {
		return err
	}
	sr.RunID, sr.Status, sr.Outputs, sr.Summary = run.ID, assent.StepPending, nil, ""
	switch {
	case sr.Type == assent.StepCheckpoint:
		sr.Status, sr.Outputs, sr.Summary = assent.StepSuccess, said, "confirmed"
	case a.Input == InputDone:
		sr.Status, sr.Outputs, sr.Summary = assent.StepSuccess, json.RawMessage("{}"), "counted as done, on your word"
	case sr.Type == assent.StepAgent:
		sr.Outputs = said
	}
	if ok, err := tx.AnswerStep(*sr); err != nil || !ok {
		return orFenced(err)
	}
	if sr.Status == assent.StepPending {
		return nil
	}
	_, err = tx.Append(run.SessionID, run.TurnID, assent.StepComplete{RunID: run.ID, PlanID: run.PlanID, Path: sr.Path, Attempt: sr.Attempt,
		Status: sr.Status, Outputs: shown(sr.Outputs), Summary: sr.Summary})
	return err
}
