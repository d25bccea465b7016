package offline_test

import (
	"strings"
	"testing"
)

// longTexts are what may be repeated in the longest messages that the API takes:
// orders, lists, words without a break.
func longTexts() []string {
	return []string{"delete order cake and ", "rename order cake to order pie and ", "' ", "a\n", "and ", "- call the landlord by 3 May\n",
		"organisationswesensverwaltung ", "what is the status of the office move and "}
}

// longest is a message of the greatest length, of one text again and again.
func longest(unit string) string { return strings.Repeat(unit, 32<<10/len(unit)) }

// TestLongTexts holds that the longest messages get an answer; how soon is what
// the benchmark measures.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, unit := range longTexts() {
		for _, scn := range []string{"general", "draft fair", "in project office"} {
			sc, err := sceneOf(scn)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := w.tell(t.Context(), sc, longest(unit)); err != nil || got.text == "" && len(got.writes) == 0 {
				t.Errorf("%q, %s: %v, said %q", unit, scn, err, got.text)
			}
		}
	}
}

// BenchmarkLongTexts answers the longest messages.
func BenchmarkLongTexts(b *testing.B) {
	w := newWorld(b)
	for _, unit := range longTexts() {
		sc, err := sceneOf("in project office")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				if _, err := w.tell(b.Context(), sc, longest(unit)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
