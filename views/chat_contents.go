package views

import "assent/internal/assent"

// stepContents is what a step creates, as its card lists it: milestones with
// their tasks, then each other kind.
type stepContents struct {
	counts map[string]int
	groups []contentGroup
	more   int
}

// contentGroup is a milestone with its tasks, or the things of one kind.
type contentGroup struct {
	title string
	due   assent.Date
	kind  assent.Kind // of a group without a thing of its own: its items'
	items []assent.PreviewItem
}

// contentsOf gives what a step creates besides what its arguments say by name;
// nil if there is nothing to list.
func (v *chatVersion) contentsOf(st assent.Step) *stepContents {
	for _, c := range v.preview.Contents {
		if c.Step == st.ID && len(c.Items) > 0 {
			return newStepContents(c)
		}
	}
	return nil
}

func newStepContents(c assent.StepContents) *stepContents {
	out := &stepContents{counts: map[string]int{}, more: c.More}
	for _, it := range c.Items {
		out.counts[string(it.Kind)]++
		switch last := len(out.groups) - 1; {
		case it.Kind == assent.KindMilestone:
			out.groups = append(out.groups, contentGroup{title: it.Title, due: it.DueDate, kind: it.Kind})
		case it.Under != "" && last >= 0 && out.groups[last].title == it.Under:
			it.DueDate = "" // its milestone's
			out.groups[last].items = append(out.groups[last].items, it)
		case last >= 0 && out.groups[last].title == "" && out.groups[last].kind == it.Kind:
			out.groups[last].items = append(out.groups[last].items, it)
		default:
			out.groups = append(out.groups, contentGroup{kind: it.Kind, items: []assent.PreviewItem{it}})
		}
	}
	return out
}

// summary counts what is listed.
func (c *stepContents) summary(r Reader) string {
	if c.more > 0 {
		return countWords(r, c.counts) + " and " + r.Number(int64(c.more)) + " more"
	}
	return countWords(r, c.counts)
}

// heading of a group that is no milestone: "Tasks", "Risks".
func (g contentGroup) heading() string {
	return Words(Plural(string(g.kind), int64(len(g.items))))
}
