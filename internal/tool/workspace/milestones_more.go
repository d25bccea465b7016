package workspace

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type createMilestonesArgs struct {
	projectArgs
	Milestones []milestoneArg `json:"milestones" jsonschema:"minItems=1,maxItems=30" jsonschema_description:"Milestones in their order, with their tasks."`
}

// createdMilestones are new milestones with the tasks created under them.
type createdMilestones struct {
	Milestones []assent.Milestone `json:"milestones"`
	Tasks      []assent.Task      `json:"tasks"`
	Total      int                `json:"total"`
}

func (b builtin) createMilestones() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_milestones", Title: "Add several milestones", Effect: assent.EffectWrite,
		Description: "Adds several milestones with their tasks to a project in one go; a title that comes twice is created once. Returns the milestones and the tasks as created.",
		Preview: func(by string, args json.RawMessage) assent.Preview {
			milestones, known := literalsOf(args).milestones("milestones")
			p := previewOf(outlineOf(nil, milestones, nil, nil, nil).counts(), nil, nil)
			if !known {
				return open(p)
			}
			return p
		},
		Target: titledAll("milestones"), Contents: contentsOfMilestones,
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "milestones": [{"title": "Fit-out done", "due_date": "2027-02-28", "tasks": ["Order the desks", "Set up the network"]}, {"title": "Moved in"}]}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createMilestonesArgs) (tool.Result[createdMilestones], error) {
		var out createdMilestones
		p, err := find[assent.Project](ctx, tx.Reads, c, a.ProjectID)
		if err != nil {
			return tool.Result[createdMilestones]{}, err
		}
		o := outlineOf(nil, a.Milestones, nil, nil, nil)
		if err := o.bounded(); err != nil {
			return tool.Result[createdMilestones]{}, err
		}
		out.Milestones, out.Tasks, err = o.createWork(tx, store.OriginOf(c.Scope, c.Tool), p.ID)
		out.Total = len(out.Milestones)
		out.Milestones = squeezed(out.Milestones, maxList/2)
		return tool.Result[createdMilestones]{Artifact: out, Summary: fmt.Sprintf("Added %s to %s", counted(o.counts()), quoted(&p))}, err
	})
}

type deleteMilestoneArgs struct {
	milestoneArgs
	revisionArg
}

func (b builtin) deleteMilestone() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_milestone", Title: "Delete a milestone", Effect: assent.EffectDestructive,
		Description: "Deletes a milestone with the relations to it; its tasks stay in the project without a milestone. Returns the milestone as it was.",
		Preview:     b.deletes(assent.KindMilestone), Target: b.titled("milestone_id"),
		Example: `{"milestone_id": "0192f000-0000-7000-8000-000000000003"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteMilestoneArgs) (tool.Result[assent.Milestone], error) {
		m, err := current[assent.Milestone](ctx, tx, c, a.MilestoneID, a.Revision)
		if err != nil {
			return tool.Result[assent.Milestone]{}, err
		}
		n, err := detach(ctx, tx, c, m)
		if err != nil {
			return tool.Result[assent.Milestone]{}, err
		}
		r, err := remove[assent.Milestone](ctx, tx, c, m.ID, nil)
		if n > 0 {
			r.Summary += "; " + count(n, "task") + " without a milestone now"
		}
		return r, err
	})
}

// detach takes a milestone off its tasks and says how many they are.
func detach(ctx context.Context, tx *store.Tx, c tool.Call, m assent.Milestone) (int, error) {
	within, err := tx.ListProjectEntities(ctx, m.ProjectID)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range within {
		t, ok := e.(*assent.Task)
		if !ok || t.MilestoneID != m.ID {
			continue
		}
		t.MilestoneID = ""
		if err := tx.UpdateEntity(store.OriginOf(c.Scope, c.Tool), t); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
