package offline

import (
	"regexp"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// write is a change of the workspace that was understood: the call that makes
// it, in words for a plan, and in words for when it is done.
type write struct {
	call  call
	label string // "Add the task “Call the landlord”"
	done  string // "Added the task “Call the landlord” to “Office move”."
	on    entity // what is changed; zero where something is added
}

// edit answers a wish to create or change things. One change is a direct call,
// several are one plan.
func (s *situation) edit(a *ask) answer {
	if understand(s, a).want == wantChange && !s.namesProject(a.text) && tellsOnly(a.text) {
		return s.lost()
	}
	var parts []*ask
	for _, part := range s.editParts(a) {
		if words := s.leftOver(part.text); words != "" {
			return sayf("I did not understand %s, so I have done nothing yet. Put that part in other words, or ask for the rest alone.", quoted(words))
		}
		split, next := s.severalNamed(part)
		if next != nil {
			return *next
		}
		parts = append(parts, split...)
	}
	if len(parts) == 1 {
		w, next := s.writeOf(parts[0])
		if next != nil {
			return *next
		}
		return s.apply(a, w)
	}
	return s.planEdits(a, parts)
}

// severalNamed makes one change of each thing that a single order names.
func (s *situation) severalNamed(a *ask) ([]*ask, *answer) {
	switch understand(s, a).want {
	case wantDelete:
		return s.severalDeleted(a)
	case wantChange:
		return s.severalTargets(a)
	}
	return []*ask{a}, nil
}

// severalTargets makes one change of each thing that is named: "A and B are done".
// One thing may have an "and" in its name, so that is looked for first.
func (s *situation) severalTargets(a *ask) ([]*ask, *answer) {
	text := withoutEnd(a.text)
	m, _, ok := matchForm(text)
	if !ok || m.target.Len() < 3 {
		return []*ask{a}, nil
	}
	from := slices.IndexFunc(text.Tokens, func(t english.Token) bool { return t.Start == m.target.Tokens[0].Start })
	items := m.target.Items(0, m.target.Len(), nil)
	if from < 0 || len(items) < 2 {
		return []*ask{a}, nil
	}
	whole := target(m.target, "tasks", "milestones", "both")
	if _, e, next := s.changed(m.target, naturalKind[m.name]); next != nil && len(next.calls) > 0 {
		return nil, next
	} else if next == nil && english.Likeness(whole, e.label()) >= sureName {
		return []*ask{a}, nil
	}
	var out []*ask
	for _, it := range items {
		part := text.Drop(english.Range{From: from, To: from + it.From}, english.Range{From: from + it.To, To: from + m.target.Len()})
		b := &ask{raw: part.String(), text: part, mode: a.mode}
		b.refresh(s.reader)
		out = append(out, b)
	}
	return out, nil
}

// apply makes the call, or tells its result.
func (s *situation) apply(a *ask, w write) answer {
	if a.mode == assent.ModeDraftOnly && s.state.Mode != assent.ModeDraftOnly {
		return s.propose(planOf(w.label, []write{w}), s.mode(a))
	}
	if !s.tried(w.call) {
		return answer{calls: []call{w.call}}
	}
	o, _ := s.latest(w.call.tool)
	if !o.env.Success {
		return explainError(o)
	}
	return say(w.done)
}

// planEdits turns several changes into one plan.
func (s *situation) planEdits(a *ask, parts []*ask) answer {
	var writes []write
	for _, p := range parts[:min(len(parts), maxSteps)] {
		w, next := s.writeOf(p)
		if next != nil {
			return *next
		}
		if w.on.ID != "" {
			s.just = &w.on // "it" in the next part
		}
		if !slices.ContainsFunc(writes, func(o write) bool { return o.label == w.label }) {
			writes = append(writes, w)
		}
	}
	if len(writes) == 1 {
		return s.apply(a, writes[0])
	}
	return s.propose(planOf(english.Plural(len(writes), "change")+" in the workspace", writes), s.mode(a))
}

func planOf(objective string, writes []write) assent.PlanDocument {
	b := &builder{}
	for i, w := range writes {
		b.add("s"+itoa(i+1), w.label, w.call.tool, literalArgs(w.call.args), "")
	}
	return assent.PlanDocument{Objective: objective, Steps: b.steps}
}

// literalArgs protects a person's words from being read as references.
func literalArgs(a args) args {
	out := args{}
	for k, v := range a {
		if s, ok := v.(string); ok && !ownReference.MatchString(s) {
			v = literal(s)
		}
		out[k] = v
	}
	return out
}

// ownReference is a reference that this package made itself.
var ownReference = regexp.MustCompile(`^\$\d+\.output\.artifact\.[a-z]+\.0\.id$`)

// writeOf is the change that a part of a message asks for, or what to do or say
// first.
func (s *situation) writeOf(a *ask) (write, *answer) {
	switch understand(s, a).want {
	case wantAdd:
		return s.addition(a)
	case wantLink:
		return s.link(a)
	case wantDelete:
		return s.deletion(a)
	}
	return s.change(a)
}

// goesOn begins what belongs to the order before it: "to the office move and make
// it urgent".
var goesOn = groups.Compile(`^(?:{we} )?(?:(?:call|name|make|set|give|mark|assign|put|keep|move|have|let|note|prioritise) |with |without |due|high|low|normal|urgent|critical|medium|priority|important|it |is |are |by |on |until |before |assigned |depends |blocked|start)`)

// leftOver is what stands behind a finished order and is none itself: what
// follows an "and" after a date or the name of a project.
func (s *situation) leftOver(t english.Text) string {
	var ends []int
	if _, r, ok := s.knownProject(t); ok {
		ends = append(ends, r.To)
	}
	for _, d := range s.reader.Dates(t) {
		ends = append(ends, d.To)
	}
	for _, at := range ends {
		rest := t.Part(english.Range{From: at + 1, To: t.Len()})
		if !t.Is(at, "and") || rest.Len() == 0 || goesOn.In(rest.Canon()) || s.namesProject(rest) {
			continue
		}
		if dates := s.reader.Dates(rest); len(dates) == 0 || dates[0].From > 0 {
			return strings.Trim(rest.String(), " .,;!")
		}
	}
	return ""
}

// clearOrder is the score from which a part of a message is an order of its own.
const clearOrder = 70

// editParts splits a message into the changes it asks for. A part that is no
// change of its own belongs to the one before.
func (s *situation) editParts(a *ask) []*ask {
	var out []*ask
	from := 0
	for _, at := range append(joints(a.text), a.text.Len()) {
		part := a.text.Part(english.Range{From: from, To: at})
		if part.Len() == 0 || onlyJoints(part) {
			continue
		}
		p := &ask{raw: part.String(), text: part, mode: a.mode}
		p.takeCourtesy()
		p.refresh(s.reader)
		if u := understand(s, p); !isEdit(u.want) || u.score < clearOrder || len(out) > 0 && refersBack.In(p.canon) {
			if len(out) == 0 && at == a.text.Len() {
				return []*ask{a}
			}
			if len(out) > 0 {
				return []*ask{a}
			}
			continue
		}
		out = append(out, p)
		from = at
	}
	if len(out) < 2 {
		return []*ask{a}
	}
	return out
}

// refersBack says only what the words before it are: "note that as a decision".
var refersBack = groups.Compile(`^(?:add|put|note|log|record|track|make|save) (?:it|that|this|them|those|these)(?: down)?(?: as .+)?$`)

func isEdit(w want) bool {
	return w == wantAdd || w == wantChange || w == wantLink || w == wantDelete
}

// joints are the tokens at which one change may end and the next begin: the end
// of a sentence, or an "and" before another order.
func joints(t english.Text) []int {
	var out []int
	for i := 1; i < t.Len()-1; i++ {
		if t.Ends(i) || t.Is(i, "and", ",", "then") && t.Is(skipWords(t, i+1), "add", "create", "mark", "rename", "delete", "remove", "move", "set", "complete", "close", "push", "assign",
			"block", "unblock", "reopen", "archive", "record", "log", "finish", "postpone", "change", "make", "reschedule", "link", "update") {
			out = append(out, i)
		}
	}
	if len(out) > maxSteps {
		return nil // a text, and no list of orders
	}
	return out
}

func skipWords(t english.Text, i int) int {
	for t.Is(i, "and", "then", "also", "please") {
		i++
	}
	return i
}

// nounOf is the kind that words name as the thing itself, not as where it is:
// "the task in the relaunch project" is a task.
func nounOf(t english.Text) (assent.Kind, bool) {
	for i := range t.Tokens {
		if i > 0 && t.Is(i, "in", "from", "of") {
			break
		}
		if k, ok := kindNouns[t.Tokens[i].Word]; ok && t.Tokens[i].Kind == english.Word {
			return k, true
		}
	}
	return firstNoun(t)
}

// waitsForWord explains a call that was stored as a plan of one step.
func waitsForWord(o outcome) answer {
	what := spoken(o.tool)
	switch {
	case strings.HasPrefix(o.tool, "delete_"):
		return sayf("Deleting needs your word, so nothing was deleted. It waits as a plan of one step: %s.", english.Lower(what))
	case o.tool == "":
		what = "This"
	}
	return sayf("%s waits as a plan of one step; nothing was changed yet.", what)
}
