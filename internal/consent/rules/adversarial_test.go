package rules_test

import (
	"os"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// TestNearApprovalsStartNothing reads words that an approval with an explanation
// beside it is close to: reported, conditional, deferred, joking, quoted, about
// something else, or somebody else's.
func TestNearApprovalsStartNothing(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/adversarial.tsv")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		_, message, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%q has no language", line)
		}
		count++
		r, _ := rules.Read(strings.ReplaceAll(message, `\n`, "\n"), situation(t, "-"))
		approved := r.As == assent.ReadApprove
		for _, c := range r.Changes {
			approved = approved || r.As == assent.ReadApproveWithChanges && c.Step != ""
		}
		if r.Counts && approved {
			t.Errorf("FALSE APPROVAL: %q is read as %+v", message, r)
		}
	}
	if count < 150 {
		t.Errorf("only %d lines", count)
	}
}
