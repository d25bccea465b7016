package views

import (
	"testing"

	"assent/internal/assent"
)

func TestMoneyIsTypedAsItIsRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		locale, typed string
		micros        int64
		ok            bool
	}{
		{"en-GB", "0.15", 150_000, true}, {"en-GB", " $2 ", 2_000_000, true}, {"en-GB", "0.000001", 1, true}, {"en-GB", "10000", 10_000_000_000, true},
		{"en-GB", "0", 0, true}, {"de-DE", "0,15", 150_000, true}, {"de-DE", "0.15", 150_000, true}, {"fr-FR", "1,5", 1_500_000, true},
		{"en-GB", "", 0, false}, {"en-GB", "-1", 0, false}, {"en-GB", ".5", 0, false}, {"en-GB", "5.", 0, false}, {"en-GB", "1,000", 0, false}, {"en-GB", "1e3", 0, false},
		{"en-GB", "10000.01", 0, false}, {"en-GB", "0.0000001", 0, false}, {"en-GB", "99999999999999999999", 0, false}, {"en-GB", "1.2.3", 0, false}, {"en-GB", "free", 0, false},
	} {
		r := ReaderOf(assent.Person{Locale: tc.locale})
		got, ok := r.ParseMoney(tc.typed)
		if ok != tc.ok || ok && got != tc.micros {
			t.Errorf("%q in %s is %d, %t", tc.typed, tc.locale, got, ok)
		}
		if !ok {
			continue
		}
		if again, ok := r.ParseMoney(r.PlainMoney(got)); !ok || again != got {
			t.Errorf("%d is written as %q, which is read as %d", got, r.PlainMoney(got), again)
		}
	}
	if got := ReaderOf(assent.Person{Locale: "de-DE"}).PlainMoney(1_050_000); got != "1,05" {
		t.Errorf("1.05 is written as %s", got)
	}
}

func TestMoneyIsShownInItsCurrency(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		locale   string
		currency assent.Currency
		micros   int64
		want     string
	}{
		{"en-GB", "", 41_270_000, "$41.27"}, {"en-GB", "USD", 4_000, "$0.004"}, {"en-GB", "EUR", 1_500_000, "€1.50"}, {"de-DE", "EUR", 1_234_500_000, "€1.234,50"},
		{"en-GB", "CHF", 1_500_000, "CHF\u00a01.50"}, {"en-GB", "JPY", 150_000_000, "¥150"}, {"en-GB", "JPY", 50_000, "¥0.050"}, {"en-GB", "PLN", 2_000_000, "PLN\u00a02.00"},
	} {
		r := ReaderOf(assent.Person{Locale: tc.locale}).In(tc.currency)
		if got := r.Money(&tc.micros); got != tc.want {
			t.Errorf("%d %s in %s is %q, want %q", tc.micros, tc.currency, tc.locale, got, tc.want)
		}
	}
	r := ReaderOf(assent.Person{Locale: "en-GB"}).In("CHF")
	if n, ok := r.ParseMoney("CHF 2.50"); !ok || n != 2_500_000 {
		t.Errorf("with its sign it is %d, %t", n, ok)
	}
	if _, ok := r.ParseMoney("$2.50"); ok {
		t.Error("another currency is taken")
	}
}
