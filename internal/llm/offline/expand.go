package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var (
	firstTasks = groups.Compile(`(?:{det} )?(?P<which>first|last) (?P<n>[^ ]+) (?:tasks|todos)`)
	everyTask  = groups.Compile(`(?:all|every|each)(?: of)?(?: {det})?(?: (?P<open>open|remaining|unfinished))? (?:tasks|task|todos)`)
)

// severalTasks makes one change of each task that words name by their place in a
// list or all together: "the first two tasks", "all tasks in the relaunch". What is
// more than one plan can hold is not begun.
func (s *situation) severalTasks(a *ask) (parts []*ask, next *answer) {
	c := a.text.Canon()
	m, first := firstTasks.Find(c)
	if !first {
		var ok bool
		if m, ok = everyTask.Find(c); !ok {
			return nil, nil
		}
	}
	in, next := s.listedIn(a.text)
	if next != nil {
		return nil, next
	}
	look := call{"list_tasks", lists(in, assent.KindTask)}
	if !s.tried(look) {
		return nil, &answer{calls: []call{look}}
	}
	tasks := unfinished(s.resultOf(look).list(assent.KindTask))
	if first {
		n, _, ok := a.text.Count(m.Groups["n"].From)
		if !ok || n < 1 || n > len(tasks) {
			return nil, nil
		}
		if a.text.Is(m.Groups["which"].From, "last") {
			tasks = tasks[len(tasks)-n:]
		} else {
			tasks = tasks[:n]
		}
	}
	switch {
	case len(tasks) == 0:
		no := sayf("There is no open task in %s.", quoted(in.label()))
		return nil, &no
	case len(tasks) > maxSteps:
		no := sayf("These are %d tasks, and one plan has at most %d steps. Name those that you mean, or take them in parts.", len(tasks), maxSteps)
		return nil, &no
	}
	for _, task := range tasks {
		t := a.text.Quoted(m.Range)
		t.Tokens[m.From].Inside = task.label()
		b := &ask{raw: t.String(), text: t, mode: a.mode}
		b.refresh(s.reader)
		parts = append(parts, b)
	}
	return parts, nil
}

// listedIn is the project whose tasks are meant.
func (s *situation) listedIn(t english.Text) (entity, *answer) {
	m, _ := s.takeProject(t)
	f := s.project(m)
	return f.entity, f.next
}

// unfinished are the tasks that are not done.
func unfinished(all []entity) []entity {
	var out []entity
	for _, e := range all {
		if e.Status != "done" && !strings.HasPrefix(e.Status, "cancel") {
			out = append(out, e)
		}
	}
	return out
}
