package offline

import (
	"slices"
	"strings"

	"assent/internal/llm/offline/english"
)

var (
	swapping   = groups.Compile(`^(?:swap|switch|exchange) (?:the )?(?:steps |step )?.+`)
	reordering = groups.Compile(`^(?:move|put|do|run|have|make|shift|place) (?P<what>.+?) (?:to |at |in |right |just )*(?P<where>before|after|first|last|to the end|at the end|to the start|the end|the start|the top|the beginning)(?: (?P<other>.+))?$`)
)

// swap exchanges two steps.
func (r *revision) swap(t english.Text) bool {
	if !swapping.In(t.Canon()) {
		return false
	}
	which := stepsNumbered(t, len(r.doc.Steps))
	if len(which) != 2 {
		which = numbersFrom(t, 1, len(r.doc.Steps))
	}
	if len(which) != 2 {
		return false
	}
	from := identity(len(r.doc.Steps))
	from[which[0]], from[which[1]] = from[which[1]], from[which[0]]
	return r.rearranged(from)
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// reorder moves a step: "do step 4 first", "move the risk before the milestones".
func (r *revision) reorder(t english.Text) bool {
	m, ok := reordering.Find(t.Canon())
	if !ok || len(r.s.reader.Dates(t)) > 0 {
		return false
	}
	what := t.Part(m.Groups["what"])
	i, found := stepNamed(what, r.doc.Steps)
	if !found {
		if _, _, isMilestone := r.milestoneLike(target(what)); isMilestone {
			return r.reorderMilestone(t, m)
		}
		if i, found = stepLike(target(what), r.doc.Steps); !found {
			return false
		}
	}
	to := len(r.doc.Steps) - 1
	where := t.Part(m.Groups["where"]).Canon().Line
	switch {
	case strings.Contains(where, "first") || strings.Contains(where, "start") || strings.Contains(where, "top") || strings.Contains(where, "beginning"):
		to = 0
	case strings.Contains(where, "before") || strings.Contains(where, "after"):
		other := t.Part(m.Groups["other"])
		k, ok := stepNamed(other, r.doc.Steps)
		if !ok {
			if k, ok = stepLike(target(other), r.doc.Steps); !ok {
				return false
			}
		}
		to = k + boolInt(strings.Contains(where, "after")) - boolInt(i < k)
	}
	return r.moveStep(i, to)
}

func (r *revision) moveStep(i, to int) bool {
	var from []int
	for k := range r.doc.Steps {
		if k != i {
			from = append(from, k)
		}
	}
	to = max(0, min(to, len(from)))
	// What every step needs stays in front: first may only mean first possible.
	for first := to; first < len(r.doc.Steps); first++ {
		if _, lost := rearrange(r.doc.Steps, slices.Insert(slices.Clone(from), min(first, len(from)), i)); len(lost) == 0 {
			return r.rearranged(slices.Insert(from, min(first, len(from)), i))
		}
	}
	return r.fail("That order is not possible: the steps after it need its result.")
}

// reorderMilestone moves a milestone within its list; the dates stay in order.
func (r *revision) reorderMilestone(t english.Text, m english.Match) bool {
	i, k, _ := r.milestoneLike(target(t.Part(m.Groups["what"])))
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	var dates []string
	for _, x := range ms {
		dates = append(dates, x.DueDate)
	}
	moved := ms[k]
	rest := slices.Delete(slices.Clone(ms), k, k+1)
	at := len(rest)
	where := t.Part(m.Groups["where"]).Canon().Line
	switch {
	case strings.Contains(where, "first") || strings.Contains(where, "start") || strings.Contains(where, "top") || strings.Contains(where, "beginning"):
		at = 0
	case strings.Contains(where, "before") || strings.Contains(where, "after"):
		name := target(t.Part(m.Groups["other"]))
		at = slices.IndexFunc(rest, func(x milestone) bool { return english.Likeness(name, plain(x.Title)) >= fits })
		if at < 0 {
			return r.fail("I found no milestone called " + quoted(name) + " in the plan.")
		}
		at += boolInt(strings.Contains(where, "after"))
	}
	rest = slices.Insert(rest, at, moved)
	for n := range rest {
		rest[n].DueDate = dates[n]
	}
	r.setMilestones(i, rest)
	return true
}
