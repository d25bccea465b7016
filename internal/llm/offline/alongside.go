package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// splitQuestion parts an order from a question behind it: "set up a project …,
// then also list what is overdue". The order keeps the whole message as its raw
// words.
func (s *situation) splitQuestion(a *ask) (order, question *ask, ok bool) {
	if a.text.Len() > gistStart {
		return nil, nil, false // a text, and no order
	}
	for i := 2; i+1 < a.text.Len(); i++ {
		if !a.text.Ends(i) && !a.text.Is(i, "and", ",", "then") {
			continue
		}
		from := i + 1
		for a.text.Is(from, "and", "then", "also", "please", "afterwards", "finally", ",", "can", "could", "you") {
			from++
		}
		if !a.text.Is(from, "show", "list", "tell", "what", "which", "how", "give", "display") {
			continue
		}
		rest := a.text.Part(english.Range{From: from, To: a.text.Len()})
		q := &ask{raw: rest.String(), text: rest, mode: a.mode}
		q.takeCourtesy()
		q.refresh(s.reader)
		if u := understand(s, q); u.score < sure || !looksUp(u.want) || saysMore(rest) {
			continue
		}
		o := &ask{raw: a.raw, text: a.text.Part(english.Range{From: 0, To: i}), mode: a.mode}
		o.refresh(s.reader)
		if changesWorkspace(understand(s, o).want) {
			return o, q, true
		}
	}
	return nil, nil, false
}

// saysMore reports words behind the end of the first sentence.
func saysMore(t english.Text) bool {
	for i := range t.Len() - 1 {
		if t.Ends(i) {
			return true
		}
	}
	return false
}

func looksUp(w want) bool {
	return w == wantList || w == wantOpen || w == wantSearch || w == wantAudit
}

// answerBoth answers the question first, since the order ends the turn.
func (s *situation) answerBoth(order, question *ask) answer {
	first := s.answerWant(understand(s, question), question)
	if len(first.calls) > 0 {
		return first
	}
	next := s.answerWant(understand(s, order), order)
	for _, c := range next.calls {
		if isRead(c.tool) {
			return next
		}
	}
	next.text = first.text + "\n\n" + next.text
	if _, said := s.latest("list_templates"); said {
		next.text = "\n\n" + next.text
	}
	return next
}

// isRead reports a tool that only looks something up.
func isRead(tool string) bool {
	verb, _, _ := strings.Cut(tool, "_")
	switch verb {
	case "list", "get", "search", "blocked", "overdue", "task", "project":
		return true
	}
	return tool == "search"
}
