package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func (r *Resources) ownPlan(c echo.Context) (assent.Plan, error) {
	p, err := r.Store.FindPlanWhole(c.Request().Context(), c.Param("id"))
	if err == nil && p.UserID != web.Principal(c).Person.ID {
		return p, assent.NotFound("plan")
	}
	return p, err
}

func (r *Resources) listPlans(c echo.Context) error {
	page, err := web.Page(c)
	if err != nil {
		return err
	}
	status := assent.PlanStatus(c.QueryParam("status"))
	if status != "" && !slices.Contains(planStatuses(), status) {
		return assent.Invalid("/status", "invalid", "There is no such status of a plan.")
	}
	items, next, err := r.Store.ListPlansWhole(c.Request().Context(), web.Principal(c).Person.ID, string(status), c.QueryParam("session_id"), page)
	if err != nil {
		return err
	}
	return web.List(c, items, next)
}

func planStatuses() []assent.PlanStatus {
	return []assent.PlanStatus{assent.PlanDraft, assent.PlanPendingReview, assent.PlanApproved, assent.PlanRunning, assent.PlanPaused, assent.PlanWaitingHuman,
		assent.PlanCompleted, assent.PlanFailed, assent.PlanRejected, assent.PlanCancelled, assent.PlanUndone}
}

func (r *Resources) getPlan(c echo.Context) error {
	p, err := r.ownPlan(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, p)
}

// bindings checks that what a caller binds is a JSON object.
func bindings(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return assent.Invalid("/bindings", "invalid", "Must be an object.")
	}
	return nil
}

func (r *Resources) validatePlan(c echo.Context) error {
	var in struct {
		Plan        json.RawMessage `json:"plan" required:"true"`
		ContextType string          `json:"context_type"`
		Bindings    json.RawMessage `json:"bindings"`
	}
	err := web.Bind(c, &in)
	if web.TooDeep(err, "/plan") {
		return c.JSON(http.StatusOK, verdictOf(plan.TooDeep()))
	}
	if err != nil {
		return err
	}
	ct, ok := assent.ParseContextType(in.ContextType)
	if !ok {
		return assent.Invalid("/context_type", "invalid", "Must be one of general, project_create, project, task, project_audit.")
	}
	if err := bindings(in.Bindings); err != nil {
		return err
	}
	doc, rep := r.Plans.Parse(in.Plan, ct, in.Bindings, 0)
	out := verdictOf(rep)
	if len(rep.Errors) == 0 {
		out["preview"] = r.Plans.Preview(web.Principal(c).Person, doc)
	}
	return c.JSON(http.StatusOK, out)
}

func verdictOf(rep plan.Report) map[string]any {
	return map[string]any{"valid": len(rep.Errors) == 0, "errors": list(rep.Errors), "warnings": list(rep.Warnings), "truncated": rep.Truncated, "preview": assent.NewPreview()}
}

func list(v []assent.FieldError) []assent.FieldError {
	if v == nil {
		return []assent.FieldError{}
	}
	return v
}

func (r *Resources) createPlan(c echo.Context) error {
	var in struct {
		SessionID string          `json:"session_id" required:"true"`
		Plan      json.RawMessage `json:"plan" required:"true"`
		Bindings  json.RawMessage `json:"bindings"`
	}
	err := web.Bind(c, &in)
	if web.TooDeep(err, "/plan") {
		return plan.InvalidPlan(plan.TooDeep())
	}
	if err != nil {
		return err
	}
	if err := bindings(in.Bindings); err != nil {
		return err
	}
	s, err := r.ownSession(c, in.SessionID)
	if err != nil {
		return err
	}
	doc, rep := r.Plans.Parse(in.Plan, s.ContextType, in.Bindings, 0)
	if len(rep.Errors) > 0 {
		return plan.InvalidPlan(rep)
	}
	scope := r.scope(c)
	scope.SessionID, scope.ContextType, scope.EntityID = s.ID, s.ContextType, s.EntityID
	p, err := r.Plans.Create(c.Request().Context(), plan.Draft{Scope: scope, Document: doc, Mode: assent.ModeDraftOnly, Bindings: in.Bindings,
		CreatedBy: scope.Person.ID, Wait: true})
	if err != nil {
		return err
	}
	p, err = r.Store.FindPlanWhole(c.Request().Context(), p.ID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, p)
}

// longestApproval bounds the words, which become a message, in bytes.
const longestApproval = 32 << 10

func (r *Resources) startRun(c echo.Context) error {
	var in struct {
		Version  int64  `json:"version" required:"true"`
		Approval string `json:"approval" required:"true"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if len(in.Approval) > longestApproval {
		return &assent.Error{Code: assent.CodeTooLarge, Message: "The approval may be at most 32 KB long. Nothing was started.",
			Fields: []assent.FieldError{{Pointer: "/approval", Code: "too_large", Message: "At most 32768 bytes."}}}
	}
	run, err := r.Consent.Request(c.Request().Context(), web.Principal(c), c.Param("id"), in.Version, in.Approval)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, run)
}

func (r *Resources) getRun(c echo.Context) error {
	run, err := r.Store.FindRun(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if run.UserID != web.Principal(c).Person.ID {
		return assent.NotFound("run")
	}
	return c.JSON(http.StatusOK, run)
}

func (r *Resources) actOnRun(c echo.Context) error {
	var in struct {
		Action   assent.ControlAction `json:"action" required:"true"`
		Decision string               `json:"decision"`
		Input    json.RawMessage      `json:"input"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	action := assent.RunAction{Action: in.Action, Decision: in.Decision}
	if err := answerOf(in.Input, &action); err != nil {
		return err
	}
	if in.Action == assent.ControlPause || in.Action == assent.ControlCancel {
		if err := web.Need(c, assent.ScopeChat); err != nil {
			return err
		}
	} // what goes on or back needs approve, which consent sees to
	run, err := r.Consent.Act(c.Request().Context(), web.Principal(c), c.Param("id"), action)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, run)
}

// answerOf reads the input of a human-response: the answer itself, as
// {"decision", "input"}, or only what is said with it.
func answerOf(raw json.RawMessage, a *assent.RunAction) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] != '{' {
		if err := json.Unmarshal(raw, &a.Input); err != nil {
			return assent.Invalid("/input", "invalid", "Must be a text, or an object with decision and input.")
		}
		return nil
	}
	var in struct {
		Decision string `json:"decision"`
		Input    string `json:"input"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return assent.Invalid("/input", "invalid", "Must be an object with decision (approve or reject) and, if you like, input.")
	}
	a.Decision, a.Input = in.Decision, in.Input
	return nil
}
