package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// reviewNow judges a plan by fixed rules and answers with the verdict's JSON.
func (s *situation) reviewNow() answer {
	task := s.state.Review
	if task == nil {
		task = &reviewTask{}
	}
	v := &reviewer{s: s, findings: []assent.Finding{}}
	v.whole(task.Plan)
	names := map[string]string{}
	for _, st := range task.Plan.Steps {
		v.step(st, names)
	}
	return say(string(encode(map[string]any{"verdict": v.verdict(), "findings": v.findings})))
}

type reviewer struct {
	s        *situation
	findings []assent.Finding
}

func (v *reviewer) note(step, severity, text string) {
	v.findings = append(v.findings, assent.Finding{Step: step, Severity: severity, Text: text})
}

// verdict follows from the worst finding: errors must be changed, warnings are
// for the person, and an empty plan is refused.
func (v *reviewer) verdict() string {
	verdict := assent.VerdictApproved
	for _, f := range v.findings {
		switch {
		case f.Severity == "error" && strings.HasPrefix(f.Text, "The plan is empty"):
			return assent.VerdictRejected
		case f.Severity == "error":
			verdict = assent.VerdictNeedsChanges
		}
	}
	return verdict
}

// whole checks what concerns the plan as one.
func (v *reviewer) whole(p assent.PlanDocument) {
	if len(p.Steps) == 0 {
		v.note("", "error", "The plan is empty, so there is nothing to approve.")
		return
	}
	has := map[string]bool{}
	for _, st := range p.Steps {
		has[st.Tool] = true
	}
	creates := has["create_project"] || has["create_onto_project"]
	if creates && !has["publish_document"] {
		v.note("", "error", "A project is created without its context document.")
	}
	if creates && !has["list_templates"] {
		v.note("", "warning", "No template was looked for before the project is created.")
	}
	for _, w := range readWrites(p.Steps) {
		v.note(w, "info", "This step’s result is not used by any later one.")
	}
}

// readWrites are reading steps whose result nobody uses, looking for a template
// aside.
func readWrites(steps []assent.Step) []string {
	used, keys := map[int]bool{}, map[string]int{}
	for i, st := range steps {
		if st.ResultKey != "" {
			keys[st.ResultKey] = i
		}
	}
	for _, st := range steps {
		for _, v := range argsOf(st.Arguments) {
			for _, at := range refersTo(v, keys) {
				used[at] = true
			}
		}
	}
	var out []string
	for i, st := range steps {
		if i < len(steps)-1 && strings.HasPrefix(st.Tool, "list_") && st.Tool != "list_templates" && !used[i] {
			out = append(out, st.ID)
		}
	}
	return out
}

// step checks one step; names are the titles seen so far.
func (v *reviewer) step(st assent.Step, names map[string]string) {
	a := argsOf(st.Arguments)
	switch {
	case strings.HasPrefix(st.Tool, "delete_"):
		v.note(st.ID, "warning", "This deletes something; make sure that nobody needs it.")
	case st.Effect == assent.EffectExternal:
		v.note(st.ID, "warning", "This acts outside the installation and may not be undone.")
	case st.Effect == assent.EffectDestructive:
		v.note(st.ID, "warning", "This may destroy something.")
	}
	if st.Tool == "create_project" && a.text("due_date") == "" {
		v.note(st.ID, "warning", "The project has no due date.")
	}
	v.date(st.ID, a.text("due_date"), "The due date")
	v.order(st.ID, a)
	v.milestones(st, a)
	if title := strings.ToLower(a.text("title") + a.text("name")); title != "" && strings.HasPrefix(st.Tool, "create_") {
		key := st.Tool + " " + title
		if _, twice := names[key]; twice {
			v.note(st.ID, "warning", "The name “"+a.text("title")+a.text("name")+"” is used twice in the plan.")
		}
		names[key] = st.ID
	}
	if st.Tool == "create_project" {
		for _, p := range v.s.state.Projects {
			if strings.EqualFold(p.Name, plain(a.text("name"))) {
				v.note(st.ID, "warning", "There is a project “"+p.Name+"” already.")
			}
		}
	}
	for _, child := range st.Steps {
		v.step(child, names)
	}
}

func (v *reviewer) date(step, date, what string) {
	d, ok := english.ParseDay(date)
	if ok && !v.s.today().IsZero() && d.Before(v.s.today()) {
		v.note(step, "error", what+" "+english.LongDate(d)+" lies in the past.")
	}
}

func (v *reviewer) order(step string, a args) {
	start, ok1 := english.ParseDay(a.text("start_date"))
	due, ok2 := english.ParseDay(a.text("due_date"))
	if ok1 && ok2 && due.Before(start) {
		v.note(step, "error", "The due date lies before the start.")
	}
}

func (v *reviewer) milestones(st assent.Step, a args) {
	seen := map[string]bool{}
	ms := milestonesOf(a)
	empty := 0
	for _, m := range ms {
		v.date(st.ID, m.DueDate, "The milestone “"+plain(m.Title)+"” with its date")
		if seen[strings.ToLower(m.Title)] {
			v.note(st.ID, "warning", "The milestone “"+plain(m.Title)+"” is listed twice.")
		}
		seen[strings.ToLower(m.Title)] = true
		if len(m.Tasks) == 0 {
			empty++
		}
	}
	if empty > 0 {
		v.note(st.ID, "info", english.Sentence(english.Plural(empty, "milestone"))+" without tasks.")
	}
	if len(ms) > 0 || st.Tool == "create_tasks" {
		v.note(st.ID, "info", "Nobody is assigned to the tasks yet.")
	}
}
