package views

import "assent/internal/assent"

// EntityPage is a form for making or changing something in the workspace.
type EntityPage struct {
	Title     string
	Crumbs    []Link
	Form      Form
	DeleteURL string // "" when it cannot be deleted here
	History   string // "" for something new
}

// ConfirmPage asks before something is destroyed.
type ConfirmPage struct {
	Title  string // "Delete the task “Sign lease”?"
	Facts  []string
	Crumbs []Link
	Form   Form
}

// ProjectCrumbs leads from the list of projects to a project.
func ProjectCrumbs(p assent.Project) []Link {
	return []Link{{URL: ProjectsURL, Label: "Projects"}, {URL: ProjectURL(p.ID), Label: p.Name}}
}
