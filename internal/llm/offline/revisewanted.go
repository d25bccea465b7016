package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// wanted reads what to add: "a budget milestone", "a milestone called Budget",
// "two risks: a and b", "a task to call the landlord".
func (r *revision) wanted(t english.Text) (assent.Kind, []item) {
	t = trimEdges(t)
	at, kind := -1, assent.KindTask
	for i := range min(t.Len(), 9) {
		k, ok := kindNouns[t.Tokens[i].Word]
		if i > 0 && at < 0 && (isPreposition(t.Tokens[i].Word) || t.Is(i, "called", "named", ":")) {
			break
		}
		if ok && at >= 0 && titleBegins(t, i, at) {
			break
		}
		if ok {
			at, kind = i, k
		} else if at >= 0 {
			break
		}
	}
	if at < 0 {
		it := readItem(t, english.Range{From: 0, To: t.Len()}, r.s.reader.Dates(t))
		it.title = english.Sentence(english.TrimArticle(it.title))
		if it.title == "" {
			return kind, nil
		}
		if len(r.lists()) > 0 && t.Len() <= 3 {
			kind = assent.KindMilestone
		}
		return kind, []item{it}
	}
	before := target(t.Part(english.Range{From: 0, To: at}), "new", "another", "extra", "additional", "further", "one", "more", "two", "three", "separate", "big", "small", "high", "low", "also", "second", "third", "final")
	after := t.Part(english.Range{From: at + 1, To: t.Len()})
	for after.Len() > 0 && after.Is(0, "called", "named", "titled", ":", "-", "–", "to", "for", "that", "about", "of", "saying", "where", "is", "on") {
		after = after.Drop(english.Range{From: 0, To: 1})
	}
	if after.Len() == 0 || before != "" && !onlyStop(before) && len(r.s.reader.Dates(after)) > 0 {
		if before == "" || onlyStop(before) {
			return kind, nil
		}
		it := item{title: english.Sentence(before)}
		if d := r.s.reader.Dates(after); len(d) > 0 {
			it.due = d[0].Day
		}
		return kind, []item{it}
	}
	dates := r.s.reader.Dates(after)
	if strings.HasSuffix(t.Tokens[at].Word, "s") {
		return kind, readItems(after, english.Range{From: 0, To: after.Len()}, dates)
	}
	it := readItem(after, english.Range{From: 0, To: after.Len()}, dates)
	if it.title == "" {
		return kind, nil
	}
	return kind, []item{it}
}

// titleBegins reports whether the noun at i is the first word of a title rather
// than part of what is added: "a milestone Tickets sold".
func titleBegins(t english.Text, i, noun int) bool {
	return t.Tokens[i].Capital && !t.Tokens[noun].Capital || !strings.HasSuffix(t.Tokens[noun].Word, "s") && strings.HasSuffix(t.Tokens[i].Word, "s")
}

// withLevels reads likelihood and impact off a risk's title into its arguments.
func withLevels(title string, a args) string {
	ad := addition{kind: assent.KindRisk, level: map[string]string{}}
	t := trimJoints(ad.takeLevels(read(title)))
	if t.Len() == 0 || len(ad.level) == 0 {
		return title
	}
	for k, v := range ad.level {
		a[k] = v
	}
	return t.Name(english.Range{From: 0, To: t.Len()})
}
