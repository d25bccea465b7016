package store

import (
	"context"
	"encoding/json"

	"assent/db/sqlc"
	"assent/internal/assent"
)

func planOf(r sqlc.Plan) assent.Plan {
	return assent.Plan{ID: r.ID, SessionID: r.SessionID, UserID: r.UserID, TurnID: r.TurnID, Objective: r.Objective,
		Status: assent.PlanStatus(r.Status), Mode: assent.Mode(r.Mode), Version: r.Version, ContextType: assent.ContextType(r.ContextType),
		IntentLabel: r.IntentLabel, Bindings: raw(r.Bindings), CreatedAt: assent.Time(r.CreatedAt), UpdatedAt: assent.Time(r.UpdatedAt),
		Steps: []assent.Step{}, Versions: []assent.Version{}, Reviews: []assent.Review{}, Approvals: []assent.Approval{}, Runs: []assent.Run{},
		Preview: assent.NewPreview()}
}

func versionOf(r sqlc.PlanVersion) (assent.Version, error) {
	v := assent.Version{PlanID: r.PlanID, Version: r.Version, Hash: r.Hash, Status: assent.VersionStatus(r.Status), CreatedBy: r.CreatedBy,
		ReadySeq: r.ReadySeq, CreatedAt: assent.Time(r.CreatedAt), Preview: assent.NewPreview()}
	if err := decode(r.Document, &v.Document); err != nil {
		return v, err
	}
	v.Steps = v.Document.Steps
	if err := decode(r.Digests, &v.Digests); err != nil {
		return v, err
	}
	return v, decode(r.Preview, &v.Preview)
}

func reviewOf(r sqlc.PlanReview) (assent.Review, error) {
	v := assent.Review{ID: r.ID, PlanID: r.PlanID, Version: r.Version, Reviewer: r.Reviewer, Verdict: r.Verdict,
		Findings: []assent.Finding{}, At: assent.Time(r.At)}
	return v, decode(r.Findings, &v.Findings)
}

func approvalOf(r sqlc.Approval) (assent.Approval, error) {
	a := assent.Approval{ID: r.ID, PlanID: r.PlanID, Version: r.Version, Hash: r.Hash, Basis: assent.Basis(r.Basis), MessageID: r.MessageID,
		Words: r.Words, UserID: r.UserID, Step: r.Step, CostLimitMicros: r.CostLimitMicros, At: assent.Time(r.At)}
	return a, decode(r.Reading, &a.Reading)
}

func runOf(r sqlc.Run) (assent.Run, error) {
	n := assent.Run{ID: r.ID, PlanID: r.PlanID, SessionID: r.SessionID, UserID: r.UserID, TurnID: r.TurnID, Version: r.Version, Hash: r.Hash,
		Status: assent.RunStatus(r.Status), State: r.State, Generation: r.Generation, Bindings: raw(r.Bindings),
		NotBefore: assent.Time(r.NotBefore), RequestedBy: r.RequestedBy, ApprovalID: r.ApprovalID,
		StartedAt: assent.Time(r.StartedAt), EndedAt: assent.Time(r.EndedAt), Steps: []assent.StepRun{}}
	if err := decode(r.Usage, &n.Usage); err != nil {
		return n, err
	}
	return n, decode(r.Error, &n.Error)
}

func stepRunOf(r sqlc.StepRun) (assent.StepRun, error) {
	s := assent.StepRun{RunID: r.RunID, Position: r.Position, ID: r.StepID, Path: r.Path, Type: assent.StepType(r.Type), Tool: r.Tool,
		Agent: r.Agent, Label: r.Label, Status: assent.StepStatus(r.Status), Attempt: r.Attempt, Arguments: raw(r.Arguments),
		Outputs: raw(r.Outputs), Summary: r.Summary, StartedAt: assent.Time(r.StartedAt), EndedAt: assent.Time(r.EndedAt)}
	return s, decode(r.Error, &s.Error)
}

