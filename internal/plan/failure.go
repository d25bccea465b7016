package plan

import (
	"context"
	"encoding/json"
	"errors"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/store"
)

// recordFailure tells the admins of a step that failed. A parallel step has no
// failure of its own but those of its children, a cancelled one has none, and
// what a model failed with is on record already: the gateway knows more of it.
func recordFailure(tx *store.Tx, a attempt, cur assent.Run, e *assent.Error) error {
	var le *llm.Error
	if e.Code == assent.CodeCancelled || errors.As(e.Err, &le) {
		return nil
	}
	p, err := tx.FindPlan(context.Background(), cur.PlanID)
	if err != nil {
		return err
	}
	details, err := json.Marshal(map[string]any{"attempt": a.number, "step_type": a.step.Type})
	if err != nil {
		return err
	}
	return tx.CreateErrorRow(assent.ErrorRow{Code: e.Code, Class: string(e.Code), Component: "plan", Stage: "step", Tool: a.step.Tool, ContextType: p.ContextType,
		ExecutionMode: p.Mode, SessionID: cur.SessionID, TurnID: cur.TurnID, PlanID: cur.PlanID, RunID: cur.ID, Step: a.path, UserID: cur.UserID,
		Message: e.Message, Details: details})
}
