package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

func stepLines(steps []assent.Step) string {
	var b strings.Builder
	for i := range steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, stepName(steps[i]))
	}
	return strings.TrimRight(b.String(), "\n")
}

func stepName(st assent.Step) string {
	switch {
	case st.Label != "":
		return st.Label
	case st.Tool != "":
		return spoken(st.Tool)
	case st.Prompt != "":
		return st.Prompt
	}
	return st.ID
}

// tellStep says what a step does, with its arguments in words.
func tellStep(steps []assent.Step, i int) string {
	st := steps[i]
	var b strings.Builder
	fmt.Fprintf(&b, "Step %d: %s.", i+1, stepName(st))
	switch {
	case st.Type == assent.StepCheckpoint:
		b.WriteString(" The run stops there and asks you.")
	case strings.HasPrefix(st.Tool, "list_") || strings.HasPrefix(st.Tool, "get_") || strings.HasPrefix(st.Tool, "search"):
		b.WriteString(" It only reads and changes nothing.")
	case strings.HasPrefix(st.Tool, "delete_"):
		b.WriteString(" It deletes something.")
	}
	b.WriteString(argumentText(st))
	return b.String()
}

func argumentText(st assent.Step) string {
	a := argsOf(st.Arguments)
	var lines []string
	for _, key := range []string{"name", "title", "query", "description", "start_date", "due_date", "priority", "mitigation"} {
		if v := a.text(key); v != "" && !looksLikeReference.MatchString(v) {
			lines = append(lines, "- "+english.Sentence(strings.ReplaceAll(key, "_", " "))+": "+long(plain(v)))
		}
	}
	for _, m := range milestonesOf(a) {
		line := "- " + plain(m.Title) + datedText(m.DueDate)
		if len(m.Tasks) > 0 {
			line += " (" + english.Plural(len(m.Tasks), "task") + ")"
		}
		lines = append(lines, line)
	}
	if list, ok := a["tasks"].([]any); ok {
		for _, t := range list {
			if m, isTask := t.(map[string]any); isTask {
				lines = append(lines, "- "+plain(args(m).text("title"))+datedText(args(m).text("due_date")))
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(lines, "\n")
}

// planTally counts what steps create, from their arguments.
func planTally(steps []assent.Step) string {
	n := map[string]int{}
	deletes := 0
	for _, st := range steps {
		a := argsOf(st.Arguments)
		for _, m := range milestonesOf(a) {
			n["milestone"]++
			n["task"] += len(m.Tasks)
		}
		if list, ok := a["tasks"].([]any); ok {
			n["task"] += len(list)
		}
		switch {
		case strings.HasPrefix(st.Tool, "delete_"):
			deletes++
		case st.Tool == "publish_document" && a.text("document_id") == "":
			n["document"]++
		case strings.HasPrefix(st.Tool, "create_") && st.Tool != "create_milestones" && st.Tool != "create_tasks":
			n[strings.TrimPrefix(st.Tool, "create_")]++
		}
	}
	text := tally(n)
	if text == "" {
		text = "nothing new"
	}
	text = "creates " + text
	if deletes > 0 {
		text += ", and deletes " + english.Plural(deletes, "thing")
	}
	return text
}
