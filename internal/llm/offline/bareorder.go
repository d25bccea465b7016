package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// plansSomething are verbs by which even two words ask for a project.
var plansSomething = groups.Compile(`^(?:plan|planning|organise|organising|organize|prepare|preparing|coordinate|kick off|kickoff|set up|setup|host|launch|launching|relaunch|relocate|migrate|renovate|refurbish|redesign|rebrand|roll out|develop|design|build) `)

// bareOrder reports an order of two words that names no kind of thing and no
// known kind of project: "run away", "buy milk". It may be a project, a task or
// neither, so nothing is made of it. Where a new project is talked about it is
// one.
func (s *situation) bareOrder(a *ask, u understanding) bool {
	if u.score >= 96 || s.state.ContextType == assent.ContextProjectCreate || len(a.dates) > 0 || plansSomething.In(a.canon) {
		return false
	}
	words := 0
	for i, tok := range a.text.Tokens {
		switch {
		case tok.Kind == english.Word && !a.text.Is(i, "a", "an", "the", "my", "our", "some"):
			words++
		case tok.Kind == english.Number, tok.Kind == english.Quote, a.text.Is(i, ",", ":"):
			return false
		}
	}
	_, known := archetypeOf(a.text.String())
	return words <= 2 && !known
}

// projectOrTask asks what a bare order is to become.
func (s *situation) projectOrTask(a *ask) answer {
	if a.text.Is(a.text.Len()-1, "it", "this", "that", "them") {
		return s.lost()
	}
	text := english.Sentence(withoutEnd(a.text).String())
	in := "a project"
	if len(s.state.Projects) > 0 {
		in = s.state.Projects[0].Name
	}
	if s.state.Entity != nil && s.state.Entity.Kind == assent.KindProject {
		in = s.state.Entity.Name
	}
	return sayf("I have done nothing yet, as %s may be a task or a project. For a task, say “add the task %s to %s”; for a project, “create a project called %s”. I cannot do the work itself.", quoted(text), text, in, text)
}
