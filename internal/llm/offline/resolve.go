package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// found is what became of looking for something: the thing itself, or what to do
// or say instead.
type found struct {
	entity
	next *answer
}

func instead(a answer) found { return found{next: &a} }

// project finds the project of a mention: the named one, the conversation's, the
// only one there is. Otherwise it looks, and asks if that does not tell.
func (s *situation) project(m mention) found {
	switch {
	case m.known.ID != "":
		return found{entity: m.known}
	case m.name != "":
		return s.projectNamed(m.name)
	}
	if e, ok := s.homeProject(); ok {
		return found{entity: e}
	}
	if e, ok := s.talkedAbout(assent.KindProject); ok {
		return found{entity: e}
	}
	switch len(s.state.Projects) {
	case 1:
		return found{entity: s.state.Projects[0]}
	case 0:
		return instead(say("There is no project yet to do that in. Tell me about one and I set it up, for example “We are moving our office to Leith by the end of March”."))
	}
	return instead(say("Which project do you mean? There are " + english.Join(quotedAll(names(s.state.Projects, 8))) + "."))
}

// homeProject is the project that the conversation is about.
func (s *situation) homeProject() (entity, bool) {
	e := s.state.Entity
	switch {
	case s.topic != nil:
		return *s.topic, true
	case e == nil:
		return entity{}, false
	case e.Kind == assent.KindProject:
		return entity{ID: e.ID, Kind: e.Kind, Name: e.label()}, true
	case e.ProjectID != "":
		return s.projectByID(e.ProjectID), true
	}
	return entity{}, false
}

// projectNamed looks a name up that the state does not know.
func (s *situation) projectNamed(name string) found {
	for _, p := range s.state.Projects {
		if english.Likeness(name, p.Name) >= fits {
			return s.pick(assent.KindProject, name, s.state.Projects)
		}
	}
	o, looked := s.latest("list_projects")
	if !looked {
		return instead(use("list_projects", args{"query": name}))
	}
	if !o.env.Success {
		return instead(explainError(o))
	}
	return s.pick(assent.KindProject, name, append(o.list(assent.KindProject), s.state.Projects...))
}

// listTools are the tools that list a kind.
var listTools = map[assent.Kind]string{assent.KindProject: "list_projects", assent.KindGoal: "list_goals", assent.KindMilestone: "list_milestones",
	assent.KindTask: "list_tasks", assent.KindDocument: "list_documents", assent.KindRisk: "list_risks", assent.KindDecision: "list_decisions",
	assent.KindTemplate: "list_templates", assent.KindRelation: "list_relations"}

// thing finds an entity of a kind by how words name it, in a project if one is
// known: by what was talked about, by its place in the last list, by its name.
func (s *situation) thing(kind assent.Kind, name string, in entity) found {
	if kind == assent.KindProject {
		return s.project(mentionOf(s, name))
	}
	if isPronoun(name) {
		if e, ok := s.pointedAt(kind); ok {
			return found{entity: e}
		}
		return instead(sayf("Which %s do you mean? Tell me its name.", kind))
	}
	if e, ok := s.nthListed(kind, name); ok {
		return found{entity: e}
	}
	look := lookUp(kind, name, in)
	if !s.tried(look) {
		return instead(answer{calls: []call{look}})
	}
	all := s.listed(kind)
	if wide := (call{listTools[kind], lists(in, kind)}); best(name, all) < fits && !s.tried(wide) && len(s.results) < 4 {
		return instead(answer{calls: []call{wide}})
	}
	return s.pick(kind, name, all)
}

func mentionOf(s *situation, name string) mention {
	if isPronoun(name) {
		return mention{here: true}
	}
	for _, p := range s.projects() {
		if english.Likeness(name, p.Name) >= sameName {
			return mention{known: p}
		}
	}
	return mention{name: name}
}

// lookUp is the first call to find a thing by: in a project its list, elsewhere
// a list by the words of the name.
func lookUp(kind assent.Kind, name string, in entity) call {
	if in.ID != "" {
		return call{listTools[kind], lists(in, kind)}
	}
	switch kind {
	case assent.KindTask, assent.KindTemplate:
		return call{listTools[kind], args{"query": name}}
	case assent.KindMilestone, assent.KindDocument:
		return call{listTools[kind], args{}}
	}
	return call{"search", args{"query": name, "kinds": []string{string(kind)}}}
}

func lists(in entity, kind assent.Kind) args {
	a := args{}
	if in.ID != "" && kind != assent.KindTemplate {
		a["project_id"] = in.ID
	}
	if kind == assent.KindTask {
		a["limit"] = 200
	}
	return a
}

// listed are the entities of a kind that this turn's results show.
func (s *situation) listed(kind assent.Kind) []entity {
	var out []entity
	for _, o := range s.outcomesOf(listTools[kind], "search", "blocked_tasks", "overdue_tasks", "search_documents") {
		out = append(out, o.list(kind)...)
	}
	return out
}

// fits is how like its name words must be to mean a thing; near is how near a
// second one may come before it must be asked which is meant.
const (
	fits = 0.55
	near = 0.12
)

func best(name string, all []entity) float64 {
	top := 0.0
	for _, e := range all {
		top = max(top, english.Likeness(name, e.label()))
	}
	return top
}

// pick chooses by name, or asks which, or says what there is.
func (s *situation) pick(kind assent.Kind, name string, all []entity) found {
	type scored struct {
		entity
		like float64
	}
	var hits []scored
	seen := map[string]bool{}
	for _, e := range all {
		if like := english.Likeness(name, e.label()); like >= fits && !seen[e.ID] {
			hits = append(hits, scored{e, like})
			seen[e.ID] = true
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int { return cmp.Compare(b.like, a.like) })
	switch {
	case len(hits) == 0:
		return instead(notFound(kind, name, all))
	case len(hits) == 1 || hits[0].like-hits[1].like > near || hits[0].like >= 0.97 && hits[1].like < 0.97:
		return found{entity: hits[0].entity}
	}
	var options []string
	for _, h := range hits[:min(len(hits), 6)] {
		if hits[0].like-h.like <= near {
			options = append(options, quoted(h.label())+s.where(h.entity))
		}
	}
	return instead(sayf("Which %s do you mean: %s?", kind, strings.Join(options, " or ")))
}

// where says in which project something is, if that is known.
func (s *situation) where(e entity) string {
	for _, p := range s.state.Projects {
		if p.ID == e.ProjectID && e.Kind != assent.KindProject {
			return " in " + quoted(p.Name)
		}
	}
	return ""
}

func notFound(kind assent.Kind, name string, all []entity) answer {
	text := fmt.Sprintf("I found no %s like %s.", kind, quoted(name))
	if known := names(all, 6); len(known) > 0 {
		text += " There " + areIs(len(known)) + " " + english.Join(quotedAll(known)) + "."
	}
	return say(text)
}

// names are the labels of the first few.
func names(all []entity, n int) []string {
	var out []string
	for _, e := range all {
		if len(out) < n && !slices.Contains(out, e.label()) {
			out = append(out, e.label())
		}
	}
	return out
}
