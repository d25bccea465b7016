package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// template is a template of the workspace as list_templates shows it.
type template struct {
	entity
	milestones []assent.TemplateMilestone
}

func templatesOf(o outcome) []template {
	var out []template
	for _, e := range o.list(assent.KindTemplate) {
		t := template{entity: e}
		if json.Unmarshal(e.Milestones, &t.milestones) != nil {
			t.milestones = nil
		}
		out = append(out, t)
	}
	return out
}

// enough is the score from which a template fits.
const enough = 3

// bestTemplate is the template that fits a brief best; ok is false if none does.
// A template that the person names needs only to be found.
func bestTemplate(all []template, b brief) (best template, ok bool) {
	if b.noTemplate {
		return best, false
	}
	top := 0
	for _, t := range all {
		score := t.fit(b)
		if b.template != "" {
			score = t.named(b.template)
		}
		if score > top {
			best, top = t, score
		}
	}
	return best, top >= enough
}

// named is how well words name the template.
func (t template) named(words string) int {
	like := max(english.Likeness(words, t.Name), english.Likeness(words, strings.ReplaceAll(t.Slug, "-", " ")))
	if like >= 0.6 {
		return int(like * 10)
	}
	return t.overlap(english.Terms(words), 3)
}

// fit is how well the template suits what a project is about. Words of place
// and person do not count against it.
func (t template) fit(b brief) int {
	score := t.overlap(english.Terms(b.name+" "+b.about), 3)
	kind, known := archetypeOf(b.name + " " + b.about)
	if own, ok := archetypeOf(t.Name + " " + strings.ReplaceAll(t.Slug, "-", " ") + " " + strings.Join(t.Keywords, " ")); known && ok && own.kind == kind.kind {
		score += 3
	}
	return score
}

func (t template) overlap(terms []string, weight int) int {
	strong := english.Terms(t.Name + " " + strings.ReplaceAll(t.Slug, "-", " ") + " " + strings.Join(t.Keywords, " "))
	score := 0
	for _, w := range english.Unique(append([]string{}, terms...)) {
		for _, s := range strong {
			if w == s && len(w) > 2 {
				score += weight
				break
			}
		}
	}
	return score
}
