package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/llm/offline/english"
)

// told says what a tool's output shows.
func told(tool string, e entity) string {
	verb, kind, ok := strings.Cut(tool, "_")
	if !ok {
		return ""
	}
	switch verb {
	case "create":
		if n := len(entities(e.Milestones)); kind == "milestones" && n > 0 {
			return "Added " + english.Plural(n, "milestone") + tasksToo(e)
		}
		if n := len(entities(e.Tasks)); kind == "tasks" && n > 0 {
			return "Added " + english.Plural(n, "task")
		}
		if e.label() == "" {
			return ""
		}
		text := "Created the " + strings.TrimSuffix(kind, "s") + " " + quoted(e.label())
		if kind == "project" {
			text += filledWith(e)
		}
		return text + dueText(e.DueDate)
	case "publish":
		return "Published the document " + quoted(e.label())
	case "update", "complete", "delete":
		if e.label() != "" {
			return past[verb] + " the " + kind + " " + quoted(e.label())
		}
	}
	return ""
}

var past = map[string]string{"update": "Changed", "complete": "Completed", "delete": "Deleted"}

func tasksToo(e entity) string {
	if n := len(entities(e.Tasks)); n > 0 {
		return " with " + english.Plural(n, "task")
	}
	return ""
}

func filledWith(e entity) string {
	var parts []string
	for _, group := range []struct {
		raw  json.RawMessage
		noun string
	}{{e.Milestones, "milestone"}, {e.Tasks, "task"}, {e.Goals, "goal"}, {e.Risks, "risk"}} {
		if n := len(entities(group.raw)); n > 0 {
			parts = append(parts, english.Plural(n, group.noun))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " with " + english.Join(parts)
}

func dueText(due string) string {
	if due == "" {
		return ""
	}
	return ", due " + long(due)
}
