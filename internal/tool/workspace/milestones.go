package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listMilestonesArgs struct {
	inProjectArgs
	Status string `json:"status,omitempty" jsonschema:"enum=open,enum=reached,enum=missed" jsonschema_description:"Only milestones in this status."`
}

type milestoneList struct {
	Milestones []assent.Milestone `json:"milestones"`
	Total      int                `json:"total"`
}

func (b builtin) listMilestones() *tool.Tool {
	return tool.New(tool.Def{Name: "list_milestones", Title: "List milestones", Effect: assent.EffectRead,
		Description: "Lists milestones in their order. Returns milestones with due date and status: open, reached or missed.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001", "status": "open"}`,
	}, func(ctx context.Context, c tool.Call, a listMilestonesArgs) (tool.Result[milestoneList], error) {
		found, err := within[assent.Milestone](ctx, b.reads, c, a.ProjectID)
		found = slices.DeleteFunc(found, func(m assent.Milestone) bool { return a.Status != "" && m.Status != a.Status })
		return tool.Result[milestoneList]{Artifact: milestoneList{Milestones: first(found, 200), Total: len(found)}, Summary: "Found " + count(len(found), "milestone")}, err
	})
}

type createMilestoneArgs struct {
	projectArgs
	Title       string      `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What is reached."`
	Description string      `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"What it takes."`
	DueDate     assent.Date `json:"due_date,omitempty" jsonschema_description:"Day by which it is reached, YYYY-MM-DD."`
}

func (b builtin) createMilestone() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_milestone", Title: "Add a milestone", Effect: assent.EffectWrite,
		Description: "Adds one milestone at the end of a project's milestones. Returns the milestone.",
		Preview:     creates(assent.KindMilestone), Target: namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "Budget agreed", "due_date": "2026-12-15"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createMilestoneArgs) (tool.Result[assent.Milestone], error) {
		title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
		if err != nil {
			return tool.Result[assent.Milestone]{}, err
		}
		at, err := tx.NextPosition(p.ID, assent.KindMilestone)
		if err != nil {
			return tool.Result[assent.Milestone]{}, err
		}
		return create(tx, c, assent.Milestone{Entity: base(assent.KindMilestone, p.ID), Title: title, Description: a.Description, Status: "open", DueDate: a.DueDate, Position: at})
	})
}

type milestoneArgs struct {
	MilestoneID string `json:"milestone_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the milestone."`
}

type updateMilestoneArgs struct {
	milestoneArgs
	Title       *string        `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Description *string        `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New description."`
	Status      string         `json:"status,omitempty" jsonschema:"enum=open,enum=reached,enum=missed" jsonschema_description:"New status."`
	DueDate     *clearableDate `json:"due_date,omitempty" jsonschema_description:"New due date, YYYY-MM-DD; empty removes it."`
	revisionArg
}

func (b builtin) updateMilestone() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_milestone", Title: "Change a milestone", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a milestone, for instance its due date or its status to reached; its tasks stay as they are. Returns the milestone.",
		Preview:     updates(assent.KindMilestone), Target: b.titled("milestone_id"),
		Example: `{"milestone_id": "0192f000-0000-7000-8000-000000000003", "due_date": "2027-01-20"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateMilestoneArgs) (tool.Result[assent.Milestone], error) {
		m, err := current[assent.Milestone](ctx, tx, c, a.MilestoneID, a.Revision)
		if err != nil {
			return tool.Result[assent.Milestone]{}, err
		}
		var change patch
		change.title("title", &m.Title, a.Title)
		change.text("description", &m.Description, a.Description)
		change.choice("status", &m.Status, a.Status)
		change.day("due_date", &m.DueDate, a.DueDate)
		return save(tx, c, &change, &m)
	})
}
