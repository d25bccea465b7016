package e2e

import (
	"testing"

	"github.com/go-rod/rod"
)

// The composer keeps the mode that was chosen, and stands exactly below the
// conversation whether or not that has a scroll bar.
func TestTheComposerKeepsItsModeAndItsPlace(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.must(w.see("#mode").Select([]string{`[value=draft_only]`}, true, rod.SelectorTypeCSSSector))
	w.say("create a project for the autumn fair")
	w.waitingPlan()
	w.quiet()
	w.reload()
	w.until(`document.getElementById("mode").value === "draft_only"`)
	for _, width := range []int{wide, narrow} {
		w.size(width)
		w.until(`document.getElementById("scroll").scrollHeight > document.getElementById("scroll").clientHeight`)
		w.until(`Math.abs(document.querySelector(".scroll .col").getBoundingClientRect().left + document.querySelector(".scroll .col").getBoundingClientRect().right
			- document.getElementById("composer").getBoundingClientRect().left - document.getElementById("composer").getBoundingClientRect().right) < 2`)
	}
}
