package plan

import (
	"context"
	"encoding/json"
	"time"

	"assent/internal/assent"
)

// Result is what a run hands back to its caller and to the model; design 03 §6.
type Result struct {
	Success  bool                       `json:"success"`
	Status   assent.RunStatus           `json:"status"`
	RunID    string                     `json:"run_id"`
	PlanID   string                     `json:"plan_id"`
	Version  int64                      `json:"version"`
	Steps    []StepResult               `json:"steps"`
	Bindings map[string]json.RawMessage `json:"bindings"`
	Errors   []assent.Problem           `json:"errors"`
	Usage    ResultUsage                `json:"usage"`
}

// StepResult is one step of a Result.
type StepResult struct {
	ID         string            `json:"id"`
	Type       assent.StepType   `json:"type"`
	Label      string            `json:"label,omitempty"`
	Tool       string            `json:"tool,omitempty"`
	Agent      string            `json:"agent,omitempty"`
	Status     assent.StepStatus `json:"status"`
	ExecID     string            `json:"exec_id"`
	Outputs    json.RawMessage   `json:"outputs"`
	Summary    string            `json:"summary,omitempty"`
	DurationMS int64             `json:"duration_ms"`
	Error      *assent.Problem   `json:"error"`
	Children   []StepResult      `json:"children,omitempty"`
}

// ResultUsage is the part of a run's usage that callers read.
type ResultUsage struct {
	LLMCalls   int64  `json:"llm_calls"`
	CostMicros *int64 `json:"cost_micros"`
}

// maxStepOutput bounds each step's outputs in a Result, which a model reads.
const maxStepOutput = 4 << 10

// ResultOf renders a run and the document it ran.
func ResultOf(run assent.Run, doc assent.PlanDocument) Result {
	r := Result{Success: run.Status == assent.RunCompleted, Status: run.Status, RunID: run.ID, PlanID: run.PlanID, Version: run.Version,
		Steps: []StepResult{}, Bindings: map[string]json.RawMessage{}, Errors: []assent.Problem{},
		Usage: ResultUsage{LLMCalls: run.Usage.Calls, CostMicros: run.Usage.CostMicros}}
	j := newBasis(doc)
	for _, sr := range run.Steps {
		res, p := stepResult(run, sr), j.places[sr.Path]
		if p.Parent != "" && len(r.Steps) > 0 {
			parent := &r.Steps[len(r.Steps)-1]
			parent.Children = append(parent.Children, res)
		} else {
			r.Steps = append(r.Steps, res)
		}
		if sr.Error != nil {
			r.Errors = append(r.Errors, *sr.Error)
		}
		if p.Step.ResultKey != "" && sr.Status == assent.StepSuccess {
			r.Bindings[p.Step.ResultKey] = res.Outputs
		}
	}
	return r
}

func stepResult(run assent.Run, sr assent.StepRun) StepResult {
	out := sr.Outputs
	if len(out) > maxStepOutput {
		out = json.RawMessage(`{"truncated":true}`)
	}
	if len(out) == 0 {
		out = json.RawMessage(`{}`)
	}
	return StepResult{ID: sr.ID, Type: sr.Type, Label: sr.Label, Tool: sr.Tool, Agent: sr.Agent, Status: sr.Status, ExecID: run.ID + "/" + sr.Path, Outputs: out,
		Summary: sr.Summary, Error: sr.Error, DurationMS: took(sr.StartedAt, sr.EndedAt)}
}

// slowPoll is how often an awaited run is looked at without a bell: a lost bell
// costs latency, never an answer.
const slowPoll = 2 * time.Second

// Await waits until a run stops running (it ended, paused, or waits for a
// person) and gives its result. It reads the row, woken by the bell.
func (s *Service) Await(ctx context.Context, run assent.Run) (Result, error) {
	bell, cancel := s.Store.Watch(run.SessionID)
	defer cancel()
	poll := time.NewTicker(slowPoll)
	defer poll.Stop()
	for {
		head, err := s.Store.FindRunHead(ctx, run.ID)
		if err != nil {
			return Result{}, err
		}
		if head.Status != assent.RunRunning {
			return s.Result(ctx, run.ID)
		}
		select {
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		case <-bell:
		case <-poll.C:
		}
	}
}

// Result gives a run as it stands.
func (s *Service) Result(ctx context.Context, runID string) (Result, error) {
	run, err := s.Store.FindRun(ctx, runID)
	if err != nil {
		return Result{}, err
	}
	v, err := s.Store.FindPlanVersion(ctx, run.PlanID, run.Version)
	if err != nil {
		return Result{}, err
	}
	return ResultOf(run, v.Document), nil
}
