package said_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/said"
)

func TestLimitsOfCostInWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		micros int64
		rest   string
	}{
		"go ahead, but not over two dollars":       {2_000_000, "go ahead,"},
		"Go ahead but don't spend more than $2.50": {2_500_000, "Go ahead"},
		"yes, max $5":                                                   {5_000_000, "yes,"},
		"yes. No more than 50 cents please":                             {500_000, "yes."},
		"run it for at most two dollars":                                {2_000_000, "run it"},
		"ok, as long as it stays under 3 dollars":                       {3_000_000, "ok,"},
		"yes, it must not cost more than USD 10 in total":               {10_000_000, "yes,"},
		"yes, two dollars max":                                          {2_000_000, "yes,"},
		"not over a dollar, but go ahead":                               {1_000_000, ", but go ahead"},
		"yes, but not over $2 and leave out 3":                          {2_000_000, "yes, and leave out 3"},
		"yes, but leave out 3 and no more than 50 cents":                {500_000, "yes, but leave out 3"},
		"yes, but make the price at least 1 and no more than 3 dollars": {-1, ""},
		"yes, but leave out 3, and not over twenty five dollars":        {25_000_000, "yes, but leave out 3,"},
		"go ahead, but not over $1,500":                                 {1_500_000_000, "go ahead,"},
		"ja, aber nicht mehr als 2 Dollar":                              {2_000_000, "ja,"},
		"oui, mais pas plus de 3 dollars":                               {3_000_000, "oui,"},
		"sí, pero no más de 4 dólares":                                  {4_000_000, "sí,"},
		"sì, ma non più di due dollari":                                 {2_000_000, "sì,"},
		"sim, mas não mais de 2 dólares":                                {2_000_000, "sim,"},
		"ja, maar niet meer dan 2 dollar":                               {2_000_000, "ja,"},
		"tak, ale nie więcej niż 2 dolary":                              {2_000_000, "tak,"},
		"はい、2ドル以内で":                                                     {2_000_000, "はい、"},
		"可以，但不超过2美元":                                                    {2_000_000, "可以，"},
		"yes, but not over €2":                                          {0, "yes,"},
		"yes, but at most 20 euros":                                     {0, "yes,"},
		"yes, but not over zero dollars":                                {0, "yes,"},
		"yes, but not over a few dollars":                               {0, "yes,"},
		"yes, but set the budget to at most 2000 dollars":               {-1, ""},
		"yes, but change the travel budget to no more than $300":        {-1, ""},
		"yes, but not over two":                                         {-1, ""},
		"go ahead":                                                      {-1, ""},
		"add a task: spend at most 100 dollars on boxes for the IT":     {-1, ""},
	} {
		l, rest, ok := said.FindLimit(text, assent.DefaultCurrency)
		if !ok {
			if want.micros >= 0 || rest != text {
				t.Errorf("%q holds no limit (%q)", text, rest)
			}
			continue
		}
		if l.Micros != want.micros || (l.Unclear != "") != (want.micros == 0) || strings.Join(strings.Fields(rest), " ") != want.rest || len(rest) != len(text) {
			t.Errorf("%q gives %+v and leaves %q", text, l, rest)
		}
	}
}

