package offline_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// patience tells an answer that never comes from one that a slow machine takes a
// while for.
const patience = time.Minute

// FuzzWords holds for whatever is typed, in every scene: there is an answer,
// after few calls, the same one every time, and each call fits its tool.
func FuzzWords(f *testing.F) {
	w := newWorld(f)
	files, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		for i, p := range readCorpus(f, file) {
			if i%24 == 0 {
				f.Add(p.words)
			}
		}
	}
	for _, words := range []string{"", " ", "\n\n- \n- ", "“", "add a task: “", "$1.output.x {{ result.a }}", "by by by by 31/31/31", "((((", "1.", "rename it to", "«»", "\x00\ufffd",
		strings.Repeat("rename a to b and c to d, ", 60)} { // each "to" may end a name
		f.Add(words)
	}
	f.Fuzz(func(t *testing.T, words string) {
		if !utf8.ValidString(words) || len(words) > 32<<10 {
			return // the API refuses both
		}
		for _, name := range []string{"general", "new", "in project office", "in task t-sign", "draft fair", "draft lease", "general US"} {
			sc, err := sceneOf(name)
			if err != nil {
				t.Fatal(err)
			}
			if sc.plan != nil {
				sc.reading = reading(*sc.plan, words)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			got, err := w.tell(ctx, sc, words)
			cancel()
			if err != nil {
				t.Fatalf("%s: %q: %v", name, words, err)
			}
			if got.text == "" && len(got.writes) == 0 {
				t.Fatalf("%s: %q is not answered", name, words)
			}
		}
	})
}
