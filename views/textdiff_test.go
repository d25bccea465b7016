package views

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// asWritten writes a comparison as people write one: [-gone-] {+new+}.
func asWritten(spans []DiffSpan) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.Op {
		case DiffAdded:
			b.WriteString("{+" + s.Text + "+}")
		case DiffRemoved:
			b.WriteString("[-" + s.Text + "-]")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestDiffWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after, want string }{
		{"equal", "The lease is signed.", "The lease is signed.", "The lease is signed."},
		{"one word", "Move by the end of March.", "Move by the end of April.", "Move by the end of [-March-]{+April+}."},
		{"a word more", "Sign lease", "Sign the lease", "Sign {+the +}lease"},
		{"punctuation is its own word", "Done", "Done!", "Done{+!+}"},
		{"from nothing", "", "New", "{+New+}"},
		{"to nothing", "Old", "", "[-Old-]"},
		{"two changes parted by a space are one", "Count desks now", "Change by now", "[-Count desks-]{+Change by+} now"},
		{"a word gone before a space that stays", "a b c", "a c", "a [-b -]c"},
		{"letters of any script", "größer 東京", "kleiner 東京", "[-größer-]{+kleiner+} 東京"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := asWritten(DiffWords(c.before, c.after)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDiffTextShowsChangedLinesWithTheirNeighbours(t *testing.T) {
	t.Parallel()
	var before []string
	for i := range 12 {
		before = append(before, fmt.Sprintf("line %d", i))
	}
	after := append([]string{}, before...)
	after[6] = "line six"
	after = append(after, "a last line")
	var got []string
	for _, l := range DiffText(strings.Join(before, "\n"), strings.Join(after, "\n")+"\n") {
		if l.Skipped > 0 {
			got = append(got, fmt.Sprintf("(%d)", l.Skipped))
		} else {
			got = append(got, asWritten(l.Spans))
		}
	}
	want := "(4)|line 4|line 5|line [-6-]{+six+}|line 7|line 8|(1)|line 10|line 11|{+a last line+}"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestDiffLosesNothing holds for any two texts: what is same or gone makes up
// the first, what is same or new makes up the second.
func TestDiffLosesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteByte("abc \n."[r.IntN(6)])
		}
		return b.String()
	}
	for range 2000 {
		a, b := text(), text()
		var from, to strings.Builder
		for _, s := range DiffWords(a, b) {
			if s.Op != DiffAdded {
				from.WriteString(s.Text)
			}
			if s.Op != DiffRemoved {
				to.WriteString(s.Text)
			}
		}
		if from.String() != a || to.String() != b {
			t.Fatalf("%q and %q became %q and %q", a, b, from.String(), to.String())
		}
	}
}

func TestTextsWithNothingInCommonAreReplacedWhole(t *testing.T) {
	t.Parallel()
	var a, b []string
	for i := range 2 * diffEffort {
		a, b = append(a, fmt.Sprintf("a%d", i)), append(b, fmt.Sprintf("b%d", i))
	}
	got := diffParts(a, b)
	if len(got) != len(a)+len(b) || got[0].Op != DiffRemoved || got[len(got)-1].Op != DiffAdded {
		t.Errorf("got %d spans", len(got))
	}
}
