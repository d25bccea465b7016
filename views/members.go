package views

import "assent/internal/assent"

// Members is the page of the people in a project.
type Members struct {
	Head    ProjectHead
	Owner   assent.Person
	Members []assent.Member
	Form    Form // adds one; for the owner
}
