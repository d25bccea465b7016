package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// addedKind is the kind that words add.
func addedKind(t english.Text) assent.Kind {
	c := t.Canon()
	switch {
	case riskStart.In(c):
		return assent.KindRisk
	case decisionStart.In(c):
		return assent.KindDecision
	}
	if k, ok := createdKind(t); ok {
		return k
	}
	if k, ok := firstNoun(t); ok && t.Is(0, "put", "set") {
		return k
	}
	if m, ok := asKind.Find(c); ok {
		if k, found := firstNoun(t.Part(m.Range)); found {
			return k
		}
	}
	if k, ok := kindNouns[wordAt(t, 0)]; ok {
		return k
	}
	if k, ok := kindNouns[wordAt(t, 1)]; ok && t.Is(0, "new", "another", "one", "more") {
		return k
	}
	return assent.KindTask
}

func wordAt(t english.Text, i int) string {
	if i >= t.Len() {
		return ""
	}
	return t.Tokens[i].Word
}

var (
	riskStart     = groups.Compile(`^(?:(?:there is|we have|we see|i see|i spotted|we face) (?:a |an |the |another |new |big |serious |real |major |high |small |some )*(?:risk|danger|chance)|(?:the )?(?:biggest |main |new |another |one |a )*risk (?:is|could be|:))`)
	decisionStart = groups.Compile(`^(?:(?:{we}) (?:have |just |finally |already )*(?:decided|agreed|chose|settled)|decision :|decided :)`)
	asKind        = groups.Compile(`(?:as|to|on|onto|into) (?:{det} )?(?:new |high |low |urgent |big |major |our |my )*(?:{milestone}|{document}|{risk}|{decision}|{goal})(?: register| log| list)?(?: [.!])*$`)
)
