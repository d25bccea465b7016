package said_test

import (
	"strings"
	"testing"

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
		l, rest, ok := said.FindLimit(text)
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
