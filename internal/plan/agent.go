package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"assent/internal/assent"
	"assent/internal/plan/check"
)

// AgentRunner runs the agent steps of plans. A service without one has no
// agents: the checker refuses them as unknown.
type AgentRunner interface {
	// Find gives what the checker must know of an agent that is enabled.
	Find(slug string) (info check.AgentInfo, digest string, ok bool)
	// Run runs one step to its end. The call's key is the same when a step is run
	// once more, so that what it did already is found again.
	Run(ctx context.Context, c AgentCall) AgentResult
	// Again reports whether a step that was interrupted may simply run once more;
	// it undoes what it must for that. known says what is known of it otherwise.
	Again(ctx context.Context, key string) (ok bool, known string)
}

// AgentCall is an agent step with everything resolved.
type AgentCall struct {
	Key    string // run, path and generation
	Scope  assent.Scope
	Step   assent.Step
	Prompt string
	With   json.RawMessage
	// Answer is what the person said to the question on which the step waited;
	// nil where it did not.
	Answer *Answer
}

// AgentResult is how an agent step ended: with a result, or with a question to
// the person, upon which the step waits for the answer.
type AgentResult struct {
	assent.ToolResult
	Question string
}

// Answer is a person's word on a step that waits for it.
type Answer struct {
	Decision string `json:"decision"` // approve or reject
	Input    string `json:"input,omitempty"`
}

// Decisions of an answer.
const (
	DecisionApprove = "approve"
	DecisionReject  = "reject"
)

// agentStep runs an agent step and journals its end.
func (s *Service) agentStep(ctx, stepCtx context.Context, a attempt, c AgentCall) error {
	c.Key = a.key()
	if before := a.row(a.path); before.Status == assent.StepPending && len(before.Outputs) > 0 {
		c.Answer = new(Answer)
		if err := json.Unmarshal(before.Outputs, c.Answer); err != nil {
			return err
		}
	}
	res := s.runAgent(stepCtx, c)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case OverLimit(res.Err):
		return s.suspend(ctx, a, res.Err.Message+" Shall I go on without that limit? You can also name a new one.", assent.ProblemOf(res.Err))
	case res.Question != "":
		return s.suspend(ctx, a, res.Question, nil)
	case res.Err != nil && stepCtx.Err() != nil:
		res.Err = s.tooLate(a.step)
	}
	return s.end(ctx, a, res.ToolResult)
}

// OverLimit reports that the next call of a model would pass the limit of cost
// in the run's approval: then the person is asked, and nothing has failed.
func OverLimit(e *assent.Error) bool {
	return e != nil && e.Code == assent.CodeBudgetExceeded && e.Details["budget"] == "run"
}

// runAgent calls the runner; a panic in it fails the step, not the process.
func (s *Service) runAgent(ctx context.Context, c AgentCall) (res AgentResult) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic in an agent step", "agent", c.Step.Agent, "panic", p, "stack", string(debug.Stack()))
			res = AgentResult{ToolResult: assent.ToolResult{Err: assent.Errorf(assent.CodeInternal, "The agent %s failed unexpectedly.", c.Step.Agent)}}
		}
	}()
	if s.Agents == nil {
		return AgentResult{ToolResult: assent.ToolResult{Err: assent.Errorf(assent.CodeUnavailable, "There is no agent %q any more.", c.Step.Agent)}}
	}
	return s.Agents.Run(ctx, c)
}

// unsafe finds the interrupted steps that may not simply run once more.
func (s *Service) unsafe(ctx context.Context, j job) map[string]bool {
	out := map[string]bool{}
	for _, sr := range j.run.Steps {
		if sr.Status == assent.StepRunning {
			if ok, _ := s.again(ctx, j, sr); !ok {
				out[sr.Path] = true
			}
		}
	}
	return out
}

// again reports whether an interrupted step may run once more: a built-in write
// did not commit, reads and idempotent calls do no harm.
func (s *Service) again(ctx context.Context, j job, sr assent.StepRun) (ok bool, known string) {
	switch sr.Type {
	case assent.StepTool:
		t, found := s.Registry.Find(sr.Tool)
		if !found || !outside(t) || t.Spec.Idempotent {
			return true, ""
		}
		return false, fmt.Sprintf("%s was called with %s; no answer came back, so nobody knows whether it happened.", sr.Tool, assent.Clip(string(sr.Arguments), 300))
	case assent.StepAgent:
		if s.Agents != nil {
			return s.Agents.Again(ctx, key(j.run, sr.Path))
		}
	}
	return true, ""
}
