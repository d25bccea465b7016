package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// wholeProject is the project of which words mean everything: "everything in the
// office move", "the whole website relaunch".
func (s *situation) wholeProject(t english.Text) (entity, bool) {
	m, rest := s.takeProject(t)
	words := read(target(withoutFields(rest))).Canon()
	if !everythingWords.In(words) && !finishing.In(words) {
		return entity{}, false
	}
	f := s.project(m)
	f.Kind = assent.KindProject
	return f.entity, f.next == nil
}

// finishing is all that is left of "can we finish two weeks later?".
var finishing = groups.Compile(`^(?:finish|finishing|complete|end)$`)

// shiftProject plans to move every date that a project still has ahead: its own,
// its open milestones' and its open tasks'.
func (s *situation) shiftProject(a *ask, p entity, by english.Shift) *answer {
	for _, look := range []call{{"list_milestones", lists(p, assent.KindMilestone)}, {"list_tasks", lists(p, assent.KindTask)}} {
		if !s.tried(look) {
			return &answer{calls: []call{look}}
		}
	}
	if known := s.projectByID(p.ID); p.DueDate == "" { // the conversation's own comes without its dates
		p.DueDate = known.DueDate
	}
	all := append([]entity{p}, s.listed(assent.KindMilestone)...)
	var writes []write
	for _, e := range append(all, s.listed(assent.KindTask)...) {
		due, dated := english.ParseDay(e.DueDate)
		if !dated || isOver(e) {
			continue
		}
		day := by.Apply(due)
		writes = append(writes, update(e.Kind, e, args{"due_date": day.Format(time.DateOnly)}, "due "+english.LongDate(day)+" (it was "+english.LongDate(due)+")"))
	}
	var next answer
	switch {
	case len(writes) == 0:
		next = sayf("Nothing that is open in %s has a date, so there is nothing to move.", quoted(p.label()))
	case len(writes) > maxSteps:
		next = sayf("In %s %d dates would have to move; a plan has at most %d steps. Move the deadline and the milestones one at a time, for example “move the deadline a week later”.", quoted(p.label()), len(writes), maxSteps)
	default:
		next = s.propose(planOf("Move "+english.Plural(len(writes), "date")+" in "+quoted(p.label()), writes), s.mode(a))
	}
	return &next
}

// isOver reports what is done or dropped, so that its date stays.
func isOver(e entity) bool {
	switch e.Status {
	case "done", "cancelled", "reached", "missed", "archived":
		return true
	}
	return false
}
