package workspace

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type decisionList struct {
	Decisions []assent.Decision `json:"decisions"`
	Total     int               `json:"total"`
}

func (b builtin) listDecisions() *tool.Tool {
	return tool.New(tool.Def{Name: "list_decisions", Title: "List decisions", Effect: assent.EffectRead,
		Description: "Lists the decisions of a project. Returns decisions with rationale, status (proposed, decided or superseded) and date.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a inProjectArgs) (tool.Result[decisionList], error) {
		found, err := within[assent.Decision](ctx, b.reads, c, a.ProjectID)
		return tool.Result[decisionList]{Artifact: decisionList{Decisions: first(found, 200), Total: len(found)}, Summary: "Found " + count(len(found), "decision")}, err
	})
}

type createDecisionArgs struct {
	projectArgs
	Title     string      `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What was or is to be decided."`
	Rationale string      `json:"rationale,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"Why."`
	Status    string      `json:"status,omitempty" jsonschema:"enum=proposed,enum=decided,enum=superseded" jsonschema_description:"Status; decided if left out."`
	DecidedOn assent.Date `json:"decided_on,omitempty" jsonschema_description:"Day on which it was decided, YYYY-MM-DD; today for a decided one if left out."`
}

func (b builtin) createDecision() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_decision", Title: "Record a decision", Effect: assent.EffectWrite,
		Description: "Records a decision with its rationale in a project. Returns the decision.",
		Preview:     creates(assent.KindDecision), Target: namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "We move to Leith", "rationale": "Cheapest by far, and near the tram", "decided_on": "2026-11-20"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createDecisionArgs) (tool.Result[assent.Decision], error) {
		title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
		if err != nil {
			return tool.Result[assent.Decision]{}, err
		}
		d := assent.Decision{Entity: base(assent.KindDecision, p.ID), Title: title, Rationale: a.Rationale, Status: or(a.Status, "decided"), DecidedOn: a.DecidedOn}
		if d.Status == "decided" && d.DecidedOn == "" {
			d.DecidedOn = today(c)
		}
		return create(tx, c, d)
	})
}

type decisionArgs struct {
	DecisionID string `json:"decision_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the decision."`
}

type updateDecisionArgs struct {
	decisionArgs
	Title     *string        `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Rationale *string        `json:"rationale,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New rationale."`
	Status    string         `json:"status,omitempty" jsonschema:"enum=proposed,enum=decided,enum=superseded" jsonschema_description:"New status."`
	DecidedOn *clearableDate `json:"decided_on,omitempty" jsonschema_description:"New date, YYYY-MM-DD; empty removes it."`
	revisionArg
}

func (b builtin) updateDecision() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_decision", Title: "Change a decision", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a decision, for instance its status to superseded; one that becomes decided is dated today unless a date is named. Returns the decision.",
		Preview:     updates(assent.KindDecision), Target: b.titled("decision_id"),
		Example: `{"decision_id": "0192f000-0000-7000-8000-000000000007", "status": "superseded"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateDecisionArgs) (tool.Result[assent.Decision], error) {
		d, err := current[assent.Decision](ctx, tx, c, a.DecisionID, a.Revision)
		if err != nil {
			return tool.Result[assent.Decision]{}, err
		}
		if a.Status == "decided" && d.Status != "decided" && d.DecidedOn == "" && a.DecidedOn == nil {
			day := clearableDate(today(c))
			a.DecidedOn = &day
		}
		var change patch
		change.title("title", &d.Title, a.Title)
		change.text("rationale", &d.Rationale, a.Rationale)
		change.choice("status", &d.Status, a.Status)
		change.day("decided_on", &d.DecidedOn, a.DecidedOn)
		return save(tx, c, &change, &d)
	})
}

type deleteDecisionArgs struct {
	decisionArgs
	revisionArg
}

func (b builtin) deleteDecision() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_decision", Title: "Delete a decision", Effect: assent.EffectDestructive,
		Description: "Deletes a decision with the relations to it. Returns the decision as it was.",
		Preview:     b.deletes(assent.KindDecision), Target: b.titled("decision_id"),
		Example: `{"decision_id": "0192f000-0000-7000-8000-000000000007"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteDecisionArgs) (tool.Result[assent.Decision], error) {
		return remove[assent.Decision](ctx, tx, c, a.DecisionID, a.Revision)
	})
}
