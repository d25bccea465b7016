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

func isEdit(w want) bool {
	return w == wantAdd || w == wantChange || w == wantLink || w == wantDelete
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
