package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"assent/internal/assent"
)

// A cube is one set of sums of model calls: by some keys and by buckets of time.
//
// Days are those of the reader, wherever that is, while sums are kept once. So
// they are kept by buckets of absolute time, of two widths: a day of UTC, and one
// so narrow that the days of a zone are whole buckets. Some time is then put
// together of the widest buckets that lie within, narrow ones at its ends, and at
// the ends of those the rows of calls themselves. The few zones that are a quarter
// of an hour off are counted by day from the rows.
//
// Cubes outlive the rows (ASSENT_USAGE_RETENTION), so what cubes keep together is
// known for ever; anything else, such as what a plan took, as long as the rows.
// There are several small ones instead of one with all keys, which would have
// almost as many sums as there are calls.
type cube struct {
	name   string
	narrow int64 // width of the narrow buckets in milliseconds
	keys   []string
}

// The widths of buckets.
const (
	halfHour = 1_800_000
	hour     = 2 * halfHour
	wholeDay = 24 * hour
)

// cubes lists the cubes, the smallest first.
func cubes() []cube {
	return []cube{
		{"days", halfHour, []string{"operation_type", "context_type"}},
		{"models", hour, []string{"operation_type", "context_type", "execution_mode", "profile", "provider", "model"}},
		{"ends", hour, []string{"operation_type", "context_type", "provider", "model", "tool", "status", "error_class", "fallback_from"}},
		{"people", hour, []string{"user", "context_type"}},
	}
}

// cubeFor gives the cube that has the keys that are asked by, if one does.
func cubeFor(q UsageQuery) (cube, bool) {
	for _, c := range cubes() {
		fits := true
		for _, k := range q.Keys {
			fits = fits && (slices.Contains(c.keys, k) || k == keyDay && c.cutsDays(q))
		}
		if fits {
			return c, true
		}
	}
	return cube{}, false
}

// keyDay is the one key that is no column: the day where the reader is.
const keyDay = "day"

// cutsDays reports whether the days of a zone are whole narrow buckets.
func (c cube) cutsDays(q UsageQuery) bool { return wholeDays(q, c.narrow) }

// wholeDays reports whether the days of a zone are whole buckets of a width.
func wholeDays(q UsageQuery, width int64) bool {
	for _, p := range periods(q.Zone, q.From, q.To) {
		if p.offset%width != 0 {
			return false
		}
	}
	return true
}

// widths are those of the buckets that may answer, the widest first.
func (c cube) widths(q UsageQuery) []int64 {
	if slices.Contains(q.Keys, keyDay) && !wholeDays(q, wholeDay) {
		return []int64{c.narrow}
	}
	return []int64{wholeDay, c.narrow}
}

// floor is the start of the bucket that an instant lies in.
func floor(at assent.Time, width int64) assent.Time { return at - at%assent.Time(width) }

// keyID names a key of a cube. It follows from the values alone, so that nothing
// needs to be looked up to add to a sum.
func keyID(cube string, k assent.UsageKey) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{cube, k.UserID, k.Tool, string(k.Operation), string(k.ContextType), string(k.ExecutionMode),
		k.Profile, k.Provider, k.Model, string(k.Status), k.ErrorClass, k.FallbackFrom}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// period is a part of some time in which a zone keeps one distance from UTC.
type period struct {
	from, to assent.Time
	offset   int64 // milliseconds east of UTC
}

// periods cuts some time where a zone changes its clocks.
func periods(zone *time.Location, from, to assent.Time) []period {
	var out []period
	for from < to {
		at := from.Std().In(zone)
		_, seconds := at.Zone()
		p := period{from: from, to: to, offset: int64(seconds) * 1000}
		if _, end := at.ZoneBounds(); !end.IsZero() {
			p.to = min(to, assent.At(end))
		}
		out = append(out, p)
		from = p.to
	}
	return out
}
