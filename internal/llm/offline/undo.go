package offline

import (
	"slices"

	"assent/internal/assent"
)

const howToRestore = "I cannot bring back single things by words. What a plan of this conversation deleted comes back with “undo”; " +
	"anything else on its History page, where every deletion can be undone."

// nothingToUndo answers an “undo” that the runtime did not take: it takes back
// what was run last and what was run before that by itself, so nothing is left.
func (s *situation) nothingToUndo() answer {
	if p, ok := s.waiting(); ok {
		return sayf("There is nothing to undo: %s has not run. Say “discard it” to put it away.", planName(p))
	}
	return say("There is nothing more to undo in this conversation: no run is left whose effects could be taken back. What was changed without a plan can be undone on the project’s History page.")
}

// homeIsGone reports that the thing that the conversation is about was deleted:
// the state then names a context but no entity.
func (s *situation) homeIsGone() bool {
	inside := []assent.ContextType{assent.ContextProject, assent.ContextProjectAudit, assent.ContextTask}
	return s.state.Entity == nil && slices.Contains(inside, s.state.ContextType)
}

// meansHome reports whether a wish is about the conversation's own project: it
// names no other, and does not ask about all of them.
func (s *situation) meansHome(a *ask, u understanding) bool {
	switch u.want {
	case wantList, wantSearch, wantOpen, wantAdd, wantChange, wantLink, wantDelete, wantAudit:
	default:
		return false
	}
	m, _ := s.takeProject(a.text)
	return (m.here || !m.named()) && !a.has(everywhere) && !asksForProjects(a) && !asksForTemplates(a)
}

var everywhere = groups.Compile(`(?:all|every|each|any|other|whole|across|everywhere|workspace|projects)`)
