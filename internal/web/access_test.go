package web

import (
	"log/slog"
	"testing"
	"time"
)

func TestTheLogTellsOfFailedAndSlowChangesOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		method string
		status int
		took   time.Duration
		want   slog.Level
	}{
		"a read":                     {"GET", 200, time.Millisecond, slog.LevelDebug},
		"a stream of an hour":        {"GET", 200, time.Hour, slog.LevelDebug},
		"a page that is not there":   {"GET", 404, time.Millisecond, slog.LevelDebug},
		"a head":                     {"HEAD", 200, time.Minute, slog.LevelDebug},
		"a change":                   {"POST", 202, time.Millisecond, slog.LevelDebug},
		"a form that leads on":       {"POST", 303, time.Millisecond, slog.LevelDebug},
		"a slow change":              {"POST", 202, 2 * time.Second, slog.LevelInfo},
		"a change that is refused":   {"PATCH", 412, time.Millisecond, slog.LevelInfo},
		"a deletion that failed":     {"DELETE", 500, time.Millisecond, slog.LevelInfo},
		"a method nobody has":        {"BREW", 404, time.Millisecond, slog.LevelInfo},
		"a second is not slow":       {"POST", 200, time.Second, slog.LevelDebug},
		"a sign-in that was refused": {"POST", 401, time.Millisecond, slog.LevelInfo},
	} {
		if got := accessLevel(tc.method, tc.status, tc.took); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}
