package said

import (
	"regexp"
	"strconv"
	"strings"
)

// Amount is what words say of how many things they mean, read without knowing
// what there is.
type Amount struct {
	Numbers  []string       // in digits, without those of dates
	Counts   []int          // "two"
	Named    bool           // those are names: "step two"
	Ordinals int            // how many different ones
	Range    [2]int         // "2 to 4", zero without one
	After    int            // "everything after 3"
	From     int            // "everything from 3 on"
	Before   int            // "everything before 3"
	Both     bool           // or another pair
	All      bool           // "every"
	Few      bool           // "some", "the others": nobody can count them
	Except   bool           // "all but"
	Several  bool           // steps, in the plural
	Kinds    map[string]int // kinds that the words speak of: One, Many or Either
}

// Whether a word for a kind means one thing or several.
const (
	Either = iota
	One
	Many
)

// step is a word for a step before its number.
const stepWord = `(?:steps?|schritte?s?|l'etape|etapes?|pasos?|passos?|passi|passo|stap|stappen|krok\pL*|numbers?|nr|ステップ|手順|步骤|第)?`

var (
	ranges = regexp.MustCompile(`(\d+)(?:st|nd|rd|th|e|er|\.|º|ª|番目|つ目|步|个)?\s*` + stepWord + `\s*(?:-|–|—|~|〜|to|through|thru|till|until|up to|bis(?: zu[mr]?)?|a|au|al|alla|ao|ate(?: ao?)?|hasta(?: el| la)?|fino a(?:l|lla)?|jusqu'(?:a|au)|tot(?: en met)?|t/m|do|から|到|至)\s*(?:the |den |le |la |el |il |o |de |het )?` + stepWord + `\s*(\d+)`)
	after  = regexp.MustCompile(`(?:\b(?:after|past|beyond|following|nach|hinter|apres|despues del?|tras|dopo|depois d[eoa]|apos|na|po)\s+(?:the |le |la |el |il |o |den |der |l')?` + stepWord + `\s*(\d+))|(?:(\d+)\s*(?:番目?|つ目|步)?\s*(?:より後|より先|の後|以後|之后|以后|之後))`)
	from   = regexp.MustCompile(`(?:\b(?:from|starting (?:at|with|from)|ab|von|a partir (?:de |du |del |do |da |dal |)|desde(?: el| la)?|dal(?:la)?|da|vanaf|od)\s+(?:the |le |la |el |il |o |den |der |l')?` + stepWord + `\s*(\d+))|(?:(\d+)\s*(?:番目?|つ目|步)?\s*(?:以降|开始))`)
	before = regexp.MustCompile(`(?:\b(?:before|prior to|vor|avant|antes d[eoa]l?|prima d(?:i|el|ella)|voor|przed)\s+(?:the |le |la |el |il |o |den |der |l')?` + stepWord + `\s*(\d+))|(?:(\d+)\s*(?:番目?|つ目|步)?\s*(?:より前|の前|以前|之前))`)
	hanNth = regexp.MustCompile(`第[一二三四五六七八九十]+[个個项項步]?|[一二三四五六七八九十](?:番目|つ目|個目|番)`)
	plain  = regexp.MustCompile(`\d+(?:\.\d+)*`)
	butOne = regexp.MustCompile(`(?:all|everything|alles?|allen|tout|tous|toutes|todos?|todas?|tutt[oaie]|tudo|wszystk\pL*)\s+(?:but|except|apart from|ausser|bis auf|sauf|menos|excepto|salvo|tranne|eccetto|exceto|behalve|op|oprocz|poza)\b|以外|除了|除外`)
)

