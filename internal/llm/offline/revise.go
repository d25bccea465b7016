package offline

import (
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// revision is a plan while instructions are applied to it.
type revision struct {
	s       *situation
	doc     assent.PlanDocument
	changed bool
	// strict keeps each change to one step: the person approves with the change,
	// and what they did not name must stay as they have seen it.
	strict bool
	why    string // why an instruction could not be carried out
	just   string // what the change before this one added: "it" in "add a task and make it due in May"
}

// reviseNow applies instructions to the plan of the state.
func (s *situation) reviseNow(p *planning) answer {
	r := &revision{s: s, doc: p.Plan, strict: approvesToo(s.state.Reading)}
	r.doc.Steps = slices.Clone(p.Plan.Steps)
	for i := range r.doc.Steps {
		if r.doc.Steps[i].ID == "" {
			r.doc.Steps[i].ID = "s" + itoa(i+1)
		}
	}
	if read(p.Instructions).Len() > maxTokens {
		return direct(tooLong + " The plan stays as it is.")
	}
	if why := s.whyNoDay(read(p.Instructions)); why != "" {
		return direct(why + " Which day do you mean? The plan stays as it is.")
	}
	var clauses []english.Text
	if which, ok := r.stepsRead(); ok {
		r.changed = r.removeSteps(which)
	} else {
		clauses = r.clauses(p.Instructions)
	}
	for _, c := range clauses {
		if !r.apply(c) {
			return direct(r.cannot(c))
		}
	}
	if !r.changed {
		return direct(r.cannot(english.Text{}))
	}
	if len(r.doc.Steps) > maxSteps {
		return direct("With that the plan would have " + english.Plural(len(r.doc.Steps), "step") + "; at most " + itoa(maxSteps) + " are allowed. The plan stays as it is.")
	}
	if !r.strict {
		r.syncDocument()
	}
	r.doc.Reasoning = "Changed as asked: “" + english.Clip(english.Squeeze(p.Instructions), 40) + "”."
	return s.planned(r.doc)
}

func approvesToo(r *assent.Reading) bool { return r != nil && r.As == assent.ReadApproveWithChanges }

// stepsRead are the steps that an approval with changes leaves out, as it was
// read in whatever language; ok is false where it asks for anything else.
func (r *revision) stepsRead() (which []int, ok bool) {
	if !r.strict || len(r.s.state.Reading.Changes) == 0 {
		return nil, false
	}
	for _, c := range r.s.state.Reading.Changes {
		at := slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool { return st.ID == c.Step })
		if c.Op != "remove" || at < 0 {
			return nil, false
		}
		which = append(which, at)
	}
	return which, true
}

// cannot says honestly that an instruction was not understood or not possible.
func (r *revision) cannot(c english.Text) string {
	if r.why != "" {
		return r.why + " The plan stays as it is."
	}
	what := "that"
	if words := strings.Trim(c.String(), " ,.;"); words != "" {
		what = quoted(words)
	}
	return "I did not understand " + what + ", so the plan stays as it is. I can leave out, add, rename, reorder or date steps, milestones, tasks and risks; for example " +
		"“leave out step 3”, “add a budget milestone first”, “rename the project to Leith”, “make it April” or “only two milestones”."
}

var (
	assentFront = groups.Compile(`^(?:yes|yep|yeah|okay|sure|great|perfect|fine|good|looks good|that looks good|sounds good|lgtm|nice|i like it|i approve|approved|all good|almost|nearly|very nice|no ,|not quite|not bad|hmm|well|thanks|thank you|actually|one more thing|one thing|one change|otherwise fine|otherwise good|wait)(?: ?(?:,|\.|!|but|:|and|though))*`)
	assentWords = groups.Compile(`(?:and |then |, )*(?:go ahead|run it|do it|execute it|start it|proceed|ship it|launch it|carry on|go for it)(?: (?:then|with it|please|now|after that|afterwards))*|(?:and |then |, )+go(?: [.!])*$`)
	restFine    = groups.Compile(`(?:(?:, |and |but )*(?:otherwise|apart from that|besides that|the rest|everything else|other than that|then) (?:it is |it looks |is |looks |all |that is |we are )*(?:fine|good|okay|great|perfect|ready)(?: to go)?)`)
	reviseVerbs = []string{"leave", "drop", "skip", "remove", "add", "include", "rename", "call", "make", "change", "move", "only", "no", "without", "use", "set", "push", "swap", "delete",
		"put", "cut", "omit", "postpone", "insert", "give", "keep", "just", "replace", "shift", "exclude", "bring", "name", "mark", "start", "delay", "extend", "take", "have", "turn", "describe"}
)

// clauses splits instructions into single changes; words of assent and courtesy
// are gone.
func (r *revision) clauses(words string) []english.Text {
	a := &ask{raw: words, text: read(words)}
	for range 4 {
		if !a.take(assentFront) && !a.take(assentWords) && !a.take(restFine) {
			break
		}
	}
	a.takeCourtesy()
	t := a.text
	var out []english.Text
	from := 0
	for i := 0; i <= t.Len(); i++ {
		joint := i == t.Len() || t.Ends(i)
		if !joint && t.Is(i, "and", ",", "but", "then", "also") && i > from {
			joint = t.Is(skipWords(t, i+1), reviseVerbs...) && !inList(t, i) && !t.Is(i-1, "should", "could", "must", "would", "it", "i", "we")
		}
		if !joint {
			continue
		}
		part := &ask{text: t.Part(english.Range{From: from, To: i})}
		from = i + 1
		if part.text.Len() == 0 || onlyJoints(part.text) {
			continue
		}
		part.takeCourtesy()
		part.text = trimEdges(part.text)
		if part.text.Len() > 0 && !onlyJoints(part.text) {
			out = append(out, part.text)
		}
	}
	return out
}

