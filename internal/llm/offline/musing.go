package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// Words that make a clause tell what is, was or is thought, rather than what is
// to be done.
var (
	narrates = wordSet(`was were had went came told said thought felt bought brought saw heard made took gave found kept knew ate slept won lost sold
		forgot understood left spent`)
	opinion = wordSet(`think thinks wonder wonders feel feels believe believes guess suppose love loves hate hates enjoy enjoys makes seems looks
		sounds gets rains snows means costs likes remember remembers wish wishes worries bores reminds nothing nobody`)
	aboutTime = wordSet(`due on in at by to planned planning coming happening next going set scheduled this taking not about moving launching
		getting opening hosting organising over`)
	willBe   = wordSet(`ready open opened opening live done finished launched held in on by at due moving getting`)
	articles = wordSet(`a an the my our his her their its`)
	resolved = wordSet(`decided agreed chose settled need wanted planned`)
)

var aProject = groups.Compile(`{project}`)

// muses reports whether words only tell something: "my sister launched a bakery
// in May", "writing is hard". Only where a project is named may it become one.
func muses(t english.Text) bool {
	if aProject.In(t.Canon()) {
		return false
	}
	end := sentenceEnd(t, 0)
	for i := range end {
		w := t.Tokens[i].Word
		switch {
		case t.Tokens[i].Kind != english.Word:
		case narrates[w] || opinion[w]:
			return i > 0 || w == "nothing"
		case t.Is(i, "is", "are"):
			return isMused(t, i, end)
		case t.IsPhrase(i, "will be") && i > 0 && !t.Is(i-1, "we", "i"):
			return i+2 < end && !willBe[t.Tokens[i+2].Word] && !participle(t.Tokens[i+2].Word)
		case i > 0 && strings.HasSuffix(w, "ed") && !resolved[w] && articles[wordAt(t, i+1)] && t.Tokens[i-1].Kind == english.Word && !articles[t.Tokens[i-1].Word]:
			return !english.IsDoing(t.Tokens[0].Word)
		}
	}
	return false
}

// isMused reports whether "is" or "are" at i says how something is, and not when
// it is to happen or who is doing it.
func isMused(t english.Text, i, end int) bool {
	if i == 0 || i+1 >= end || t.Is(i-1, "we", "i", "there", "deadline", "goal", "aim", "name", "date") {
		return false
	}
	next := t.Tokens[i+1]
	if next.Kind != english.Word || aboutTime[next.Word] {
		return false
	}
	return strings.HasSuffix(t.Tokens[0].Word, "ing") || !participle(next.Word)
}

func participle(w string) bool { return strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed") }

// narration reports words of what somebody did or said that order nothing: they
// begin with no verb of an order and name no kind of thing.
func narration(t english.Text) bool {
	if createVerb(t) >= 0 || t.Is(0, reviseVerbs...) || orders.In(t.Canon()) {
		return false
	}
	for _, tok := range t.Tokens {
		if kindNouns[tok.Word] != "" {
			return false
		}
	}
	return true
}

// orders begin a change.
var orders = groups.Compile(`^(?:update|edit|assign|reassign|raise|lower|reopen|finish|complete|close|block|unblock|tick|check|reschedule|prioritise|archive|publish|cancel|retitle|flag|i |me )`)

// tellsOnly reports a narration whose words say that somebody did or said it.
func tellsOnly(t english.Text) bool {
	for i := range t.Tokens {
		if i > 0 && narrates[t.Tokens[i].Word] && t.Tokens[i].Kind == english.Word {
			return narration(t)
		}
	}
	return false
}
