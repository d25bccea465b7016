package views

import "assent/internal/assent"

// PlanLine is a plan in the list, with the conversation it belongs to.
type PlanLine struct {
	Plan         assent.Plan
	Conversation string
}

// Plans is the list of the reader's plans.
type Plans struct {
	Lines   []PlanLine
	Status  string
	Filters []Link
	Pager   Pager
}
