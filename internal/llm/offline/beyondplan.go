package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var (
	asksWho      = groups.Compile(`^(?:and )?(?:who|whose|by whom|with whom)`)
	asksApprover = groups.Compile(`(?:approve|approves|approved|approving|approval|confirms?|decides?|says yes|signs? off|word|go ahead)`)
)

// planTalk are the words in which people ask about a plan as a whole.
const planTalk = `plan plans draft proposal version step steps thing things part happen happens happening go going next then now first last later after before once start
	run runs running execute approve agree say yes okay show list explain describe tell read give repeat detail details exactly really actually contain include
	inside look like create creates change make made work mean see whole full current latest come end result waiting everything anything something else exact precisely
	need think idea purpose want get here there still again more point approval summary summarise overview way order left set up click press accept reject discard button open propose suggest
	mind template document context please question know understand clear info information about finish cause effect touch new old both many much`

// beyondPlan is what to say to a question about something that the plan does not
// tell: who does it, or what becomes of a thing that is not in it. It is empty
// for a question about the plan as a whole.
func (s *situation) beyondPlan(a *ask, p plan) string {
	if a.has(asksWho) {
		if a.has(asksApprover) {
			return "You do: " + planName(p) + " waits for your word, and nothing of it runs before that."
		}
		return "I do not know: the plan names nobody. When you approve it, this program carries out the steps itself; who does the work afterwards can be set on the tasks."
	}
	known := map[string]bool{}
	for _, w := range english.Terms(planTalk + " " + planText(p.Steps) + " " + p.Objective) {
		known[w] = true
	}
	var foreign []string
	for i, tok := range a.text.Tokens {
		if tok.Kind != english.Word || english.Stop(tok.Word) || questionWord[tok.Word] || kindNouns[tok.Word] != "" {
			continue
		}
		if !known[english.Stem(tok.Word)] {
			foreign = append(foreign, a.text.Slice(i, i+1))
		}
	}
	if len(foreign) == 0 {
		return ""
	}
	return "I do not know: the plan says nothing about " + quoted(strings.Join(foreign, " ")) + ". Ask “what is in the plan?” to see all of its steps."
}

var questionWord = wordSet(`what which who how why when where is are was were does did has have had can could should shall may might must whether if not no i'm just only
	one ones two three four five six he she him her than because his hers too yet even ever already also such same other am been being very quite`)

// planText is everything that the steps of a plan hold, as words.
func planText(steps []assent.Step) string {
	var b strings.Builder
	for _, st := range steps {
		b.WriteString(st.Label + " " + string(st.Arguments) + " ")
	}
	return b.String()
}
