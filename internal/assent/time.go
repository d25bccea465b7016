package assent

import "time"

// Time is an instant to the millisecond. It is stored as Unix milliseconds and
// shown as RFC 3339 in UTC; zero is "not yet" and shown as null.
type Time int64

// At turns a time.Time into a Time.
func At(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMilli())
}

// Std gives the time.Time in UTC; the zero Time gives the zero time.Time.
func (t Time) Std() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(t)).UTC()
}

const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// String is RFC 3339 with milliseconds, or "" for zero.
func (t Time) String() string {
	if t == 0 {
		return ""
	}
	return t.Std().Format(timeLayout)
}

// MarshalJSON writes RFC 3339 or null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t == 0 {
		return []byte("null"), nil
	}
	b := make([]byte, 0, len(timeLayout)+2)
	b = append(b, '"')
	b = t.Std().AppendFormat(b, timeLayout)
	return append(b, '"'), nil
}

// UnmarshalJSON reads RFC 3339 or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = 0
		return nil
	}
	var s time.Time
	if err := s.UnmarshalJSON(b); err != nil {
		return err
	}
	*t = At(s)
	return nil
}

// Date is a calendar day without a zone, "2027-03-31"; empty is "none".
type Date string

// Clock tells the time; injected so that transcripts are exact.
type Clock func() time.Time

// IDs makes a new identifier (UUIDv7 in production); injected for the same reason.
type IDs func() string