// CreatePlan stores a plan's head; its versions are stored beside it.
func (tx *Tx) CreatePlan(p assent.Plan) error {
	err := tx.q.CreatePlan(context.Background(), sqlc.CreatePlanParams{ID: p.ID, SessionID: p.SessionID, UserID: p.UserID, TurnID: p.TurnID,
		Objective: p.Objective, Status: string(p.Status), Mode: string(p.Mode), Version: p.Version, ContextType: string(p.ContextType),
		IntentLabel: p.IntentLabel, Bindings: string(p.Bindings), CreatedAt: int64(p.CreatedAt), UpdatedAt: int64(p.UpdatedAt)})
	if err != nil {
		return err
	}
	return tx.q.ClaimPlanning(context.Background(), sqlc.ClaimPlanningParams{PlanID: p.ID, TurnID: p.TurnID})
}

// CreatePlanVersion stores an immutable version.
func (tx *Tx) CreatePlanVersion(v assent.Version) error {
	doc, err := encode(v.Document)
	if err != nil {
		return err
	}
	digests, err := encode(v.Digests)
	if err != nil {
		return err
	}
	preview, err := encode(v.Preview)
	if err != nil {
		return err
	}
	return tx.q.CreatePlanVersion(context.Background(), sqlc.CreatePlanVersionParams{PlanID: v.PlanID, Version: v.Version, Hash: v.Hash,
		Status: string(v.Status), Document: doc, Digests: digests, Preview: preview, CreatedBy: v.CreatedBy, CreatedAt: int64(v.CreatedAt)})
}

// FindPlan gives a plan with its current version, without its past.
func (r Reads) FindPlan(ctx context.Context, id string) (assent.Plan, error) {
	row, err := r.q.FindPlan(plain(ctx), id)
	if err != nil {
		return assent.Plan{}, rowError(err, "plan")
	}
	return r.withVersion(ctx, planOf(row))
}

// withVersion fills what a plan shows of its current version.
func (r Reads) withVersion(ctx context.Context, p assent.Plan) (assent.Plan, error) {
	v, err := r.FindPlanVersion(ctx, p.ID, p.Version)
	if err != nil {
		return p, err
	}
	p.Hash, p.Steps, p.Preview, p.Reasoning = v.Hash, v.Steps, v.Preview, v.Document.Reasoning
	return p, nil
}

// FindPlanWhole gives a plan with versions, reviews, approvals and runs.
func (r Reads) FindPlanWhole(ctx context.Context, id string) (assent.Plan, error) {
	p, err := r.FindPlan(ctx, id)
	if err != nil {
		return p, err
	}
	return r.fillPlan(ctx, p)
}

func (r Reads) fillPlan(ctx context.Context, p assent.Plan) (assent.Plan, error) {
	versions, err := r.q.ListPlanVersions(plain(ctx), p.ID)
	if p.Versions, err = each(versions, err, versionOf); err != nil {
		return p, err
	}
	reviews, err := r.q.ListPlanReviews(plain(ctx), p.ID)
	if p.Reviews, err = each(reviews, err, reviewOf); err != nil {
		return p, err
	}
	approvals, err := r.q.ListApprovals(plain(ctx), p.ID)
	if p.Approvals, err = each(approvals, err, approvalOf); err != nil {
		return p, err
	}
	runs, err := r.q.ListRunsByPlan(plain(ctx), p.ID)
	if p.Runs, err = each(runs, err, runOf); err != nil {
		return p, err
	}
	for i := range p.Runs {
		if p.Runs[i].Steps, err = r.ListStepRuns(ctx, p.Runs[i].ID); err != nil {
			return p, err
		}
	}
	return p, nil
}

