package assent_test

import (
	"testing"

	"assent/internal/assent"
)

func TestWordsAreJoinedAndCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{assent.List(nil), ""}, {assent.List([]string{"a"}), "a"}, {assent.List([]string{"a", "b"}), "a and b"}, {assent.List([]string{"a", "b", "c"}), "a, b and c"},
		{assent.Clip("", 3), ""}, {assent.Clip("abc", 3), "abc"}, {assent.Clip("abcd", 3), "abc…"}, {assent.Clip("süß", 2), "sü…"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
