package offline

import (
	"assent/internal/llm/offline/english"
)

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
