package planner

import (
	"context"
	"embed"
	"strings"
	"text/template"
	"time"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
)

//go:embed prompts/*.md
var promptFiles embed.FS

type systemData struct {
	Guidance string
	Mode     assent.Mode
	NoTools  bool
}

// system renders the system prompt; it is the same for every iteration of a
// turn, so that a provider's prefix cache holds.
func (p *Planner) system(t *turn) (string, error) {
	var b strings.Builder
	if err := p.prompt.Execute(&b, systemData{Guidance: p.row(t.session.ContextType).guidance, Mode: t.scope.Floor, NoTools: len(t.offered) == 0}); err != nil {
		return "", err
	}
	block, err := t.state.Render()
	return b.String() + block, err
}

func parsePrompt() (*template.Template, error) {
	return template.ParseFS(promptFiles, "prompts/system.md")
}

// stateBlock gathers the facts of a turn; the contract of the block is the
// package comment of llm/offline.
func (p *Planner) stateBlock(ctx context.Context, t *turn) (plan.StateBlock, error) {
	now := p.Clock().In(t.scope.Zone)
	state := plan.StateBlock{"today": now.Format(time.DateOnly), "weekday": now.Weekday().String(), "time_zone": t.scope.Zone.String(),
		"locale": t.scope.Person.Locale, "person": t.scope.Person.Name, "context_type": t.session.ContextType, "mode": t.scope.Floor}
	if t.message.Reading != nil {
		state["reading"] = t.message.Reading
	}
	if err := p.workspaceState(ctx, t, state); err != nil {
		return nil, err
	}
	if t.session.LastSeq == 0 && t.calls == 0 {
		return state, nil // the first message: there is no plan yet
	}
	return state, p.planState(ctx, t, state)
}

func (p *Planner) workspaceState(ctx context.Context, t *turn, state plan.StateBlock) error {
	projects, _, err := store.List[assent.Project](ctx, p.Store.Reads, store.Filter{UserID: t.scope.Person.ID, Page: store.Page{Limit: 20}})
	if err != nil {
		return err
	}
	list := []map[string]any{}
	for _, pr := range projects {
		list = append(list, map[string]any{"id": pr.ID, "name": pr.Name, "status": pr.Status, "due_date": pr.DueDate})
	}
	state["projects"] = list
	if t.session.EntityID == "" {
		return nil
	}
	n, err := p.Store.FindAny(ctx, t.session.EntityID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return nil // it was deleted; the conversation goes on without it
	}
	if err != nil {
		return err
	}
	if ok, err := p.Store.MaySee(ctx, t.scope.Person.ID, n.Base().ProjectID); err != nil || !ok {
		return err
	}
	state["entity"] = map[string]any{"kind": n.Base().Kind, "id": n.Base().ID, "title": store.Title(n), "project_id": n.Base().ProjectID}
	return nil
}

// planState lists the plans that wait, run or are paused.
func (p *Planner) planState(ctx context.Context, t *turn, state plan.StateBlock) error {
	plans, err := p.Store.ListPlansBySession(ctx, t.session.ID)
	if err != nil || len(plans) == 0 {
		return err
	}
	list := []map[string]any{}
	for _, pl := range plans {
		switch pl.Status {
		case assent.PlanDraft, assent.PlanPendingReview, assent.PlanRunning, assent.PlanPaused, assent.PlanWaitingHuman:
			list = append(list, map[string]any{"plan_id": pl.ID, "version": pl.Version, "status": pl.Status, "objective": pl.Objective, "steps": pl.Steps})
		}
	}
	if len(list) > 0 {
		state["plans"] = list
	}
	return nil
}
