package assent_test

import (
	"testing"

	"assent/internal/assent"
)

func TestAmountsInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		currency assent.Currency
		micros   int64
		want     string
	}{
		{"USD", 0, "$0.00"}, {"USD", 1, "$0.000001"}, {"USD", 1_500, "$0.0015"}, {"", 2_000_000, "$2.00"}, {"USD", 1_234_500, "$1.2345"}, {"USD", 990_000, "$0.99"},
		{"EUR", 1_500_000, "€1.50"}, {"GBP", 1_500_000, "£1.50"}, {"CHF", 1_500_000, "CHF 1.50"}, {"JPY", 150_000_000, "¥150.00"},
		{"CNY", 1_500_000, "CN¥1.50"}, {"PLN", 1_500_000, "PLN 1.50"},
	} {
		if got := c.currency.Amount(c.micros); got != c.want {
			t.Errorf("%d %s is %q, want %q", c.micros, c.currency, got, c.want)
		}
	}
}

func TestCurrenciesAreNamedAndSigned(t *testing.T) {
	t.Parallel()
	signs, names := map[string]assent.Currency{}, map[string]assent.Currency{}
	for _, c := range assent.Currencies() {
		if err := assent.CheckCurrency("/currency", c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		if o, twice := signs[c.Sign()]; twice {
			t.Errorf("%s and %s have the sign %q", c, o, c.Sign())
		}
		if o, twice := names[c.Name()]; twice || c.Name() == string(c) {
			t.Errorf("%s and %q have the name %q", c, o, c.Name())
		}
		signs[c.Sign()], names[c.Name()] = c, c
	}
	for _, c := range []assent.Currency{"", "usd", "XXX", "EUR "} {
		if err := assent.CheckCurrency("/currency", c); assent.ErrorCode(err) != assent.CodeInvalid {
			t.Errorf("%q: %v", c, err)
		}
	}
}
