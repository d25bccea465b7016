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
// they are kept by buckets of absolute time, narrow enough that the days of a
// zone are whole buckets: half hours for the cube that is asked by day, hours for
// the one of people, which is long enough without days. What is asked for is then
// the whole buckets within, and at both ends the rows of calls themselves. The
// few zones that are a quarter of an hour off are counted from the rows.
//
// Cubes outlive the rows (ASSENT_USAGE_RETENTION): by day, operation, model,
// provider, context, mode, profile, tool, status, error class and fallback
// together, or by person with model, provider and context, usage is known for
// ever. Plans and steps, and people together with the rest, as long as the rows.
type cube struct {
	name  string
	width int64 // of a bucket in milliseconds
	keys  []string
	// keep leaves of a call's key what the cube tells calls apart by.
	keep func(assent.UsageKey) assent.UsageKey
}

func cubes() []cube {
	const minute = 60_000
	return []cube{
		{"models", 30 * minute, []string{"operation_type", "model", "provider", "context_type", "execution_mode", "profile", "tool", "status", "error_class", "fallback_from"},
			func(k assent.UsageKey) assent.UsageKey {
				k.UserID, k.PlanID, k.Step = "", "", ""
				return k
			}},
		{"people", 60 * minute, []string{"user", "context_type", "provider", "model"},
			func(k assent.UsageKey) assent.UsageKey {
				return assent.UsageKey{UserID: k.UserID, ContextType: k.ContextType, Provider: k.Provider, Model: k.Model}
			}},
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

// cutsDays reports whether the days of a zone are whole buckets.
func (c cube) cutsDays(q UsageQuery) bool {
	for _, p := range periods(q.Zone, q.From, q.To) {
		if p.offset%c.width != 0 {
			return false
		}
	}
	return true
}

// bucket is the start of the bucket that an instant lies in.
func (c cube) bucket(at assent.Time) assent.Time { return at - at%assent.Time(c.width) }

// keyID names a key of a cube. It follows from the values alone, so that nothing
// needs to be looked up to add to a sum.
func (c cube) keyID(k assent.UsageKey) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{c.name, k.UserID, k.Tool, string(k.Operation), string(k.ContextType), string(k.ExecutionMode),
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
