package redact_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"assent/internal/redact"
)

// TestALogHoldsNoSecret holds it for messages, values and errors, quoted or not.
func TestALogHoldsNoSecret(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := redact.NewWriter(&out)
	log := slog.New(slog.NewTextHandler(w, nil))
	log.Error("at the start")
	w.Use(redact.New(planted))
	log.Error("calling with "+planted, "error", errors.New("refused: "+planted), "key", planted)
	if got := out.String(); strings.Contains(got, "cret+1") || strings.Count(got, redact.Mark) != 3 || !strings.Contains(got, "at the start") {
		t.Errorf("the log is %s", got)
	}
}
