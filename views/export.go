package views

import (
	"fmt"
	"strings"

	"assent/internal/assent"
)

// Export is a conversation to take along. As JSON it has the shapes of the API.
type Export struct {
	Session  assent.Session   `json:"session"`
	Messages []assent.Message `json:"messages"`
	Plans    []assent.Plan    `json:"plans"`
}

// FileName is the conversation's title as a file name.
func (e Export) FileName(ext string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(SessionTitle(e.Session)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		name = "conversation"
	}
	return name + "." + ext
}

// Markdown is the conversation as a text: messages with how they were
// understood, then each plan with its versions, approvals and runs.
func (e Export) Markdown(r Reader) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s, %s\n\n", SessionTitle(e.Session), ContextLabel(e.Session.ContextType), r.Moment(e.Session.CreatedAt))
	for _, m := range e.Messages {
		who := "Assistant"
		if m.Role == assent.RoleUser {
			who = "You"
		}
		fmt.Fprintf(&b, "## %s, %s\n\n%s\n\n", who, r.Moment(m.CreatedAt), m.Content)
		if m.Reading != nil {
			fmt.Fprintf(&b, "*Understood as: %s*\n\n", readingWords(*m.Reading))
		}
	}
	for _, p := range e.Plans {
		e.plan(&b, r, p)
	}
	return b.String()
}

func (e Export) plan(b *strings.Builder, r Reader, p assent.Plan) {
	fmt.Fprintf(b, "## Plan: %s\n\n%s, version %d\n\n", p.Objective, StatusWords(string(p.Status)), p.Version)
	for _, v := range p.Versions {
		fmt.Fprintf(b, "### Version %d (%s), `%s`\n\n", v.Version, v.Status, short(v.Hash))
		shown := chatVersion{steps: v.Steps, preview: v.Preview}
		for _, row := range flat(shown.rows(nil)) {
			fmt.Fprintf(b, "%s. %s: %s\n", row.number, row.title(), row.tag)
			for _, a := range row.arguments {
				fmt.Fprintf(b, "   - %s: `%s`\n", a.name, strings.ReplaceAll(a.value, "`", "'"))
			}
		}
		b.WriteString("\n")
	}
	for _, a := range p.Approvals {
		fmt.Fprintf(b, "- Version %d approved %s (%s): “%s”\n", a.Version, r.Moment(a.At), a.Basis, a.Words)
	}
	for _, run := range p.Runs {
		fmt.Fprintf(b, "- Run of version %d, %s, %s\n", run.Version, r.Moment(run.StartedAt), StatusWords(string(run.Status)))
		for _, s := range run.Steps {
			fmt.Fprintf(b, "  - %s: %s %s\n", orWord(s.Label, s.Path), s.Status, s.Summary)
		}
	}
	b.WriteString("\n")
}