// ordinals are how ordinals begin, folded.
var ordinalStems = strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth last final penultimate
	erste zweite dritte vierte funfte sechste siebte achte letzte vorletzte premier deuxieme troisieme quatrieme cinquieme sixieme dernier dernier avant-dernier
	primer segund tercer cuart quint sext ultim penultim primo prima primi prime terz primeir terceir eerste tweede derde vierde vijfde zesde laatste voorlaatste
	pierwsz drugi druga drugie trzeci czwart piat szost ostatni przedostatni`)

// Quantities, folded.
var (
	everyWords = setOf(`all every each any everything anything no alle allen aller alles jede jeden jedes jeder samtliche samtlichen keine keinen tous toutes tout toute chaque aucun aucune
		todos todas todo toda cada ningun ninguna tutti tutte tutto tutta ogni nessun nessuna tudo nenhum nenhuma elk elke ieder iedere geen wszystkie wszystkich wszystko wszystkiego kazdy kazde kazda kazdego zadnych`)
	pairWords = setOf(`both beide beiden beider ambos ambas entrambi entrambe ambedue allebei oba obie obu obojga obydwa obydwie pair`)
	fewWords  = setOf(`few couple some several half most odd even another other others rest remaining various many paar einige einigen mehrere manche halfte meisten andere anderen ubrigen restlichen
		quelques plusieurs certains certaines moitie plupart autre autres reste algunos algunas varios varias mitad mayoria otro otra otros otras resto demas unos unas
		alcuni alcune qualche diversi diverse meta altro altra altri altre restanti alguns algumas metade maioria outro outra outros outras uns umas
		enkele sommige meerdere helft meeste overige kilka kilku pare paru niektore niektorych polowe polowy wiekszosc inne innych pozostale pozostalych reszta reszte`)
	manySteps = setOf(`steps items points schritte schritten punkte etapes pasos puntos passi passaggi punti passos pontos etapas stappen punten kroki krokow punkty punktow`)
)

// inflected are numbers in other cases than the first.
var inflected = tableOf(`
2 zweien zweier dwoch dwu dwom duas
3 dreien dreier trzech trzem
4 czterech vieren
5 pieciu
6 szesciu
7 siedmiu
8 osmiu`)

// oneStep are words that stand before the name of a step.
var oneStep = setOf(`step item point number schritt punkt nummer etape numero paso punto passo passaggio fase etapa ponto stap krok kroku`)

// Quantities of languages that set no words apart.
var (
	everyHan = strings.Fields(`全部 すべて 全て どれも 所有 每 一切`)
	pairHan  = strings.Fields(`両方 二つとも どちらも 两者 兩者`)
	fewHan   = strings.Fields(`いくつか 半分 ほとんど 一部 他の 残り 几个 幾個 一些 一半 大部分 部分 其他 其它 其余 剩下 别的`)
	nthHan   = strings.Fields(`最初 最後 末尾 最后 倒数 首`)
)

// singular are the words for one thing of a kind, folded; others that begin
// like the word for a kind mean several.
var singular = setOf(`milestone meilenstein meilensteins jalon hito traguardo marco mijlpaal milowy milowego task todo aufgabe tache tarea compito tarefa taak zadanie
	goal objective ziel objectif objetivo obiettivo doel cel celu risk risiko risikos risque riesgo rischio risco risico ryzyko document note dokument dokuments dokumentu documento
	decision entscheidung decisione decisao besluit decyzja decyzje project projekt projet proyecto progetto projeto projektu template vorlage modele plantilla modello modelo sjabloon szablon szablonu`)

// both are words that mean one thing or several.
var both = setOf(`attivita zadania ryzyka decyzji`)

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// AmountOf reads what words say of how many things they mean.
func AmountOf(text string) Amount {
	text = fold(text)
	for _, re := range []*regexp.Regexp{isoDate, numericDate, dayMonth, monthDay, hanDate} {
		text = re.ReplaceAllString(text, " | ")
	}
	a := Amount{Except: butOne.MatchString(text), Kinds: map[string]int{}}
	if g := ranges.FindStringSubmatch(text); g != nil {
		a.Range = [2]int{number(g[1]), number(g[2])}
	} else {
		a.After, a.From, a.Before = bound(after, text), bound(from, text), bound(before, text)
	}
	a.Numbers = plain.FindAllString(text, -1)
	a.Ordinals = len(hanNth.FindAllString(text, -1))
	text = hanNth.ReplaceAllString(text, " ")
	ws := words(text)
	a.quantities(text, ws)
	for _, k := range Kinds(text) {
		a.Kinds[k] = numberOf(ws, k)
	}
	return a
}

func bound(re *regexp.Regexp, text string) int {
	g := re.FindStringSubmatch(text)
	if g == nil {
		return 0
	}
	return max(number(g[1]), number(g[2]))
}

// quantities finds the words for how many.
func (a *Amount) quantities(text string, ws []string) {
	nth := map[string]bool{}
	for i, w := range ws {
		a.All = a.All || everyWords[w]
		a.Both = a.Both || pairWords[w]
		a.Few = a.Few || fewWords[w]
		a.Several = a.Several || manySteps[w]
		if n := max(ones[w], inflected[w]); n >= 2 && n <= 10 {
			a.Counts = append(a.Counts, int(n))
			a.Named = a.Named || i > 0 && (manySteps[ws[i-1]] || oneStep[ws[i-1]])
		}
		for _, s := range ordinalStems {
			if strings.HasPrefix(w, s) && len(w) <= len(s)+3 {
				nth[w] = true
			}
		}
	}
	a.All = a.All || holds(text, everyHan)
	a.Both = a.Both || holds(text, pairHan)
	a.Few = a.Few || holds(text, fewHan)
	for _, s := range nthHan {
		nth[s] = nth[s] || strings.Contains(text, s)
	}
	for _, found := range nth {
		if found {
			a.Ordinals++
		}
	}
}

func holds(text string, list []string) bool {
	for _, s := range list {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// numberOf tells whether the words for a kind are in the singular.
func numberOf(ws []string, kind string) int {
	out := Either
	for _, w := range ws {
		for _, name := range kinds[kind] {
			if name = fold(name); isJoined([]rune(name)[0]) || !strings.HasPrefix(w, name) || both[w] {
				continue
			}
			if singular[w] {
				out = max(out, One)
			} else {
				out = Many
			}
		}
	}
	return out
}

// Bare reports whether the words say nothing of how many.
func (a Amount) Bare() bool {
	return len(a.Numbers)+len(a.Counts)+a.Ordinals == 0 && !a.Both && !a.All && !a.Few && !a.Several && !a.Except
}

// Integers are the numbers that are whole.
func (a Amount) Integers() []int {
	var out []int
	for _, n := range a.Numbers {
		if v, err := strconv.Atoi(n); err == nil {
			out = append(out, v)
		}
	}
	return out
}
