package page

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// choices are what the selects of a project's forms offer.
type choices struct {
	milestones, people, templates []views.Option
}

// formField is a field of an entity's form, named like the tool's argument.
type formField struct {
	views.Field
	later bool // only when the thing is there already
	first bool // only when it is made
}

func options(values ...string) []views.Option {
	out := make([]views.Option, len(values))
	for i, v := range values {
		out[i] = views.Option{Value: v, Label: views.StatusWords(v)}
	}
	return out
}

// fieldsOf lists the fields of a kind's form, in the order of the page. The
// values of the selects are those of the comments in package assent.
func fieldsOf(k assent.Kind, ch choices) []formField {
	title := formField{Field: views.Field{Name: "title", Label: "Title", Required: true, Max: 200, Wide: true, Focus: true}}
	about := formField{Field: views.Field{Name: "description", Label: "Description", Kind: views.FieldArea}}
	status := func(later bool, values ...string) formField {
		return formField{later: later, Field: views.Field{Name: "status", Label: "Status", Kind: views.FieldSelect, Options: options(values...)}}
	}
	choose := func(name, label string, values ...string) formField {
		return formField{Field: views.Field{Name: name, Label: label, Kind: views.FieldSelect, Options: options(values...)}}
	}
	date := func(name, label string) formField {
		return formField{Field: views.Field{Name: name, Label: label, Kind: views.FieldDate}}
	}
	switch k {
	case assent.KindProject:
		name := title
		name.Name, name.Label = "name", "Name"
		return []formField{name, about,
			{first: true, Field: views.Field{Name: "template_id", Label: "Template", Kind: views.FieldSelect, Options: ch.templates,
				Hint: "Brings milestones, tasks, goals and risks, dated between start and due date."}},
			status(false, "planning", "active", "on_hold", "done", "archived"), date("start_date", "Starts"), date("due_date", "Due")}
	case assent.KindGoal:
		return []formField{title, about, status(true, "open", "met", "dropped")}
	case assent.KindMilestone:
		return []formField{title, about, status(true, "open", "reached", "missed"), date("due_date", "Due")}
	case assent.KindTask:
		return append([]formField{title, about}, taskFields(ch)...)
	case assent.KindDocument:
		return []formField{title, choose("type", "Type", "note", "context", "brief", "minutes", "report"), status(true, "draft", "published"),
			{Field: views.Field{Name: "body", Label: "Text", Kind: views.FieldArea, Rows: 22, Mono: true, Hint: "Markdown: # heading, - list, **bold**, tables and task lists."}}}
	case assent.KindRisk:
		return []formField{title, about, choose("likelihood", "Likelihood", "low", "medium", "high"), choose("impact", "Impact", "low", "medium", "high"),
			{Field: views.Field{Name: "mitigation", Label: "What we do about it", Kind: views.FieldArea}},
			status(true, "open", "mitigated", "happened", "closed")}
	case assent.KindDecision:
		return []formField{title, {Field: views.Field{Name: "rationale", Label: "Why", Kind: views.FieldArea}},
			status(false, "proposed", "decided", "superseded"), date("decided_on", "Decided on")}
	}
	return nil
}

func taskFields(ch choices) []formField {
	none := func(label string, o []views.Option) []views.Option {
		return append([]views.Option{{Label: label}}, o...)
	}
	return []formField{
		{Field: views.Field{Name: "status", Label: "Status", Kind: views.FieldSelect, Options: options(views.TaskStatuses()...)}},
		{Field: views.Field{Name: "priority", Label: "Priority", Kind: views.FieldSelect, Options: options("low", "normal", "high", "urgent")}},
		{Field: views.Field{Name: "milestone_id", Label: "Milestone", Kind: views.FieldSelect, Options: none("No milestone", ch.milestones)}},
		{Field: views.Field{Name: "assignee_id", Label: "Assigned to", Kind: views.FieldSelect, Options: none("Nobody", ch.people)}},
		{Field: views.Field{Name: "due_date", Label: "Due", Kind: views.FieldDate}},
		{later: true, Field: views.Field{Name: "blocker", Label: "What blocks it", Max: 500, Wide: true, Hint: "Say what it waits for, when the status is blocked."}},
	}
}

// defaults are the values that a new thing starts with.
func defaults(k assent.Kind) map[string]string {
	switch k {
	case assent.KindProject:
		return map[string]string{"status": "planning"}
	case assent.KindTask:
		return map[string]string{"status": "todo", "priority": "normal"}
	case assent.KindDocument:
		return map[string]string{"type": "note"}
	case assent.KindRisk:
		return map[string]string{"likelihood": "medium", "impact": "medium"}
	case assent.KindDecision:
		return map[string]string{"status": "decided"}
	}
	return nil
}

// valuesOf gives an entity's fields as a form shows them: fields of forms,
// arguments of tools and JSON of entities have the same names.
func valuesOf(n store.Noun) (map[string]string, error) {
	b, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("fields of a %s: %w", n.Base().Kind, err)
	}
	return textFields(b)
}

// typed reads the fields of a form. Browsers end lines with CR LF; texts are
// kept with LF, as they came.
func typed(c echo.Context, fields []formField) map[string]string {
	out := make(map[string]string, len(fields))
	for _, f := range fields {
		v := strings.ReplaceAll(c.FormValue(f.Name), "\r\n", "\n")
		if f.Kind != views.FieldArea {
			v = strings.TrimSpace(v)
		}
		out[f.Name] = v
	}
	return out
}
