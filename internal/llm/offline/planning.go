package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

const planningTool = "__planning__"

// planNow answers a plan_generation call: a plan, or plain words why there is
// none.
func (s *situation) planNow() answer {
	p := s.state.Planning
	if p == nil {
		p = &planning{Task: "compile", Objective: s.words}
	}
	if p.Task == "revise" {
		return s.reviseNow(p)
	}
	words := strings.TrimSpace(p.Objective + "\n" + p.Instructions)
	s.words = words
	doc, why := s.compile(words)
	if why != "" {
		return direct(why)
	}
	return s.planned(doc)
}

func direct(content string) answer {
	return use(planningTool, args{"type": "direct_response", "content": content})
}

// planned gives a plan, corrected where a former attempt was refused.
func (s *situation) planned(doc assent.PlanDocument) answer {
	if len(s.state.Violations) > 0 {
		steps, ok := repair(doc.Steps, s.state.Violations)
		if !ok {
			return direct(refusal(s.state.Violations))
		}
		doc.Steps = steps
	}
	for _, st := range doc.Steps {
		if st.Tool != "" && !s.allowed(st.Tool) {
			return direct("This needs “" + spoken(st.Tool) + "”, which is not on offer here, so I can make no plan of it.")
		}
	}
	a := args{"type": "tool_calls", "objective": doc.Objective, "reasoning": doc.Reasoning, "steps": doc.Steps}
	if doc.Reasoning == "" {
		a["reasoning"] = "These steps do what was asked and nothing else."
	}
	return use(planningTool, a)
}

// refusal explains violations that cannot be corrected.
func refusal(all []violation) string {
	var texts []string
	for _, v := range all {
		if v.Code == "missing_required_step" || v.Code == "step_order" {
			return "That cannot be left out: a new project needs the look at the templates, the project itself and its context document, in that order. The plan stays as it is."
		}
		if v.Message != "" && len(texts) < 3 {
			texts = append(texts, strings.TrimRight(v.Message, "."))
		}
	}
	return sentence("I could not make a valid plan of this: " + strings.Join(texts, "; "))
}

// allowed reports whether the planning call may use a tool: it is named in the
// schema, or the schema names none.
func (s *situation) allowed(tool string) bool {
	for _, t := range s.req.Tools {
		if t.Name == planningTool && strings.Contains(string(t.Schema), `"enum"`) && strings.Contains(string(t.Schema), `"list_`) {
			return strings.Contains(string(t.Schema), `"`+tool+`"`)
		}
	}
	return true
}

// compile makes a plan of words without calling anything: what would have to be
// looked up becomes a step that later steps refer to.
func (s *situation) compile(words string) (assent.PlanDocument, string) {
	a := newAsk(words, s.reader)
	if why := s.whyNoDay(a.text); why != "" {
		return assent.PlanDocument{}, why + " Which day do you mean?"
	}
	u := understand(s, a)
	switch {
	case u.want == wantCreate:
		return s.compileProject(a)
	case isEdit(u.want):
		return s.compileEdits(a)
	case u.want == wantList || u.want == wantSearch || u.want == wantOpen || u.want == wantAudit:
		return s.compileReads(u, a)
	case u.want == wantUnclear || isPlanWant(u.want):
		return assent.PlanDocument{}, "I am the built-in offline planner and did not understand what the plan should do. " +
			"I can plan a new project with milestones and tasks, changes of things that exist, and look-ups; please put it that way."
	}
	return assent.PlanDocument{}, s.smallTalk(u.want).text
}

func (s *situation) compileProject(a *ask) (assent.PlanDocument, string) {
	b := readBrief(a, s.reader)
	if b.name == "" {
		return assent.PlanDocument{}, "I could not tell what the project is about. One sentence is enough, for example “We are moving our office to Leith by the end of March”."
	}
	if b.goneBy(s.today()) {
		return assent.PlanDocument{}, english.LongDate(b.due) + " has gone by already. Which day do you mean?"
	}
	var tpl *template
	for _, o := range append(outcomes(s.past), s.results...) {
		if o.tool == "list_templates" {
			if t := chooseTemplate(o, b); t != nil {
				tpl = t
			}
		}
	}
	doc := createPlan(planOutline(b, tpl, s.today()))
	if tpl == nil && b.template != "" {
		useFoundTemplate(&doc)
	}
	return doc, ""
}

