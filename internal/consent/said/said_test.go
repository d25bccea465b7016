package said_test

import (
	"testing"
	"time"

	"assent/internal/consent/said"
)

// today is a Saturday in November.
func today(was string) said.Today {
	return said.Today{Date: time.Date(2026, 11, 21, 15, 4, 0, 0, time.FixedZone("", 3600)), Was: was}
}

func TestDatesInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words, value, was string
		want              bool
	}{
		{"put it in April", "2027-04-17", "", true},
		{"put it in April", "2027-05-01", "", false},
		{"put it in April", "2026-04-17", "", false},
		{"put it in April", "2028-04-17", "", false},
		{"put it in April", "2028-04-17", "2028-06-01", true},
		{"make that April 2029", "2029-04-01", "", true},
		{"make that April 2029", "2027-04-01", "", false},
		{"by the end of March", "2027-03-31", "", true},
		{"by the end of March", "2027-03-15", "", false},
		{"start of December", "2026-12-01", "", true},
		{"mid-March", "2027-03-15", "", true},
		{"on 31 March", "2027-03-31", "", true},
		{"on March 31st", "2027-03-31", "", true},
		{"on March 31st, 2028", "2028-03-31", "", true},
		{"on March 31st", "2027-03-30", "", false},
		{"31.3.2027", "2027-03-31", "", true},
		{"2027-03-31", "2027-03-31T10:00:00Z", "", true},
		{"in November", "2026-11-30", "", true},
		{"tomorrow", "2026-11-22", "", true},
		{"next week", "2026-11-24", "", true},
		{"next week", "2026-12-01", "", false},
		{"on Friday", "2026-11-27", "", true},
		{"next Friday", "2026-12-04", "", true},
		{"in two weeks", "2026-12-05", "", true},
		{"end of the month", "2026-11-30", "", true},
		{"in Q2", "2027-05-05", "", true},
		{"two weeks later", "2027-02-15", "2027-02-01", true},
		{"a month earlier", "2027-01-01", "2027-02-01", true},
		{"two weeks later", "2027-01-18", "2027-02-01", false},
		{"push it back a week", "2027-02-08", "2027-02-01", true},
		{"Ende März", "2027-03-31", "", true},
		{"am 3. Mai", "2027-05-03", "", true},
		{"fin avril", "2027-04-30", "", true},
		{"en abril", "2027-04-02", "", true},
		{"a fine marzo", "2027-03-31", "", true},
		{"no fim de março", "2027-03-31", "", true},
		{"eind maart", "2027-03-31", "", true},
		{"w kwietniu", "2027-04-30", "", true},
		{"4月末にして", "2027-04-30", "", true},
		{"改到4月", "2027-04-09", "", true},
		{"you may do it", "2027-05-01", "", false},
		{"do it in May", "2027-05-01", "", true},
		{"go ahead with step 4", "2027-04-04", "", false},
		{"32 March", "2027-03-31", "", false},
		{"", "2027-03-31", "", false},
		{"April", "no date", "", false},
	} {
		if got := said.Date(tt.words, tt.value, today(tt.was)); got != tt.want {
			t.Errorf("%q names %s (was %q): %v", tt.words, tt.value, tt.was, got)
		}
	}
}

func TestDatesByNumbersAsTheCountryWritesThem(t *testing.T) {
	t.Parallel()
	us := today("")
	us.MonthFirst = true
	if !said.Date("3/4/2027", "2027-03-04", us) || said.Date("3/4/2027", "2027-04-03", us) {
		t.Error("with the month first")
	}
	if !said.Date("3/4/2027", "2027-04-03", today("")) || said.Date("3/4/2027", "2027-03-04", today("")) {
		t.Error("with the day first")
	}
}

func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words, value string
		want         bool
	}{
		{"make it two", "2", true},
		{"make it 2", "2", true},
		{"make it 2", "2.0", true},
		{"make it two", "3", false},
		{"set it to 1.500", "1500", true},
		{"set it to 1,500", "1500", true},
		{"set it to 1.500", "1.5", false},
		{"set it to 1,5", "1.5", true},
		{"set it to 1.234,56", "1234.56", true},
		{"set it to 1,234.56", "1234.56", true},
		{"two hundred and fifty", "250", true},
		{"two hundred and fifty", "50", false},
		{"twenty five", "25", true},
		{"two thousand five", "2005", true},
		{"a dozen", "12", true},
		{"a thousand", "1000", true},
		{"in step 3 set it to five", "5", true},
		{"in step 3 set it to five", "3", false},
		{"steps 2 and so on", "2", false},
		{"fünf", "5", true},
		{"trois", "3", true},
		{"31.3.2027", "2027", false},
		{"make it 2", "nothing", false},
		{"make it 12", "2", false},
	} {
		if got := said.Number(tt.words, tt.value); got != tt.want {
			t.Errorf("%q names %s: %v", tt.words, tt.value, got)
		}
	}
}

func TestNamesInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words, value string
		want         bool
	}{
		{"add a budget milestone first", "Budget", true},
		{"add a budget milestone first", "Budget milestone", true},
		{"add a budget milestone first", "Budget approved", false},
		{"call it “Book the BIG van”", "Book the big van", true},
		{"set it to in progress", "in_progress", true},
		{"nenne es Größe", "grosse", true},
		{"予算を追加", "予算", true},
		{"add a budgetary note", "Budget", false},
		{"add it", "", false},
		{"add it", "!!", false},
	} {
		if got := said.Name(tt.words, tt.value); got != tt.want {
			t.Errorf("%q names %q: %v", tt.words, tt.value, got)
		}
	}
}
