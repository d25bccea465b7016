package consent

import (
	"regexp"

	"assent/internal/assent"
)

// seeFirst matches wishes to see a plan before anything runs, in the languages
// of the reader. A match raises the floor of the turn: too strict costs a word,
// too loose would cost trust.
var seeFirst = regexp.MustCompile(`(?i)` +
	`show (me|us) (the |a |your )?(plan|draft|steps)|(see|review|check|approve|look at|read) (the |a |your )?(plan|draft|steps)|plan (it )?first|` +
	`\bdraft\b|(do not|don'?t|without) (run|execut|start|chang|creat|do)\w* (anything|it|yet|that)|before you (do|run|start|create|change)|` +
	`(just|only) (a )?plan|(ask|check with) me (first|before)|nothing yet|dry run|` +
	`zeig (mir|uns) (erst|zuerst|vorher|den plan)|erst (den )?plan|plan zuerst|entwurf|` +
	`montre[- ](moi|nous) (d'abord )?(le |un )?plan|d'abord le plan|brouillon|` +
	`(mu[eé]stra|ens[eé]ña)(me|nos) (primero )?(el )?plan|primero el plan|borrador|` +
	`(mostra|fammi vedere)(mi)? (prima )?(il )?piano|prima il piano|bozza|` +
	`mostr[ae](-me)? (primeiro )?o plano|primeiro o plano|rascunho|` +
	`(laat|toon) (me |mij )?(eerst )?(het |een )?plan|eerst het plan|concept(plan)?\b|` +
	`poka[zż] (mi )?(najpierw )?plan|najpierw plan|szkic|` +
	`(先に|まず)(計画|プラン)|(計画|プラン)を(先に)?見せ|下書き|(先|首先).{0,4}(计划|計劃|方案)|(给我|让我)看.{0,4}(计划|方案)|草稿`)

// ModeAsked is the floor that a message asks for by its words; "" for none.
func ModeAsked(message string) assent.Mode {
	if seeFirst.MatchString(message) {
		return assent.ModeDraftOnly
	}
	return ""
}
