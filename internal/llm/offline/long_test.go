package offline_test

import (
	"strings"
	"testing"
	"time"
)

// TestLongTexts holds that the longest messages that the API takes, and the longest
// that are read, are answered soon, whatever is repeated in them.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, unit := range []string{"delete order cake and ", "rename order cake to order pie and ", "' ", "a\n", "and ", "- call the landlord by 3 May\n",
		"organisationswesensverwaltung ", "what is the status of the office move and "} {
		t.Run(unit, func(t *testing.T) {
			for _, scn := range []string{"general", "draft fair", "in project office"} {
				sc, err := sceneOf(scn)
				if err != nil {
					t.Fatal(err)
				}
				for _, times := range []int{32 << 10 / len(unit), 1400 / len(strings.Fields(unit))} {
					start := time.Now()
					got, err := w.tell(t.Context(), sc, strings.Repeat(unit, times))
					if err != nil || got.text == "" && len(got.writes) == 0 {
						t.Errorf("%s: %v, said %q", scn, err, got.text)
					}
					if took := time.Since(start); took > patience {
						t.Errorf("%s: %d times took %v", scn, times, took)
					}
				}
			}
		})
	}
}
