package views

import (
	"assent/internal/assent"
)

// AdminPlan is a plan as an admin sees it: no words of it.
type AdminPlan struct {
	Head   AdminHead
	Plan   assent.Plan // whole
	Person string
	Own    bool // the admin's own plan
	Costs  []CostLine
	Errors int64 // on record
}

// AdminPlanURL is what an admin sees of a plan: no content.
func AdminPlanURL(id string) string { return under(AdminPlansURL, id) }

// AdminStepURL is where a step of a run stands on the plan's page for admins; a
// plan that has no such step shows itself.
func AdminStepURL(plan, run, step string) string {
	if run == "" || step == "" {
		return AdminPlanURL(plan)
	}
	return AdminPlanURL(plan) + "#" + StepAnchor(run, step)
}

// StepAnchor names a step of a run within a page.
func StepAnchor(run, path string) string { return "step-" + run + "-" + path }

func stepTool(st assent.StepRun) string {
	switch {
	case st.Tool != "":
		return st.Tool
	case st.Agent != "":
		return st.Agent
	}
	return "–"
}
