package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// change changes one thing.
func (s *situation) change(a *ask) (write, *answer) {
	text := withoutEnd(a.text)
	if m, t, ok := matchForm(text); ok {
		m, next := s.splitRename(m, t)
		if next != nil {
			return write{}, next
		}
		return s.changeBy(m, t, a)
	}
	return s.changeFields(a, text)
}

// changeBy makes the change of a form.
func (s *situation) changeBy(m formMatch, whole english.Text, a *ask) (write, *answer) {
	if _, from, to, ok := english.FindShift(m.target); ok && m.name == "done" && to-from == m.target.Len() {
		return s.changeFields(a, whole) // "finish two weeks later"
	}
	if (m.name == "done" || m.name == "start") && m.target.Len() > 0 && len(s.reader.Dates(m.target)) > 0 && !s.nameHolds(m.target) {
		return s.changeFields(a, whole)
	}
	kind, e, next := s.changed(m.target, naturalKind[m.name])
	if next != nil {
		return write{}, next
	}
	switch m.name {
	case "rename":
		return s.rename(kind, e, m.value), nil
	case "describe":
		return update(kind, e, args{"description": english.Sentence(m.value.String())}, "described anew"), nil
	case "mine":
		return assign(kind, e, "me")
	case "assign", "unassign":
		return assign(kind, e, m.value.String())
	case "block", "unblock":
		if w, next, ok := s.blockedByTask(kind, e, m, whole); ok {
			return w, next
		}
		return block(kind, e, m)
	case "publish":
		return write{call: call{"publish_document", args{"document_id": e.ID}}, label: "Publish the document " + quoted(e.label()),
			done: "Published the document " + quoted(e.label()) + "."}, nil
	}
	if m.name == "done" && kind == assent.KindTask {
		e.Kind = kind
		return write{on: e, call: call{"complete_task", args{"task_id": e.ID}}, label: "Complete the task " + quoted(e.label()), done: "Done: the task " + quoted(e.label()) + " is complete."}, nil
	}
	status := statusOf[m.name][kind]
	if status == "" {
		a := sayf("A %s cannot be set to that. I can rename it, describe it or change its date, for example.", kind)
		return write{}, &a
	}
	return update(kind, e, args{"status": status}, spokenStatus(status)), nil
}
