package page

import (
	"net/http"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// healthReport is what the tool project_health answers with.
type healthReport struct {
	Score    float64 `json:"score"`
	Verdict  string  `json:"verdict"`
	Findings []struct {
		Severity string `json:"severity"`
		Text     string `json:"text"`
	} `json:"findings"`
	Overdue    []assent.Task      `json:"overdue"`
	Blocked    []assent.Task      `json:"blocked"`
	Milestones []assent.Milestone `json:"milestones"`
}

// health judges a project by the same tool that conversations use.
func (p *Pages) health(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	r, err := p.call(c, "project_health", map[string]any{"project_id": project.ID})
	if err != nil {
		return err
	}
	found, err := artifact[healthReport](r)
	if err != nil {
		return err
	}
	h := views.Health{Head: p.head(c, project, views.TabHealth), Score: int64(found.Score), Verdict: found.Verdict}
	for _, f := range found.Findings {
		h.Findings = append(h.Findings, views.HealthFinding{Severity: f.Severity, Text: f.Text})
	}
	if h.Overdue, err = p.lines(c, found.Overdue, nil); err != nil {
		return err
	}
	if h.Blocked, err = p.lines(c, found.Blocked, nil); err != nil {
		return err
	}
	h.Milestones, _ = milestoneLines(contents{milestones: found.Milestones}, reader(c).Today(p.Clock()))
	return p.show(c, http.StatusOK, project.Name+": health", views.NavProjects, func(s views.Shell) templ.Component { return views.HealthPage(s, h) })
}
