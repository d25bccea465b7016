package offline

import (
	"time"

	"assent/internal/llm/offline/english"
)

// dated is " – 31 March 2027", or nothing without a date.
func dated(d time.Time) string {
	if d.IsZero() {
		return ""
	}
	return " – " + english.LongDate(d)
}

// datedText is dated for a date as tools write it.
func datedText(s string) string {
	d, ok := english.ParseDay(s)
	if !ok {
		return ""
	}
	return dated(d)
}

// long writes a tool's date for people; what is no date stays as it is.
func long(s string) string {
	if d, ok := english.ParseDay(s); ok {
		return english.LongDate(d)
	}
	return s
}

// quoted puts names into quotation marks.
func quoted(s string) string { return "“" + s + "”" }

func quotedAll(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = quoted(s)
	}
	return out
}
