package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// maxTold is how many lines a list has at most.
const maxTold = 20

// tellList tells a list result.
func (s *situation) tellList(q question, o outcome) string {
	all := q.keep(o.list(q.kind))
	if q.byDate {
		slices.SortStableFunc(all, byDue)
	}
	total := max(o.total(), len(all))
	if q.filter != nil || !q.from.IsZero() || !q.until.IsZero() && q.call.args["due_before"] == nil {
		total = len(all)
	}
	if len(all) == 0 {
		return s.tellNone(q)
	}
	var b strings.Builder
	if q.howMany && total > fewEnough {
		return fmt.Sprintf("There are %d %s. Ask for the list, or name a project or a word to narrow it down.", total, q.about)
	}
	if q.howMany {
		fmt.Fprintf(&b, "There %s %d: ", areIs(total), total)
	}
	fmt.Fprintf(&b, "**%s** (%d)\n\n", english.Sentence(q.about), total)
	for _, e := range all[:min(len(all), maxTold)] {
		b.WriteString("- " + s.line(e, o) + "\n")
	}
	if total > maxTold {
		fmt.Fprintf(&b, "\n… and %d more. Name a project or a word to narrow it down.", total-maxTold)
	}
	return strings.TrimRight(b.String(), "\n")
}

// fewEnough is how many things are listed where only their number was asked for.
const fewEnough = 5

func areIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// keep drops what lies outside the time or does not pass the filter.
func (q question) keep(all []entity) []entity {
	var out []entity
	for _, e := range all {
		due, dated := english.ParseDay(e.DueDate)
		switch {
		case q.filter != nil && !q.filter(e):
		case !q.until.IsZero() && (!dated || due.After(q.until)):
		case !q.from.IsZero() && (!dated || due.Before(q.from)):
		default:
			out = append(out, e)
		}
	}
	return out
}

func byDue(a, b entity) int {
	switch {
	case a.DueDate == b.DueDate:
		return 0
	case a.DueDate == "":
		return 1
	case b.DueDate == "":
		return -1
	}
	return cmp.Compare(a.DueDate, b.DueDate)
}

func (s *situation) tellNone(q question) string {
	switch {
	case q.kind == assent.KindProject && !q.until.IsZero():
		return "No project is due " + q.span() + "."
	case q.kind == assent.KindProject && q.call.args["status"] == nil:
		return "There are no projects yet. Tell me about one, for example “We are moving our office to Leith by the end of March”, and I plan it with you."
	case q.call.tool == "blocked_tasks":
		return "Nothing is blocked: there are no " + q.about + "."
	case q.call.tool == "overdue_tasks":
		return "Nothing is overdue: there are no " + q.about + "."
	}
	return "There are no " + q.about + "."
}

// total is the number that a list result says there are.
func (o outcome) total() int {
	var a struct {
		Total int `json:"total"`
	}
	if !o.artifact(&a) {
		return 0
	}
	return a.Total
}

// line is one entity in a list.
func (s *situation) line(e entity, o outcome) string {
	text := e.label()
	var extra []string
	add := func(v string) {
		if v != "" {
			extra = append(extra, v)
		}
	}
	switch e.Kind {
	case assent.KindTemplate:
		if e.Description != "" {
			return "**" + text + "**: " + e.Description
		}
		return "**" + text + "**"
	case assent.KindRisk:
		if e.Likelihood != "" {
			add("likelihood " + e.Likelihood + ", impact " + e.Impact)
		}
		add(unless(e.Status, "open"))
		if e.Mitigation != "" {
			add("mitigation: " + english.Clip(e.Mitigation, 20))
		}
	case assent.KindDecision:
		add(unless(e.Status, "decided"))
		add(long(e.DecidedOn))
		if e.Rationale != "" {
			add("because " + english.Lower(english.Clip(e.Rationale, 25)))
		}
	case assent.KindDocument:
		add(e.Type)
		add(e.Status)
	default:
		if e.Status != "blocked" || e.Blocker == "" { // else the reason says so below
			add(unless(spokenStatus(e.Status), "to do", "open"))
		}
		add(unless(e.Priority, "normal", "low"))
		if e.DueDate != "" {
			add("due " + long(e.DueDate) + s.lateness(e))
		}
		if e.Blocker != "" {
			add("blocked: " + e.Blocker)
		}
		add(waitsFor(o, e.ID))
	}
	if e.Kind != assent.KindProject && s.state.Entity == nil && len(s.state.Projects) > 1 && !hasProject(o) {
		add(strings.TrimPrefix(s.where(e), " "))
	}
	if len(extra) == 0 {
		return text
	}
	return text + " – " + strings.Join(extra, ", ")
}