// useFoundTemplate lets the plan itself take the first template that its own
// look-up finds, since the person named one and none is known yet.
func useFoundTemplate(doc *assent.PlanDocument) {
	for i, st := range doc.Steps {
		if st.Tool == "create_project" {
			a := argsOf(st.Arguments)
			a["template_id"] = "$0.output.artifact.templates.0.id"
			doc.Steps[i].Arguments = encode(a)
		}
	}
}

// maxLookUps bounds how many things one change may need to be looked up.
const maxLookUps = 4

// compileEdits makes the changes that words ask for.
func (s *situation) compileEdits(a *ask) (assent.PlanDocument, string) {
	b := &builder{}
	for _, part := range s.editParts(a) {
		w, why := s.compileEdit(b, part)
		if why != "" {
			return assent.PlanDocument{}, why
		}
		b.add("s"+itoa(len(b.steps)+1), w.label, w.call.tool, literalArgs(w.call.args), "")
	}
	if len(b.steps) > maxSteps {
		return assent.PlanDocument{}, "That would take more steps than a plan may have. Please ask for less at once."
	}
	return assent.PlanDocument{Objective: english.Sentence(english.Clip(a.text.String(), 12)), Steps: b.steps}, ""
}

// compileEdit works one change out. A look-up that it needs becomes a step, and
// its first hit, by reference, what the change is made to.
func (s *situation) compileEdit(b *builder, part *ask) (write, string) {
	for range maxLookUps {
		w, next := s.writeOf(part)
		if next == nil {
			return w, ""
		}
		if len(next.calls) != 1 {
			return w, next.text
		}
		c := next.calls[0]
		kind, ok := kindListed(c.tool)
		if !ok {
			return w, "I cannot tell from here which one is meant. Please name the project as well."
		}
		at := b.add("s"+itoa(len(b.steps)+1), "Look up "+listKeys[kind], c.tool, literalArgs(c.args), "")
		s.results = append(s.results, s.placeholder(c, kind, at, part))
	}
	return write{}, "That takes too many look-ups. Please name the things exactly, one at a time."
}

func kindListed(tool string) (assent.Kind, bool) {
	for kind, t := range listTools {
		if t == tool {
			return kind, true
		}
	}
	return "", false
}

// placeholder is what a look-up will have found: one thing with a reference for
// its id, called as the words call it.
func (s *situation) placeholder(c call, kind assent.Kind, at int, part *ask) outcome {
	name, _ := c.args["query"].(string)
	if name == "" {
		_, rest := s.takeProject(part.text)
		name = rest.String()
	}
	id := "$" + itoa(at) + ".output.artifact." + listKeys[kind] + ".0.id"
	hit := map[string]any{"id": id, "kind": kind, "title": name, "name": name}
	return outcome{tool: c.tool, args: encode(c.args), env: assent.Envelope{Success: true,
		Output: encode(map[string]any{"artifact_id": "look-up", "artifact": map[string]any{listKeys[kind]: []any{hit}, "total": 1}})}}
}

// compileReads makes a plan of the look-up that answers a question.
func (s *situation) compileReads(u understanding, a *ask) (assent.PlanDocument, string) {
	b := &builder{}
	var next answer
	for range maxLookUps {
		next = s.answerWant(u, a)
		kind, ok := assent.Kind(""), false
		if len(next.calls) == 1 {
			kind, ok = kindListed(next.calls[0].tool)
		}
		for _, c := range next.calls {
			b.add("s"+itoa(len(b.steps)+1), spoken(c.tool), c.tool, literalArgs(c.args), "")
		}
		if !ok || kind != assent.KindProject || u.want == wantList || u.want == wantSearch {
			break
		}
		s.results = append(s.results, s.placeholder(next.calls[0], kind, len(b.steps)-1, a))
	}
	if len(b.steps) == 0 {
		return assent.PlanDocument{}, next.text
	}
	return assent.PlanDocument{Objective: english.Sentence(english.Clip(strings.TrimRight(a.text.String(), "?!. "), 12)), Steps: b.steps}, ""
}
