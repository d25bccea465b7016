package views

import (
	"slices"

	"assent/internal/assent"
)

// madeShown bounds the links of a card to what its run made.
const madeShown = 6

// made links to what a run has made or changed and what still stands, each thing
// once, projects first: what lies in them is a click away.
func (r *chatRun) made() []Link {
	if r == nil {
		return nil
	}
	v := r.plan.version(r.version)
	if v == nil {
		return nil
	}
	var found []*assent.EntityRef
	eachStep(v.steps, "", func(path string, _ assent.Step) {
		s := r.steps[path]
		if s == nil || s.status != assent.StepSuccess || s.entity == nil {
			return
		}
		if !slices.ContainsFunc(found, func(e *assent.EntityRef) bool { return e.ID == s.entity.ID }) {
			found = append(found, s.entity)
		}
	})
	slices.SortStableFunc(found, func(a, b *assent.EntityRef) int { return madeRank(a) - madeRank(b) })
	var out []Link
	for _, e := range found[:min(len(found), madeShown)] {
		if url := madeURL(e); url != "" {
			out = append(out, Link{URL: url, Label: orWord(e.Title, Words(string(e.Kind)))})
		}
	}
	return out
}

func madeRank(e *assent.EntityRef) int {
	switch e.Kind {
	case assent.KindProject:
		return 0
	case assent.KindDocument:
		return 1
	}
	return 2
}

// madeURL is where a thing is looked at; "" for what has no page of its own.
func madeURL(e *assent.EntityRef) string {
	switch {
	case e.Kind == assent.KindProject || e.Kind == assent.KindTask || e.Kind == assent.KindDocument:
		return EntityURL(e.Kind, e.ID)
	case e.ProjectID != "":
		return ProjectURL(e.ProjectID)
	}
	return ""
}

// found links the line that says a run is done to what it made.
func (l *chatLine) found() []Link {
	if l.status != assent.PlanCompleted && l.status != assent.PlanFailed && l.status != assent.PlanCancelled {
		return nil
	}
	return l.run.made()
}
