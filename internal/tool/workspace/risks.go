package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listRisksArgs struct {
	inProjectArgs
	Status string `json:"status,omitempty" jsonschema:"enum=open,enum=mitigated,enum=happened,enum=closed" jsonschema_description:"Only risks in this status."`
}

type riskList struct {
	Risks []assent.Risk `json:"risks"`
	Total int           `json:"total"`
}

func (b builtin) listRisks() *tool.Tool {
	return tool.New(tool.Def{Name: "list_risks", Title: "List risks", Effect: assent.EffectRead,
		Description: "Lists the risks of a project. Returns risks with likelihood, impact, mitigation and status.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001", "status": "open"}`,
	}, func(ctx context.Context, c tool.Call, a listRisksArgs) (tool.Result[riskList], error) {
		found, err := within[assent.Risk](ctx, b.reads, c, a.ProjectID)
		found = slices.DeleteFunc(found, func(r assent.Risk) bool { return a.Status != "" && r.Status != a.Status })
		return tool.Result[riskList]{Artifact: riskList{Risks: first(found, 200), Total: len(found)}, Summary: "Found " + count(len(found), "risk")}, err
	})
}

type createRiskArgs struct {
	projectArgs
	Title       string `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What may go wrong."`
	Description string `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"Why, and how one would notice."`
	Likelihood  string `json:"likelihood,omitempty" jsonschema:"enum=low,enum=medium,enum=high" jsonschema_description:"How likely it is; medium if left out."`
	Impact      string `json:"impact,omitempty" jsonschema:"enum=low,enum=medium,enum=high" jsonschema_description:"How bad it would be; medium if left out."`
	Mitigation  string `json:"mitigation,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"What is done about it."`
}

func (b builtin) createRisk() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_risk", Title: "Record a risk", Effect: assent.EffectWrite,
		Description: "Records something that may go wrong in a project, with likelihood, impact and what is done about it. Returns the risk.",
		Preview:     creates(assent.KindRisk), Target: namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "The fit-out is late", "likelihood": "high", "impact": "medium", "mitigation": "Keep the old office for a month"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createRiskArgs) (tool.Result[assent.Risk], error) {
		title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
		if err != nil {
			return tool.Result[assent.Risk]{}, err
		}
		return create(tx, c, assent.Risk{Entity: base(assent.KindRisk, p.ID), Title: title, Description: a.Description, Likelihood: or(a.Likelihood, "medium"),
			Impact: or(a.Impact, "medium"), Mitigation: a.Mitigation, Status: "open"})
	})
}

type riskArgs struct {
	RiskID string `json:"risk_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the risk."`
}

type updateRiskArgs struct {
	riskArgs
	Title       *string `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Description *string `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New description."`
	Likelihood  string  `json:"likelihood,omitempty" jsonschema:"enum=low,enum=medium,enum=high" jsonschema_description:"New likelihood."`
	Impact      string  `json:"impact,omitempty" jsonschema:"enum=low,enum=medium,enum=high" jsonschema_description:"New impact."`
	Mitigation  *string `json:"mitigation,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"What is done about it."`
	Status      string  `json:"status,omitempty" jsonschema:"enum=open,enum=mitigated,enum=happened,enum=closed" jsonschema_description:"New status."`
	revisionArg
}

func (b builtin) updateRisk() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_risk", Title: "Change a risk", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a risk, for instance its mitigation or its status. Returns the risk.",
		Preview:     updates(assent.KindRisk), Target: b.titled("risk_id"),
		Example: `{"risk_id": "0192f000-0000-7000-8000-000000000006", "status": "mitigated", "mitigation": "The old office is ours until April"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateRiskArgs) (tool.Result[assent.Risk], error) {
		r, err := current[assent.Risk](ctx, tx, c, a.RiskID, a.Revision)
		if err != nil {
			return tool.Result[assent.Risk]{}, err
		}
		var change patch
		change.title("title", &r.Title, a.Title)
		change.text("description", &r.Description, a.Description)
		change.choice("likelihood", &r.Likelihood, a.Likelihood)
		change.choice("impact", &r.Impact, a.Impact)
		change.text("mitigation", &r.Mitigation, a.Mitigation)
		change.choice("status", &r.Status, a.Status)
		return save(tx, c, &change, &r)
	})
}

type deleteRiskArgs struct {
	riskArgs
	revisionArg
}

func (b builtin) deleteRisk() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_risk", Title: "Delete a risk", Effect: assent.EffectDestructive,
		Description: "Deletes a risk with the relations to it. Returns the risk as it was.",
		Preview:     b.deletes(assent.KindRisk), Target: b.titled("risk_id"),
		Example: `{"risk_id": "0192f000-0000-7000-8000-000000000006"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteRiskArgs) (tool.Result[assent.Risk], error) {
		return remove[assent.Risk](ctx, tx, c, a.RiskID, a.Revision)
	})
}
