package planner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// longestNothing is the most words that a message may have and say nothing.
const longestNothing = 5

// saysNothing reports a message that is a greeting or a bare answer: no
// conversation is told from another by it.
func saysNothing(content string) bool {
	words := strings.FieldsFunc(strings.ToLower(content), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	switch {
	case len(words) > longestNothing:
		return false
	case len(words) == 0:
		return true
	case slices.Contains(greetings(), strings.Join(words, " ")):
		return true
	}
	r, sure := rules.Read(content, rules.Situation{Items: []rules.Item{{Kind: rules.Waiting, PlanID: "p", Version: 1, Seen: true}}})
	return sure && (r.As == assent.ReadApprove || r.As == assent.ReadReject)
}

// greetings are messages that only open a conversation, in the languages of the
// consent reader.
func greetings() []string {
	return []string{"hi", "hello", "hey", "hi there", "hello there", "good morning", "good afternoon", "good evening", "thanks", "thank you", "test",
		"hallo", "guten tag", "guten morgen", "guten abend", "moin", "servus", "danke",
		"bonjour", "bonsoir", "salut", "merci", "hola", "buenos días", "buenas tardes", "buenas", "gracias",
		"ciao", "buongiorno", "buonasera", "salve", "grazie", "olá", "oi", "bom dia", "boa tarde", "obrigado", "obrigada",
		"hoi", "goedemorgen", "goedemiddag", "dag", "bedankt", "cześć", "dzień dobry", "witam", "dziękuję",
		"こんにちは", "おはようございます", "ありがとう", "你好", "您好", "早上好", "谢谢"}
}

// titleOf names a conversation after its first message that says something; ""
// for one that does not.
func titleOf(content string) string {
	if saysNothing(content) {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	words := strings.Fields(line)
	title := ""
	for _, w := range words {
		if utf8.RuneCountInString(title)+utf8.RuneCountInString(w) > 56 {
			return strings.TrimRight(title, ",;:.") + "…"
		}
		title = strings.TrimSpace(title + " " + w)
	}
	if utf8.RuneCountInString(title) > 60 {
		title = string([]rune(title)[:60]) + "…"
	}
	return title
}
