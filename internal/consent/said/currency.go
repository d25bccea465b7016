package said

import (
	"regexp"
	"slices"
	"strings"

	"assent/internal/assent"
)

// unit is a way to name money in the ten languages.
type unit struct {
	pattern    string            // longer words first: the first that fits is taken
	currencies []assent.Currency // more than one where the word does not tell
	micros     int64             // in one of it
}

const whole, hundredth = 1_000_000, 10_000

// units are all ways to name money behind an amount.
var units = []unit{
	{`(?:us|米)?[ -]?dollar(?:s|i|o)?|dolar\p{L}*|dólar(?:es)?|bucks|usd|us\$|\$|米?ドル|美元|美金`, []assent.Currency{"USD"}, whole},
	{`euro-?cents?|欧分`, []assent.Currency{"EUR"}, hundredth},
	{`euros?|eur|€|ユーロ|欧元`, []assent.Currency{"EUR"}, whole},
	{`(?:british )?pounds?(?: sterling)?|(?:britische )?pfund|livres?(?: sterling)?|libras?(?: esterlinas?)?|sterlin[ae]|pond|funt\p{L}*|quid|gbp|£|ポンド|英镑`, []assent.Currency{"GBP"}, whole},
	{`pence|penny|pennies|pensów|ペンス|便士`, []assent.Currency{"GBP"}, hundredth},
	{`(?:swiss |schweizer |zwitserse )?(?:franchi(?: svizzeri)?|francos?(?: suizos?| suíços?)?|francs?(?: suisses?)?|frank(?:en|i|ów)?)|chf|sfr|スイス・?フラン|瑞士法郎|瑞郎`, []assent.Currency{"CHF"}, whole},
	{`rappen`, []assent.Currency{"CHF"}, hundredth},
	{`yenes|yens?|ienes|jen(?:y|ów)?|jpy|円|日元|日圆`, []assent.Currency{"JPY"}, whole},
	{`yuanes|yuans?|renminbi|rmb|juan(?:y|ów)?|cny|cn¥|人民币|人民元|元`, []assent.Currency{"CNY"}, whole},
	{`¥|￥`, []assent.Currency{"JPY", "CNY"}, whole},
	{`złot\p{L}*|zlot\p{L}*|zł|zl|pln|ズウォティ|兹罗提`, []assent.Currency{"PLN"}, whole},
	{`grosz\p{L}*`, []assent.Currency{"PLN"}, hundredth},
	{`centimes?|centesim[io]`, []assent.Currency{"EUR", "CHF"}, hundredth},
	{`c[éê]ntimos?`, []assent.Currency{"EUR"}, hundredth},
	{`centavos?|cent(?:ów|y)|cents?|¢|セント`, []assent.Currency{"USD", "EUR"}, hundredth},
	{`美分`, []assent.Currency{"USD"}, hundredth},
}

// signs are the signs and codes that may stand before an amount.
const signs = `us\$|\$|usd|€|eur|£|gbp|cn¥|rmb|cny|人民币|¥|￥|jpy|chf|sfr\.?|zł|pln`

// anyUnit is an alternation of all units.
func anyUnit() string {
	patterns := make([]string, len(units))
	for i, u := range units {
		patterns[i] = u.pattern
	}
	return strings.Join(patterns, "|")
}

// wholeUnits are the units as patterns of a whole text.
var wholeUnits = func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(units))
	for i, u := range units {
		out[i] = regexp.MustCompile(`(?i)^(?:` + u.pattern + `)$`)
	}
	return out
}()

// microsOf gives how much one of a unit is in a currency; false in another one.
func microsOf(name string, c assent.Currency) (int64, bool) {
	name = strings.Trim(name, " .")
	for i, re := range wholeUnits {
		if re.MatchString(name) {
			return units[i].micros, slices.Contains(units[i].currencies, c)
		}
	}
	return 0, false
}
