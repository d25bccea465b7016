package views

import (
	"bufio"
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

// TestEveryLanguageIsColoured reads each description to its end: all of its
// patterns compile and every language that it refers to is there.
func TestEveryLanguageIsColoured(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(lexerFiles, "lexers/*.xml")
	if err != nil || len(names) < 30 {
		t.Fatalf("%d languages: %v", len(names), err)
	}
	for _, l := range lexers().Lexers {
		rules, err := l.(*chroma.RegexLexer).Rules()
		if err != nil || len(rules) == 0 {
			t.Errorf("%s: %v", l.Config().Name, err)
		}
		if _, err := chroma.Tokenise(l, nil, "a = \"b\" // c\n<script>x</script>\nRUN ls && echo {}\n"); err != nil {
			t.Errorf("%s: %v", l.Config().Name, err)
		}
	}
}

func TestCodeIsColouredByLanguage(t *testing.T) {
	t.Parallel()
	for lang, c := range map[string]struct{ code, want string }{
		"go":         {"func main() {}", `<span class="kd">func</span>`},
		"golang":     {"return `x`", `<span class="s">`},
		"json":       {`{"a": 1}`, `<span class="nt">`},
		"js":         {"const a = 1", `<span class="kr">const</span>`},
		"ts":         {"let a: string", `<span class="`},
		"python":     {"def f(): pass", `<span class="k">def</span>`},
		"sh":         {"echo hi", `<span class="nb">echo</span>`},
		"yaml":       {"a: 1", `<span class="nt">a</span>`},
		"sql":        {"SELECT 1", `<span class="k">SELECT</span>`},
		"html":       {"<b>x</b><script>let a</script>", `<span class="nt">b</span>`},
		"dockerfile": {"FROM scratch", `<span class="k">FROM</span>`},
		"rust":       {"fn main() {}", `<span class="k">fn</span>`},
	} {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		ok := colour(w, lang, c.code)
		if err := w.Flush(); err != nil || !ok || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %v, %q, %v", lang, ok, b.String(), err)
		}
	}
	if colour(bufio.NewWriter(&bytes.Buffer{}), "klingon", "x") {
		t.Error("a language that is not there is coloured")
	}
}
