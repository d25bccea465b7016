package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatATemplateBringsIsReadBeforeAndLinkedAfterwards: each milestone with its
// date, each task and risk stands on the card; after the run the card and the line
// below it lead to the project.
func TestWhatATemplateBringsIsReadBeforeAndLinkedAfterwards(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.must(w.see("article.plan .contents > summary").Click("left", 1), "opening the contents")
	w.see("article.plan .contents[open]")
	if n := w.count("article.plan .contents > ul > li > time"); n != officeMilestones {
		t.Errorf("%d milestones have a date, not %d", n, officeMilestones)
	}
	shown := w.texts("article.plan .contents > ul ul > li")
	if len(shown) < officeTasks {
		t.Errorf("%d tasks and risks are named: %q", len(shown), shown)
	}
	w.say("looks good, run it")
	w.ran()
	w.read("#transcript .line a", officeProject)
	w.press(w.read("article.plan .made a", officeProject))
	w.read("h1", officeProject)
	for _, title := range shown[:3] {
		w.open(w.path() + "/tasks")
		w.read("main", strings.SplitN(title, " ", 2)[0])
		w.open(strings.TrimSuffix(w.path(), "/tasks"))
	}
}

// TestALostConnectionIsSaidAndForgotten: the page does not pretend to think while
// the server is away, and says so no longer once it is back.
func TestALostConnectionIsSaidAndForgotten(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.say("hello")
	w.see("#transcript .meta")
	w.s.kill()
	w.read("#lost[role=status]", "connection is lost")
	w.until(`!document.getElementById("offline").hidden && getComputedStyle(document.getElementById("status")).display === "none"`)
	w.say("are you there?")
	w.read("#trouble .unreachable", "cannot be reached")
	w.s.start()
	w.until(`document.getElementById("lost").textContent === "" && document.getElementById("offline").hidden && !document.querySelector("#trouble .unreachable")`)
	if got := w.see("#words").MustProperty("value").String(); got != "are you there?" {
		t.Errorf("the words became %q", got)
	}
}

// TestTheSideBarStaysInReach: however much waits, every section is on the screen.
func TestTheSideBarStaysInReach(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	for i := range 8 {
		w.open("/chat")
		w.say(fmt.Sprintf("Create a project called Pond %d, but show me the plan first", i))
		w.waitingPlan()
	}
	w.open("/chat")
	if n := w.count("section[aria-labelledby=side-waiting] li"); n != 5 {
		t.Errorf("%d conversations wait in the side bar", n)
	}
	w.read("section[aria-labelledby=side-waiting] a.more", "3 more")
	for _, href := range []string{"/search", "/plans", "/admin/usage", "/settings"} {
		w.until(fmt.Sprintf(`(() => { const r = document.querySelector('#side a[href=%q]').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.height > 0 })()`, href))
	}
	if title := w.texts("section[aria-labelledby=side-waiting] li")[0]; !strings.Contains(title, "Pond") {
		t.Errorf("the first is called %q", title)
	}
}
