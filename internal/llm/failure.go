package llm

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
)

// Stages at which a call fails.
const (
	stageRequest = "request" // before the first token
	stageStream  = "stream"  // after it
)

// failed tells the admins of a failure: of each model that was given up, retries
// included, or of a call for which no model could be asked. What was ended from
// outside is no failure of a model; who ended it knows why.
func (c *call) failed(ctx context.Context, e *Error) {
	if ctx.Err() != nil || c.g.cfg.Failed == nil {
		return
	}
	c.told = true
	m, stage := c.req.Meta, stageRequest
	if c.streamed {
		stage = stageStream
	}
	details, err := json.Marshal(map[string]any{"detail": e.Detail, "http_status": e.Status})
	if err != nil {
		details = nil // a text and a number always encode
	}
	c.g.cfg.Failed(assent.ErrorRow{Code: assent.Code(e.Class), Class: string(e.Class), Component: "gateway", Stage: stage, Tool: m.Tool, Operation: m.Operation,
		Provider: e.Provider, Model: e.Model, ContextType: m.ContextType, ExecutionMode: m.ExecutionMode, SessionID: m.SessionID, TurnID: m.TurnID,
		PlanID: m.PlanID, RunID: m.RunID, Step: m.Step, UserID: m.UserID, Message: e.Class.Sentence(), Details: details})
}
