package offline

import "assent/internal/llm/offline/english"

// mood is how words are meant, before it is asked what they are about. Only a
// wish may change anything.
type mood uint8

const (
	moodWish   mood = iota
	moodAsks        // a question, or a wish to be shown something
	moodRefuse      // "do not add any tasks"
	moodTells       // a thought, a condition, somebody else's words
)

var (
	refuses  = groups.Compile(`^(?:please )?(?:(?:{we}|you) )?(?:do not|never|must not|should not|shall not|will not|would not|would rather not|rather not|would never)(?: (?:want|need|wish|like|you|to|me|us|have|really|even))* (?:create|creating|make|making|add|adding|set|start|starting|open|change|changing|rename|delete|deleting|remove|move|mark|complete|finish|touch|do|write|record|plan|draft|archive|close|update|assign|run|anything|any|a|another)`)
	imagines = groups.Compile(`^if .+ (?:would|could|might)|(?:what|suppose|imagine|assuming)(?: if)? .+ (?:would|could|had|were)|(?:{we}|he|she|they|my [^ ]+|the [^ ]+) (?:was|were|am|are|have been|had been) (?:just |only )?(?:wondering|dreaming|talking about|reading about|thinking about|told|asked)`)
	says     = groups.Compile(`(?:is|are|must|should|has to|needs to|can not|has been|depends|blocks|was)`)
	reports  = groups.Compile(`(?:said|says|wrote|writes|told (?:me|us)|mentioned|asked|shouted|emailed|texted)(?: (?:me|us|that|to|today|yesterday|,|:))* «»`)
)

// moodOf reads the mood off the first words.
func moodOf(t english.Text) mood {
	c := t.Canon()
	switch {
	case reports.In(c), imagines.In(c):
		return moodTells
	case refuses.In(c):
		return moodRefuse
	case asks(t):
		return moodAsks
	}
	return moodWish
}

// asks reports a question or a wish to see: what begins with a question word, a
// verb before its subject, or a verb of showing. "Could you …" is gone by then.
func asks(t english.Text) bool {
	if t.Is(0, "what", "which", "who", "whose", "where", "when", "why", "how", "is", "are", "was", "were", "does", "did", "has", "should", "shall", "would", "could", "can", "will",
		"show", "tell", "explain", "audit") {
		return true
	}
	if t.Is(0, "list", "display", "find", "search", "locate", "look", "view", "see", "read") {
		return !says.In(t.Canon()) // "view offices must be done before sign the lease"
	}
	if t.Is(0, "do") {
		return t.Is(1, "we", "i", "you", "they", "any", "the", "all", "these", "those")
	}
	return t.Is(0, "give", "get", "read", "print", "fetch") && t.Is(1, "me", "us") || t.Is(t.Len()-1, "?") && t.Is(0, "any", "anything", "something", "and", "i", "we", "the", "there")
}

// changesWorkspace reports whether a want leads to a write.
func changesWorkspace(w want) bool {
	return w == wantCreate || w == wantTemplate || w == wantDelete || isEdit(w)
}
