package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
)

// state is the <state> block at the end of the planner's system prompt.
type state struct {
	Today       string             `json:"today"`
	Weekday     string             `json:"weekday"`
	Locale      string             `json:"locale"`
	Person      string             `json:"person"`
	ContextType assent.ContextType `json:"context_type"`
	Mode        assent.Mode        `json:"mode"`
	Entity      *entity            `json:"entity"`
	Projects    []entity           `json:"projects"`
	Plans       []plan             `json:"plans"`
	Reading     *assent.Reading    `json:"reading"`
	Planning    *planning          `json:"planning"`
	Violations  []violation        `json:"violations"`
	Review      *reviewTask        `json:"review"`
}

// plan is a plan that waits, runs or is paused.
type plan struct {
	PlanID    string            `json:"plan_id"`
	Version   int64             `json:"version"`
	Status    assent.PlanStatus `json:"status"`
	Objective string            `json:"objective"`
	Steps     []assent.Step     `json:"steps"`
}

// waits reports whether the plan awaits a person's word.
func (p plan) waits() bool {
	return p.Status == assent.PlanPendingReview || p.Status == assent.PlanDraft
}

// planning is what a plan_generation call is asked for.
type planning struct {
	Task             string              `json:"task"` // compile, revise
	Objective        string              `json:"objective"`
	RequestedOutputs []string            `json:"requested_outputs"`
	Instructions     string              `json:"instructions"`
	Plan             assent.PlanDocument `json:"plan"`
	Violations       []violation         `json:"violations"`
}

// reviewTask is what a plan_review call is asked to judge.
type reviewTask struct {
	Plan    assent.PlanDocument `json:"plan"`
	Preview assent.Preview      `json:"preview"`
}

// violation is what was wrong with a former attempt: an error of the checker, or
// plain words.
type violation struct {
	assent.FieldError
}

// UnmarshalJSON takes an object or a string.
func (v *violation) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &v.Message)
	}
	return json.Unmarshal(b, &v.FieldError)
}

// readState reads the last state block of a system prompt. Without one, or with
// one that is no JSON, the state is empty.
func readState(system string) state {
	var s state
	from := strings.LastIndex(system, "<state>")
	if from < 0 {
		return s
	}
	block := system[from+len("<state>"):]
	if to := strings.LastIndex(block, "</state>"); to >= 0 {
		block = block[:to]
	}
	if json.Unmarshal([]byte(strings.TrimSpace(block)), &s) != nil {
		return state{}
	}
	if s.Entity != nil && s.Entity.Name == "" {
		s.Entity.Name = s.Entity.Title
	}
	if p := s.Planning; p != nil && len(s.Violations) == 0 {
		s.Violations = p.Violations
	}
	return s
}
