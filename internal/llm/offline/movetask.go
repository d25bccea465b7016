package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// moveTask puts a task under a milestone.
func (s *situation) moveTask(t english.Text, m english.Match) (write, *answer) {
	r, ok := m.Groups["place"]
	if !ok {
		r = m.Groups["before"]
	}
	mention, rest := s.takeProject(t.Part(m.Groups["target"]))
	in, next := s.inMention(mention)
	if next != nil && mention.named() {
		return write{}, next
	}
	task := s.thing(assent.KindTask, target(rest), in)
	if task.next != nil {
		return write{}, task.next
	}
	if in.ID == "" {
		in = entity{ID: task.ProjectID}
	}
	place := s.thing(assent.KindMilestone, target(t.Part(r)), in)
	if place.next != nil {
		return write{}, place.next
	}
	return update(assent.KindTask, task.entity, args{"milestone_id": place.ID}, "under the milestone "+quoted(place.label())), nil
}
