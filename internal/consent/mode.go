package consent

import (
	"regexp"
	"strings"

	"assent/internal/assent"
)

// wish is how one language asks to see a plan before anything runs. needs are
// words of which every match holds one: the search for them is cheap, and most
// messages hold none.
type wish struct {
	needs   []string
	pattern *regexp.Regexp
}

// wishes matches wishes to see a plan before anything runs, in the languages of
// the reader. A match raises the floor of the turn: too strict costs a word, too
// loose would cost trust.
var wishes = []wish{
	{[]string{"plan", "draft", "steps"}, regexp.MustCompile(`(show (me|us)|see|review|check|approve|look at|read) (the |a |your )?(plan|draft|steps)|plan (it )?first|\bdraft\b|(just|only) (a )?plan`)},
	{[]string{"not ", "don", "without ", "before you", "with me", "ask me", "nothing yet", "dry run"}, regexp.MustCompile(`(do not|don[\x{2019}']?t|without) (run|execut|start|chang|creat|do)\w* (anything|it|yet|that)|before you (do|run|start|create|change)|(ask|check with|show|tell) me (first|before)|nothing yet|dry run`)},
	{[]string{"zeig", "plan", "entwurf"}, regexp.MustCompile(`zeig (mir|uns) (erst|zuerst|vorher|den plan)|erst (den )?plan|plan zuerst|entwurf`)},
	{[]string{"plan", "brouillon"}, regexp.MustCompile(`montre[- ](moi|nous) (d['\x{2019}]abord )?(le |un )?plan|d['\x{2019}]abord le plan|brouillon`)},
	{[]string{"plan", "borrador"}, regexp.MustCompile(`(mu[eé]stra|ens[eé]ña)(me|nos) (primero )?(el )?plan|primero el plan|borrador`)},
	{[]string{"piano", "bozza"}, regexp.MustCompile(`(mostra|fammi vedere)(mi)? (prima )?(il )?piano|prima il piano|bozza`)},
	{[]string{"plano", "rascunho"}, regexp.MustCompile(`mostr[ae](-me)? (primeiro )?o plano|primeiro o plano|rascunho`)},
	{[]string{"plan", "concept"}, regexp.MustCompile(`(laat|toon) (me |mij )?(eerst )?(het |een )?plan|eerst het plan|concept(plan)?\b`)},
	{[]string{"plan", "szkic"}, regexp.MustCompile(`poka[zż] (mi )?(najpierw )?plan|najpierw plan|szkic`)},
	{[]string{"計画", "プラン", "下書き"}, regexp.MustCompile(`(先に|まず)(計画|プラン)|(計画|プラン)を(先に)?見せ|下書き`)},
	{[]string{"计划", "計劃", "方案", "草稿"}, regexp.MustCompile(`(先|首先).{0,4}(计划|計劃|方案)|(给我|让我)看.{0,4}(计划|方案)|草稿`)},
}

// ModeAsked is the floor that a message asks for by its words; "" for none.
func ModeAsked(message string) assent.Mode {
	message = strings.ToLower(message)
	for _, w := range wishes {
		if w.mayMatch(message) && w.pattern.MatchString(message) {
			return assent.ModeDraftOnly
		}
	}
	return ""
}

func (w wish) mayMatch(message string) bool {
	for _, word := range w.needs {
		if strings.Contains(message, word) {
			return true
		}
	}
	return false
}
