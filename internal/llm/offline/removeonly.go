package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var tasksOf = groups.Compile(`^(?:{det} |all |its |of |any )*tasks (?:from|in|of|under|for|within) (?:the )?(?:milestone |phase )?(?P<under>.+)$`)

// clearMilestone takes a milestone's tasks out and leaves it itself.
func (r *revision) clearMilestone(i, k int) bool {
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	if len(ms[k].Tasks) == 0 {
		return r.fail(quoted(plain(ms[k].Title)) + " has no tasks in the plan.")
	}
	ms[k].Tasks = nil
	r.setMilestones(i, ms)
	return true
}

// onlyNoun reads "the risk": a kind in the singular and no name.
func onlyNoun(t english.Text) (assent.Kind, bool) {
	for t.Len() > 1 && t.Is(0, "the", "that", "this", "a", "our", "my") {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	if t.Len() != 1 {
		return "", false
	}
	switch t.Tokens[0].Word {
	case "risk", "goal", "task", "milestone", "decision":
		return assent.Kind(t.Tokens[0].Word), true
	}
	return "", false
}

// removeOnly leaves out the one thing of a kind that the plan makes.
func (r *revision) removeOnly(kind assent.Kind) bool {
	var titles []string
	for _, th := range planContent(r.doc.Steps).of(kind) {
		titles = append(titles, th.title)
	}
	switch len(titles) {
	case 0:
		return r.fail("The plan makes no " + string(kind) + " of its own.")
	case 1:
		if kind == assent.KindRisk || kind == assent.KindGoal {
			return r.removeTools("create_"+string(kind), string(kind)+"s")
		}
		return r.removeOne(read("“" + titles[0] + "”"))
	}
	return r.fail("Which " + string(kind) + " do you mean: " + strings.Join(quotedAll(titles[:min(len(titles), 6)]), ", ") + "?")
}

// renameOnly gives the one thing of a kind that the plan makes another title.
func (r *revision) renameOnly(kind assent.Kind, value string) bool {
	all := planContent(r.doc.Steps).of(kind)
	if len(all) != 1 {
		return r.fail("The plan makes " + english.Plural(len(all), string(kind)) + ". Say which one, by its name.")
	}
	i := r.projectStep()
	if i >= 0 && (kind == assent.KindRisk || kind == assent.KindGoal) && r.hasArgument(string(kind)+"s") {
		a := argsOf(r.doc.Steps[i].Arguments)
		a[string(kind)+"s"] = []string{literal(value)}
		r.set(i, a)
		return true
	}
	return r.renameAs(read("“"+all[0].title+"”"), value, true)
}

// planContent is what the steps of a plan make.
func planContent(steps []assent.Step) content {
	var raws []json.RawMessage
	var tools []string
	for _, st := range steps {
		raws, tools = append(raws, st.Arguments), append(tools, st.Tool)
	}
	return contentOf(raws, tools)
}
