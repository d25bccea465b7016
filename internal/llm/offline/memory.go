package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

// talkedAbout is the entity of a kind that earlier results of the conversation
// showed or wrote last, alone in its result.
func (s *situation) talkedAbout(kind assent.Kind) (entity, bool) {
	all := outcomes(s.past)
	for i := len(all) - 1; i >= 0; i-- {
		if e, ok := s.shown(all[i], kind); ok {
			return e, true
		}
	}
	return entity{}, false
}

// shown is the one entity of a kind that a result is about.
func (s *situation) shown(o outcome, kind assent.Kind) (entity, bool) {
	if e, ok := o.one(); ok && kindOf(o.tool, e) == kind {
		e.Kind = kind
		return e, true
	}
	if list := o.list(kind); len(list) == 1 && askedFor(o, list[0]) {
		return list[0], true
	}
	if kind == assent.KindProject {
		if p, ok := readPlanOutput(o); ok {
			if run, ran := p.run(s); ran {
				return s.createdProject(run)
			}
		}
	}
	return entity{}, false
}

// askedFor reports whether a result is what was looked for, and not only what a
// look-up that found nothing fitting happened to show.
func askedFor(o outcome, e entity) bool {
	query := argsOf(o.args).text("query")
	return query == "" || english.Likeness(query, e.label()) >= fits
}

// createdProject is the project that a run created. Where the run's outputs were
// cut, what else it made says in which project, or its label the name.
func (s *situation) createdProject(run runResult) (entity, bool) {
	made := false
	for _, st := range run.Steps {
		if st.Status != assent.StepSuccess {
			continue
		}
		made = made || st.Tool == "create_project"
		o := outcome{tool: st.Tool, env: assent.Envelope{Success: true, Output: st.Outputs}}
		e, ok := o.one()
		switch {
		case ok && st.Tool == "create_project":
			return e, true
		case ok && made && e.ProjectID != "":
			return s.projectByID(e.ProjectID), true
		case st.Tool == "create_project":
			for _, p := range s.state.Projects {
				if strings.Contains(st.Label, quoted(p.Name)) {
					return p, true
				}
			}
		}
	}
	return entity{}, false
}

func (s *situation) projectByID(id string) entity {
	for _, p := range s.state.Projects {
		if p.ID == id {
			return p
		}
	}
	return entity{ID: id, Kind: assent.KindProject, Name: "this project"}
}

// kindOf is the kind of a single result: as it says itself, else by the tool.
func kindOf(tool string, e entity) assent.Kind {
	if e.Kind != "" {
		return e.Kind
	}
	for _, k := range assent.Kinds() {
		if strings.HasSuffix(tool, "_"+string(k)) {
			return k
		}
	}
	return ""
}

// pointedAt is what "it" means: the thing talked about last, else the entity of
// the conversation.
func (s *situation) pointedAt(kind assent.Kind) (entity, bool) {
	if s.just != nil && s.just.Kind == kind {
		return *s.just, true
	}
	if e, ok := s.talkedAbout(kind); ok {
		return e, true
	}
	if e := s.state.Entity; e != nil && e.Kind == kind {
		return *e, true
	}
	return entity{}, false
}

// nthListed reads "the second one" against the last list that was shown.
func (s *situation) nthListed(kind assent.Kind, name string) (entity, bool) {
	t := read(name)
	for t.Len() > 1 && t.Is(0, "the", "number", "no", "task") {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	if t.Len() == 0 || t.Len() > 2 || t.Len() == 2 && !t.Is(1, "one", "task", "milestone", "risk", "document", "item") {
		return entity{}, false
	}
	n, ok := t.Ordinal(0)
	if !ok {
		if n, _, ok = t.Count(0); !ok {
			return entity{}, false
		}
	}
	all := outcomes(s.past)
	for i := len(all) - 1; i >= 0; i-- {
		list := all[i].list(kind)
		switch {
		case len(list) == 0:
			continue
		case n == english.Last:
			return list[len(list)-1], true
		case n >= 1 && n <= len(list):
			return list[n-1], true
		}
		return entity{}, false
	}
	return entity{}, false
}

// unanswered is the wish that this model asked back about in its last message,
// so that a short answer ("the office move") completes it.
func (s *situation) unanswered() (wish string, ok bool) {
	asked := -1
	for i := len(s.past) - 1; i >= 0; i-- {
		m := s.past[i]
		if m.Role == llm.RoleAssistant && m.Content != "" && len(m.Calls) == 0 {
			asked = i
			break
		}
		if m.Role == llm.RoleUser {
			return "", false
		}
	}
	if asked < 0 || !isQuestionBack(s.past[asked].Content) {
		return "", false
	}
	for i := asked - 1; i >= 0; i-- {
		if m := s.past[i]; m.Role == llm.RoleUser && !isNote(m.Content) {
			return m.Content, true
		}
	}
	return "", false
}

// lastSaid is this model's latest words to the person.
func (s *situation) lastSaid() string {
	for i := len(s.past) - 1; i >= 0; i-- {
		if m := s.past[i]; m.Role == llm.RoleAssistant && m.Content != "" {
			return m.Content
		}
	}
	return ""
}

func isQuestionBack(text string) bool {
	for _, start := range []string{"Which ", "Gladly. What is the project about?", "What should", "To which ", "When "} {
		if strings.Contains(text, start) && strings.Contains(text, "?") {
			return true
		}
	}
	return false
}
