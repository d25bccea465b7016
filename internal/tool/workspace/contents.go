package workspace

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// Contents name what a call creates beside the thing that it is named after.
// They come from the outline that the handler creates, with the same dates.

// contentsOfProject names what create_project brings with it. A template that is
// a reference, or that nobody knows yet, brings nothing that could be named.
func contentsOfProject(r store.Reads, l tool.Look, args json.RawMessage) tool.Contents {
	lit := literalsOf(args)
	var tpl *assent.Template
	if id, known := lit.text("template_id"); known {
		if t, err := findTemplate(context.Background(), r, assent.Person{ID: l.By}, id); err == nil {
			tpl = &t
		}
	}
	goals, _ := lit.strings("goals")
	milestones, _ := lit.milestones("milestones")
	tasks, _ := lit.strings("tasks")
	risks, _ := lit.strings("risks")
	o := outlineOf(goals, milestones, tasks, risks, tpl)
	start, _ := lit.text("start_date")
	due, _ := lit.text("due_date")
	o.date(startOf(assent.Date(start), l.Now), assent.Date(due))
	return tool.Contents{Items: o.items(), Mark: markOf(tpl, start, due, l.Now)}
}

// markOf tells of a template what it would bring, and from which day it would be
// dated where the arguments leave that open.
func markOf(tpl *assent.Template, start, due string, now time.Time) string {
	if tpl == nil {
		return ""
	}
	day := ""
	if start == "" && due != "" {
		day = now.Format(time.DateOnly)
	}
	raw, _ := json.Marshal([]any{tpl.ID, day, tpl.Goals, tpl.Risks, tpl.Milestones}) // strings and numbers alone: cannot fail
	return string(raw)
}

func contentsOfMilestones(_ store.Reads, _ tool.Look, args json.RawMessage) tool.Contents {
	milestones, _ := literalsOf(args).milestones("milestones")
	return tool.Contents{Items: outlineOf(nil, milestones, nil, nil, nil).items()}
}

func contentsOfTasks(_ store.Reads, _ tool.Look, args json.RawMessage) tool.Contents {
	var tasks []literals
	if json.Unmarshal(literalsOf(args)["tasks"], &tasks) != nil {
		return tool.Contents{}
	}
	var c tool.Contents
	for _, t := range tasks {
		title, _ := t.text("title")
		due, _ := t.text("due_date")
		c.Items = append(c.Items, item(assent.KindTask, title, assent.Date(due), ""))
	}
	return c
}

// items lists an outline in the order in which people read it: milestones with
// their tasks, then the rest.
func (o outline) items() (out []assent.PreviewItem) {
	for _, m := range o.milestones {
		out = append(out, item(assent.KindMilestone, m.title, m.due, ""))
		for _, t := range m.tasks {
			out = append(out, item(assent.KindTask, t, m.due, shownTitle(m.title)))
		}
	}
	for _, rest := range []struct {
		kind   assent.Kind
		titles []string
	}{{assent.KindTask, o.tasks}, {assent.KindGoal, o.goals}, {assent.KindRisk, o.risks}} {
		for _, t := range rest.titles {
			out = append(out, item(rest.kind, t, "", ""))
		}
	}
	return out
}

func item(k assent.Kind, title string, due assent.Date, under string) assent.PreviewItem {
	if _, err := time.Parse(time.DateOnly, string(due)); err != nil {
		due = "" // a reference: not known yet
	}
	return assent.PreviewItem{Kind: k, Title: shownTitle(title), DueDate: due, Under: under}
}

// shownTitle is a title that may be, or hold, a reference that is not known yet.
func shownTitle(s string) string {
	raw, _ := json.Marshal(s)
	known, ok := literals{"t": raw}.text("t")
	if !ok || strings.HasPrefix(s, "\x00") {
		return "…"
	}
	return oneLine(known)
}
