package offline

import (
	"fmt"
	"strings"

	"assent/internal/llm/offline/english"
)

// document is the body of the context document: what the person said, the dates
// and the milestones. The name is a reference, so it follows a renaming.
func (o outline) document() string {
	var b strings.Builder
	b.WriteString("# {{ result.project.artifact.name }}\n\n## What was asked\n\n")
	for _, line := range strings.Split(strings.TrimSpace(o.words), "\n") {
		b.WriteString("> " + literal(strings.TrimRight(line, " \r")) + "\n")
	}
	b.WriteString("\n## Dates\n\n" + o.dateLines())
	if lines := o.milestoneLines(); lines != "" {
		b.WriteString("\n## Milestones\n\n" + lines)
	}
	for _, s := range []struct {
		title string
		section
	}{{"Goals", o.goals}, {"Tasks named at the start", o.tasks}} {
		if len(s.items) == 0 {
			continue
		}
		b.WriteString("\n## " + s.title + "\n\n")
		for _, it := range s.items {
			b.WriteString("- " + literal(it.title) + dated(it.due) + "\n")
		}
	}
	return b.String()
}

func (o outline) dateLines() string {
	out := ""
	if !o.start.IsZero() {
		out += "- Start: " + english.LongDate(o.start) + "\n"
	}
	if o.due.IsZero() {
		return out + "- Due: no date was given\n"
	}
	return out + "- Due: " + english.LongDate(o.due) + "\n"
}

func (o outline) milestoneLines() string {
	var b strings.Builder
	if o.fromTpl {
		fmt.Fprintf(&b, "From the template “%s”:\n\n", literal(o.template.Name))
		for i, m := range o.template.milestones {
			fmt.Fprintf(&b, "%d. %s\n", i+1, literal(m.Title))
		}
		return b.String()
	}
	for i, m := range o.milestones {
		fmt.Fprintf(&b, "%d. %s%s\n", i+1, literal(m.Title), datedText(m.DueDate))
	}
	return b.String()
}
