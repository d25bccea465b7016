package views

import (
	"testing"

	"assent/internal/assent"
)

func TestNumbersTimesAndMoneyAreTheReaders(t *testing.T) {
	t.Parallel()
	british := ReaderOf(assent.Person{TimeZone: "Europe/London", Locale: "en-GB"})
	american := ReaderOf(assent.Person{TimeZone: "America/New_York", Locale: "en-US"})
	german := ReaderOf(assent.Person{TimeZone: "Europe/Berlin", Locale: "de-DE"})
	lost := ReaderOf(assent.Person{TimeZone: "Nowhere/Else", Locale: "?"})
	at := assent.Time(1795269720000) // 2026-11-21 14:02 UTC
	cents := func(n int64) *int64 { return &n }
	for _, c := range []struct{ got, want string }{
		{british.Clock(at), "14:02"}, {american.Clock(at), "9:02\u00a0AM"}, {german.Clock(at), "15:02"}, {lost.Clock(at), "14:02"},
		{british.Moment(at), "21 Nov 2026, 14:02"}, {american.Moment(at), "Nov 21, 2026, 9:02\u00a0AM"},
		{british.Date("2027-03-31"), "31 March 2027"}, {american.Date("2027-03-31"), "March 31, 2027"}, {british.Date("soon"), "soon"},
		{british.Clock(0), ""}, {british.Moment(0), ""},
		{british.Number(9184), "9,184"}, {german.Number(9184), "9.184"},
		{british.Compact(9184), "9,184"}, {british.Compact(18_200_000), "18.2\u00a0M"}, {british.Compact(12_340), "12.3\u00a0k"}, {german.Compact(18_200_000), "18,2\u00a0M"},
		{british.Money(nil), "no price"}, {british.Money(cents(41_270_000)), "$41.27"}, {british.Money(cents(3_900)), "$0.0039"}, {british.Money(cents(4_000)), "$0.004"},
		{british.Money(cents(0)), "$0.00"}, {german.Money(cents(41_270_000)), "$41,27"},
		{british.Duration(41), "41\u00a0ms"}, {british.Duration(6_200), "6.2\u00a0s"}, {british.Duration(72_000), "1\u00a0min 12\u00a0s"}, {british.Duration(3_720_000), "1\u00a0h 2\u00a0min"},
		{british.Percent(0.994), "99.4\u00a0%"},
		{british.Count(1, "task"), "1 task"}, {british.Count(1200, "category"), "1,200 categories"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
