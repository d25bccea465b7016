package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// takeDetails reads and removes milestone, priority, reason, levels and body.
func (ad *addition) takeDetails(t english.Text) english.Text {
	if ad.kind == assent.KindTask {
		for _, p := range []english.Pattern{underMilestone, milestoneAfter, underColon} {
			if m, ok := p.Find(t.Canon()); ok && ad.under == "" {
				r := m.Groups["name"]
				ad.under = target(t.Part(r))
				t = t.Drop(english.Range{From: m.From, To: max(r.To, endOfNoun(t, r.To))})
			}
		}
	}
	if ad.kind == assent.KindDocument {
		if m, ok := bodyAfter.Find(t.Canon()); ok && m.From > 0 {
			r := m.Groups["body"]
			ad.body = english.Sentence(strings.TrimSpace(t.Slice(r.From, r.To)))
			t = t.Drop(english.Range{From: m.From, To: t.Len()})
		}
	}
	if ad.kind == assent.KindRisk {
		t = ad.takeLevels(t)
	}
	if p, ok := map[assent.Kind]english.Pattern{assent.KindRisk: mitigation, assent.KindDecision: reason}[ad.kind]; ok {
		if m, found := p.Find(t.Canon()); found && m.From > 0 {
			r := m.Groups["why"]
			ad.why = english.Sentence(strings.Trim(t.Slice(r.From, r.To), " .,"))
			t = t.Drop(english.Range{From: m.From, To: t.Len()})
		}
	}
	if ad.priority != "" && ad.kind == assent.KindTask {
		if m, ok := priorityWords.Find(t.Canon()); ok {
			t = t.Drop(m.Range)
		}
	} else if t.Is(2, "urgent") || t.Is(1, "urgent") {
		ad.priority = "urgent"
	}
	return t
}

func endOfNoun(t english.Text, i int) int {
	if t.Is(i, "milestone", "phase", "stage") {
		return i + 1
	}
	return i
}

func (ad *addition) takeLevels(t english.Text) english.Text {
	for _, p := range []english.Pattern{riskLevel, riskVerb, riskLevel, riskVerb} {
		m, ok := p.Find(t.Canon())
		if !ok {
			continue
		}
		key, level := t.Tokens[m.Groups["what"].From].Word, t.Tokens[m.Groups["level"].From].Word
		noun := key == "risk"
		if noun || key == "probability" {
			key = "likelihood"
		}
		ad.level[key] = map[string]string{"big": "high", "small": "low"}[level]
		if ad.level[key] == "" {
			ad.level[key] = level
		}
		if noun { // the noun stays, it says what is added
			m.Range = m.Groups["level"]
		}
		t = t.Drop(m.Range)
	}
	return t
}

func (ad *addition) takeDates(t english.Text, r english.Reader) english.Text {
	if ad.kind != assent.KindTask && ad.kind != assent.KindMilestone && ad.kind != assent.KindDecision || ad.many(t) {
		return t
	}
	var drop []english.Range
	for _, d := range r.Dates(t) {
		if d.From == 0 {
			continue
		}
		ad.due = d.Day
		drop = append(drop, english.Range{From: d.From, To: d.To})
	}
	return t.Drop(drop...)
}

// many reports whether several things are listed.
func (ad *addition) many(t english.Text) bool {
	for i := range t.Tokens {
		if t.Tokens[i].Kind == english.Bullet && i > 0 {
			return true
		}
	}
	if count(t, english.Quote) > 1 && ad.kind == assent.KindTask {
		return true
	}
	for i := range min(t.Len(), 6) {
		if t.Is(i, "tasks", "milestones", "risks", "goals", "todos", "decisions", "items", "documents", "objectives") {
			return true
		}
	}
	return false
}
