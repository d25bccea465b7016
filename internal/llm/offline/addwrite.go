package offline

import (
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// write is the call that adds it to a project.
func (ad addition) write(p, under entity, today time.Time) write {
	a := args{"project_id": p.ID}
	noun := string(ad.kind)
	if len(ad.titles) > 1 {
		return ad.several(a, p, under)
	}
	title := ad.titles[0].title
	a["title"] = title
	set := func(key, v string) {
		if v != "" {
			a[key] = v
		}
	}
	due := ad.due
	if due.IsZero() {
		due = ad.titles[0].due
	}
	text := "the " + noun + " " + quoted(title)
	tail := ""
	switch ad.kind {
	case assent.KindTask:
		set("priority", ad.priority)
		set("milestone_id", under.ID)
		tail = ad.dueArg(a, due)
	case assent.KindMilestone:
		tail = ad.dueArg(a, due)
	case assent.KindRisk:
		set("mitigation", ad.why)
		set("likelihood", ad.level["likelihood"])
		set("impact", ad.level["impact"])
	case assent.KindDecision:
		set("rationale", ad.why)
		if !due.IsZero() && !due.After(today) {
			set("decided_on", due.Format(time.DateOnly))
		}
	case assent.KindDocument:
		set("body", ad.body)
		set("type", documentType(title))
	}
	return write{call: call{"create_" + noun, a}, label: "Add " + text, done: "Added " + text + " to " + quoted(p.label()) + tail + "."}
}

func (ad addition) dueArg(a args, due time.Time) string {
	if due.IsZero() {
		return ""
	}
	a["due_date"] = due.Format(time.DateOnly)
	return ", due " + english.LongDate(due)
}

// several adds a list in one call where there is a tool for it; of other kinds
// the first one is added and the rest named in its description.
func (ad addition) several(a args, p, under entity) write {
	n := english.Plural(len(ad.titles), string(ad.kind))
	done := "Added " + n + " to " + quoted(p.label()) + "."
	var list []args
	for _, it := range ad.titles {
		e := args{"title": it.title}
		if due := later(it.due, ad.due); !due.IsZero() {
			e["due_date"] = due.Format(time.DateOnly)
		}
		if ad.priority != "" && ad.kind == assent.KindTask {
			e["priority"] = ad.priority
		}
		list = append(list, e)
	}
	switch ad.kind {
	case assent.KindMilestone:
		a["milestones"] = list
		return write{call: call{"create_milestones", a}, label: "Add " + n, done: done}
	case assent.KindTask:
		a["tasks"] = list
		if under.ID != "" {
			a["milestone_id"] = under.ID
		}
		return write{call: call{"create_tasks", a}, label: "Add " + n, done: done}
	}
	var all []string
	for _, it := range ad.titles {
		all = append(all, it.title)
	}
	one := addition{kind: ad.kind, titles: []item{{title: english.Join(all)}}, level: ad.level}
	return one.write(p, under, time.Time{})
}

func later(own, shared time.Time) time.Time {
	if own.IsZero() {
		return shared
	}
	return own
}

// documentType guesses the type of a document from its title.
func documentType(title string) string {
	t := strings.ToLower(title)
	for _, c := range []struct{ word, kind string }{{"minutes", "minutes"}, {"report", "report"}, {"brief", "brief"}, {"context", "context"}} {
		if strings.Contains(t, c.word) {
			return c.kind
		}
	}
	return "note"
}
