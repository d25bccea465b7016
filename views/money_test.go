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