// ListPlansBySession gives the plans of a session whole, in order.
func (r Reads) ListPlansBySession(ctx context.Context, sessionID string) ([]assent.Plan, error) {
	rows, err := r.q.ListPlansBySession(plain(ctx), sessionID)
	return each(rows, err, func(row sqlc.Plan) (assent.Plan, error) {
		p, err := r.withVersion(ctx, planOf(row))
		if err != nil {
			return p, err
		}
		return r.fillPlan(ctx, p)
	})
}

// ListPlanIDsByTurn gives the plans that a turn made or ran, oldest first.
func (r Reads) ListPlanIDsByTurn(ctx context.Context, sessionID, turnID string) ([]string, error) {
	return r.q.ListPlanIDsByTurn(plain(ctx), sqlc.ListPlanIDsByTurnParams{SessionID: sessionID, TurnID: turnID})
}

// ListPlans gives a person's plans, newest first, optionally of one status or
// session, with the cursor of the next page.
func (r Reads) ListPlans(ctx context.Context, userID, status, sessionID string, pg Page) ([]assent.Plan, string, error) {
	rows, err := r.q.ListPlansByUser(plain(ctx), sqlc.ListPlansByUserParams{UserID: userID, Status: status, SessionID: sessionID,
		BeforeID: pg.before(), RowLimit: pg.limit()})
	out, err := each(rows, err, func(row sqlc.Plan) (assent.Plan, error) { return r.withVersion(ctx, planOf(row)) })
	return out, nextCursor(out, pg, func(p assent.Plan) string { return p.ID }), err
}

// FindPlanVersion gives one version.
func (r Reads) FindPlanVersion(ctx context.Context, planID string, version int64) (assent.Version, error) {
	row, err := r.q.FindPlanVersion(plain(ctx), sqlc.FindPlanVersionParams{PlanID: planID, Version: version})
	if err != nil {
		return assent.Version{}, rowError(err, "version of this plan")
	}
	return versionOf(row)
}

// UpdatePlanStatus moves a plan from one status to another; false if it was
// not in from.
func (tx *Tx) UpdatePlanStatus(id string, from, to assent.PlanStatus) (bool, error) {
	n, err := tx.q.UpdatePlanStatus(context.Background(), sqlc.UpdatePlanStatusParams{Status: string(to), UpdatedAt: int64(tx.Now()), ID: id, FromStatus: string(from)})
	return n > 0, err
}

// UpdatePlanVersion makes v the current version; false if from was not current.
func (tx *Tx) UpdatePlanVersion(id string, from int64, v assent.Version, st assent.PlanStatus) (bool, error) {
	n, err := tx.q.UpdatePlanVersion(context.Background(), sqlc.UpdatePlanVersionParams{Version: v.Version, Objective: v.Document.Objective,
		Status: string(st), UpdatedAt: int64(tx.Now()), ID: id, FromVersion: from})
	return n > 0, err
}

// UpdateVersionStatus moves a version; false if it was not in from.
func (tx *Tx) UpdateVersionStatus(planID string, version int64, from, to assent.VersionStatus) (bool, error) {
	n, err := tx.q.UpdateVersionStatus(context.Background(), sqlc.UpdateVersionStatusParams{Status: string(to), PlanID: planID, Version: version, FromStatus: string(from)})
	return n > 0, err
}

// UpdateVersionReady stores the seq of a version's plan_ready_for_review.
func (tx *Tx) UpdateVersionReady(planID string, version, seq int64) error {
	return tx.q.UpdateVersionReady(context.Background(), sqlc.UpdateVersionReadyParams{ReadySeq: seq, PlanID: planID, Version: version})
}

// CreatePlanReview stores a verdict.
func (tx *Tx) CreatePlanReview(r assent.Review) error {
	f, err := json.Marshal(r.Findings)
	if err != nil {
		return err
	}
	return tx.q.CreatePlanReview(context.Background(), sqlc.CreatePlanReviewParams{ID: r.ID, PlanID: r.PlanID, Version: r.Version,
		Reviewer: r.Reviewer, Verdict: r.Verdict, Findings: string(f), At: int64(r.At)})
}

