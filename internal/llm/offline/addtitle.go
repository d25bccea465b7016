package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// titleFromBody names a document after its text where that is all there is.
func (ad *addition) titleFromBody() {
	if ad.kind != assent.KindDocument || ad.body == "" {
		return
	}
	title := english.Clip(ad.body, titleWords)
	ad.titles = []item{{title: strings.TrimRight(title, " .,;:")}}
	if title == english.Squeeze(ad.body) {
		ad.body = ""
	}
}

// withoutEmptyBrackets drops the brackets around what was taken out of them.
func withoutEmptyBrackets(t english.Text) english.Text {
	for i := range t.Tokens {
		if !t.Is(i, "(") {
			continue
		}
		j := i + 1
		for t.Is(j, ",", ";", ".", ":", "-", "and") {
			j++
		}
		if t.Is(j, ")") {
			return withoutEmptyBrackets(t.Drop(english.Range{From: i, To: j + 1}))
		}
	}
	return t
}

// quoteInside prefers a quoted title where one stands among other words.
func quoteInside(t english.Text, title string) string {
	for i, tok := range t.Tokens {
		if tok.Kind == english.Quote && (i == 0 || t.Is(i-1, "called", "named", "titled", "task", "milestone", "risk", "title", ":")) {
			return english.Sentence(tok.Inside)
		}
	}
	return title
}

func trimJoints(t english.Text) english.Text {
	for t.Len() > 0 && (t.Is(0, ",", ":", "-", "–", "—", ".", "and", "to", "called", "named", "that", "titled", "is", ";") || t.Tokens[0].Kind == english.Break) {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	for t.Len() > 0 && (t.Is(t.Len()-1, ",", ":", "-", ".", "!", "and", "to", "for", "in", "with", "by", "on", "the", "please", "as", "it", ";", "priority", "due", "is", "a") || t.Tokens[t.Len()-1].Kind == english.Break) {
		t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
	}
	return t
}
