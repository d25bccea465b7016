package views

import (
	"time"

	"assent/internal/assent"
)

// ShortDate is a date for tables: "31 Mar 2027". What is no date stays as it is.
func (r Reader) ShortDate(d assent.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format(r.dayLayout("Jan"))
}

// Today is the calendar day at an instant where the person is.
func (r Reader) Today(now time.Time) assent.Date {
	return assent.Date(now.In(r.zone).Format(time.DateOnly))
}

// Zone is the person's time zone.
func (r Reader) Zone() *time.Location { return r.zone }