// StartApproved records an approval and starts its run, or does nothing at all:
// it guards that plan, version and hash are still what was approved. Only
// package consent calls it (design 01).
func (tx *Tx) StartApproved(a assent.Approval, run assent.Run) error {
	v, err := tx.FindPlanVersion(context.Background(), a.PlanID, a.Version)
	if err != nil {
		return err
	}
	p, err := tx.FindPlan(context.Background(), a.PlanID)
	if err != nil {
		return err
	}
	if p.Version != a.Version {
		return &assent.Error{Code: assent.CodeStale, Message: "A newer version of this plan exists.", Details: map[string]any{"version": p.Version}}
	}
	if v.Hash != a.Hash || run.Hash != a.Hash || run.Version != a.Version {
		return assent.Errorf(assent.CodeConflict, "What was approved is not what is stored.")
	}
	if err := tx.approveVersion(a); err != nil {
		return err
	}
	return tx.createRun(run, v)
}

func (tx *Tx) approveVersion(a assent.Approval) error {
	ok, err := tx.UpdatePlanStatus(a.PlanID, assent.PlanPendingReview, assent.PlanRunning)
	if err == nil && !ok && a.Basis == assent.BasisSetting {
		ok, err = tx.UpdatePlanStatus(a.PlanID, assent.PlanDraft, assent.PlanRunning) // the person's setting asks for no waiting
	}
	if err != nil {
		return err
	}
	if !ok {
		return &assent.Error{Code: assent.CodeConflict, Message: "This plan does not wait for approval any more.", Details: map[string]any{"allowed": []string{}}}
	}
	if ok, err = tx.UpdateVersionStatus(a.PlanID, a.Version, assent.VersionOpen, assent.VersionApproved); err != nil || !ok {
		return errOr(err, assent.Errorf(assent.CodeConflict, "This version is not open any more."))
	}
	return tx.CreateApproval(a)
}

func errOr(err error, other *assent.Error) error {
	if err != nil {
		return err
	}
	return other
}

// CreateApproval records consent; only package consent calls it.
func (tx *Tx) CreateApproval(a assent.Approval) error {
	reading, err := encode(a.Reading)
	if err != nil {
		return err
	}
	return tx.q.CreateApproval(context.Background(), sqlc.CreateApprovalParams{ID: a.ID, PlanID: a.PlanID, Version: a.Version, Hash: a.Hash,
		Basis: string(a.Basis), MessageID: a.MessageID, Words: a.Words, Reading: reading, UserID: a.UserID, Step: a.Step,
		CostLimitMicros: a.CostLimitMicros, At: int64(a.At)})
}

func (tx *Tx) createRun(r assent.Run, v assent.Version) error {
	usage, err := encode(r.Usage)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := tx.q.CreateRun(ctx, sqlc.CreateRunParams{ID: r.ID, PlanID: r.PlanID, SessionID: r.SessionID, UserID: r.UserID, TurnID: r.TurnID,
		Version: r.Version, Hash: r.Hash, Status: string(r.Status), State: r.State, Generation: r.Generation, Bindings: string(r.Bindings),
		Usage: usage, NotBefore: int64(r.NotBefore), RequestedBy: r.RequestedBy, ApprovalID: r.ApprovalID, StartedAt: int64(r.StartedAt)}); err != nil {
		return err
	}
	if _, err := tx.createStepRuns(r.ID, "", 0, v.Document.Steps); err != nil {
		return err
	}
	if _, err := tx.Append(r.SessionID, r.TurnID, assent.PlanState{PlanID: r.PlanID, Version: r.Version, Status: assent.PlanRunning}); err != nil {
		return err
	}
	_, err = tx.Append(r.SessionID, r.TurnID, assent.RunState{RunID: r.ID, PlanID: r.PlanID, Status: r.Status, NotBefore: r.NotBefore})
	return err
}

