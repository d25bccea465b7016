package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
)

// planRefused answers when a plan tool failed: an invalid plan is repaired once,
// all else is explained.
func (s *situation) planRefused(o outcome) answer {
	e := o.env.Error
	if e.Code == assent.CodeInvalidPlan && o.tool == "agent_create_plan" && len(s.outcomesOf("agent_create_plan")) == 1 {
		if again, ok := s.repairedPlan(o); ok {
			return again
		}
	}
	switch e.Code {
	case assent.CodeInvalidPlan, assent.CodeInvalid:
		return sayf("I could not make a valid plan of this: %s Nothing was run. Try it in smaller parts, or in other words.", problemText(e))
	case assent.CodeNotApproved:
		return say("The plan has not been approved in this version, so I may not run it. Say “go ahead” to run exactly what the card shows.")
	case assent.CodeConflict, assent.CodeStale:
		return sayf("That is not possible now: %s", problemText(e))
	}
	return explainError(o)
}

func (s *situation) repairedPlan(o outcome) (answer, bool) {
	var a struct {
		Objective string        `json:"objective"`
		Mode      assent.Mode   `json:"execution_mode"`
		Steps     []assent.Step `json:"steps"`
	}
	if json.Unmarshal(o.args, &a) != nil {
		return answer{}, false
	}
	steps, ok := repair(a.Steps, violationsOf(o.env.Error))
	if !ok {
		return answer{}, false
	}
	return s.propose(assent.PlanDocument{Objective: a.Objective, Steps: steps}, assent.Stricter(a.Mode, s.state.Mode)), true
}

// violationsOf reads details.errors of an invalid_plan problem.
func violationsOf(e *assent.Problem) []violation {
	var out []violation
	if e == nil || json.Unmarshal(encode(e.Details["errors"]), &out) != nil {
		return nil
	}
	return out
}

// explainError says in plain words that a call failed and why.
func explainError(o outcome) answer {
	e := o.env.Error
	hint := o.env.RemediationHint
	switch e.Code {
	case assent.CodeBudgetExceeded:
		return say("I stop here: this turn has used up its calls for that. Ask again, or ask for less at once.")
	case assent.CodeNotFound:
		return sayf("That does not exist, or you may not see it: %s", sentence(e.Message))
	case assent.CodeForbidden:
		return sayf("I may not do that for you: %s", sentence(e.Message))
	case assent.CodeStale:
		return say("Someone changed it in the meantime, so I left it as it is. Ask again and I look at its present state.")
	}
	return sayf("That did not work: %s", strings.TrimSpace(problemText(e)+" "+sentence(hint)))
}

func problemText(e *assent.Problem) string {
	text := sentence(e.Message)
	var details []string
	for _, v := range violationsOf(e) {
		if v.Message != "" && len(details) < 3 {
			where := ""
			if v.Step != "" {
				where = fmt.Sprintf("step “%s”: ", v.Step)
			}
			details = append(details, where+strings.TrimRight(v.Message, "."))
		}
	}
	if len(details) > 0 {
		text = strings.TrimSpace(text + " " + sentence(strings.Join(details, "; ")))
	}
	return text
}

// sentence ends s with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}
