package llm

import (
	"context"
	"encoding/json"
	"errors"

	"assent/internal/assent"
)

// Stages at which a call fails.
const (
	stageRequest = "request" // before the first token
	stageStream  = "stream"  // after it
)

// failed tells the admins of a failure: of each model that was given up, retries
// included, or of a call for which no model could be asked. What was ended from
// outside is no failure of a model; who ended it knows why. A budget that is used
// up ends a turn, which records it, once for all its calls.
func (c *call) failed(ctx context.Context, e *Error) {
	if ctx.Err() != nil || c.g.cfg.Failed == nil {
		return
	}
	c.told = true
	m, stage := c.req.Meta, stageRequest
	code, message := assent.Code(e.Class), e.Class.Sentence()
	if b := usedUp(e); b != nil {
		if m.TurnID != "" && m.RunID == "" {
			return
		}
		code, message = b.Code, b.Message
	}
	if c.streamed {
		stage = stageStream
	}
	details, err := json.Marshal(map[string]any{"detail": e.Detail, "http_status": e.Status})
	if err != nil {
		details = nil // a text and a number always encode
	}
	c.g.cfg.Failed(assent.ErrorRow{Code: code, Class: string(e.Class), Component: "gateway", Stage: stage, Tool: m.Tool, Operation: m.Operation,
		Provider: e.Provider, Model: e.Model, ContextType: m.ContextType, ExecutionMode: m.ExecutionMode, SessionID: m.SessionID, TurnID: m.TurnID,
		PlanID: m.PlanID, RunID: m.RunID, Step: m.Step, UserID: m.UserID, Message: message, Details: details})
}

// usedUp gives the budget that refused a call; nil if none did.
func usedUp(err error) *assent.Error {
	var budget *assent.Error
	if errors.As(err, &budget) && budget.Code == assent.CodeBudgetExceeded {
		return budget
	}
	return nil
}