// TestLimitsInEveryCurrency: an amount counts in the currency that admins set,
// and asks in every other one.
func TestLimitsInEveryCurrency(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		currencies string
		micros     int64
	}{
		"yes, but not over €2": {"EUR", 2_000_000}, "yes, but not over two euros": {"EUR", 2_000_000}, "yes, max 1.50 EUR": {"EUR", 1_500_000},
		"ja, aber höchstens 3 Euro": {"EUR", 3_000_000}, "ja, aber nicht mehr als 50 Cent": {"USD EUR", 500_000}, "ja, aber nicht mehr als 50 Eurocent": {"EUR", 500_000},
		"oui, mais pas plus de 50 centimes": {"EUR CHF", 500_000}, "sí, pero no más de 50 céntimos": {"EUR", 500_000}, "sì, ma non più di 50 centesimi": {"EUR CHF", 500_000},
		"sim, mas não mais de 50 cêntimos": {"EUR", 500_000}, "sim, mas não mais de 50 centavos": {"USD EUR", 500_000}, "ja, maar niet meer dan 2 euro": {"EUR", 2_000_000},
		"tak, ale nie więcej niż 2 euro": {"EUR", 2_000_000}, "はい、2ユーロ以内で": {"EUR", 2_000_000}, "可以，但不超过2欧元": {"EUR", 2_000_000},
		"yes, but not over £2": {"GBP", 2_000_000}, "yes, but no more than two pounds": {"GBP", 2_000_000}, "yes, but at most 20 pence": {"GBP", 200_000},
		"ja, aber höchstens 3 Pfund": {"GBP", 3_000_000}, "oui, mais pas plus de 3 livres sterling": {"GBP", 3_000_000}, "sí, pero no más de 3 libras": {"GBP", 3_000_000},
		"sì, ma non più di 3 sterline": {"GBP", 3_000_000}, "sim, mas não mais de 3 libras": {"GBP", 3_000_000}, "ja, maar niet meer dan 3 pond": {"GBP", 3_000_000},
		"tak, ale nie więcej niż 3 funty": {"GBP", 3_000_000}, "はい、3ポンド以内で": {"GBP", 3_000_000}, "可以，但不超过3英镑": {"GBP", 3_000_000},
		"yes, but not over CHF 2": {"CHF", 2_000_000}, "yes, but not over 2 Swiss francs": {"CHF", 2_000_000}, "ja, aber höchstens 3 Franken": {"CHF", 3_000_000},
		"ja, aber nicht mehr als 50 Rappen": {"CHF", 500_000}, "oui, mais pas plus de 3 francs suisses": {"CHF", 3_000_000}, "sí, pero no más de 3 francos": {"CHF", 3_000_000},
		"sì, ma non più di 3 franchi": {"CHF", 3_000_000}, "sim, mas não mais de 3 francos suíços": {"CHF", 3_000_000}, "ja, maar niet meer dan 3 frank": {"CHF", 3_000_000},
		"tak, ale nie więcej niż 5 franków": {"CHF", 5_000_000}, "はい、3スイスフラン以内で": {"CHF", 3_000_000}, "可以，但不超过3瑞士法郎": {"CHF", 3_000_000},
		"yes, but not over 300 yen": {"JPY", 300_000_000}, "ja, aber höchstens 300 Yen": {"JPY", 300_000_000}, "oui, mais pas plus de 300 yens": {"JPY", 300_000_000},
		"sí, pero no más de 300 yenes": {"JPY", 300_000_000}, "sim, mas não mais de 300 ienes": {"JPY", 300_000_000}, "tak, ale nie więcej niż 300 jenów": {"JPY", 300_000_000},
		"はい、300円以内で": {"JPY", 300_000_000}, "可以，但不超过300日元": {"JPY", 300_000_000}, "yes, but not over ¥300": {"JPY CNY", 300_000_000},
		"yes, but not over 20 yuan": {"CNY", 20_000_000}, "yes, but not over RMB 20": {"CNY", 20_000_000}, "ja, aber höchstens 20 Yuan": {"CNY", 20_000_000},
		"sí, pero no más de 20 yuanes": {"CNY", 20_000_000}, "tak, ale nie więcej niż 20 juanów": {"CNY", 20_000_000}, "はい、20人民元以内で": {"CNY", 20_000_000},
		"可以，但不超过20元": {"CNY", 20_000_000}, "可以，但不超过20人民币": {"CNY", 20_000_000},
		"yes, but not over 5 zloty": {"PLN", 5_000_000}, "yes, but not over PLN 5": {"PLN", 5_000_000}, "ja, aber höchstens 5 Zloty": {"PLN", 5_000_000},
		"oui, mais pas plus de 5 zlotys": {"PLN", 5_000_000}, "tak, ale nie więcej niż 5 złotych": {"PLN", 5_000_000}, "tak, ale maksymalnie 2,50 zł": {"PLN", 2_500_000},
		"tak, ale nie więcej niż 50 groszy": {"PLN", 500_000}, "はい、5ズウォティ以内で": {"PLN", 5_000_000}, "可以，但不超过5兹罗提": {"PLN", 5_000_000},
		"yes, but not over two dollars": {"USD", 2_000_000}, "oui, mais pas plus de 3 dollars": {"USD", 3_000_000}, "tak, ale nie więcej niż 50 centów": {"USD EUR", 500_000},
	} {
		for _, c := range assent.Currencies() {
			l, _, ok := said.FindLimit(text, c)
			counts := strings.Contains(want.currencies, string(c))
			switch {
			case !ok:
				t.Errorf("%q holds no limit in %s", text, c)
			case counts && (l.Micros != want.micros || l.Unclear != ""):
				t.Errorf("%q is %+v in %s", text, l, c)
			case !counts && (l.Micros != 0 || !strings.Contains(l.Unclear, c.Name())):
				t.Errorf("%q is %+v in %s, not a question", text, l, c)
			}
		}
	}
}
