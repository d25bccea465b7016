package workspace

import (
	"context"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listProjectsArgs struct {
	Query  string `json:"query,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Words in the name or description."`
	Status string `json:"status,omitempty" jsonschema:"enum=planning,enum=active,enum=on_hold,enum=done,enum=archived" jsonschema_description:"Only projects in this status."`
	limitArg
}

type projectList struct {
	Projects []assent.Project `json:"projects"`
	Total    int              `json:"total"`
}

func (b builtin) listProjects() *tool.Tool {
	return tool.New(tool.Def{Name: "list_projects", Title: "List projects", Effect: assent.EffectRead,
		Description: "Lists the projects that the person owns or is a member of, the newest first, with a query the best match first. Returns projects and how many there are in total.",
		Example:     `{"status": "active", "limit": 10}`,
	}, func(ctx context.Context, c tool.Call, a listProjectsArgs) (tool.Result[projectList], error) {
		found, err := all[assent.Project](ctx, b.reads, store.Filter{UserID: c.Scope.Person.ID, Status: a.Status})
		if err != nil {
			return tool.Result[projectList]{}, err
		}
		slices.SortFunc(found, func(a, b assent.Project) int { return int(b.CreatedAt - a.CreatedAt) })
		found = matching(found, a.Query, func(p assent.Project) []field {
			return []field{in(p.Name, 3), in(p.Description, 1)}
		})
		total := len(found)
		return tool.Result[projectList]{Artifact: projectList{Projects: first(found, a.or(defaultLimit)), Total: total}, Summary: "Found " + count(total, "project")}, nil
	})
}

type projectArgs struct {
	ProjectID string `json:"project_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the project."`
}

// projectView is a project with what one asks for first.
type projectView struct {
	assent.Project
	Milestones []assent.Milestone `json:"milestones"`
	Goals      []assent.Goal      `json:"goals"`
	OpenTasks  int                `json:"open_tasks"`
	TotalTasks int                `json:"total_tasks"`
}

func (b builtin) getProject() *tool.Tool {
	return tool.New(tool.Def{Name: "get_project", Title: "Read a project", Effect: assent.EffectRead,
		Description: "Reads one project. Returns the project with its milestones in order, its goals and how many of its tasks are open (neither done nor cancelled).",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a projectArgs) (tool.Result[projectView], error) {
		p, err := find[assent.Project](ctx, b.reads, c, a.ProjectID)
		if err != nil {
			return tool.Result[projectView]{}, err
		}
		within, err := b.reads.ListProjectEntities(ctx, p.ID)
		if err != nil {
			return tool.Result[projectView]{}, err
		}
		v := viewOf(p, within)
		return tool.Result[projectView]{ArtifactID: p.ID, Artifact: v, Summary: quoted(&p) + " has " + count(v.OpenTasks, "open task")}, nil
	})
}

func viewOf(p assent.Project, within []store.Noun) projectView {
	v := projectView{Project: p, Milestones: []assent.Milestone{}, Goals: []assent.Goal{}}
	for _, n := range within {
		switch e := n.(type) {
		case *assent.Milestone:
			v.Milestones = append(v.Milestones, *e)
		case *assent.Goal:
			v.Goals = append(v.Goals, *e)
		case *assent.Task:
			v.TotalTasks++
			if !finished(e) {
				v.OpenTasks++
			}
		}
	}
	v.Milestones, v.Goals = squeezed(v.Milestones, maxList/2), squeezed(v.Goals, maxList/2)
	return v
}

type updateProjectArgs struct {
	projectArgs
	Name        *string        `json:"name,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New name."`
	Description *string        `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"New description."`
	Status      string         `json:"status,omitempty" jsonschema:"enum=planning,enum=active,enum=on_hold,enum=done,enum=archived" jsonschema_description:"New status."`
	StartDate   *clearableDate `json:"start_date,omitempty" jsonschema_description:"New start, YYYY-MM-DD; empty removes it."`
	DueDate     *clearableDate `json:"due_date,omitempty" jsonschema_description:"New due date, YYYY-MM-DD; empty removes it."`
	revisionArg
}

func (b builtin) updateProject() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_project", Title: "Change a project", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a project and leaves the others as they are; the dates of its milestones and tasks stay. Returns the project.",
		Preview:     updates(assent.KindProject), Target: b.titled("project_id"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "status": "active", "due_date": "2027-04-30"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateProjectArgs) (tool.Result[assent.Project], error) {
		p, err := current[assent.Project](ctx, tx, c, a.ProjectID, a.Revision)
		if err != nil {
			return tool.Result[assent.Project]{}, err
		}
		var change patch
		change.title("name", &p.Name, a.Name)
		change.text("description", &p.Description, a.Description)
		change.choice("status", &p.Status, a.Status)
		change.day("start_date", &p.StartDate, a.StartDate)
		change.day("due_date", &p.DueDate, a.DueDate)
		if err := inOrder(p.StartDate, p.DueDate); err != nil {
			change.fail(err)
		}
		return save(tx, c, &change, &p)
	})
}
