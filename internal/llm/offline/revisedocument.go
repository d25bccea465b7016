package offline

import (
	"strings"
)

// syncDocument brings dates and milestones in the context document in line with
// the changed plan.
func (r *revision) syncDocument() {
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		body := a.text("body")
		if st.Tool != "publish_document" || body == "" {
			continue
		}
		if p := r.projectStep(); p >= 0 {
			if due := argsOf(r.doc.Steps[p].Arguments).text("due_date"); due != "" {
				body = replaceLine(body, "- Due: ", "- Due: "+long(due))
			} else {
				body = replaceLine(body, "- Due: ", "- Due: no date was given")
			}
		}
		a["body"] = replaceSection(body, "## Milestones\n\n", r.milestoneLines())
		r.set(i, a)
	}
}

// milestoneLines lists the milestones of the plan; empty if it names none, since
// then they come from a template and the list there stays.
func (r *revision) milestoneLines() string {
	var b strings.Builder
	n := 0
	line := func(title, due string) {
		n++
		b.WriteString(itoa(n) + ". " + title + datedText(due) + "\n")
	}
	for _, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if st.Tool == "create_milestone" {
			line(a.text("title"), a.text("due_date"))
		}
		for _, m := range milestonesOf(a) {
			line(m.Title, m.DueDate)
		}
	}
	return b.String()
}

func replaceLine(body, start, with string) string {
	at := strings.Index(body, "\n"+start)
	if at < 0 {
		return body
	}
	end := strings.Index(body[at+1:], "\n")
	if end < 0 {
		return body[:at+1] + with
	}
	return body[:at+1] + with + body[at+1+end:]
}

// replaceSection puts lines behind a heading, up to the next one.
func replaceSection(body, heading, lines string) string {
	at := strings.Index(body, heading)
	if at < 0 || lines == "" || strings.HasPrefix(body[at+len(heading):], "From the template") && !strings.Contains(lines, "\n2.") {
		return body
	}
	rest := body[at+len(heading):]
	end := strings.Index(rest, "\n## ")
	if end < 0 {
		return body[:at+len(heading)] + lines
	}
	return body[:at+len(heading)] + lines + rest[end:]
}