// inList reports an "and make it" after a colon, where what follows may be an
// item of a list rather than an order.
func inList(t english.Text, i int) bool {
	for k := i; k >= 0 && !t.Ends(k); k-- {
		if t.Is(k, ":") {
			return !t.Is(i, ",", ";") || t.Is(i+1, "call", "start", "set", "make", "give", "take", "name", "bring", "change", "move", "put", "use", "mark", "extend", "replace")
		}
	}
	return false
}

func onlyJoints(t english.Text) bool {
	for i := range t.Tokens {
		if !t.Is(i, "and", ",", "but", "then", "also", "please", "so", "it", "that", "!", "okay", "yes", "-", "–", "—") && t.Tokens[i].Kind != english.Break {
			return false
		}
	}
	return true
}

func trimEdges(t english.Text) english.Text {
	for t.Len() > 0 && (t.Is(0, ",", "and", "but", "then", "also", "-", "–", "—", ":", ".") || t.Tokens[0].Kind == english.Break || t.Tokens[0].Kind == english.Bullet) {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	for t.Len() > 0 && t.Is(t.Len()-1, ",", "and", "but", "then", "instead", "please", "too", "also", "first-thing", "though") {
		t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
	}
	return t
}

// apply carries one change out; the first kind of change that fits does it.
func (r *revision) apply(t english.Text) bool {
	for _, op := range []func(english.Text) bool{r.swap, r.reorder, r.remove, r.rename, r.count, r.add, r.template, r.shift, r.date, r.priority, r.describe, r.status, r.replace} {
		if op(t) {
			r.changed = true
			return true
		}
		if r.why != "" {
			return false
		}
	}
	return false
}

// fail notes why a change is not possible.
func (r *revision) fail(why string) bool {
	r.why = why
	return false
}

// set writes an argument of step i.
func (r *revision) set(i int, a args) { r.doc.Steps[i].Arguments = encode(within(a)) }

// projectStep is the step that creates the project, -1 if there is none.
func (r *revision) projectStep() int {
	return slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool {
		return st.Tool == "create_project" || st.Tool == "create_onto_project"
	})
}

// lists are the steps that create several milestones.
func (r *revision) lists() []int {
	var out []int
	for i, st := range r.doc.Steps {
		if len(milestonesOf(argsOf(st.Arguments))) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// setMilestones writes a step's milestones and its label.
func (r *revision) setMilestones(i int, ms []milestone) {
	a := argsOf(r.doc.Steps[i].Arguments)
	a["milestones"] = ms
	if len(ms) == 0 {
		delete(a, "milestones")
	}
	r.set(i, a)
	if st := &r.doc.Steps[i]; st.Tool == "create_milestones" && strings.HasPrefix(st.Label, "Add ") {
		shown := make([]milestone, len(ms))
		for k, m := range ms {
			shown[k] = milestone{Title: plain(m.Title)}
		}
		st.Label = "Add " + english.Plural(len(ms), "milestone") + titles(shown)
	}
}

// milestoneLike finds a milestone by words in the plan.
func (r *revision) milestoneLike(words string) (step, index int, ok bool) {
	top := 0.0
	for _, i := range r.lists() {
		for k, m := range milestonesOf(argsOf(r.doc.Steps[i].Arguments)) {
			if like := english.Likeness(words, plain(m.Title)); like > top {
				step, index, top = i, k, like
			}
		}
	}
	return step, index, top >= fits
}

// titled finds a step whose own title words name, such as a single milestone,
// task or risk.
func (r *revision) titled(words string) (int, bool) {
	best, top := -1, 0.0
	for i, st := range r.doc.Steps {
		if title := argsOf(st.Arguments).text("title"); title != "" && strings.HasPrefix(st.Tool, "create_") {
			if like := english.Likeness(words, plain(title)); like > top {
				best, top = i, like
			}
		}
	}
	return best, top >= fits
}

// rearranged replaces the steps by a new order; what is lost makes it fail.
func (r *revision) rearranged(from []int, fresh ...assent.Step) bool {
	steps, lost := rearrange(r.doc.Steps, from, fresh...)
	if len(lost) > 0 {
		return r.fail(r.needs(lost[0], from))
	}
	r.doc.Steps = steps
	return true
}

func (r *revision) needs(b broken, kept []int) string {
	name := b.step
	for i, st := range r.doc.Steps {
		if st.ID == b.step {
			name = "step " + itoa(i+1) + " (" + stepName(st) + ")"
		}
	}
	if len(kept) < len(r.doc.Steps) {
		return "That cannot be left out alone: " + name + " needs its result."
	}
	return "That order is not possible: " + name + " needs the result of a later step."
}

// deadline is the project's due date in the plan.
func (r *revision) deadline() (step int, due time.Time) {
	step = r.projectStep()
	if step < 0 {
		step = slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool { return argsOf(st.Arguments).text("due_date") != "" })
	}
	if step < 0 {
		return -1, due
	}
	due, _ = english.ParseDay(argsOf(r.doc.Steps[step].Arguments).text("due_date"))
	return step, due
}
