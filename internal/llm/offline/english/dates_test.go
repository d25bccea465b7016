package english

import "testing"

func TestDates(t *testing.T) {
	t.Parallel()
	today := Date(2026, 11, 21) // a Saturday
	for words, want := range map[string]string{
		"by the end of March":           "2027-03-31",
		"by end of march":               "2027-03-31",
		"next Friday":                   "2026-11-27",
		"in two weeks":                  "2026-12-05",
		"tomorrow":                      "2026-11-22",
		"15 Jan":                        "2027-01-15",
		"Jan 15 2027":                   "2027-01-15",
		"January 15th, 2027":            "2027-01-15",
		"2027-01-15":                    "2027-01-15",
		"in Q1":                         "2027-03-31",
		"end of the month":              "2026-11-30",
		"before Christmas":              "2026-12-24",
		"by Christmas":                  "2026-12-25",
		"in a fortnight":                "2026-12-05",
		"on Monday":                     "2026-11-23",
		"by Fri":                        "2026-11-27",
		"mid-February":                  "2027-02-15",
		"mid Feb":                       "2027-02-15",
		"early March":                   "2027-03-11",
		"late April":                    "2027-04-30",
		"next week":                     "2026-11-27",
		"this week":                     "2026-11-22",
		"next month":                    "2026-12-31",
		"end of next month":             "2026-12-31",
		"next year":                     "2027-12-31",
		"end of the year":               "2026-12-31",
		"the 3rd of December":           "2026-12-03",
		"on the 15th":                   "2026-12-15",
		"before 15 January":             "2027-01-14",
		"in 5 working days":             "2026-11-27",
		"three weeks from now":          "2026-12-12",
		"a week from Friday":            "2026-12-04",
		"Friday week":                   "2026-12-04",
		"the day after tomorrow":        "2026-11-23",
		"no later than 1 May":           "2027-05-01",
		"over the next six weeks":       "2027-01-02",
		"within a month":                "2026-12-21",
		"by Febuary":                    "2027-02-28",
		"15/01/2027":                    "2027-01-15",
		"by 15/1":                       "2027-01-15",
		"in summer":                     "2027-08-31",
		"by Easter":                     "2027-03-28",
		"before the end of Q2 2027":     "2027-06-29",
		"by 2028":                       "2028-12-31",
		"Friday 15 January":             "2027-01-15",
		"end of next quarter":           "2027-03-31",
		"before New Year":               "2026-12-31",
		"Dec 1st":                       "2026-12-01",
		"1st December":                  "2026-12-01",
		"the first week of April":       "2027-04-07",
		"by March 2028":                 "2028-03-31",
		"three months from today":       "2027-02-21",
		"in half a year":                "2027-05-21",
		"this Sunday":                   "2026-11-22",
		"next Tuesday morning":          "2026-11-24",
		"(by 3 Dec)":                    "2026-12-03",
		"deadline: 30 June":             "2027-06-30",
		"first quarter of 2028":         "2028-03-31",
		"by the beginning of April":     "2027-04-01",
		"start of next week":            "2026-11-23",
		"next weekend":                  "2026-11-29",
		"31/12":                         "",
		"may I ask":                     "",
		"march on":                      "",
		"set up the Q3 campaign":        "",
		"plan the Christmas party":      "",
		"the second step":               "",
		"the March newsletter":          "",
		"31 February":                   "",
		"it costs 5 pounds":             "",
		"version 1.2":                   "",
		"the sun is out":                "",
		"for next Thurs":                "2026-11-26",
		"by Decmber 10":                 "2026-12-10",
		"in about three weeks":          "2026-12-12",
		"by 1st of next month":          "2026-12-01",
		"by the second week of January": "2027-01-14",
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			got := ""
			if spans := (Reader{Today: today}).Dates(Parse(words, NewSpeller(nil, nil))); len(spans) > 0 {
				got = spans[0].Day.Format("2006-01-02")
			}
			if got != want {
				t.Errorf("%q is %q, want %q", words, got, want)
			}
		})
	}
}
