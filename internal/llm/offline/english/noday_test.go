package english_test

import (
	"strings"
	"testing"

	"assent/internal/llm/offline/english"
)

func TestDaysThatDoNotExist(t *testing.T) {
	t.Parallel()
	r := english.Reader{Today: english.Date(2026, 11, 21)}
	for words, want := range map[string]string{
		"open a bakery by 31 April 2027":        "31 April 2027: April has 30 days",
		"open a bakery by 31 February":          "31 February: February never has more than 29 days",
		"remind me on February 30th":            "February 30th: February never has more than 29 days",
		"on the 31st of June":                   "31st of June: June has 30 days",
		"by 32 March please":                    "32 March: March has 31 days",
		"by 40 December":                        "40 December: December has 31 days",
		"due 29 February 2027":                  "29 February 2027: 2027 is no leap year",
		"due 29 February":                       "",
		"due 29 February 2028":                  "",
		"due 2027-02-30":                        "2027-02-30: February never has more than 29 days",
		"due 2027-13-01":                        "2027-13-01: a year has twelve months",
		"due 31/04/2027":                        "31/04/2027: April has 30 days",
		"due 31.4.27":                           "31.4.27: April has 30 days",
		"due 0 May 2027":                        "0 May 2027: months begin with the first",
		"call at 25:00":                         "25:00: a day ends at 23:59",
		"call at 12:60":                         "12:60: a day ends at 23:59",
		"call at 23:59":                         "",
		"in February 30 people come":            "",
		"call it “31 February”":                 "",
		"use version 1.2.3 and 10.0.0":          "",
		"a book of 40 may sell":                 "",
		"30 April 2027":                         "",
		"move it from 31 April to February 30.": "31 April: April has 30 days; February 30: February never has more than 29 days",
	} {
		text := english.Parse(words, nil)
		var got []string
		for _, d := range r.NoDays(text) {
			got = append(got, text.Slice(d.From, d.To)+": "+d.Why)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
