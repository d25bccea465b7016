package e2e

import (
	"testing"

	"github.com/go-rod/rod/lib/input"
)

func TestAConversationByKeyboardAlone(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.until(`document.readyState === "complete"`)
	w.must(w.see("body").Focus())
	w.must(w.see("#words").Blur())
	w.keys(input.Slash)
	w.until(`document.activeElement.id === "words"`)
	w.until(`document.activeElement.value === ""`)
	w.write(office)
	w.keys(input.Enter)
	w.waitingPlan()
	w.quiet()
	w.must(w.see("#words").Blur())
	w.keys(input.Slash)
	w.until(`document.activeElement.id === "words" && words.value === ""`)
	w.keys(input.ArrowUp)
	w.until(`words.value.startsWith("We are moving our office")`)
	w.must(w.see("#words").SelectAllText())
	w.write("looks good, run it")
	w.keys(input.Enter)
	w.ran()
	w.quiet()
	w.until(`words.value === ""`)
	w.keys(input.ArrowUp)
	w.until(`words.value === "looks good, run it"`)
}

// Tab reaches the buttons of a plan, and Enter presses them.
func TestAPlanIsAnsweredWithTabAndEnter(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	w.must(w.see("#scroll").Focus())
	for range 60 {
		w.keys(input.Tab)
		r, err := w.page.Eval(`() => document.activeElement.value ?? ""`)
		w.must(err)
		if r.Value.Str() == "Looks good, run it" {
			w.keys(input.Enter)
			w.ran()
			return
		}
	}
	t.Error("Tab never reaches the plan's answer")
}