// createStepRuns makes the journal's rows, a container's before its children's.
func (tx *Tx) createStepRuns(runID, parent string, position int64, steps []assent.Step) (next int64, err error) {
	for _, s := range steps {
		if err := tx.q.CreateStepRun(context.Background(), sqlc.CreateStepRunParams{RunID: runID, Path: parent + s.ID, Position: position, StepID: s.ID,
			Type: string(s.Type), Tool: s.Tool, Agent: s.Agent, Label: s.Label, Status: string(assent.StepPending)}); err != nil {
			return 0, err
		}
		if position, err = tx.createStepRuns(runID, parent+s.ID+"/", position+1, s.Steps); err != nil {
			return 0, err
		}
	}
	return position, nil
}

// FindApproval gives an approval.
func (r Reads) FindApproval(ctx context.Context, id string) (assent.Approval, error) {
	row, err := r.q.FindApproval(plain(ctx), id)
	if err != nil {
		return assent.Approval{}, rowError(err, "approval")
	}
	return approvalOf(row)
}

// FindRunHead gives a run without its steps.
func (r Reads) FindRunHead(ctx context.Context, id string) (assent.Run, error) {
	row, err := r.q.FindRun(plain(ctx), id)
	if err != nil {
		return assent.Run{}, rowError(err, "run")
	}
	return runOf(row)
}

// HasReport reports whether a run has its report turn.
func (r Reads) HasReport(runID string) (bool, error) {
	n, err := r.q.CountReports(context.Background(), runID)
	return n > 0, err
}

// FindRun gives a run with its steps.
func (r Reads) FindRun(ctx context.Context, id string) (assent.Run, error) {
	row, err := r.q.FindRun(plain(ctx), id)
	if err != nil {
		return assent.Run{}, rowError(err, "run")
	}
	run, err := runOf(row)
	if err != nil {
		return run, err
	}
	run.Steps, err = r.ListStepRuns(ctx, id)
	return run, err
}

// ListStepRuns gives a run's journal in order of position.
func (r Reads) ListStepRuns(ctx context.Context, runID string) ([]assent.StepRun, error) {
	rows, err := r.q.ListStepRuns(plain(ctx), runID)
	return each(rows, err, stepRunOf)
}

// ListRunsByStatus gives all runs in a status, oldest first, without steps.
func (r Reads) ListRunsByStatus(ctx context.Context, st assent.RunStatus) ([]assent.Run, error) {
	rows, err := r.q.ListRunsByStatus(plain(ctx), string(st))
	return each(rows, err, runOf)
}

// MoveRun changes a run's status and state; false if it was not in from.
func (tx *Tx) MoveRun(from, to assent.Run) (bool, error) {
	problem, err := encode(to.Error)
	if err != nil {
		return false, err
	}
	n, err := tx.q.MoveRun(context.Background(), sqlc.MoveRunParams{Status: string(to.Status), State: to.State, Generation: to.Generation,
		Error: problem, EndedAt: int64(to.EndedAt), NotBefore: int64(to.NotBefore), ID: from.ID, FromState: from.State, FromStatus: string(from.Status)})
	return n > 0, err
}

// UpdateRunTurn makes a turn the one that awaits a run and tells of it.
func (tx *Tx) UpdateRunTurn(runID, turnID string) error {
	return tx.q.UpdateRunTurn(context.Background(), sqlc.UpdateRunTurnParams{TurnID: turnID, ID: runID})
}

// BeginStep raises the step's attempt and gives it; that number is the fence
// for everything the attempt does. A conflict means that the step is over.
func (tx *Tx) BeginStep(runID, path string, arguments json.RawMessage) (int64, error) {
	n, err := tx.q.BeginStepRun(context.Background(), sqlc.BeginStepRunParams{Arguments: string(arguments), StartedAt: int64(tx.Now()), RunID: runID, Path: path})
	if err := rowError(err, "step to begin"); err != nil {
		return 0, err
	}
	return n, nil
}

