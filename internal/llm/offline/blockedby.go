package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var blockedBy = groups.Compile(`(?:blocked|stuck|held up|stalled)(?: now| currently)? (?:by|on|until) (?P<by>.+)$`)

// blockedByTask notes a dependency where what a task is blocked by is another
// task; ok is false where it is not, or must still be looked up.
func (s *situation) blockedByTask(kind assent.Kind, e entity, m formMatch, whole english.Text) (w write, next *answer, ok bool) {
	by, found := blockedBy.Find(whole.Canon())
	if m.name != "block" || kind != assent.KindTask || !found {
		return write{}, nil, false
	}
	name := target(whole.Part(by.Groups["by"]))
	look := lookUp(assent.KindTask, name, entity{ID: e.ProjectID})
	if !s.tried(look) {
		return write{}, &answer{calls: []call{look}}, true
	}
	o := s.resultOf(look)
	for _, t := range o.list(assent.KindTask) {
		if t.ID != e.ID && english.Likeness(name, t.label()) >= sureName {
			text := quoted(e.label()) + " depends on " + quoted(t.label())
			return write{call: call{"create_relation", args{"type": "depends_on", "from_id": e.ID, "to_id": t.ID}}, label: "Note that " + text, done: "Noted: " + text + "."}, nil, true
		}
	}
	return write{}, nil, false
}
