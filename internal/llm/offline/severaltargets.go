package offline

import (
	"slices"

	"assent/internal/llm/offline/english"
)

// severalNamed makes one change of each thing that a single order names.
func (s *situation) severalNamed(a *ask) ([]*ask, *answer) {
	switch understand(s, a).want {
	case wantDelete:
		return s.severalDeleted(a)
	case wantChange:
		if all, next := s.severalTasks(a); next != nil || len(all) > 0 {
			return all, next
		}
		if all, next := s.severalRenames(a); next != nil || len(all) > 1 {
			return all, next
		}
		return s.severalTargets(a)
	}
	return []*ask{a}, nil
}

// severalTargets makes one change of each thing that is named: "A and B are done".
// One thing may have an "and" in its name, so that is looked for first.
func (s *situation) severalTargets(a *ask) ([]*ask, *answer) {
	text := withoutEnd(a.text)
	m, _, ok := matchForm(text)
	if !ok || m.target.Len() < 3 {
		return []*ask{a}, nil
	}
	from := slices.IndexFunc(text.Tokens, func(t english.Token) bool { return t.Start == m.target.Tokens[0].Start })
	items := m.target.Items(0, m.target.Len(), nil)
	if from < 0 || len(items) < 2 {
		return []*ask{a}, nil
	}
	whole := target(m.target, "tasks", "milestones", "both")
	if _, e, next := s.changed(m.target, naturalKind[m.name]); next != nil && len(next.calls) > 0 {
		return nil, next
	} else if next == nil && english.Likeness(whole, e.label()) >= sureName {
		return []*ask{a}, nil
	}
	var out []*ask
	for _, it := range items {
		part := text.Drop(english.Range{From: from, To: from + it.From}, english.Range{From: from + it.To, To: from + m.target.Len()})
		b := &ask{raw: part.String(), text: part, mode: a.mode}
		b.refresh(s.reader)
		out = append(out, b)
	}
	return out, nil
}
