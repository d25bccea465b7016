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
	{[]string{"plan", "draft", "steps"}, regexp.MustCompile(`(show (me|us)|see|review|check|approve|look at|read) (the |a |your )?(plan|draft|steps)|plan (it )?first|\bdraft( me| up)* (a|an|the|it|one)\b|\b(a|as|just|only) draft\b|\bdraft (only|first)\b|(just|only) (a )?plan`)},
	{[]string{"not ", "don", "without ", "before you", "with me", "me first", "us first", "me before", "it first", "nothing yet", "dry run"}, regexp.MustCompile(`(do not|don[\x{2019}']?t|without) (run|execut|start|chang|creat|do)\w* (anything|it|yet|that)|before you (do|run|start|create|change)|(ask|check with|show|tell|let) (it to )?(me|us) (see (it |this |that )?)?(first|before)|show it to (me|us) (first|before)|nothing yet|dry run`)},
	{[]string{"zeig", "plan", "entwurf"}, regexp.MustCompile(`zeig'?e? (es |das )?(mir|uns) (es |das )?(erst|zuerst|vorher|den plan)|erst (den )?plan|plan zuerst|entwurf`)},
	{[]string{"plan", "brouillon", "montre"}, regexp.MustCompile(`montre[zr]?[- ](le[- ])?(moi|nous) (le |ça )?d['\x{2019}]abord|montre[zr]?[- ](moi|nous) (d['\x{2019}]abord )?(le |un )?plan|d['\x{2019}]abord le plan|brouillon`)},
	{[]string{"plan", "borrador", "primero"}, regexp.MustCompile(`(mu[eé]stra|ens[eé]ña)(me|nos)(lo)? primero|(mu[eé]stra|ens[eé]ña)(me|nos) (primero )?(el )?plan|primero (el plan|mu[eé]stra|ens[eé]ña)|borrador`)},
	{[]string{"piano", "bozza", "prima"}, regexp.MustCompile(`(mostra|fa)(mi|mmi|mmelo|melo)( vedere)? prima|(mostra|fammi vedere)(mi)? (prima )?(il )?piano|prima (il piano|mostra|fammi vedere)|bozza`)},
	{[]string{"plano", "rascunho", "primeiro"}, regexp.MustCompile(`mostr[ae](-me)? (isso )?primeiro|mostr[ae](-me)? (primeiro )?o plano|primeiro (o plano|mostr[ae])|rascunho`)},
	{[]string{"plan", "concept", "eerst"}, regexp.MustCompile(`(laat|toon) (het )?(me|mij) (het )?eerst|(laat|toon) (me |mij )?(eerst )?(het |een )?plan|eerst (het plan|laten zien)|conceptplan|\b(een|als|het|alleen) concept\b|concept eerst`)},
	{[]string{"plan", "szkic", "najpierw"}, regexp.MustCompile(`poka[zż] (mi )?(to )?najpierw|poka[zż] (mi )?(najpierw )?plan|najpierw (plan|poka[zż])|szkic`)},
	{[]string{"計画", "プラン", "下書き", "先に", "まず"}, regexp.MustCompile(`(先に|まず)(計画|プラン|見せ)|(計画|プラン)を(先に)?見せ|下書き`)},
	{[]string{"计划", "計劃", "方案", "草稿", "先给我看", "先給我看", "先让我看", "先讓我看"}, regexp.MustCompile(`(先|首先).{0,4}(计划|計劃|方案)|(给我|让我)看.{0,4}(计划|方案)|先[给給让讓]我看|草稿`)},
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
