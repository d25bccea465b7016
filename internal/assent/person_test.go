package assent_test

import (
	"testing"

	"assent/internal/assent"
)

func TestAPersonsDaysBeginInTheirZoneElseInUTC(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Europe/London": "Europe/London", "": "UTC", "Nowhere/Else": "UTC", "../etc": "UTC"} {
		if got := (assent.Person{TimeZone: name}).Zone().String(); got != want {
			t.Errorf("the zone of %q is %s, want %s", name, got, want)
		}
	}
}
