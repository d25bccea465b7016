package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// nameHolds reports whether a date in words is part of a name rather than a date.
func (s *situation) nameHolds(t english.Text) bool {
	_, _, ok := s.knownProject(t)
	return ok
}

// changed finds the thing that is changed.
func (s *situation) changed(t english.Text, natural assent.Kind) (assent.Kind, entity, *answer) {
	kind, named := nounOf(t)
	m, rest := s.takeProject(t)
	name := target(rest)
	if kind == assent.KindProject && named || !named && (m.named() && (isPronoun(name) || onlyStop(name))) || natural == assent.KindProject && !named {
		if !m.named() && !isPronoun(name) {
			m = mentionOf(s, name)
		}
		f := s.project(m)
		return assent.KindProject, f.entity, f.next
	}
	if !named && natural != "" {
		kind, named = natural, true
	}
	if !named {
		kind = s.kindOfPronoun(name)
	}
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return kind, entity{}, next
	}
	if english.All(name) {
		n := say("I change one thing at a time, so that nothing is touched by mistake. Which one do you mean? Tell me its name.")
		return kind, entity{}, &n
	}
	f := s.thing(kind, name, in)
	if !named && kind == assent.KindTask && !isPronoun(name) {
		return s.taskOrMilestone(name, in, f)
	}
	return kind, f.entity, f.next
}

// sureName is how like its name words must be to mean a thing whatever else has
// a name like that.
const sureName = 0.97

// taskOrMilestone prefers a milestone of exactly that name to a task of a name
// only like it.
func (s *situation) taskOrMilestone(name string, in entity, task found) (assent.Kind, entity, *answer) {
	looking := task.next != nil && len(task.next.calls) > 0
	if looking || task.next == nil && english.Likeness(name, task.label()) == 1 {
		return assent.KindTask, task.entity, task.next
	}
	if _, listed := s.nthListed(assent.KindTask, name); listed {
		return assent.KindTask, task.entity, task.next
	}
	look := call{listTools[assent.KindMilestone], lists(in, assent.KindMilestone)}
	if !s.tried(look) {
		return assent.KindMilestone, entity{}, &answer{calls: []call{look}}
	}
	wanted := max(sureName, english.Likeness(name, task.label()))
	if task.next != nil {
		wanted = sameName
	}
	for _, m := range s.listed(assent.KindMilestone) {
		if like := english.Likeness(name, m.label()); like == 1 || like > wanted {
			return assent.KindMilestone, m, nil
		}
	}
	return assent.KindTask, task.entity, task.next
}

// kindOfPronoun is the kind of what "it" means; of a name it is a task.
func (s *situation) kindOfPronoun(name string) assent.Kind {
	if !isPronoun(name) {
		return assent.KindTask
	}
	for _, k := range []assent.Kind{assent.KindTask, assent.KindMilestone, assent.KindRisk, assent.KindDocument, assent.KindGoal, assent.KindDecision} {
		if _, ok := s.pointedAt(k); ok {
			return k
		}
	}
	if s.state.Entity != nil && s.state.Entity.Kind == assent.KindProject {
		return assent.KindProject
	}
	return assent.KindTask
}
