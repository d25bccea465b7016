package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// health is how a project stands on a day. Score starts at 100 and loses what
// each finding costs (health_rules.go); the verdict follows from the score and
// the worst finding.
type health struct {
	ProjectID  string           `json:"project_id"`
	Name       string           `json:"name"`
	Status     string           `json:"status"`
	AsOf       assent.Date      `json:"as_of"`
	Score      int              `json:"score" jsonschema:"minimum=0,maximum=100"`
	Verdict    string           `json:"verdict" jsonschema:"enum=good,enum=at_risk,enum=critical"`
	Findings   []finding        `json:"findings"`
	Counts     healthCounts     `json:"counts"`
	Overdue    []assent.Task    `json:"overdue"`
	Blocked    []blockedTask    `json:"blocked"`
	Milestones []milestoneState `json:"milestones"`
}

// finding is one thing that a rule noticed, with the evidence in words.
type finding struct {
	Severity string   `json:"severity" jsonschema:"enum=info,enum=warning,enum=error"`
	Text     string   `json:"text"`
	Rule     string   `json:"rule"`
	Cost     int      `json:"cost"` // what it takes from the score
	IDs      []string `json:"ids"`  // what it is about
}

type healthCounts struct {
	Tasks             int `json:"tasks"`
	Open              int `json:"open"`
	Done              int `json:"done"`
	Overdue           int `json:"overdue"`
	Blocked           int `json:"blocked"`
	Milestones        int `json:"milestones"`
	MilestonesReached int `json:"milestones_reached"`
	MilestonesPassed  int `json:"milestones_passed"`
	OpenRisks         int `json:"open_risks"`
	Documents         int `json:"documents"`
	Goals             int `json:"goals"`
}

// milestoneState is a milestone with how far its tasks are.
type milestoneState struct {
	assent.Milestone
	OpenTasks int  `json:"open_tasks"`
	DoneTasks int  `json:"done_tasks"`
	Passed    bool `json:"passed"` // its due date has passed and it is not reached
}

func (b builtin) projectHealth() *tool.Tool {
	return tool.New(tool.Def{Name: "project_health", Title: "Check a project's health", Effect: assent.EffectRead,
		Description: "Judges how a project stands today by fixed rules: overdue and blocked tasks, passed milestones, missing dates and documents, silence, open high risks, circular dependencies. " +
			"Returns a score from 0 to 100, a verdict (good, at_risk, critical), findings with evidence, counts, and the tasks and milestones concerned.",
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a projectArgs) (tool.Result[health], error) {
		x, err := b.examine(ctx, c, a.ProjectID)
		if err != nil {
			return tool.Result[health]{}, err
		}
		h := x.judge()
		return tool.Result[health]{ArtifactID: h.ProjectID, Artifact: h,
			Summary: fmt.Sprintf("%s is %s: %d of 100, %s", quoted(&x.project), strings.ReplaceAll(h.Verdict, "_", " "), h.Score, count(len(h.Findings), "finding"))}, nil
	})
}

// examination is what the rules look at.
type examination struct {
	project    assent.Project
	today      assent.Date
	now        time.Time
	tasks      []assent.Task
	milestones []milestoneState
	goals      []assent.Goal
	documents  []assent.Document
	risks      []assent.Risk
	overdue    []assent.Task
	blocked    []blockedTask
	graph      *graph
	lastChange time.Time
}

// examine loads a project with everything in it.
func (b builtin) examine(ctx context.Context, c tool.Call, projectID string) (examination, error) {
	x := examination{today: today(c), now: c.Now, milestones: []milestoneState{}}
	p, err := find[assent.Project](ctx, b.reads, c, projectID)
	if err != nil {
		return x, err
	}
	x.project = p
	within, err := b.reads.ListProjectEntities(ctx, p.ID)
	if err != nil {
		return x, err
	}
	x.sort(within)
	if x.graph, err = newGraph(ctx, b.reads, c, within, relationsIn(within)); err != nil {
		return x, err
	}
	x.overdue, x.blocked = overdueOf(x.tasks, x.today), blockedOf(x.tasks, x.graph)
	x.lastChange, err = b.lastChange(ctx, p)
	return x, err
}

// sort puts entities into the lists that the rules look at.
func (x *examination) sort(within []store.Noun) {
	for _, n := range within {
		switch e := n.(type) {
		case *assent.Task:
			x.tasks = append(x.tasks, *e)
		case *assent.Milestone:
			x.milestones = append(x.milestones, milestoneState{Milestone: *e, Passed: e.Status != "reached" && e.DueDate != "" && e.DueDate < x.today})
		case *assent.Goal:
			x.goals = append(x.goals, *e)
		case *assent.Document:
			x.documents = append(x.documents, *e)
		case *assent.Risk:
			x.risks = append(x.risks, *e)
		}
	}
	for _, t := range x.tasks {
		i := slices.IndexFunc(x.milestones, func(m milestoneState) bool { return m.ID == t.MilestoneID })
		switch {
		case i < 0:
		case !finished(&t):
			x.milestones[i].OpenTasks++
		case t.Status == "done":
			x.milestones[i].DoneTasks++
		}
	}
}

func relationsIn(within []store.Noun) []assent.Relation {
	var out []assent.Relation
	for _, n := range within {
		if r, ok := n.(*assent.Relation); ok {
			out = append(out, *r)
		}
	}
	return out
}

// lastChange is when anything in a project was last created, changed or deleted.
func (b builtin) lastChange(ctx context.Context, p assent.Project) (time.Time, error) {
	revs, _, err := b.reads.ListProjectRevisions(ctx, p.ID, store.Page{Limit: 1})
	if err != nil || len(revs) == 0 {
		return p.UpdatedAt.Std(), err
	}
	return revs[0].At.Std(), nil
}

// overdueOf gives the unfinished tasks whose due date has passed, the longest
// overdue first.
func overdueOf(tasks []assent.Task, today assent.Date) []assent.Task {
	out := []assent.Task{}
	for _, t := range tasks {
		if t.DueDate != "" && t.DueDate < today && !finished(&t) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b assent.Task) int { return strings.Compare(string(a.DueDate), string(b.DueDate)) })
	return out
}
