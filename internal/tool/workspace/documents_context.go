package workspace

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

// contextOf writes the context document of a project from what it holds: name,
// description and dates, goals, milestones and risks, then the outline of its
// template, which people fill in.
func contextOf(ctx context.Context, r store.Reads, projectID string) (string, error) {
	p, err := store.Find[assent.Project](ctx, r, projectID)
	if err != nil {
		return "", err
	}
	within, err := r.ListProjectEntities(ctx, projectID)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", p.Name)
	if p.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Description)
	}
	if dates := period(p); dates != "" {
		fmt.Fprintf(&b, "\n%s\n", dates)
	}
	section(&b, "Goals", within, func(n store.Noun) string { return line[assent.Goal](n, func(g *assent.Goal) string { return g.Title }) })
	section(&b, "Milestones", within, func(n store.Noun) string {
		return line[assent.Milestone](n, func(m *assent.Milestone) string {
			if m.DueDate == "" {
				return m.Title
			}
			return fmt.Sprintf("%s (%s)", m.Title, m.DueDate)
		})
	})
	section(&b, "Risks", within, func(n store.Noun) string { return line[assent.Risk](n, func(r *assent.Risk) string { return r.Title }) })
	outline, err := outlineText(ctx, r, p)
	if outline != "" {
		b.WriteString("\n" + strings.TrimSpace(outline) + "\n")
	}
	return b.String(), err
}

func period(p assent.Project) string {
	switch {
	case p.StartDate != "" && p.DueDate != "":
		return fmt.Sprintf("From %s to %s.", p.StartDate, p.DueDate)
	case p.DueDate != "":
		return fmt.Sprintf("To be done by %s.", p.DueDate)
	case p.StartDate != "":
		return fmt.Sprintf("Starts on %s.", p.StartDate)
	}
	return ""
}

// section writes a heading with a list of the lines that are not empty; without
// any it writes nothing.
func section(b *strings.Builder, heading string, within []store.Noun, text func(store.Noun) string) {
	first := true
	for _, n := range within {
		t := text(n)
		if t == "" {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n## %s\n\n", heading)
			first = false
		}
		fmt.Fprintf(b, "- %s\n", t)
	}
}

// line gives the text of n if it is of type T.
func line[T any, P entity[T]](n store.Noun, text func(*T) string) string {
	if e, ok := n.(P); ok {
		return text((*T)(e))
	}
	return ""
}

// outlineText is the outline of the project's template; a template deleted
// since has none.
func outlineText(ctx context.Context, r store.Reads, p assent.Project) (string, error) {
	if p.TemplateID == "" {
		return "", nil
	}
	t, err := store.Find[assent.Template](ctx, r, p.TemplateID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return "", nil
	}
	return t.DocumentBody, err
}
