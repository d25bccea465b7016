package offline

import (
	"strings"
	"time"

	"assent/internal/llm/offline/english"
)

var listUnder = groups.Compile(`^(?:(?:{det}|more|extra|additional|further|new|another|two|three|four|five|six|some|few|couple|of|\d+) )*tasks (?:under|in|to|for|into|within|below) (?:the )?(?:milestone |phase )?(?P<under>«»|[^.,;:]+?)(?: milestone| phase)? (?::|-|–|—) (?P<list>.+)$`)

// tasksUnder reads "two more tasks under Venue booked: a and b".
func (r *revision) tasksUnder(t english.Text) ([]item, string) {
	m, ok := listUnder.Find(t.Canon())
	if !ok {
		return nil, ""
	}
	under := target(t.Part(m.Groups["under"]))
	if _, _, ok := r.milestoneLike(under); !ok {
		return nil, ""
	}
	list := t.Part(m.Groups["list"])
	return readItems(list, english.Range{From: 0, To: list.Len()}, nil), under
}

func (r *revision) addUnder(items []item, under string) bool {
	i, k, _ := r.milestoneLike(under)
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	for _, it := range items {
		ms[k].Tasks = append(ms[k].Tasks, literal(it.title))
	}
	r.setMilestones(i, ms)
	return true
}

// addToTasks puts a task into a list of tasks that the plan has: that of a
// milestone if the place names one, else that of the plan.
func (r *revision) addToTasks(it item, p place) bool {
	if p.said && p.step >= 0 {
		return false
	}
	name, under, isUnder := cutUnder(it.title)
	if isUnder {
		if i, k, ok := r.milestoneLike(under); ok {
			ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
			ms[k].Tasks = append(ms[k].Tasks, literal(name))
			r.setMilestones(i, ms)
			return true
		}
	}
	if name, i, k, ok := r.cutMilestone(it.title); ok {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		ms[k].Tasks = append(ms[k].Tasks, literal(name))
		r.setMilestones(i, ms)
		return true
	}
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if list, ok := a["tasks"].([]any); ok && st.Tool == "create_tasks" {
			task := map[string]any{"title": literal(it.title)}
			if !it.due.IsZero() {
				task["due_date"] = it.due.Format(time.DateOnly)
			}
			a["tasks"] = append(list, task)
			r.set(i, a)
			r.relabelTasks(i, len(list)+1)
			return true
		}
	}
	return false
}

// cutMilestone splits "order posters to programme printed" where a milestone of
// the plan has just that name.
func (r *revision) cutMilestone(title string) (name string, step, index int, ok bool) {
	low := strings.ToLower(title)
	for _, sep := range []string{" to ", " in ", " for ", " into "} {
		at := strings.LastIndex(low, sep)
		if at <= 0 {
			continue
		}
		under := title[at+len(sep):]
		if i, k, found := r.milestoneLike(under); found && english.Likeness(under, plain(milestonesOf(argsOf(r.doc.Steps[i].Arguments))[k].Title)) >= sureName {
			return title[:at], i, k, true
		}
	}
	return title, 0, 0, false
}

// cutUnder splits "call the landlord to the lease milestone".
func cutUnder(title string) (name, under string, ok bool) {
	low := strings.ToLower(title)
	for _, sep := range []string{" under ", " to the ", " in the ", " to milestone ", " under milestone ", " in milestone "} {
		if at := strings.LastIndex(low, sep); at > 0 && (strings.Contains(low[at:], "milestone") || strings.Contains(sep, "under")) {
			return title[:at], strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(title[at+len(sep):]), "the "), " milestone"), true
		}
	}
	return title, "", false
}
