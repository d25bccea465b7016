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
	at, kind := wantedKind(t)
	if at < 0 {
		return r.wantedBare(t)
	}
	before := target(t.Part(english.Range{From: 0, To: at}), "new", "another", "extra", "additional", "further", "one", "more", "two", "three", "separate", "big", "small", "high", "low", "also", "second", "third", "final")
	_, _, counted := read(before).Count(0)
	named := before != "" && !onlyStop(before) && !counted
	after := t.Part(english.Range{From: at + 1, To: t.Len()})
	for after.Len() > 0 && after.Is(0, "called", "named", "titled", ":", "-", "–", "to", "for", "that", "about", "of", "saying", "where", "is", "on") {
		after = after.Drop(english.Range{From: 0, To: 1})
	}
	dates := r.s.reader.Dates(after)
	switch {
	case after.Len() == 0 && !named:
		return kind, nil
	case named && (after.Len() == 0 || len(dates) > 0): // "a budget milestone by May"
		it := item{title: english.Sentence(before)}
		if len(dates) > 0 {
			it.due = dates[0].Day
		}
		return kind, []item{it}
	case strings.HasSuffix(t.Tokens[at].Word, "s"):
		return kind, readItems(after, english.Range{From: 0, To: after.Len()}, dates)
	}
	if it := readItem(after, english.Range{From: 0, To: after.Len()}, dates); it.title != "" {
		return kind, []item{it}
	}
	return kind, nil
}

// wantedKind is the noun that says what is added, and where it stands; -1 if there
// is none.
func wantedKind(t english.Text) (at int, kind assent.Kind) {
	at, kind = -1, assent.KindTask
	for i := range min(t.Len(), 9) {
		k, ok := kindNouns[t.Tokens[i].Word]
		switch {
		case i > 0 && at < 0 && (isPreposition(t.Tokens[i].Word) || t.Is(i, "called", "named", ":")):
			return at, kind
		case ok && at >= 0 && titleBegins(t, i, at), !ok && at >= 0:
			return at, kind
		case ok:
			at, kind = i, k
		}
	}
	return at, kind
}

// wantedBare reads what is added without a noun: a milestone where the plan lists
// some and the words are few, else a task.
func (r *revision) wantedBare(t english.Text) (assent.Kind, []item) {
	it := readItem(t, english.Range{From: 0, To: t.Len()}, r.s.reader.Dates(t))
	it.title = english.Sentence(english.TrimArticle(it.title))
	switch {
	case it.title == "":
		return assent.KindTask, nil
	case len(r.lists()) > 0 && t.Len() <= 3:
		return assent.KindMilestone, []item{it}
	}
	return assent.KindTask, []item{it}
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
