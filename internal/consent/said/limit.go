package said

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/assent"
)

// otherCurrency and noAmount say why a limit of cost cannot be held.
func otherCurrency(c assent.Currency) string {
	return fmt.Sprintf("Costs are counted in %s here. What is the limit in %s?", c.Name(), short(c))
}

func noAmount(c assent.Currency) string {
	return "I could not read the limit of cost in your words. How many " + short(c) + " may it be?"
}

// short is the name of a currency without its country.
func short(c assent.Currency) string {
	words := strings.Fields(c.Name())
	return words[len(words)-1]
}

// AsksLimit recognises a Limit's Unclear, with the currency it asks for.
func AsksLimit(reason string) (assent.Currency, bool) {
	for _, c := range assent.Currencies() {
		if reason == otherCurrency(c) || reason == noAmount(c) {
			return c, true
		}
	}
	return "", false
}

// Limit is a limit of cost in the words: "but not over two dollars".
type Limit struct {
	Micros int64 // 0 where Unclear
	// Unclear says why the limit cannot be held, and asks.
	Unclear string
}

const (
	joints = `(?:\b(?:but|and|as long as|so long as|provided|only if|if|aber|und|solange|mais|et|pero|y|ma|e|mas|maar|en|ale|i)[,\s]+|(?:ただし|但是?|不过)[、，]?)*`
	bounds = `(?:\b(?:please|(?:it|this|that|the (?:run|cost|costs|total|whole thing))\s+(?:must|should|may|can|shall|will|does|do|has to|is|stays?|costs?)|es darf|darf|cela)\s+)*` +
		`(?:\b(?:(?:it|this|that)\s+)?(?:not?|never|don['’]?t|doesn['’]?t|mustn['’]?t|shouldn['’]?t|can['’]?t|cannot)\s+(?:(?:cost|spend|use|pay|go|be|let it)\s+)*(?:anything\s+)?(?:more than|over|above|beyond|past|exceed(?:ing)?)` +
		`|\b(?:(?:spend|pay|use|keep it|keep this|keep the cost|cap it|limit it|stay|stays|cost|costs|for|with)\s+)*(?:at most|at a maximum of|a (?:cap|limit|maximum|max) of|max(?:imum|imal|imaal)?\.?(?:\s+of)?|up to|under|below|less than|within|capped at|at|to)` +
		`|nicht (?:mehr als|über)|höchstens|maximal|bis zu|pas plus de|(?:au )?maximum|au plus|jusqu['’]à|no más de|(?:como )?máximo|non più di|(?:al )?massimo|não mais (?:de|que)|no máximo|niet meer dan|maximaal|hoogstens|nie więcej niż|maksymalnie|najwyżej|不(?:要)?超过|最多|最大|上限)`
	above = `(?:max(?:imum)?|at most|tops|at the most|or less|以内で?|まで|以下で?)`
	tails = `(?:\s*(?:in total|total|altogether|all in all|overall|please|for (?:it|this|all of it)|insgesamt|bitte|au total|en total|in totale))*`
)

// amount is one with its unit on either side.
var amount = `(?:(` + signs + `)\s*(\d[\d.,]*)|(\d[\d.,]*|(?:\p{L}+[\s-]+){1,4}?)\s*(` + anyUnit() + `))`

// limits are the ways to name one; the groups are sign, digits, amount, unit.
var limits = []*regexp.Regexp{
	regexp.MustCompile(`(?i)` + joints + bounds + `\s*` + amount + tails),
	regexp.MustCompile(`(?i)` + joints + `(?:for\s+)?` + amount + `\s*` + above + tails),
}

// ahead are words between which and a limit no comma is needed: "run it for at
// most two dollars".
var ahead = regexp.MustCompile(`(?i)^(?:(?:yes|yep|ok|okay|sure|fine|good|great|looks|go|ahead|run|do|start|execute|proceed|carry|on|with|it|that|this|the|plan|please|and|but|now|then|ja|oui|si|sí|sim|tak|mach|es|los)\s*)*$`)

// FindLimit finds a limit of cost that stands for itself, not as a value of
// something in the plan ("set the budget to at most 2000 dollars"). One in
// another currency than c is unclear. rest is the text with it blanked out, every
// other byte in its place.
func FindLimit(text string, c assent.Currency) (l Limit, rest string, ok bool) {
	for _, re := range limits {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if midWord(text, m[0]) || !apart(text[:m[0]], text[m[0]:]) || !ends(text[m[1]:]) {
				continue
			}
			group := func(i int) string {
				if m[2*i] < 0 {
					return ""
				}
				return text[m[2*i]:m[2*i+1]]
			}
			l := limitOf(group(2)+group(3), group(1)+group(4), c)
			return l, text[:m[0]] + strings.Repeat(" ", m[1]-m[0]) + text[m[1]:], true
		}
	}
	return Limit{}, text, false
}

// midWord reports a place within a word.
func midWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsLetter(before) && unicode.IsLetter(after) && !isJoined(before) && !isJoined(after)
}

// apart reports a limit that begins a part of the text of its own.
func apart(before, match string) bool {
	if i := strings.LastIndexAny(before, ".,;:!?\n–—、，。！"); i >= 0 {
		before = strings.TrimLeftFunc(before[i:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	return ahead.MatchString(strings.TrimSpace(before)) || joint.MatchString(match) || also.MatchString(match) && !amounts.MatchString(before)
}

var (
	// also joins a limit to another wish, unless that is about an amount itself.
	also    = regexp.MustCompile(`(?i)^(?:and|und|et|y|e|en|i)\s`)
	amounts = regexp.MustCompile(`(?i)budget|price|cost|between|least|kosten|preis|prix|precio`)
)

var joint = regexp.MustCompile(`(?i)^(?:but|as long as|so long as|provided|only if|aber|solange|mais|pero|ma|mas|maar|ale|ただし|但|不过)`)

// ends reports that the part of the text ends behind a limit.
func ends(after string) bool {
	return following.MatchString(after)
}

var following = regexp.MustCompile(`(?i)^\s*(?:$|[.,;:!)\n–—、，。！👍]|and\b|but\b|then\b|und\b|et\b|y\b|e\b|en\b)`)

// limitOf reads an amount and its unit.
func limitOf(number, unit string, c assent.Currency) Limit {
	scale, ok := microsOf(unit, c)
	if !ok {
		return Limit{Unclear: otherCurrency(c)}
	}
	found := numbers(fold(strings.TrimRight(number, " .,")))
	if len(found) == 0 && strings.TrimSpace(fold(number)) == "a" {
		found = []*big.Rat{big.NewRat(1, 1)}
	}
	if len(found) != 1 || found[0].Sign() <= 0 || found[0].Cmp(big.NewRat(1_000_000, 1)) > 0 {
		return Limit{Unclear: noAmount(c)}
	}
	micros := new(big.Rat).Mul(found[0], big.NewRat(scale, 1))
	return Limit{Micros: new(big.Int).Div(micros.Num(), micros.Denom()).Int64()}
}