// hasProject reports whether a call was limited to one project.
func hasProject(o outcome) bool { return argsOf(o.args).text("project_id") != "" }

func unless(v string, usual ...string) string {
	if slices.Contains(usual, v) {
		return ""
	}
	return v
}

func spokenStatus(s string) string {
	if s == "todo" {
		return "to do"
	}
	return strings.ReplaceAll(s, "_", " ")
}

// lateness says that an open thing is past its date.
func (s *situation) lateness(e entity) string {
	due, ok := english.ParseDay(e.DueDate)
	if !ok || s.today().IsZero() || !due.Before(s.today()) {
		return ""
	}
	switch e.Status {
	case "done", "cancelled", "reached", "archived", "met", "closed":
		return ""
	}
	days := int(s.today().Sub(due).Hours() / 24)
	return ", " + english.Plural(days, "day") + " overdue"
}

// waitsFor names what a blocked task waits for.
func waitsFor(o outcome, id string) string {
	var a struct {
		Tasks []struct {
			ID       string `json:"id"`
			WaitsFor []struct {
				Title string `json:"title"`
			} `json:"waits_for"`
		} `json:"tasks"`
	}
	if !o.artifact(&a) {
		return ""
	}
	for _, t := range a.Tasks {
		if t.ID != id || len(t.WaitsFor) == 0 {
			continue
		}
		var titles []string
		for _, w := range t.WaitsFor {
			titles = append(titles, quoted(w.Title))
		}
		return "waits for " + english.Join(titles)
	}
	return ""
}

// tellGraph tells which task depends on which.
func tellGraph(o outcome) string {
	var g struct {
		Tasks []struct {
			ID        string   `json:"id"`
			Title     string   `json:"title"`
			DependsOn []string `json:"depends_on"`
		} `json:"tasks"`
		Cycles [][]string `json:"cycles"`
	}
	if !o.artifact(&g) {
		return "I could not read the dependencies."
	}
	title := map[string]string{}
	for _, t := range g.Tasks {
		title[t.ID] = t.Title
	}
	var lines []string
	for _, t := range g.Tasks {
		var on []string
		for _, id := range t.DependsOn {
			if title[id] != "" {
				on = append(on, quoted(title[id]))
			}
		}
		if len(on) > 0 && len(lines) < maxTold {
			lines = append(lines, "- "+quoted(t.Title)+" depends on "+english.Join(on))
		}
	}
	if len(lines) == 0 {
		return "No task depends on another one. You can say, for example, “task A depends on task B”."
	}
	text := "**Dependencies**\n\n" + strings.Join(lines, "\n")
	if len(g.Cycles) > 0 {
		text += fmt.Sprintf("\n\nCareful: %s, so none of those tasks can start.", english.Plural(len(g.Cycles), "circle"))
	}
	return text
}

// salvage reads the entities of a list from the start of an output that was cut.
func salvage(text, key string) []json.RawMessage {
	at := strings.Index(text, `"`+key+`":[`)
	if at < 0 {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(text[at+len(key)+3:]))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var out []json.RawMessage
	for dec.More() {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			break
		}
		out = append(out, raw)
	}
	return out
}
