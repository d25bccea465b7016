package offline

import (
	"cmp"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// likely is a thing with how well words name it.
type likely struct {
	entity
	like float64
}

// anything finds a thing of any kind by its name: among the projects of the state
// and what a search shows, then, for a name with slips, among all tasks and
// milestones. It asks where several things fit, and says of which kind each is.
func (s *situation) anything(name string, in entity) found {
	look := call{"search", args{"query": name}}
	if !s.tried(look) {
		return instead(answer{calls: []call{look}})
	}
	hits := s.namedLike(name, in)
	for _, kind := range []assent.Kind{assent.KindTask, assent.KindMilestone} {
		wide := call{listTools[kind], lists(in, kind)}
		if len(hits) == 0 && !s.tried(wide) {
			return instead(answer{calls: []call{wide}})
		}
	}
	return choose(s, name, hits)
}

// namedLike are the things that this turn's results show under such a name, the
// likeliest first.
func (s *situation) namedLike(name string, in entity) []likely {
	var out []likely
	seen := map[string]bool{}
	add := func(e entity) {
		elsewhere := in.ID != "" && e.ProjectID != in.ID && e.ID != in.ID
		if like := english.Likeness(name, e.label()); like >= fits && !seen[e.ID] && !elsewhere && listTools[e.Kind] != "" {
			out = append(out, likely{e, like})
			seen[e.ID] = true
		}
	}
	for _, p := range s.projects() {
		p.Kind = assent.KindProject
		add(p)
	}
	for _, kind := range assent.Kinds() {
		for _, e := range s.listed(kind) {
			add(e)
		}
	}
	isTemplate := func(l likely) bool { return l.Kind == assent.KindTemplate }
	if own := slices.DeleteFunc(slices.Clone(out), isTemplate); len(own) > 0 {
		out = own // a template is meant where nothing else is
	}
	slices.SortStableFunc(out, func(a, b likely) int { return cmp.Compare(b.like, a.like) })
	return out
}

// choose takes the one thing that a name means, or asks which.
func choose(s *situation, name string, hits []likely) found {
	switch {
	case len(hits) == 0:
		return instead(sayf("I found nothing called %s: no project, milestone, task, document, risk, decision or goal. Tell me its name as it stands in the workspace.", quoted(name)))
	case len(hits) == 1, hits[0].like-hits[1].like > near, hits[0].like >= sureName && hits[1].like < sureName:
		return found{entity: hits[0].entity}
	}
	var options []string
	for _, h := range hits[:min(len(hits), 6)] {
		if hits[0].like-h.like <= near {
			options = append(options, "the "+string(h.Kind)+" "+quoted(h.label())+s.where(h.entity))
		}
	}
	return instead(say("Which one do you mean: " + strings.Join(options, " or ") + "?"))
}