// EndStep stores a step's outcome if s.Attempt still holds it; false means that
// a newer owner has it.
func (tx *Tx) EndStep(s assent.StepRun) (bool, error) {
	problem, err := encode(s.Error)
	if err != nil {
		return false, err
	}
	n, err := tx.q.EndStepRun(context.Background(), sqlc.EndStepRunParams{Status: string(s.Status), Outputs: string(s.Outputs), Summary: s.Summary,
		Error: problem, EndedAt: int64(tx.Now()), RunID: s.RunID, Path: s.Path, Attempt: s.Attempt})
	return n > 0, err
}

// FindStepRun gives one step of a run.
func (r Reads) FindStepRun(ctx context.Context, runID, path string) (assent.StepRun, error) {
	row, err := r.q.FindStepRun(plain(ctx), sqlc.FindStepRunParams{RunID: runID, Path: path})
	if err != nil {
		return assent.StepRun{}, rowError(err, "step of this run")
	}
	return stepRunOf(row)
}

// AnswerStep stores what a person's answer made of a step that waits for it;
// false if it does not wait.
func (tx *Tx) AnswerStep(s assent.StepRun) (bool, error) {
	ended := int64(tx.Now())
	if s.Status == assent.StepPending {
		ended = 0
	}
	n, err := tx.q.AnswerStepRun(context.Background(), sqlc.AnswerStepRunParams{Status: string(s.Status), Outputs: string(s.Outputs),
		Summary: s.Summary, EndedAt: ended, RunID: s.RunID, Path: s.Path})
	return n > 0, err
}

// MarkStep moves a step that is not running (skipped, cancelled, undone).
func (tx *Tx) MarkStep(runID, path string, from, to assent.StepStatus) (bool, error) {
	n, err := tx.q.MarkStepRun(context.Background(), sqlc.MarkStepRunParams{Status: string(to), EndedAt: int64(tx.Now()), RunID: runID, Path: path, FromStatus: string(from)})
	return n > 0, err
}

// ResetStep sets a step back to pending, to be run again.
func (tx *Tx) ResetStep(runID, path string, from assent.StepStatus) (bool, error) {
	n, err := tx.q.ResetStepRun(context.Background(), sqlc.ResetStepRunParams{RunID: runID, Path: path, FromStatus: string(from)})
	return n > 0, err
}

// ListReviews gives plan reviews of the whole installation, newest first, with
// the cursor of the next page.
func (r Reads) ListReviews(ctx context.Context, pg Page) ([]PlanReviewRow, string, error) {
	rows, err := r.q.ListAllPlanReviews(plain(ctx), sqlc.ListAllPlanReviewsParams{BeforeID: pg.before(), RowLimit: pg.limit()})
	out, err := each(rows, err, func(x sqlc.ListAllPlanReviewsRow) (PlanReviewRow, error) {
		v := PlanReviewRow{Review: assent.Review{ID: x.ID, Version: x.Version, Reviewer: x.Reviewer, Verdict: x.Verdict, Findings: []assent.Finding{}, At: assent.Time(x.At)},
			PlanID: x.PlanID, SessionID: x.SessionID, UserID: x.UserID, Mode: assent.Mode(x.Mode), Status: assent.PlanStatus(x.Status)}
		return v, decode(x.Findings, &v.Findings)
	})
	return out, nextCursor(out, pg, func(v PlanReviewRow) string { return v.ID }), err
}

// PlanReviewRow is a review with the plan it was about.
type PlanReviewRow struct {
	assent.Review
	PlanID    string            `json:"plan_id"`
	SessionID string            `json:"session_id"`
	UserID    string            `json:"user_id"`
	Mode      assent.Mode       `json:"mode"`
	Status    assent.PlanStatus `json:"status"`
}
