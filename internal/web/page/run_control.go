package page

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/web"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// byHand are the actions that a person may ask of a run; design 03 §6.
func byHand() []assent.ControlAction {
	return []assent.ControlAction{assent.ControlPause, assent.ControlResume, assent.ControlContinue, assent.ControlHuman, assent.ControlRollback,
		assent.ControlExecute, assent.ControlCancel, assent.ControlUndo}
}

// actOnRun does what a person's own hand asks of a run. It leads back to the
// page that the form names, else to the conversation; what the run's state does
// not allow is said there, with what it does allow.
func (p *Pages) actOnRun(c echo.Context) error {
	run, err := p.Store.FindRunHead(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	session, err := p.findSession(c, run.SessionID)
	if err != nil {
		return orNotFound(nil, "run")
	}
	action := assent.ControlAction(c.Param("action"))
	if !slices.Contains(byHand(), action) {
		return assent.NotFound("action")
	}
	_, err = p.Runs.Act(c.Request().Context(), person(c), run.ID, assent.RunAction{Action: action, Decision: c.FormValue("decision"), Input: c.FormValue("input")})
	if err != nil {
		return p.refuseAction(c, run, withAllowed(err))
	}
	if wantsFragment(c.Request()) {
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, backTo(c, views.ChatURL(session.ID)+"#working"))
}

// refuseAction says on the page that asked why nothing was done.
func (p *Pages) refuseAction(c echo.Context, run assent.Run, refusal error) error {
	problem := web.ProblemOf(c, refusal)
	if wantsFragment(c.Request()) || problem.Status >= http.StatusInternalServerError {
		return refusal
	}
	c.SetParamNames("id", "run")
	c.SetParamValues(run.PlanID, run.ID)
	switch backTo(c, "") {
	case views.PlanURL(run.PlanID):
		return p.showPlan(c, problem.Status, run.PlanID, problem.Detail)
	case views.RunURL(run.PlanID, run.ID):
		return p.showRun(c, problem.Status, problem.Detail)
	}
	return p.showChat(c, problem.Status, run.SessionID, views.Composer{Problem: problem.Detail})
}

// withAllowed adds to a conflict what can be done now.
func withAllowed(err error) error {
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeConflict {
		return err
	}
	allowed, _ := e.Details["allowed"].([]string)
	var words []string
	for _, a := range allowed {
		words = append(words, "“"+views.ControlLabel(assent.ControlAction(a))+"”")
	}
	out := *e
	out.Message = strings.TrimSuffix(e.Message, " Nothing was changed.") + " Nothing was changed."
	if len(words) > 0 {
		out.Message += " What can be done now: " + assent.List(words) + "."
	}
	return &out
}
