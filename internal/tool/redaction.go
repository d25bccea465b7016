package tool

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/redact"
)

// Redaction is the hook by which no result holds a secret: not what a model
// sees, nor what is recorded, streamed or shown. A handler gets its arguments as
// they are.
type Redaction struct{ *redact.Redactor }

// BeforeToolExecution implements Hook.
func (Redaction) BeforeToolExecution(context.Context, *Tool, *Call) *assent.ToolResult { return nil }

// AfterToolExecution implements Hook.
func (h Redaction) AfterToolExecution(_ context.Context, _ *Tool, _ *Call, r *assent.ToolResult) {
	r.Output, r.Summary = h.JSON(r.Output), h.Text(r.Summary)
	if r.Err == nil {
		return
	}
	e := *r.Err // others may hold it
	e.Message, e.Hint = h.Text(e.Message), h.Text(e.Hint)
	e.Fields = append([]assent.FieldError(nil), e.Fields...)
	for i, f := range e.Fields {
		f.Message, f.Reference = h.Text(f.Message), h.Text(f.Reference)
		e.Fields[i] = f
	}
	e.Details = h.details(e.Details)
	r.Err = &e
}

// details are facts of any type, so they are redacted as the JSON that they will
// become.
func (h Redaction) details(d map[string]any) map[string]any {
	raw, err := json.Marshal(d)
	if err != nil || len(d) == 0 {
		return d
	}
	clean := h.JSON(raw)
	if string(clean) == string(raw) {
		return d
	}
	var out map[string]any
	if json.Unmarshal(clean, &out) != nil {
		return nil
	}
	return out
}
