package e2e

import (
	"time"

	"github.com/go-rod/rod"
)

// evalTranscript is true once the transcript's words are those given. Times that
// run on and things that only a reader's click opens are no words of it.
func evalTranscript(want string) *rod.EvalOptions {
	return rod.Eval(`(want) => document.getElementById("transcript").innerText.split(/\s+/).join(" ").trim() === want`, want)
}

// reloadUntil does what people without JavaScript do.
func (w *window) reloadUntil(selector string) {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if w.count(selector) > 0 {
			return
		}
		w.reload()
	}
	w.t.Fatalf("%s does not show up:\n%s", selector, w.looks())
}
